import { expect } from 'chai';
import { createWrapping } from '../../src/keys/wrapping.ts';

const wrapping = createWrapping(Buffer.alloc(32, 1));
const other = createWrapping(Buffer.alloc(32, 2));
const name = { ref: 'r'.repeat(22), month: '2026-11' };

describe('the wrapping of data keys', () => {
  it('finds a subject again by its hash, which another secret, account or id does not have', () => {
    const hash = wrapping.hashOf('account', '919812345678');
    expect(createWrapping(Buffer.alloc(32, 1)).hashOf('account', '919812345678')).to.equal(hash);
    expect(other.hashOf('account', '919812345678')).to.not.equal(hash);
    expect(wrapping.hashOf('account9', '19812345678')).to.not.equal(hash);
    expect(wrapping.hashOf('account","9', '1')).to.not.equal(wrapping.hashOf('account', '9","1'));
  });

  it('gives new refs of 22 characters, alike in the beginning where they are made together', () => {
    const calls = [1, 1, 100, 100].map((count) => wrapping.newRefs(count));
    expect(calls.map(({ length }) => length)).to.deep.equal([1, 1, 100, 100]);
    const refs = calls.flat();
    expect(new Set(refs).size).to.equal(202);
    for (const ref of refs) expect(ref).to.match(/^[\w-]{22}$/);
    expect(new Set(refs.map((ref) => ref.slice(0, 8))).size).to.equal(calls.length);
    expect(wrapping.newRefs(0)).to.deep.equal([]);
  });

  it('opens what it wrapped, under its own name alone', () => {
    const wrapped = wrapping.wrapNew(name);
    const key = wrapping.unwrap(name, wrapped);
    expect(key).to.have.length(32);
    expect(wrapping.unwrap(name, new Uint8Array(wrapped))).to.deep.equal(key);
    expect(Buffer.from(wrapped).includes(Buffer.from(key!))).to.equal(false);
    expect(wrapping.unwrap(name, wrapping.wrapNew(name))).to.not.deep.equal(key);
    for (const wrong of [
      { ...name, month: '2026-12' },
      { ...name, ref: 's'.repeat(22) },
    ]) {
      expect(() => wrapping.unwrap(wrong, wrapped)).to.throw(/damaged/);
    }
  });

  it('tells a key of another secret from a damaged one', () => {
    const wrapped = wrapping.wrapNew(name);
    expect(other.unwrap(name, wrapped)).to.equal(undefined);
    for (let at = 0; at < wrapped.length; at += 1) {
      if (at >= 1 && at < 5) continue;
      const damaged = Uint8Array.from(wrapped);
      damaged[at]! ^= 1;
      expect(() => wrapping.unwrap(name, damaged), `byte ${at}`).to.throw(/damaged/);
    }
    expect(() => wrapping.unwrap(name, wrapped.subarray(0, 20))).to.throw(/damaged/);
    expect(() => wrapping.unwrap(name, new Uint8Array())).to.throw(/damaged/);
  });
});
