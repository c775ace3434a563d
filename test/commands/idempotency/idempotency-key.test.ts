import { expect } from 'chai';
import { idempotencyKeyDecider } from '../../../src/commands/idempotency/idempotency-key.ts';
import {
  RequestAnswered,
  RequestClaimed,
  RequestFreed,
  RequestInterrupted,
} from '../../../src/events/idempotency.ts';
import { spec } from '../../support/spec.ts';

const given = spec(idempotencyKeyDecider);
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const isoOf = (ms: number) => new Date(ms).toISOString();
const LATER = isoOf(NOW + 1);
const asked = { ownerId: 'acc_1', route: 'POST /x', fingerprint: 'f', instanceId: 'i1' };
const claimed = (claimId = 'c1', change: object = {}) =>
  RequestClaimed.of({ ...asked, claimId, workId: 'c1', at: isoOf(NOW), ...change });
const givenClaimed = given(claimed());
const claim = (change: object = {}) => ({
  type: 'Claim' as const,
  ...asked,
  claimId: 'c2',
  at: LATER,
  running: new Set<string>(),
  lasts: false,
  isUsedUp: false,
  abandonedBefore: isoOf(0),
  hasEnded: () => false,
  ...change,
});
const answer = { status: 200, body: { id: 1 }, headers: { A: 'b' } };
const clear = { contactRefs: [], body: null };
const { body: clearBody, ...head } = answer;
const answered = RequestAnswered.of({ claimId: 'c1', ...clear, clearBody, ...head });
const givenAnswered = given(claimed(), answered);
const interrupted = RequestInterrupted.of({ claimId: 'c1' });
const givenInterrupted = given(claimed(), interrupted);
const freed = RequestFreed.of({ claimId: 'c1' });
const settle = (settlement: object, contactRefs: readonly string[] = []) =>
  ({ type: 'Settle' as const, claimId: 'c1', settlement, contactRefs }) as never;
const isAnswered = { kind: 'answered', ...answer };
const settleAnswer = settle(isAnswered);
const settleFreed = settle({ kind: 'freed' });
const settleInterrupted = settle({ kind: 'interrupted' });
/** The work goes on under another claim. */
const goesOn = claimed('c2', { at: LATER });

