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
const asked = { ownerId: 'acc_1', route: 'POST /x', fingerprint: 'f', instanceId: 'i1' };
const claimed = (claimId = 'c1', change: object = {}) =>
  RequestClaimed.of({ ...asked, claimId, workId: 'c1', at: isoOf(NOW), ...change });
const givenClaimed = given(claimed());
const claim = (change: object = {}) => ({
  type: 'Claim' as const,
  ...asked,
  claimId: 'c2',
  at: isoOf(NOW + 1),
  running: new Set<string>(),
  lasts: false,
  isUsedUp: false,
  abandonedBefore: isoOf(0),
  hasEnded: () => false,
  ...change,
});
const answer = { status: 200, body: { id: 1 }, headers: { A: 'b' } };
const clear = { contactRefs: [], body: null };
const answered = RequestAnswered.of({
  claimId: 'c1',
  ...clear,
  clearBody: answer.body,
  status: answer.status,
  headers: answer.headers,
});
const givenAnswered = given(claimed(), answered);
const interrupted = RequestInterrupted.of({ claimId: 'c1' });
const givenInterrupted = given(claimed(), interrupted);
const freed = RequestFreed.of({ claimId: 'c1' });
const settle = (settlement: object, claimId = 'c1', contactRefs: readonly string[] = []) =>
  ({ type: 'Settle' as const, claimId, settlement, contactRefs }) as never;

describe('an idempotency key', () => {
  it('is held by its first request, whose work has its id', () => {
    given()
      .when(claim())
      .thenHappened(claimed('c2', { workId: 'c2', at: isoOf(NOW + 1) }));
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
    givenInterrupted
      .when(claim({ at: isoOf(NOW + 100 * DAY_MS), lasts: true }))
      .thenHappened(claimed('c2', { workId: 'c1', at: isoOf(NOW + 100 * DAY_MS) }));
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
    givenClaimed
      .when(claim({ running: new Set(['c1']) }))
      .thenRefused('idempotency.in_progress', { retryAfterSeconds: 1 });
    const goesOn = claimed('c2', { at: isoOf(NOW + 1) });
    givenClaimed.when(claim({ running: new Set(['c9']) })).thenHappened(goesOn);
    const other = { instanceId: 'i2' };
    const elsewhere = claimed('c2', { at: isoOf(NOW + 1), ...other });
    givenClaimed
      .when(claim({ ...other, abandonedBefore: isoOf(NOW) }))
      .thenRefused('idempotency.in_progress');
    givenClaimed.when(claim({ ...other, abandonedBefore: isoOf(NOW + 1) })).thenHappened(elsewhere);
  });

  it('goes on where the process that works on it has ended, and only there', () => {
    const leased = claimed('c1', { leaseId: 'l1' });
    const givenLeased = given(leased);
    const ended = ({ leaseId }: { leaseId?: string }) => leaseId === 'l1';
    const other = { instanceId: 'i2', leaseId: 'l2', hasEnded: ended };
    givenLeased
      .when(claim(other))
      .thenHappened(claimed('c2', { at: isoOf(NOW + 1), instanceId: 'i2', leaseId: 'l2' }));
    given(claimed('c1', { leaseId: 'l3' }))
      .when(claim(other))
      .thenRefused('idempotency.in_progress');
    givenClaimed.when(claim(other)).thenRefused('idempotency.in_progress');
    // A process whose lease was ended while it was frozen still knows what it works on.
    givenLeased
      .when(claim({ leaseId: 'l2', hasEnded: ended, running: new Set(['c1']) }))
      .thenRefused('idempotency.in_progress');
  });

  it('goes on at once where its request was interrupted', () => {
    const goesOn = claimed('c2', { at: isoOf(NOW + 1) });
    givenInterrupted.when(claim({ running: new Set(['c9']) })).thenHappened(goesOn);
    given(claimed(), answered, interrupted).when(claim()).thenHappened(goesOn);
  });

  it('row 67: does not go on beside an earlier run of this process that others have overtaken', () => {
    const overtaken = given(
      claimed('c1'),
      claimed('c5', { instanceId: 'i2', leaseId: 'l2' }),
      interrupted,
    );
    overtaken
      .when(claim({ running: new Set(['c1']) }))
      .thenRefused('idempotency.in_progress', { retryAfterSeconds: 1 });
    overtaken.when(claim()).thenHappened(claimed('c2', { at: isoOf(NOW + 1) }));
  });

  it('is answered once; the answer can be taken back, and not replaced', () => {
    givenClaimed.when(settle({ kind: 'answered', ...answer })).thenHappened(answered);
    givenAnswered.when(settle({ kind: 'answered', ...answer, status: 500 })).thenNothing();
    givenAnswered.when(settle({ kind: 'freed' })).thenNothing();
    givenAnswered.when(settle({ kind: 'interrupted' })).thenHappened(interrupted);
  });

  it('is freed or interrupted, once, by the claim that holds it', () => {
    givenClaimed.when(settle({ kind: 'freed' })).thenHappened(freed);
    givenClaimed.when(settle({ kind: 'interrupted' })).thenHappened(interrupted);
    givenInterrupted.when(settle({ kind: 'answered', ...answer })).thenNothing();
    given(claimed(), freed)
      .when(settle({ kind: 'answered', ...answer }))
      .thenNothing();
    given(claimed(), claimed('c2'))
      .when(settle({ kind: 'answered', ...answer }))
      .thenNothing();
    given()
      .when(settle({ kind: 'freed' }))
      .thenNothing();
  });

  it('remembers the answer, until it is interrupted', () => {
    expect(given(claimed(), answered).state.answer).to.deep.equal(answer);
    const ofContacts = { claimId: 'c1', contactRefs: ['one', 'two'], ...answer };
    givenClaimed
      .when(settle({ kind: 'answered', ...answer }, 'c1', ['one', 'two']))
      .thenHappened(RequestAnswered.of(ofContacts));
    const sealed = RequestAnswered.of(ofContacts);
    expect(given(claimed(), sealed).state.answer).to.deep.equal(answer);
    const erased = RequestAnswered.of({ ...ofContacts, body: null });
    expect(given(claimed(), erased).state.answer).to.equal('erased');
    given(claimed(), erased).when(claim()).thenNothing();
    expect(given(claimed(), answered, interrupted).state).to.include({
      answer: null,
      interrupted: true,
    });
    expect(given(claimed(), interrupted, claimed('c2')).state).to.include({ interrupted: false });
    expect(given(claimed(), freed).state).to.deep.equal(idempotencyKeyDecider.initial);
  });
});
