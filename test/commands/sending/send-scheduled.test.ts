import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { noLeases } from '../../../src/commands/core/lease.ts';
import { createClaimedRuns } from '../../../src/commands/idempotency/claimed-runs.ts';
import { createIdempotency } from '../../../src/commands/idempotency/idempotency.ts';
import { inProgress } from '../../../src/commands/idempotency/idempotency-key.ts';
import { scheduleDecider } from '../../../src/commands/sending/schedule.ts';
import { createScheduledSends } from '../../../src/commands/sending/send-scheduled.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { inAccount } from '../../../src/events/streams.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { createSecrets } from '../../../src/shared/secrets.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { customer, memoryRing, memorySubjects } from '../../support/subjects.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const account = { accountId: 'acc_1', contactRef: customer.ref, phoneNumberId: null };

type Deps = Parameters<typeof createScheduledSends>[0];

/** One send that is due; `mayAct` answers for its organisation. */
const openDue = async (
  mayAct: Deps['mayAct'],
  slot: () => Promise<undefined> = async () => undefined,
) => {
  const clock = fixedClock();
  const ids = countedIds();
  const { store, events } = createMemoryLog();
  const writer = createWriter({ store, clock, ids, keys: memoryRing as never });
  const lookups = { messageOfCharge: async () => undefined };
  const runs = createClaimedRuns({ store, lookups, refundOpen: async () => true });
  const idempotency = createIdempotency({
    writer,
    runs,
    secrets: createSecrets(Buffer.alloc(32, 1)),
    subjects: memorySubjects,
    leases: noLeases,
    clock,
    ids,
    monotonicMs: clock.now,
    soleWriter: true,
    onFree: () => undefined,
    onUnsettled: () => undefined,
  });
  const send = {
    ...account,
    scheduleId: 'sch_1',
    kind: 'notification' as const,
    event: 'order_shipped',
    category: 'UTILITY' as const,
    dueAt: isoTime(clock.now()),
    notAfter: isoTime(clock.now() + DAY_MS),
    timeZone: 'UTC',
    rule: { by: 'sendAt' as const, text: '' },
    problems: [],
    request: { to: '919812345678', event: 'order_shipped', variables: {} },
  };
  const on = { requestId: 'r', subjects: [customer] };
  const command = { type: 'Schedule' as const, send };
  await writer.execute(scheduleDecider, inAccount('acc_1', 'sch_1'), command, on);
  const row = { ...account, scheduleId: 'sch_1', due: `${send.dueAt} sch_1`, dueAt: clock.now() };
  const sent: unknown[] = [];
  const { reactor, tick } = createScheduledSends({
    writer,
    runs,
    clock,
    mayAct,
    scheduled: {
      reachHead: async () => undefined,
      waiting: async ({ after }: { after: string }) => (after === '' ? [row] : []),
      lanes: async ({ after }: { after: string }) => (after === '' ? ['acc_1.2.'] : []),
      count: async () => 1,
    } as unknown as Deps['scheduled'],
    subjects: memorySubjects,
    freeWrites: { count: () => undefined },
    attempt: idempotency.attempt,
    notifications: {
      takeSlot: slot,
      async send(request: unknown) {
        sent.push(request);
        return { charge: { chargeId: 'chg_1' }, messageId: 'wamid.1' };
      },
    } as unknown as Deps['notifications'],
    passThrough: {} as Deps['passThrough'],
    defaultsOf: async () => ({ strict: false, quietHours: null, timeZone: 'UTC' }) as never,
    isCurrent: () => true,
    onFault: () => undefined,
    onFailure: () => undefined,
  });
  await reactor.prepare!(() => true);
  const moveTo = async (dueAt: number) => {
    const { send: before } = (await writer.load(scheduleDecider, inAccount('acc_1', 'sch_1')))
      .state;
    const moved = { ...before!, dueAt: isoTime(dueAt) };
    const change = { type: 'Change' as const, before: before!, send: moved };
    await writer.execute(scheduleDecider, inAccount('acc_1', 'sch_1'), change, on);
    row.dueAt = dueAt;
    const [changed] = events.slice(-1);
    await reactor.on.ScheduleChanged!(changed as never, undefined as never);
  };
  const otherIsDue = () => {
    const data = { ...send, scheduleId: 'sch_2', dueAt: isoTime(clock.now()) };
    return reactor.on.SendScheduled!({ data } as never, undefined as never);
  };
  return {
    clock,
    reactor,
    sent,
    tick,
    moveTo,
    otherIsDue,
    types: () => events.map(({ type }) => type),
  };
};

describe('a scheduled send that is due', () => {
  for (const failures of [0, 1]) {
    it(`is refused while its organisation is suspended, after ${failures} failed tries`, async () => {
      let left = failures;
      const due = await openDue(async () => {
        if (left === 0) return false;
        left -= 1;
        throw new StoreUnavailable('the read models are behind');
      });
      await until('it has ended', () => {
        due.clock.advance(250);
        due.tick();
        return due.types().includes('ScheduleEnded');
      });
      expect(due.sent).to.deep.equal([]);
      expect(due.types().filter((type) => type === 'ScheduleBegun')).to.have.length(1 + failures);
      await due.reactor.drain!();
    });
  }

  it('is sent at its new time where it was moved while it waited in hand', async () => {
    const slot = Promise.withResolvers<undefined>();
    let asked = 0;
    const due = await openDue(
      async () => true,
      async () => {
        asked += 1;
        return asked === 1 ? slot.promise : undefined;
      },
    );
    await until('it waits for a slot', () => {
      due.tick();
      return asked === 1;
    });
    const dueAt = due.clock.now() + 60_000;
    await due.moveTo(dueAt);
    // A look a moment before, for another one, passes over what is in hand.
    due.clock.advance(59_500);
    await due.otherIsDue();
    due.tick();
    await new Promise(setImmediate);
    slot.resolve(undefined);
    await until('it was sent', () => {
      due.clock.advance(250);
      due.tick();
      return due.sent.length === 1;
    });
    expect(due.clock.now()).to.be.at.least(dueAt);
    await due.reactor.drain!();
  });

  it('is tried again after the time that an unknown outcome asks for', async () => {
    const due = await openDue(async () => {
      throw inProgress(10);
    });
    const tries = () => due.types().filter((type) => type === 'ScheduleBegun').length;
    await until('it was tried', () => {
      due.tick();
      return tries() === 1;
    });
    const begunAt = due.clock.now();
    await until('it was tried again', () => {
      due.clock.advance(250);
      due.tick();
      return tries() === 2;
    });
    expect(due.clock.now() - begunAt).to.be.at.least(10_000);
    await due.reactor.drain!();
  });
});
