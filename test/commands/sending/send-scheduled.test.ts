import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { noLeases } from '../../../src/commands/core/lease.ts';
import { createClaimedRuns } from '../../../src/commands/idempotency/claimed-runs.ts';
import { createIdempotency } from '../../../src/commands/idempotency/idempotency.ts';
import { inProgress } from '../../../src/commands/idempotency/idempotency-key.ts';
import { scheduleDecider } from '../../../src/commands/sending/schedule.ts';
import { notRecorded } from '../../../src/commands/sending/send-errors.ts';
import { createScheduledSends } from '../../../src/commands/sending/send-scheduled.ts';
import type { Timing } from '../../../src/commands/sending/timing.ts';
import type { QuietHours } from '../../../src/events/account.ts';
import { splitIntent } from '../../../src/events/intent.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { inAccount, messageStream } from '../../../src/events/streams.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { secrets } from '../../support/message-refs.ts';
import { intent, NOW, price, templateRow } from '../../support/samples.ts';
import { customer, memoryRing, memorySubjects } from '../../support/subjects.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const ID = inAccount('acc_1', 'sch_1');
const account = { accountId: 'acc_1', contactRef: customer.ref, phoneNumberId: null };

type Deps = Parameters<typeof createScheduledSends>[0];
type RefundOpen = Parameters<typeof createClaimedRuns>[0]['refundOpen'];
/** Appends an event that a send or a status makes. */
type Write = (stream: string, type: string, data: object, claimId?: string) => Promise<unknown>;

interface More extends Timing {
  /** The account's quiet hours. */
  hours?: QuietHours;
  /** What its send does. */
  sends?: (write: Write) => Promise<void>;
}

let drain: () => Promise<void>;

/** One send that is due; `mayAct` answers for its organisation. */
const openDue = async (
  mayAct: Deps['mayAct'],
  slot: () => Promise<undefined> = async () => undefined,
  { hours, sends = async () => undefined, ...asked }: More = {},
) => {
  const clock = fixedClock();
  const ids = countedIds();
  const log = createMemoryLog();
  const { store, events } = log;
  const writer = createWriter({ store, clock, ids, keys: memoryRing as never });
  const lookups = { messageOfCharge: async () => undefined };
  const givenBack: string[] = [];
  const refundOpen: RefundOpen = async ({ data }) => {
    givenBack.push(data.chargeId);
    return true;
  };
  const runs = createClaimedRuns({ store, lookups, refundOpen });
  const idempotency = createIdempotency({
    writer,
    runs,
    secrets,
    subjects: memorySubjects,
    leases: noLeases,
    clock,
    ids,
    monotonicMs: clock.now,
    soleWriter: true,
    freeWrites: { count: () => undefined, usedUp: new Set(), left: async () => 1 },
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
    request: { to: '919812345678', event: 'order_shipped', variables: {}, ...asked },
  };
  const on = { requestId: 'r', subjects: [customer] };
  const command = { type: 'Schedule' as const, send };
  await writer.execute(scheduleDecider, ID, command, on);
  const row = { ...account, scheduleId: 'sch_1', due: `${send.dueAt} sch_1`, dueAt: clock.now() };
  const write: Write = (stream, type, data, claimId) => {
    const claim = claimId === undefined ? {} : { claim: { id: claimId } };
    return log.write(stream, type, data, { at: isoTime(clock.now()), ...claim });
  };
  const sent: unknown[] = [];
  const { reactor, tick } = createScheduledSends({
    writer,
    runs,
    clock,
    mayAct,
    lookups: {
      numbers: async () => [{ phoneNumberId: 'n', wabaId: 'w', accessToken: {} }] as never,
      templates: async () => [templateRow({ category: 'MARKETING' })],
    },
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
        await sends(write);
        return { charge: { chargeId: 'chg_1' }, messageId: 'wamid.1' };
      },
    } as unknown as Deps['notifications'],
    passThrough: {} as Deps['passThrough'],
    defaultsOf: () => ({ strict: false, quietHours: hours ?? null, timeZone: 'UTC' }),
    isCurrent: () => true,
    onFault: () => undefined,
    onFailure: () => undefined,
  });
  drain = () => reactor.drain!();
  await reactor.prepare!(() => true);
  const moveTo = async (dueAt: number) => {
    const { send: before } = (await writer.load(scheduleDecider, ID)).state;
    const moved = { ...before!, dueAt: isoTime(dueAt) };
    const change = { type: 'Change' as const, before: before!, send: moved };
    await writer.execute(scheduleDecider, ID, change, on);
    row.dueAt = dueAt;
    const [changed] = events.slice(-1);
    await reactor.on.ScheduleChanged!(changed as never, undefined as never);
  };
  /** Ticks until this is so; so much time passes before each tick. */
  const tickUntil = (what: string, isSo: () => boolean, ms = 0) =>
    until(what, () => {
      clock.advance(ms);
      tick();
      return isSo();
    });
  const types = () => events.map(({ type }) => type);
  const begun = () => types().filter((type) => type === 'ScheduleBegun').length;
  const untilEnded = (ms = 0) =>
    tickUntil('it has ended', () => types().includes('ScheduleEnded'), ms);
  const otherIsDue = () => {
    const data = { ...send, scheduleId: 'sch_2', dueAt: isoTime(clock.now()) };
    return reactor.on.SendScheduled!({ data } as never, undefined as never);
  };
  const last = () => events.at(-1)!.data as { error?: unknown };
  const told = { types, begun, last, sent, givenBack };
  return { ...told, clock, tick, tickUntil, untilEnded, moveTo, otherIsDue, write };
};

