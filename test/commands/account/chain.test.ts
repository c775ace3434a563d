import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson, recordTextHash } from '../../../src/commands/account/chain.ts';

/** The plainest way to write it, to hold the fast one against. */
const plainly = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(plainly).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  const field = (key: string) => (value as Record<string, unknown>)[key];
  return `{${keys.map((key) => `${JSON.stringify(key)}:${plainly(field(key))}`).join(',')}}`;
};

describe('the hash of a record, and of a link before format 3', () => {
  it('writes JSON with sorted keys, whatever the keys are', () => {
    expect(canonicalJson({ b: 1, a: [{ d: null, c: 'é"\n' }] })).to.equal(
      '{"a":[{"c":"é\\"\\n","d":null}],"b":1}',
    );
    expect(canonicalJson({ 9: 1, 10: 2, a: 3 })).to.equal('{"10":2,"9":1,"a":3}');
    expect(canonicalJson(JSON.parse('{"b":{"__proto__":1},"a":2}'))).to.equal(
      '{"a":2,"b":{"__proto__":1}}',
    );
    expect(canonicalJson({ a: undefined, b: 1 })).to.equal('{"b":1}');
    for (let code = 0; code <= 0xffff; code += 1) {
      const text = `${String.fromCharCode(code)}a`;
      if (canonicalJson(text) !== JSON.stringify(text)) expect.fail(`writes ${code} otherwise`);
    }
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const value = JSON.parse(text);
        expect(canonicalJson(value)).to.equal(plainly(value));
      }),
    );
  });

  it('is SHA-256 over the data and the type, without the hash itself', () => {
    const expected = createHash('sha256')
      .update('{"amount":-1,"previousHash":"00","sequence":1,"type":"ChargeReserved"}')
      .digest('hex');
    const data = { sequence: 1, previousHash: '00', amount: -1 };
    expect(recordTextHash('ChargeReserved', data)).to.equal(expected);
    expect(recordTextHash('ChargeReserved', { ...data, hash: 'ff' })).to.equal(expected);
    expect(recordTextHash('ChargeReserved', { ...data, amount: 1 })).not.to.equal(expected);
    expect(recordTextHash('ChargeRefunded', data)).not.to.equal(expected);
  });
});
