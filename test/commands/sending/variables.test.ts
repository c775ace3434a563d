import { expect } from 'chai';
import fc from 'fast-check';
import { catalog, findEvent } from '../../../src/commands/sending/catalog.ts';
import {
  fillVariables,
  normaliseValue,
  renderPreview,
  Variables,
} from '../../../src/commands/sending/variables.ts';

const shipped = findEvent('order_shipped') ?? expect.fail();
const fill = (variables: Record<string, unknown>) => fillVariables(shipped, variables);

const awkward = fc.constantFrom(
  ...' \t\n\r\v\f\0\x1b\x7f\x85\xa0\u00ad\u200b\u2028\u2029\u3000\ufeff\ud800\udc00',
  'a',
  'é',
  '🎉',
  '{{1}}',
  '$&',
);
const text = fc.oneof(
  fc.array(awkward, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const entries = fc.constantFrom(...catalog);

describe('normaliseValue', () => {
  const rows: [string, string, string][] = [
    ['a plain value', 'A-1042', 'A-1042'],
    ['a newline', 'a\nb', 'a b'],
    ['a tab', 'a\tb', 'a b'],
    ['a Windows line end', 'a\r\nb', 'a b'],
    ['a run of newlines and tabs', 'a\n\n\t\r\nb', 'a b'],
    ['other line ends', 'a\vb\fc\u0085d\u2028e\u2029f', 'a b c d e f'],
    ['three spaces', 'a   b', 'a   b'],
    ['four spaces', 'a    b', 'a b'],
    ['a hundred spaces', `a${' '.repeat(100)}b`, 'a b'],
    ['spaces round a newline', 'a  \n  b', 'a b'],
    ['hard and wide spaces', 'a\u00a0\u00a0\u3000\u3000b', 'a b'],
    ['a single hard space', '1\u00a0499', '1\u00a0499'],
    ['the ends', '  \n a \t ', 'a'],
    ['a null character', 'a\0b', 'ab'],
    ['control characters', '\x1b[31mred\x7f', '[31mred'],
    ['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
    ['an emoji', '🎉 yes', '🎉 yes'],
    ['a joined emoji', '👩‍👧', '👩‍👧'],
    ['right-to-left text', 'שלום \u200f!', 'שלום \u200f!'],
    ['nothing', '', ''],
    ['only blanks', ' \n\t\u00a0 ', ''],
    ['only what nobody sees', '\u200b\u2060\ufeff\u00ad', ''],
  ];
  for (const [name, value, expected] of rows) {
    it(`takes ${name}`, () => expect(normaliseValue(value)).to.equal(expected));
  }

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(text, (value) => {
        const once = normaliseValue(value);
        expect(normaliseValue(once)).to.equal(once);
      }),
    );
  });

  it('leaves nothing that the provider refuses', () => {
    fc.assert(
      fc.property(text, (value) => {
        const normal = normaliseValue(value);
        expect(normal).not.to.match(/[\n\r\t\v\f\0\u0085\u2028\u2029]/);
        expect(normal).not.to.match(/\p{Zs}{4}/u);
        expect(normal.trim()).to.equal(normal);
        expect(normal.isWellFormed()).to.equal(true);
      }),
    );
  });

  it('never loses a letter that can be seen', () => {
    fc.assert(
      fc.property(text, (value) => {
        const letters = (from: string) =>
          from.match(/[\p{L}--\p{Default_Ignorable_Code_Point}]/gv)?.join('') ?? '';
        expect(letters(normaliseValue(value))).to.equal(letters(value));
      }),
    );
  });
});

