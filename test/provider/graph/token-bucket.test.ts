import { expect } from 'chai';
import { holdBack, newBucket, takeToken } from '../../../src/provider/graph/number-throttle.ts';

describe('a token bucket', () => {
  it('gives all saved tokens at once, then one at a time', () => {
    const bucket = newBucket();
    const starts = [1, 2, 3, 4, 5, 6].map(() => takeToken(bucket, 4, 1000, 9000));
    expect(starts).to.deep.equal([1000, 1000, 1000, 1000, 1250, 1500]);
  });

  it('refills while no token is taken, up to its size', () => {
    const bucket = newBucket();
    for (let i = 0; i < 4; i += 1) takeToken(bucket, 4, 1000, 9000);
    expect(takeToken(bucket, 4, 1250, 9000)).to.equal(1250);
    const later = [1, 2, 3, 4, 5].map(() => takeToken(bucket, 4, 60_000, 90_000));
    expect(later).to.deep.equal([60_000, 60_000, 60_000, 60_000, 60_250]);
  });

  it('keeps some of its saved tokens from who leaves them to others, and no more of its rate', () => {
    const bucket = newBucket();
    const take = (now: number, left?: number) => takeToken(bucket, 5, now, 9000, left);
    expect([1, 2, 3, 4, 5].map(() => take(1000, 0.25))).to.deep.equal([
      1000, 1000, 1000, 1000, 1200,
    ]);
    expect(take(1200)).to.equal(1200);
    expect([1, 2].map(() => take(1200, 0.25))).to.deep.equal([1600, 1800]);
    expect(take(1200)).to.equal(1800);
  });

  it('gives no token to a caller that cannot wait long enough', () => {
    const bucket = newBucket();
    takeToken(bucket, 1, 0, 0);
    expect(takeToken(bucket, 1, 0, 999)).to.equal(null);
    expect(takeToken(bucket, 1, 0, 1000)).to.equal(1000);
  });

  it('gives no token before the end of a pause, and has no saved ones after it', () => {
    const bucket = newBucket();
    takeToken(bucket, 4, 0, 0);
    holdBack(bucket, 500);
    expect([1, 2].map(() => takeToken(bucket, 4, 0, 9000))).to.deep.equal([500, 750]);
  });
});
