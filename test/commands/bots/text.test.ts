import { expect } from 'chai';
import fc from 'fast-check';
import { RunStop } from '../../../src/commands/bots/budget.ts';
import {
  hasPlaceholder,
  isPath,
  isVariableName,
  render,
  renderDeep,
  renderJson,
  renderParameter,
  renderUrl,
  renderVisible,
  type Scope,
} from '../../../src/commands/bots/template.ts';
import { cut, fold, toNumber } from '../../../src/commands/bots/text.ts';

const scope = (variables: Record<string, unknown> = {}): Scope => ({
  contact: { waId: '919812345678', userId: null, name: 'Asha' },
  text: 'hello there',
  variables,
});
const show = (template: string, variables: Record<string, unknown> = {}) =>
  render(template, scope(variables), 4096);

describe('bots: texts with placeholders @long', () => {
  it('shows the contact, the message and variables', () => {
    const template = '{{contact.name}} {{ contact.waId }} "{{message.text}}" {{vars.x}}';
    expect(show(template, { x: 7 })).to.equal('Asha 919812345678 "hello there" 7');
  });

  it('renders a missing value as empty', () => {
    const missing = ['vars.no', 'vars', 'no', 'contact', 'contact.age', 'vars.x.y', 'vars.x.0'];
    for (const path of missing) {
      expect(show(`a{{${path}}}b`, { x: 'text' }), path).to.equal('ab');
    }
    const nameless = { ...scope(), contact: { waId: '1', userId: null, name: null } };
    expect(render('a{{contact.name}}b', nameless, 9)).to.equal('ab');
  });

  it('reads parts of a response', () => {
    const variables = { order: { status: 'sent', items: [{ name: 'shirt' }], total: null } };
    expect(show('[{{vars.order.total.tax}}]', variables)).to.equal('[]');
    const parts = '{{vars.order.status}} {{vars.order.items.0.name}}';
    expect(show(parts, variables)).to.equal('sent shirt');
    const none = '[{{vars.order}}{{vars.order.items}}{{vars.order.total}}]';
    expect(show(none, variables)).to.equal('[]');
  });

  it('never reads inherited properties', () => {
    for (const path of ['constructor.name', '__proto__', 'toString', 'x.length']) {
      expect(show(`{{vars.${path}}}`, { x: 'text' }), path).to.equal('');
    }
  });

  it('never reads a value as a template', () => {
    expect(show('{{vars.a}}', { a: '{{contact.waId}}', b: 1 })).to.equal('{{contact.waId}}');
    expect(show('{{{{vars.a}}}}', { a: 'vars.b', b: 1 })).to.equal('{{vars.b}}');
    expect(show('$& {{vars.a}}', { a: '$& $1' })).to.equal('$& $& $1');
  });

  it('leaves other braces alone', () => {
    for (const text of ['{{}}', '{{ }}', '{ {vars.a} }', '{{vars.a', '{{vars a}}', '}}{{']) {
      expect(show(text, { a: 1 })).to.equal(text);
      expect(hasPlaceholder(text), text).to.equal(false);
    }
  });

  it('is never longer than it may be', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 60 }),
        (value, max) => {
          const text = render('<{{vars.a}}|{{vars.a}}>', scope({ a: value }), max);
          expect(text.length).to.be.at.most(max);
          expect(text.isWellFormed()).to.equal(true);
        },
      ),
    ));

  it('looks up no value after the text is full', () => {
    const looked: string[] = [];
    const note = (value: string) => {
      looked.push(value);
      return value;
    };
    const template = '{{vars.a}}'.repeat(400);
    expect(render(template, scope({ a: '12345' }), 10, note)).to.equal('1234512345');
    expect(looked).to.have.length(3);
  });

  it('shows a dash where the provider takes no empty text', () => {
    expect(renderVisible('{{vars.no}}', scope(), 20)).to.equal('-');
    expect(renderVisible(' {{vars.z}} ', scope({ z: '\u200b\n' }), 20)).to.equal('-');
  });

  it('writes a template parameter as one line', () => {
    const values = scope({ a: 'one\n\ttwo     three' });
    expect(renderParameter('{{vars.a}}', values, 99)).to.equal('one two three');
  });

  it('encodes values in a URL, unless the URL is one value', () => {
    const values = scope({ id: '../admin?x=1#@evil/é', link: 'https://cdn.example/a b.pdf' });
    const encoded = 'https://shop.example/o/..%2Fadmin%3Fx%3D1%23%40evil%2F%C3%A9';
    expect(renderUrl('https://shop.example/o/{{vars.id}}', values, 999)).to.equal(encoded);
    expect(renderUrl('{{vars.link}}', values, 999)).to.equal('https://cdn.example/a b.pdf');
    const spaced = scope({ link: ' https://cdn.example/ \n' });
    expect(renderUrl('{{vars.link}}', spaced, 999)).to.equal('https://cdn.example/');
    const lone = scope({ id: '\ud800' });
    expect(renderUrl('https://a.example/{{vars.id}}', lone, 99)).to.match(/%EF%BF%BD$/);
  });

  it('writes no URL whose path a value would change, and none that is too long', () => {
    const refused = (template: string, ...values: string[]) => {
      for (const a of values) {
        const url = () => renderUrl(`https://shop.example/o/${template}`, scope({ a }), 999);
        expect(url, `${template} of ${a}`).to.throw(RunStop, 'change the path');
      }
    };
    refused('{{vars.a}}', '.', '..');
    refused('{{vars.a}}/items?x=1', '.', '..');
    refused('{{vars.a}}#part', '..');
    refused('.{{vars.a}}', '', '.');
    refused('%2E{{vars.a}}', '', '.');
    refused('{{vars.a}}{{vars.a}}', '.');
    for (const [template, a] of [
      ['../{{vars.a}}', '...'],
      ['{{vars.a}}', '%2e%2e'],
      ['a?path=/{{vars.a}}', '..'],
    ] as const) {
      expect(renderUrl(`https://shop.example/o/${template}`, scope({ a }), 999)).to.be.a('string');
    }
    const long = 'x'.repeat(99);
    for (const template of ['https://a.example/{{vars.a}}', '{{vars.a}}']) {
      expect(() => renderUrl(template, scope({ a: long }), 98)).to.throw(RunStop, 'longer than 98');
    }
    expect(renderUrl('{{vars.a}}', scope({ a: long }), 99)).to.equal(long);
  });

  it('escapes values in JSON', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const json = renderJson('{"a":"{{vars.a}}"}', scope({ a: value }), 9999);
        expect(JSON.parse(json)).to.deep.equal({ a: value.toWellFormed() });
      }),
    ));

  it('renders the texts of a JSON value down to a depth, and none of its keys', () => {
    const upper = (text: string) => text.toUpperCase();
    const value = { a: ['b', { c: 'd' }], n: 7, no: null };
    expect(renderDeep(value, upper, 3)).to.deep.equal({ a: ['B', { c: 'D' }], n: 7, no: null });
    expect(renderDeep(value, upper, 2)).to.deep.equal({ a: ['B', null], n: 7, no: null });
    expect(renderDeep(value, upper, 0)).to.equal(null);
    expect(renderDeep('x', upper, 0)).to.equal('X');
  });

  it('recognises paths and names', () => {
    const paths = ['message.text', 'contact.waId', 'contact.name'];
    for (const path of ['vars.x', 'vars.order.id', 'vars.größe', ...paths]) {
      expect(isPath(path), path).to.equal(true);
    }
    const others = ['x', 'vars', 'vars.', 'vars.a..b', 'vars.a.', '{{vars.x}}', 'message', ''];
    for (const path of others) {
      expect(isPath(path), path).to.equal(false);
    }
    for (const name of ['', '1a', 'a b', 'a.b', '__proto__', 'x'.repeat(65)]) {
      expect(isVariableName(name), name).to.equal(false);
    }
  });
});

