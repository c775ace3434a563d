import { expect } from 'chai';
import { destructionsDecider } from '../../../src/commands/privacy/destructions.ts';
import { erasureDecider } from '../../../src/commands/privacy/erasure.ts';
import {
  expiredThrough,
  expiresAt,
  retentionDecider,
} from '../../../src/commands/privacy/retention.ts';
import {
  ContactErased,
  ErasureDone,
  ErasureRequested,
  ErasureStarted,
  MonthsExpired,
  RetentionSet,
} from '../../../src/events/erasure.ts';
import { spec } from '../../support/spec.ts';

const request = {
  erasureId: 'era_1',
  accountId: null,
  reason: null,
  subjects: [{ accountId: 'acc_1', ref: 'r1' }],
};
const found = { events: 3, messages: 2, conversations: 1, runs: 0, deadLetters: 0 };
const requested = ErasureRequested.of(request);
const begun = ErasureStarted.of({ erasureId: 'era_1', found });
const done = ErasureDone.of({ erasureId: 'era_1', found });

describe('an erasure', () => {
  const given = spec(erasureDecider);

  it('is requested once', () => {
    given().when({ type: 'Request', request }).thenHappened(requested);
    given(requested).when({ type: 'Request', request }).thenNothing();
  });
  it('starts with what was found, and keeps the first count', () => {
    given(requested).when({ type: 'Start', found }).thenHappened(begun);
    const givenBegun = given(requested, begun);
    givenBegun.when({ type: 'Start', found: { ...found, messages: 0 } }).thenNothing();
  });
  it('is done once, with what was found', () => {
    given(requested, begun).when({ type: 'Finish' }).thenHappened(done);
    given(requested, begun, done).when({ type: 'Finish' }).thenNothing();
  });
  it('takes no step before the one before it', () => {
    given().when({ type: 'Start', found }).thenThrows(Error);
    given(requested).when({ type: 'Finish' }).thenThrows(Error);
  });
});

describe('the destructions of keys', () => {
  const given = spec(destructionsDecider);
  const erased = ContactErased.of({ erasureId: 'era_1', refs: ['r1'] });
  const expired = MonthsExpired.of({ accountId: 'acc_1', through: '2026-09' });

  it('are told once each', () => {
    const erase = { type: 'Erase', erasureId: 'era_1', refs: ['r1'] } as const;
    const expire = { type: 'Expire', accountId: 'acc_1', through: '2026-09' } as const;
    given().when(erase).thenHappened(erased);
    given(erased).when(erase).thenNothing();
    given(erased).when(expire).thenHappened(expired);
    given(expired).when(expire).thenNothing();
    const later = { through: '2026-10' };
    const givenExpired = given(expired);
    givenExpired.when({ ...expire, ...later }).thenHappened('MonthsExpired', later);
  });
  it('are remembered up to a bound', () => {
    const many = Array.from({ length: 201 }, (_, number) =>
      ContactErased.of({ erasureId: `era_${number}`, refs: [] }),
    );
    const { recent } = given(...many).state;
    expect(recent).to.have.length(200);
    expect(recent[0]).to.equal('era_1');
  });
});

describe('the retention of an account', () => {
  it('is set where it changes', () => {
    const given = spec(retentionDecider);
    const set = (months: number | null) => ({ type: 'Set', accountId: 'acc_1', months }) as const;
    const of = (contentRetentionMonths: number | null) =>
      RetentionSet.of({ accountId: 'acc_1', contentRetentionMonths });
    given().when(set(12)).thenHappened(of(12));
    given(of(12)).when(set(12)).thenNothing();
    given(of(12)).when(set(null)).thenHappened(of(null));
    given().when(set(null)).thenNothing();
  });

  it('ends for what is written now when it says', () => {
    for (const months of [1, 2, 12]) {
      const end = expiresAt(Date.parse('2026-11-22T12:00:00.000Z'), months);
      expect(expiredThrough(end, months)).to.equal('2026-11');
      expect(expiredThrough(end - 1, months)).to.equal('2026-10');
    }
  });

  const cases: [now: string, months: number, through: string][] = [
    ['2026-11-22T12:00:00.000Z', 1, '2026-09'],
    ['2026-11-01T00:00:00.000Z', 1, '2026-09'],
    ['2026-10-31T23:59:59.999Z', 1, '2026-08'],
    ['2026-12-01T00:00:00.000Z', 1, '2026-10'],
    ['2028-02-29T23:59:59.999Z', 1, '2027-12'],
    ['2028-03-01T00:00:00.000Z', 1, '2028-01'],
    ['2027-01-31T00:00:00.000Z', 12, '2025-12'],
    ['2026-11-22T12:00:00.000Z', 120, '2016-10'],
  ];
  for (const [now, months, through] of cases) {
    it(`of ${months} months has expired through ${through} at ${now}`, () => {
      expect(expiredThrough(Date.parse(now), months)).to.equal(through);
    });
  }
});
