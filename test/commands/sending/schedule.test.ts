import { expect } from 'chai';
import type { Claiming } from '../../../src/commands/idempotency/idempotency-key.ts';
import { type Result, scheduleDecider } from '../../../src/commands/sending/schedule.ts';
import type { Planned } from '../../../src/commands/sending/timing.ts';
import {
  ScheduleBegun,
  ScheduleChanged,
  type ScheduledSend,
  ScheduleEnded,
  type ScheduleFact,
  SendScheduled,
} from '../../../src/events/schedule.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { spec } from '../../support/spec.ts';

const ID = { scheduleId: 'sch_1', accountId: 'acc_1' };
const DUE = '2026-11-27T08:00:00.000Z';
const LATE = '2026-11-28T08:00:00.001Z';

const send: ScheduledSend = {
  ...ID,
  contactRef: 'ref',
  kind: 'notification',
  event: 'order_shipped',
  category: 'UTILITY',
  phoneNumberId: null,
  dueAt: DUE,
  notAfter: '2026-11-28T08:00:00.000Z',
  timeZone: 'Asia/Kolkata',
  rule: { by: 'sendAt', text: 'as asked' },
  problems: [],
  request: { to: '919812345678' },
};
const taken = SendScheduled.of(send);
const run = (claimId = 'c1', at = DUE) => ({ claimId, instanceId: 'i1', at });
const begun = ScheduleBegun.of({ ...ID, run: run() });
const end = (state: 'sent' | 'cancelled'): ScheduleFact =>
  ScheduleEnded.of({
    ...ID,
    contactRef: 'ref',
    event: 'order_shipped',
    state,
    at: DUE,
    chargeId: null,
    messageId: null,
    error: null,
  });
const begin = (
  at = DUE,
  {
    held = () => undefined,
    ...change
  }: Partial<Claiming> & { held?: () => Planned | Result | undefined } = {},
) => {
  const running = new Set(['c1', 'c2']);
  const rules = { running, abandonedBefore: DUE, hasEnded: () => false };
  const claiming = { ...run('c2', at), ...rules, ...change };
  return { type: 'Begin', claiming, held } as const;
};
const sent = { state: 'sent', chargeId: 'chg_1' } as const;
const result = { type: 'End', claimId: 'c1', at: DUE, result: sent } as const;
const cancel = { type: 'Cancel', at: DUE } as const;