describe('an idempotency key', () => {
  it('is held by its first request, whose work has its id', () => {
    given()
      .when(claim())
      .thenHappened(claimed('c2', { workId: 'c2', at: LATER }));
  });

  it('is for one request', () => {
    givenClaimed.when(claim({ fingerprint: 'g' })).thenRefused('idempotency.mismatch');
    givenAnswered.when(claim({ fingerprint: 'g' })).thenRefused('idempotency.mismatch');
  });

  it('is taken for nothing new where the account has used up its free writes of the day', () => {
    const usedUp = claim({ isUsedUp: true });
    given().when(usedUp).thenRefused('account.free_writes', { retryAfterSeconds: 43_200 });
    givenInterrupted.when(usedUp).thenRefused('account.free_writes');
    givenAnswered.when(usedUp).thenNothing();
  });

  it('is kept for good where its owner asks for that', () => {
    const at = isoOf(NOW + 100 * DAY_MS);
    givenInterrupted.when(claim({ at, lasts: true })).thenHappened(claimed('c2', { at }));
  });

  it('is kept for 24 hours, and free from then on', () => {
    givenAnswered.when(claim({ at: isoOf(NOW + DAY_MS - 1) })).thenNothing();
    for (const fingerprint of ['f', 'g']) {
      const later = { at: isoOf(NOW + DAY_MS), fingerprint };
      const fresh = claimed('c2', { workId: 'c2', ...later });
      givenAnswered.when(claim(later)).thenHappened(fresh);
    }
  });

  it('stands while its request is worked on, here or by another process', () => {
    const here = (claimId: string) => claim({ running: new Set([claimId]) });
    const wait = { retryAfterSeconds: 1 };
    givenClaimed.when(here('c1')).thenRefused('idempotency.in_progress', wait);
    givenClaimed.when(here('c9')).thenHappened(goesOn);
    const instanceId = 'i2';
    const elsewhere = (abandonedBefore: string) => claim({ instanceId, abandonedBefore });
    givenClaimed.when(elsewhere(isoOf(NOW))).thenRefused('idempotency.in_progress');
    const overtaken = claimed('c2', { at: LATER, instanceId });
    givenClaimed.when(elsewhere(LATER)).thenHappened(overtaken);
  });

  it('goes on where the process that works on it has ended, and only there', () => {
    const givenLeased = given(claimed('c1', { leaseId: 'l1' }));
    const hasEnded = ({ leaseId }: { leaseId?: string }) => leaseId === 'l1';
    const by = { instanceId: 'i2', leaseId: 'l2' };
    const other = claim({ ...by, hasEnded });
    givenLeased.when(other).thenHappened(claimed('c2', { at: LATER, ...by }));
    const givenOthers = given(claimed('c1', { leaseId: 'l3' }));
    givenOthers.when(other).thenRefused('idempotency.in_progress');
    givenClaimed.when(other).thenRefused('idempotency.in_progress');
    // A process whose lease was ended while it was frozen still knows what it works on.
    const frozen = claim({ leaseId: 'l2', hasEnded, running: new Set(['c1']) });
    givenLeased.when(frozen).thenRefused('idempotency.in_progress');
  });

  it('goes on at once where its request was interrupted', () => {
    givenInterrupted.when(claim({ running: new Set(['c9']) })).thenHappened(goesOn);
    given(claimed(), answered, interrupted).when(claim()).thenHappened(goesOn);
  });

  it('row 67: does not go on beside an earlier run of this process that others have overtaken', () => {
    const other = claimed('c5', { instanceId: 'i2', leaseId: 'l2' });
    const overtaken = given(claimed('c1'), other, interrupted);
    const beside = claim({ running: new Set(['c1']) });
    overtaken.when(beside).thenRefused('idempotency.in_progress', { retryAfterSeconds: 1 });
    overtaken.when(claim()).thenHappened(goesOn);
  });

  it('is answered once; the answer can be taken back, and not replaced', () => {
    givenClaimed.when(settleAnswer).thenHappened(answered);
    givenAnswered.when(settle({ ...isAnswered, status: 500 })).thenNothing();
    givenAnswered.when(settleFreed).thenNothing();
    givenAnswered.when(settleInterrupted).thenHappened(interrupted);
  });

  it('is freed or interrupted, once, by the claim that holds it', () => {
    givenClaimed.when(settleFreed).thenHappened(freed);
    givenClaimed.when(settleInterrupted).thenHappened(interrupted);
    givenInterrupted.when(settleAnswer).thenNothing();
    given(claimed(), freed).when(settleAnswer).thenNothing();
    given(claimed(), claimed('c2')).when(settleAnswer).thenNothing();
    given().when(settleFreed).thenNothing();
  });

  it('remembers the answer, until it is interrupted', () => {
    expect(givenAnswered.state.answer).to.deep.equal(answer);
    const ofContacts = { claimId: 'c1', contactRefs: ['one', 'two'], ...answer };
    const sealed = RequestAnswered.of(ofContacts);
    givenClaimed.when(settle(isAnswered, ['one', 'two'])).thenHappened(sealed);
    expect(given(claimed(), sealed).state.answer).to.deep.equal(answer);
    const erased = RequestAnswered.of({ ...ofContacts, body: null });
    expect(given(claimed(), erased).state.answer).to.equal('erased');
    given(claimed(), erased).when(claim()).thenNothing();
    const takenBack = given(claimed(), answered, interrupted).state;
    expect(takenBack).to.include({ answer: null, interrupted: true });
    expect(given(claimed(), interrupted, claimed('c2')).state).to.include({ interrupted: false });
    expect(given(claimed(), freed).state).to.deep.equal(idempotencyKeyDecider.initial);
  });
});