describe('bots: comparing texts @long', () => {
  it('ignores Unicode form, case and space around', () => {
    expect(fold('  ＨＥＬＬＯ\u00a0')).to.equal('hello');
    expect(fold('Cafe\u0301')).to.equal('caf\u00e9');
    expect(fold('CAF\u00c9')).to.equal('caf\u00e9');
    expect(fold('Straße')).to.equal(fold('STRASSE'));
    expect(fold('ﬁne')).to.equal('fine');
  });

  it('takes no account of how a sharp s is written', () => {
    for (const text of ['Groß', 'GROẞ', 'groẞ', 'GROSS', 'gross']) {
      expect(fold(text), text).to.equal('gross');
    }
  });

  it('folds what is folded to itself: every character there is, beside others @series', () => {
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const folded = fold(`a${character}b ${character}`);
      if (fold(folded) !== folded) throw new Error(`U+${code.toString(16)}`);
    }
  });

  it('folds what is folded to itself, however it is put together', () => {
    const odd = fc.constantFrom(...'ẞßΣσςİıŉǰΐﬀﬃŒǅᾳϓK\u0345\u0307\u0301\u00a0\u00a8 \t');
    const part = fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 2 }));
    const text = fc.array(part, { maxLength: 8 });
    fc.assert(
      fc.property(text, (parts) => {
        const folded = fold(parts.join(''));
        expect(fold(folded)).to.equal(folded);
      }),
      { numRuns: 2_000 },
    );
  });

  it('cuts between characters', () => {
    expect(cut('ab😀', 3)).to.equal('ab');
    expect(cut('ab😀', 4)).to.equal('ab😀');
  });

  it('reads plain decimals only', () => {
    expect(toNumber(' 12.50 ')).to.equal(12.5);
    expect(toNumber('-3')).to.equal(-3);
    expect(toNumber('４２')).to.equal(42);
    for (const text of ['', 'x', '1,000', '1e5', '0x10', 'Infinity', '1 2', '.', '--1']) {
      expect(toNumber(text), text).to.equal(null);
    }
  });
});
