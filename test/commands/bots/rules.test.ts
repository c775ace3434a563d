import { expect } from 'chai';
import { readAnswer } from '../../../src/commands/bots/answers.ts';
import { createBudget } from '../../../src/commands/bots/budget.ts';
import { conditionOutcome, matchingCase } from '../../../src/commands/bots/rules.ts';
import type { Scope } from '../../../src/commands/bots/template.ts';

const scope = (variables: Record<string, unknown>): Scope => ({
  contact: { waId: '919812345678', userId: null, name: 'Asha' },
  text: ' Yes please ',
  variables,
});
type Operator = Parameters<typeof conditionOutcome>[0]['rules'][number]['op'];
const holds = (x: unknown, op: Operator, value?: string) => {
  const rule = { variable: 'vars.x', op, ...(value !== undefined && { value }) };
  const seen = scope({ x, y: 'limit', three: '3' });
  return conditionOutcome({ match: 'all', rules: [rule] }, seen, createBudget()) === 'true';
};

describe('bots: conditions', () => {
  it('compares texts without case, form and space around', () => {
    expect(holds(' HELLO ', 'equals', 'hello')).to.equal(true);
    expect(holds('ｈｅｌｌｏ', 'equals', 'Hello ')).to.equal(true);
    expect(holds('hello', 'not_equals', 'HELLO')).to.equal(false);
    expect(holds('Say HELLO now', 'contains', ' hello ')).to.equal(true);
    expect(holds('Hello now', 'starts_with', 'HELLO')).to.equal(true);
    expect(holds('now hello ', 'ends_with', 'Hello')).to.equal(true);
    expect(holds('now', 'ends_with', 'Hello')).to.equal(false);
  });

  it('compares numbers, and is false for any other text', () => {
    expect(holds('10', 'greater_than', '9')).to.equal(true);
    expect(holds(10, 'greater_than', '9.99')).to.equal(true);
    expect(holds('9', 'less_than', '10')).to.equal(true);
    expect(holds('9', 'less_than', '9')).to.equal(false);
    expect(holds('9', 'greater_than', '9')).to.equal(false);
    expect(holds('ten', 'greater_than', '9')).to.equal(false);
    expect(holds('ten', 'less_than', '9')).to.equal(false);
    expect(holds(undefined, 'less_than', '9')).to.equal(false);
  });

  it('recognises empty values', () => {
    for (const value of [undefined, null, '', '  ', [], {}]) {
      expect(holds(value, 'is_empty'), JSON.stringify(value)).to.equal(true);
      expect(holds(value, 'is_not_empty'), JSON.stringify(value)).to.equal(false);
    }
    for (const value of ['x', 0, false, [0], { a: null }]) {
      expect(holds(value, 'is_empty'), JSON.stringify(value)).to.equal(false);
    }
  });

  it('finds a pattern, without rendering it', () => {
    expect(holds(' AB-12 ', 'matches', '^[A-Z]{2}-\\d+$')).to.equal(true);
    expect(holds('ab12', 'matches', '^[A-Z]{2}-\\d+$')).to.equal(false);
    expect(holds('limit', 'matches', '^{{vars.y}}$')).to.equal(false);
  });

  it('finds a pattern whatever the case, unless the pattern says otherwise', () => {
    expect(holds('ab-12', 'matches', '^[A-Z]{2}-\\d+$')).to.equal(true);
    expect(holds('GRÜSSE', 'matches', 'grüsse')).to.equal(true);
    expect(holds('ab-12', 'matches', '(?-i)^[A-Z]{2}-\\d+$')).to.equal(false);
    expect(holds('AB-12', 'matches', '(?-i)^[A-Z]{2}-\\d+$')).to.equal(true);
    expect(holds('aB', 'matches', '^A(?-i:B)$')).to.equal(true);
    expect(holds('ab', 'matches', '^A(?-i:B)$')).to.equal(false);
  });

  it('finds a pattern in the composed form of a text', () => {
    expect(holds('ＡＢ', 'matches', '^AB$')).to.equal(true);
    expect(holds('cafe\u0301', 'matches', '^caf\u00e9$')).to.equal(true);
  });

  it('looks at 4096 characters of a text', () => {
    expect(holds(`${'x'.repeat(4095)}y`, 'ends_with', 'y')).to.equal(true);
    expect(holds(`${'x'.repeat(4096)}y`, 'ends_with', 'y')).to.equal(false);
    expect(holds('x'.repeat(5000), 'equals', 'x'.repeat(4096))).to.equal(true);
  });

  it('spends four units for each character that it folds', () => {
    let spent = 0;
    const budget = { spend: (units: number) => (spent += units) };
    const rule = { variable: 'vars.x', op: 'equals' as const, value: '{{vars.y}}!' };
    conditionOutcome({ match: 'all', rules: [rule] }, scope({ x: 'abc', y: 'de' }), budget);
    expect(spent).to.equal(4 * (3 + 3));
    const cases = [{ id: 'a', value: 'x{{vars.y}}' }];
    matchingCase({ variable: 'vars.x', cases }, scope({ x: 'abc', y: 'de' }), budget);
    expect(spent).to.equal(4 * (3 + 3) + 4 * 3);
  });

  it('fills in the value that it compares with', () => {
    expect(holds('LIMIT', 'equals', '{{vars.y}}')).to.equal(true);
    expect(holds('4', 'greater_than', '{{vars.three}}')).to.equal(true);
    expect(holds('', 'equals', '{{vars.no}}')).to.equal(true);
  });

  it('asks for all rules or any', () => {
    const rules = [
      { variable: 'message.text', op: 'starts_with' as const, value: 'yes' },
      { variable: 'contact.name', op: 'equals' as const, value: 'nobody' },
    ];
    const budget = createBudget();
    expect(conditionOutcome({ match: 'all', rules }, scope({}), budget)).to.equal('false');
    expect(conditionOutcome({ match: 'any', rules }, scope({}), budget)).to.equal('true');
  });

  it('takes the first case that fits', () => {
    const cases = [
      { id: 'a', value: 'one' },
      { id: 'b', value: 'TWO' },
      { id: 'c', value: 'two' },
    ];
    const caseOf = (variables: Record<string, unknown>) =>
      matchingCase({ variable: 'vars.x', cases }, scope(variables), createBudget());
    expect(caseOf({ x: ' two' })).to.equal('b');
    expect(caseOf({ x: 'three' })).to.equal(undefined);
    expect(caseOf({})).to.equal(undefined);
  });
});

