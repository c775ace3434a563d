import { expect } from 'chai';
import fc from 'fast-check';
import { isoTime, sortedId } from '../../src/shared/clock.ts';
import { countedIds } from '../support/ambient.ts';

describe('a time in ISO 8601', () => {
  const LAST_MS = 8.64e15;

  it('is what Date makes of it, whatever time came before', () => {
    const anywhere = fc.double({ min: -LAST_MS, max: LAST_MS, noNaN: true });
    const nearby = fc.integer({ min: 1_795_392_000_000, max: 1_795_400_000_000 });
    fc.assert(
      fc.property(fc.array(fc.oneof(anywhere, nearby), { maxLength: 5 }), (times) => {
        for (const time of times) expect(isoTime(time)).to.equal(new Date(time).toISOString());
      }),
      { numRuns: 1_000 },
    );
  });

  it('is none of no time', () => {
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, LAST_MS + 1]) {
      expect(() => isoTime(time)).to.throw(RangeError);
    }
  });
});

describe('an id that sorts by time', () => {
  it('is a UUID behind a prefix', () => {
    expect(sortedId('org', countedIds())).to.equal('org_00000000000070008000000000000001');
  });
});