describe('a scheduled send that is due', () => {
  afterEach(() => drain());

  for (const failures of [0, 1]) {
    it(`is refused while its organisation is suspended, after ${failures} failed tries`, async () => {
      let left = failures;
      const due = await openDue(async () => {
        if (left === 0) return false;
        left -= 1;
        throw new StoreUnavailable('the read models are behind');
      });
      await due.untilEnded(250);
      expect(due.sent).to.deep.equal([]);
      expect(due.begun()).to.equal(1 + failures);
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
    await due.tickUntil('it waits for a slot', () => asked === 1);
    const dueAt = due.clock.now() + 60_000;
    await due.moveTo(dueAt);
    // A look a moment before, for another one, passes over what is in hand.
    due.clock.advance(59_500);
    await due.otherIsDue();
    due.tick();
    await new Promise(setImmediate);
    slot.resolve(undefined);
    await due.tickUntil('it was sent', () => due.sent.length === 1, 250);
    expect(due.clock.now()).to.be.at.least(dueAt);
  });

  for (const [error, seconds] of [
    [inProgress(10), 10],
    [notRecorded(new Error('away')), 60],
  ] as const) {
    it(`is tried again after the ${seconds} s for which ${error.code} asks`, async () => {
      const due = await openDue(async () => {
        throw error;
      });
      await due.tickUntil('it was tried', () => due.begun() === 1);
      const begunAt = due.clock.now();
      await due.tickUntil('it was tried again', () => due.begun() === 2, 5000);
      expect(due.clock.now() - begunAt).to.be.at.least(seconds * 1000);
    });
  }

  it('waits while its charge is open, and is sent once a status has brought the record', async () => {
    const charge = { accountId: 'acc_1', chargeId: 'chg_1', amount: -1, balanceAfter: 9 };
    const { outline } = splitIntent(intent());
    const due = await openDue(async () => true, undefined, {
      async sends(write) {
        const at = isoTime(NOW);
        const reserved = { ...charge, reason: 'order_shipped', price: price(), outline, at };
        await write('account-acc_1', 'ChargeReserved', reserved, 'sch_1');
        throw notRecorded(new Error('away'));
      },
    });
    await due.tickUntil('it was looked at twice since', () => due.begun() === 3, 5000);
    expect(due.types()).to.not.include('ScheduleEnded');
    const recorded = { messageId: 'wamid.1', chargeId: 'chg_1' };
    await due.write(messageStream('acc_1', 'm1'), 'MessageSent', recorded);
    await due.untilEnded(5000);
    expect(due.last()).to.include({ state: 'sent', ...recorded });
    expect([due.sent.length, due.givenBack]).to.deep.equal([1, []]);
  });

  it('is refused where its hours will never let it go out', async () => {
    const due = await openDue(async () => true, undefined, {
      hours: { MARKETING: { from: '20:00', until: '10:00' } },
      deliverBetween: { from: '09:00', until: '10:00' },
    });
    await due.untilEnded();
    expect(due.last()).to.include({ state: 'refused' });
    const error = 'deliverBetween: never opens in Asia/Kolkata outside of the quiet hours';
    expect(due.last().error).to.deep.include({ status: 400, error });
    expect(due.sent).to.deep.equal([]);
  });

  it('is held in the quiet hours of the category that its template has now', async () => {
    const due = await openDue(async () => true, undefined, {
      hours: { MARKETING: { from: '00:00', until: '23:59' } },
    });
    await due.tickUntil('it is decided', () => due.types().length > 1);
    expect(due.types().at(-1)).to.equal('ScheduleMoved');
  });
});