describe('bots: answers to a question', () => {
  type Kind = Parameters<typeof readAnswer>[0];
  const read = (kind: Kind['kind'], text: string, pattern?: string, waId = '919812345678') =>
    readAnswer({ kind, pattern }, text, { waId, userId: null }, createBudget());

  it('takes anything where anything goes', () => {
    expect(read('any', ' Ünï ')).to.equal('Ünï');
    expect(read('any', '')).to.equal('');
  });

  it('takes numbers', () => {
    expect(read('number', ' ４２.5 ')).to.equal('42.5');
    expect(read('number', 'a lot')).to.equal(null);
  });

  it('takes addresses', () => {
    expect(read('email', ' asha@shop.example ')).to.equal('asha@shop.example');
    const domain = `@${'shop.'.repeat(10)}example`;
    const longest = `${'a'.repeat(254 - domain.length)}${domain}`;
    expect(read('email', longest)).to.equal(longest);
    expect(read('email', `a${longest}`)).to.equal(null);
    const long = `${'a'.repeat(250)}@b.co`;
    for (const text of ['asha', 'asha@', '@shop.example', 'a b@shop.example', long]) {
      expect(read('email', text), text).to.equal(null);
    }
  });

  it("takes telephone numbers, those of the contact's country in short", () => {
    expect(read('phone', '+44 7700 900123')).to.equal('+447700900123');
    expect(read('phone', '98765 43210')).to.equal('+919876543210');
    const long = (spaces: number) => `+44${' '.repeat(spaces)}7700 900123`;
    expect(long(26)).to.have.length(40);
    expect(read('phone', long(26))).to.equal('+447700900123');
    expect(read('phone', '+44 7700 900123', undefined, '999')).to.equal('+447700900123');
    for (const text of ['12', 'call me at 98765 43210', '9'.repeat(41), long(27), '']) {
      expect(read('phone', text), text).to.equal(null);
    }
  });

  it('takes days of the calendar', () => {
    expect(read('date', '2026-02-28')).to.equal('2026-02-28');
    expect(read('date', '2028/2/29')).to.equal('2028-02-29');
    expect(read('date', '5.3.2026')).to.equal('2026-03-05');
    expect(read('date', '05/03/2026')).to.equal('2026-03-05');
    for (const text of [
      '2026-02-29',
      '2026-13-01',
      '31/04/2026',
      '05/03-2026',
      'tomorrow',
      '5/3/26',
      'on 2026-02-28',
      '2026-02-28.',
      'on 05/03/2026',
      '05/03/2026.',
      '115/03/2026',
    ]) {
      expect(read('date', text), text).to.equal(null);
    }
  });

  it('takes what fits a pattern as a whole', () => {
    expect(read('regex', ' AB12 ', '[A-Z]{2}\\d{2}')).to.equal('AB12');
    expect(read('regex', 'x AB12', '[A-Z]{2}\\d{2}')).to.equal(null);
    expect(read('regex', 'cafe\u0301', 'caf.')).to.equal('caf\u00e9');
  });
});
