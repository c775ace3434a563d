import { expect } from 'chai';
import { ALL_BUCKETS, bucketOf, bucketOfAccount, NONE } from '../../src/events/bucket.ts';
import { namesFor } from '../../src/events/eventstoredb/events.ts';

const account = (bucket: number) => `acc_0e9c4a5b7d4a4abc8def01234567890${bucket.toString(16)}`;
const of = (bucket: number) => [
  `account-${account(bucket)}`,
  `message-${account(bucket)}.4fjQ`,
  `request-${account(bucket)}.00ff`,
  `schedule-${account(bucket)}.sch_1`,
  `job-${account(bucket)}.job_1`,
  `part~conversation-${account(bucket)}.1.2`,
];
/** Of no account, though some have an id of the same form, and one names an account elsewhere. */
const ofNone = [
  `organisation-${account(3)}`,
  `deadletter-${account(3)}`,
  `template-123456789012345.order.en`,
  `destroyedkeys-all`,
  `seals-account-${account(3)}`,
];

describe('the bucket of a stream', () => {
  it('is the last digit of its account, or that of what belongs to none', () => {
    for (const bucket of ALL_BUCKETS.slice(0, NONE)) {
      expect(new Set(of(bucket).map(bucketOf))).to.deep.equal(new Set([bucket]));
      expect(bucketOfAccount(account(bucket))).to.equal(bucket);
    }
    expect(new Set(ofNone.map(bucketOf))).to.deep.equal(new Set([NONE]));
    expect([null, undefined, '', 'acc_1', `x${account(1)}`].map(bucketOfAccount)).to.deep.equal(
      Array(5).fill(NONE),
    );
  });
  it('lets the server leave out those of accounts elsewhere, and nothing else', () => {
    for (const buckets of [[], [3], [0, 10, NONE], ALL_BUCKETS]) {
      const names = new RegExp(namesFor(new Set(buckets)));
      for (const bucket of ALL_BUCKETS.slice(0, NONE)) {
        for (const name of of(bucket)) {
          expect(names.test(name), name).to.equal(buckets.includes(bucket));
        }
      }
      for (const name of ofNone) expect(names.test(name), name).to.equal(true);
      for (const name of ['$settings', `snapshot-${of(3)[0]}`]) {
        expect(names.test(name), name).to.equal(false);
      }
    }
    expect(new RegExp(namesFor()).test(of(5)[0]!)).to.equal(true);
  });
});
