import { expect } from 'chai';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { createBudget, RunStop } from '../../../src/commands/bots/budget.ts';
import { finds, fits, patternProblem, unrolledSize } from '../../../src/commands/bots/rules.ts';

const budget = createBudget(Number.POSITIVE_INFINITY);

describe('bots: patterns', () => {
  it('finds anywhere, or fits from end to end', () => {
    expect(finds('\\d{3}', 'my code 123 is it', budget)).to.equal(true);
    expect(fits('\\d{3}', 'my code 123 is it', budget)).to.equal(false);
    expect(fits('\\d{3}', '123', budget)).to.equal(true);
    expect(finds('^hello', 'HELLO', budget)).to.equal(true);
    expect(fits('hello', 'HELLO', budget)).to.equal(false);
    expect(fits('(?i)hello', 'HELLO', budget)).to.equal(true);
  });

  it('takes the patterns that people write', () => {
    for (const pattern of [
      '^[A-Z]{5}\\d{4}[A-Z]$',
      '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      '^\\p{L}+( \\p{L}+)*$',
      '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
      '[[:alpha:]]{20}',
      '[]a]{3}',
      '(?P<year>\\d{4})-(?P<month>\\d{2})',
    ]) {
      expect(patternProblem(pattern), pattern).to.equal(null);
    }
  });

  it('says why it cannot take one', () => {
    expect(patternProblem('')).to.equal('the pattern is empty');
    expect(patternProblem('a'.repeat(256))).to.equal(null);
    expect(patternProblem('a'.repeat(257))).to.match(/longer than 256/);
    const shown = 'the pattern cannot be read: '.length + 200;
    expect(patternProblem(`(${'a'.repeat(250)}`)).to.have.length(shown);
    for (const pattern of ['(', '[a', '*', '(a)\\1', '(?=a)', 'a**', '\\']) {
      expect(patternProblem(pattern), pattern).to.match(/^the pattern cannot be read: /);
    }
  });

  it('refuses what would be dear to compile', () => {
    for (const pattern of [
      `(?:${'a?'.repeat(120)}){1000}`,
      '.{999}'.repeat(30),
      '((a{10}){10}){10}',
      '(a|b)*a(a|b){900}[c-d]',
      `(?i)${'\\PL'.repeat(80)}`,
      'a\\Q)\\E{1000}',
      '\\Q(\\E{1000}',
    ]) {
      expect(patternProblem(pattern), pattern).to.equal('the pattern is too complex');
    }
  });

  it('takes patterns up to a size, both unrolled and compiled', () => {
    const tooComplex = 'the pattern is too complex';
    // Flags count for the unrolled size only.
    const flags = '(?i)'.repeat(60);
    expect(unrolledSize(`${flags}a{820}`)).to.equal(1000);
    expect(patternProblem(`${flags}a{820}`)).to.equal(null);
    expect(patternProblem(`${flags}a{821}`)).to.equal(tooComplex);
    expect(RE2JS.compile('a{998}').programSize()).to.equal(1000);
    expect(patternProblem('a{998}')).to.equal(null);
    expect(patternProblem('a{999}')).to.equal(tooComplex);
  });

  it('never takes a pattern for much smaller than it compiles to', () => {
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4, depthSize: 'large' },
        fc.constantFrom(...'a . \\d [a-z] [^]x] [[:digit:]] \\x{41} \\( \\[ \\Q(\\E'.split(' ')),
        tie('pattern').map((inner) => `(${inner})`),
        tie('pattern').map((inner) => `(?:${inner})*`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?i:${one}|${other})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('{2}', '{0,3}', '{4,}', '{,5}', '?', '+'))
          .map(([inner, times]) => `(?:${inner})${times}`),
      ),
    }));
    fc.assert(
      fc.property(pattern, (text) => {
        const size = RE2JS.compile(text).programSize();
        expect(size, text).to.be.at.most(3 * unrolledSize(text) + 10);
      }),
      { numRuns: 300 },
    );
  });

  it('needs no more than linear time for patterns that are catastrophic elsewhere', () => {
    const text = `${'a'.repeat(1000)}!`;
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){20}$', '^([a-z]+)*$']) {
      expect(finds(pattern, text, budget), pattern).to.equal(false);
    }
  });

  it('looks at a bounded part of the text', () => {
    expect(finds('b', `${'a'.repeat(1024)}b`, budget)).to.equal(false);
    expect(finds('b', `${'a'.repeat(1023)}b`, budget)).to.equal(true);
    expect(fits('a+', 'a'.repeat(1024), budget)).to.equal(true);
    expect(fits('a+', 'a'.repeat(1025), budget)).to.equal(false);
  });

  it('costs CPU budget by the sizes of pattern and text', () => {
    const costOf = (pattern: string, text: string) => {
      let cost = 0;
      finds(pattern, text, { spend: (units) => (cost += units) });
      return cost;
    };
    expect(costOf('a', 'bcd')).to.equal(RE2JS.compile('a').programSize() * (3 + 256));
    expect(costOf('(a|b)*a(a|b){50}[c-d]', 'ab'.repeat(500))).to.be.above(100_000);
  });

  it('stops the run at a pattern that cannot be read', () => {
    expect(() => finds('(', 'x', budget))
      .to.throw(RunStop)
      .with.property('reason', 'failed');
  });
});