describe('fillVariables', () => {
  const trackingLink = 'https://x.example/t';

  it('puts values into the order of the template', () => {
    expect(fill({ trackingLink, awbCode: 'B', orderId: 'A' })).to.deep.equal({
      parameters: ['A', 'B', trackingLink],
      missingVariables: [],
    });
  });

  it('names blank variables and replaces them by a dash', () => {
    expect(fill({ awbCode: ' \n ', trackingLink })).to.deep.equal({
      parameters: ['-', '-', trackingLink],
      missingVariables: ['orderId', 'awbCode'],
    });
  });

  it('does not call a dash of the caller missing', () => {
    expect(fill({ orderId: '-', awbCode: 'B', trackingLink }).missingVariables).to.deep.equal([]);
  });

  it('ignores variables that the event does not have', () => {
    const { parameters } = fill({ orderId: 'A', awbCode: 'B', trackingLink, other: 'C' });
    expect(parameters).to.have.length(3);
  });

  const scalars: [unknown, string][] = [
    [1042, '1042'],
    [0, '0'],
    [-0, '0'],
    [12.5, '12.5'],
    [true, 'true'],
    [false, 'false'],
  ];
  for (const [value, expected] of scalars) {
    it(`writes ${typeof value} ${value}`, () => {
      expect(fill({ orderId: value }).parameters[0]).to.equal(expected);
    });
  }

  const blanks = [null, undefined, {}, { a: 1 }, [], ['A'], Number.NaN, Number.POSITIVE_INFINITY];
  for (const value of blanks) {
    it(`takes ${JSON.stringify(value)} (${typeof value}) for blank`, () => {
      const { parameters, missingVariables } = fill({ orderId: value });
      expect(parameters[0]).to.equal('-');
      expect(missingVariables).to.include('orderId');
    });
  }

  it('reads own properties only', () => {
    expect(fill(Object.create({ orderId: 'inherited' })).parameters[0]).to.equal('-');
    const entry = { ...shipped, variables: ['constructor', '__proto__', 'toString'] };
    expect(fillVariables(entry, {}).missingVariables).to.deep.equal(entry.variables);
  });

  it('is not led astray by names of the prototype', () => {
    const body = '{"__proto__":{"orderId":"X"},"constructor":"Y","awbCode":"B"}';
    const { parameters } = fill(Variables.parse(JSON.parse(body)));
    expect(parameters).to.deep.equal(['-', 'B', '-']);
    expect(({} as Record<string, unknown>).orderId).to.equal(undefined);
  });

  it('gives every event as many parameters as it has variables, none of them blank', () => {
    const values = fc.oneof(text, fc.anything());
    fc.assert(
      fc.property(entries, fc.array(values, { maxLength: 4 }), (entry, given) => {
        const variables = Object.fromEntries(given.map((v, i) => [entry.variables[i] ?? 'x', v]));
        const { parameters, missingVariables } = fillVariables(entry, variables);
        expect(parameters).to.have.length(entry.variables.length);
        for (const [index, parameter] of parameters.entries()) {
          expect(parameter.trim()).not.to.equal('');
          if (missingVariables.includes(entry.variables[index] ?? '')) {
            expect(parameter).to.equal('-');
          }
        }
      }),
    );
  });
});

describe('renderPreview', () => {
  it('puts the parameters into the text', () => {
    expect(renderPreview(shipped, ['A', 'B', 'https://x.example/t'])).to.equal(
      'Your order A has been shipped with tracking number B. ' +
        'Track it here: https://x.example/t . Thank you.',
    );
  });

  it('takes parameters as they are, whatever they look like', () => {
    const rendered = renderPreview(shipped, ['{{2}}', '$& $1 {{1}}', '{{3}}']);
    expect(rendered).to.contain('order {{2}} has');
    expect(rendered).to.contain('number $& $1 {{1}}.');
    expect(rendered).to.contain('here: {{3}} .');
  });

  it('leaves no placeholder of any event', () => {
    const plain = text.filter((value) => !/[{}]/.test(value));
    const some = fc.array(plain, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(entries, some, (entry, values) => {
        const variables = Object.fromEntries(entry.variables.map((name, i) => [name, values[i]]));
        const { parameters } = fillVariables(entry, variables);
        const rendered = renderPreview(entry, parameters);
        expect(rendered).not.to.match(/[{}]/);
        for (const parameter of parameters) expect(rendered).to.contain(parameter);
      }),
    );
  });
});

describe('Variables', () => {
  const problems = (value: unknown) => Variables.safeParse(value).error?.flatten();
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, index]));

  it('takes any kind of value', () => {
    const variables = { a: 'x', b: 1, c: true, d: null, e: { f: 1 }, g: [1] };
    expect(Variables.parse(variables)).to.deep.equal(variables);
  });

  it('takes nothing but an object', () => {
    for (const value of [null, 'a', 1, ['a']]) expect(problems(value)).not.to.equal(undefined);
  });

  it('takes 200 variables and not one more', () => {
    expect(problems(many(200))).to.equal(undefined);
    expect(problems(many(201))?.formErrors[0]).to.contain('200 variables');
  });

  it('takes 4,096 characters and not one more, and names the variable', () => {
    expect(problems({ orderId: 'x'.repeat(4_096) })).to.equal(undefined);
    const tooLong = problems({ orderId: 'x'.repeat(4_097) });
    expect(tooLong?.fieldErrors).to.have.nested.property('orderId[0]').that.contains('4096');
  });

  it('takes long integers of 4,096 digits, and any list, of which nothing is read', () => {
    expect(problems({ orderId: 10n ** 4_095n })).to.equal(undefined);
    expect(problems({ orderId: 10n ** 4_096n })?.fieldErrors).to.have.property('orderId');
    expect(problems({ orderId: ['x'.repeat(5_000)] })).to.equal(undefined);
  });
});