describe('a scheduled send', () => {
  const given = spec(scheduleDecider);
  const givenTaken = given(taken);
  const givenBegun = given(taken, begun);

  it('is taken once', () => {
    given().when({ type: 'Schedule', send }).thenHappened(taken);
    givenTaken.when({ type: 'Schedule', send }).thenNothing();
  });

  it('row 78: begins when it is due, one run at a time', () => {
    const goesOn = ScheduleBegun.of({ ...ID, run: run('c2') });
    givenTaken.when(begin('2026-11-27T07:59:59.999Z')).thenNothing();
    givenTaken.when(begin()).thenHappened(goesOn);
    expect(given(taken, begun).state).to.include({ isResumed: false });
    givenBegun.when(begin()).thenRefused('idempotency.in_progress');
    givenBegun.when(begin(DUE, { running: new Set() })).thenHappened(goesOn);
    expect(given(taken, begun, goesOn).state).to.include({ isResumed: true, begunAt: DUE });
    givenBegun.when(begin(DUE, { instanceId: 'i2' })).thenRefused('idempotency.in_progress');
    const hasEnded = () => true;
    const elsewhere = (claimId: string) =>
      ScheduleBegun.of({ ...ID, run: { ...run(claimId), instanceId: 'i2' } });
    givenBegun.when(begin(DUE, { instanceId: 'i2', hasEnded })).thenHappened(elsewhere('c2'));
    const overtaken = given(taken, elsewhere('c5'));
    const beside = begin(DUE, { hasEnded, running: new Set([ID.scheduleId]) });
    overtaken.when(beside).thenRefused('idempotency.in_progress');
    overtaken.when(begin(DUE, { hasEnded })).thenHappened(goesOn);
    given(taken, begun, end('sent')).when(begin()).thenNothing();
    given(taken, end('cancelled')).when(begin()).thenNothing();
  });

  it('does not go on with what a version before has claimed elsewhere, and ends it', () => {
    const givenBefore = given(taken, ScheduleBegun.of({ ...ID, run: null }));
    givenBefore.when(begin()).thenNothing();
    givenBefore.when(result).thenHappened('ScheduleEnded', sent);
  });

  it('is not ended by a run that another one, which may have sent it, has overtaken', () => {
    const refused = { ...result, result: { state: 'refused' } } as const;
    const givenOvertaken = given(taken, begun, ScheduleBegun.of({ ...ID, run: run('c2') }));
    givenOvertaken.when(refused).thenNothing();
    givenOvertaken.when({ ...result, claimId: 'c2' }).thenHappened('ScheduleEnded', sent);
  });

  it('moves where its hours do not allow it now, is refused where they never will, and expires after its end', () => {
    const { notAfter, timeZone, rule } = send;
    const later = { dueAt: '2026-11-27T10:00:00.000Z', notAfter, timeZone, rule };
    const early = begin(DUE, { held: () => later });
    const [moved] = givenTaken.when(early).thenHappened('ScheduleMoved', later);
    given(taken, moved!).when(begin()).thenNothing();
    givenTaken.when(begin(LATE)).thenHappened('ScheduleEnded', { state: 'expired' });
    const never = { state: 'refused', error: null } as const;
    givenTaken.when(begin(DUE, { held: () => never })).thenHappened('ScheduleEnded', never);
  });

  it('is never sent once its contact is erased', () => {
    const path = ['request', 'contextMessageId'];
    const named = [{ path, refs: ['other'], isErased: true as const }];
    for (const gone of [{ request: null }, { otherRefs: ['other'], named }]) {
      const erased = SendScheduled.of({ ...send, ...gone });
      const over = begin(DUE, { running: new Set() });
      for (const { when } of [given(erased), given(erased, begun)]) {
        when(over).thenHappened('ScheduleEnded', { state: 'erased' });
      }
    }
  });

  it('is changed and cancelled only while it waits', () => {
    const change = { type: 'Change', before: send, send: { ...send, dueAt: LATE } } as const;
    givenTaken.when(change).thenHappened('ScheduleChanged', { dueAt: LATE });
    givenTaken.when(cancel).thenHappened(end('cancelled'));
    given(taken, end('cancelled')).when(cancel).thenNothing();
    for (const command of [change, cancel]) {
      givenBegun.when(command).thenRefused('resource.conflict');
      given(taken, begun, end('sent')).when(command).thenRefused('resource.conflict');
      given().when(command).thenRefused('resource.unknown');
    }
    given(taken, end('cancelled')).when(change).thenRefused('resource.conflict');
  });

  it('is not changed by a request that has not seen the change before', () => {
    const now = { ...send, dueAt: '2026-11-27T07:00:00.000Z' };
    const givenNow = given(taken, ScheduleChanged.of(now));
    const later = { ...send, dueAt: LATE };
    givenNow.when({ type: 'Change', before: send, send: later }).thenRefused('resource.conflict');
    const change = { type: 'Change', before: givenNow.state.send!, send: later } as const;
    givenNow.when(change).thenHappened('ScheduleChanged', { dueAt: LATE });
  });

  it('is not begun by a request that another process may have answered meanwhile', () => {
    const late = { type: 'Schedule', send, isOwn: () => false } as const;
    given().when(late).thenThrows(StoreUnavailable);
    givenTaken.when(late).thenNothing();
  });

  it('ends once, after its begin', () => {
    givenBegun.when(result).thenHappened('ScheduleEnded', sent);
    givenTaken.when(result).thenNothing();
    given(taken, begun, end('sent')).when(result).thenNothing();
    expect(given(taken, begun).state).to.deep.include({ phase: 'sending', begunAt: DUE });
  });
});
