import type { Category } from '../../events/category.ts';
import { parseContact } from '../../events/contact.ts';
import { laneOf, partsOfLane, type ScheduledSend } from '../../events/schedule.ts';
import { type Claim, StoreUnavailable } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import type { Slot } from '../../provider/provider.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { AppError, invalidFields, isRefusal } from '../../shared/errors.ts';
import { bytesOf, type FreeWrites } from '../account/free-writes.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { ExecuteOptions, Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Lookups } from '../core/lookups.ts';
import { type Reactor, toEach } from '../core/reactor.ts';
import { createTimers, forEachLane, takeDue } from '../core/timers.ts';
import type { ClaimedRuns } from '../idempotency/claimed-runs.ts';
import type { Attempts } from '../idempotency/idempotency.ts';
import type { Notifications } from './notification.ts';
import type { PassThrough } from './pass-through.ts';
import { BY_STRICT } from './refusals.ts';
import type { AccountContext } from './reserve.ts';
import {
  isErased,
  type Result,
  type ScheduleCommand,
  type ScheduleState,
  scheduleDecider,
} from './schedule.ts';
import {
  lookAt,
  messageOf,
  notificationOf,
  type ScheduleBody,
  type ScheduledLookups,
  type WaitingSend,
} from './schedules.ts';
import { outcomeUnknown, shownErrorOf } from './send-errors.ts';
import { notificationProblems, recipientProblems } from './strict.ts';
import { type AccountHours, planSend } from './timing.ts';
import type { Transmitted } from './transmitted.ts';

// What waits for its time goes out through the very same use cases as a send of now, under its own id as
// the key: everything is decided again, and a crash, a second wake and a second worker make one send of it.

/** Sends of one lane at a time, and those of it in memory; further ones wait in the log. */
const SENDING_PER_LANE = 32;
const IN_MEMORY_PER_LANE = 1000;
const IN_MEMORY_MAX = 20_000;
/** What is due so soon is taken into memory with what is due, so that a lane is not looked at for each send. */
const AHEAD_MS = 1000;
/** How long one waits for a slot in the pace of its number before others of its lane have a turn. */
const SLOT_WITHIN_MS = 30_000;
/** Pause before a send that could not be made or decided now is tried again. */
const AGAIN_MS = 1000;
const FAULT_MS = 60_000;
/** After so long a fault that repeats itself is final: its charge is swept by then. */
const FAULTY_FOR_MS = 20 * 60_000;

interface Deps {
  writer: Pick<Writer, 'execute' | 'load'>;
  lookups: Pick<Lookups, 'numbers' | 'templates'>;
  scheduled: ScheduledLookups;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  freeWrites: Pick<FreeWrites, 'count'>;
  attempt: Attempts;
  runs: Pick<ClaimedRuns, 'sentEarlier'>;
  notifications: Pick<Notifications, 'send' | 'takeSlot'>;
  passThrough: Pick<PassThrough, 'send'>;
  defaultsOf(
    accountId: string,
  ): (AccountHours & { strict: boolean }) | Promise<AccountHours & { strict: boolean }>;
  /** False while the organisation of the account is suspended. */
  mayAct(accountId: string): Promise<boolean>;
  clock: Clock;
  /** False once another process may have the accounts. */
  isCurrent(): boolean;
  onFault(error: unknown): void;
  onFailure(error: unknown): void;
}

/** Whether another attempt may come to something else, and nothing is decided yet. */
const mayPass = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  isRefusal(error, 'idempotency.in_progress', 'service.unavailable');

/** Pause before another attempt: each writes to the log, so what is not known yet says how long. */
const pauseOf = (error: unknown): number =>
  isRefusal(error, 'idempotency.in_progress', 'service.unavailable')
    ? Math.max(AGAIN_MS, (error.details.retryAfterSeconds ?? 0) * 1000)
    : AGAIN_MS;

/** Refuses what a strict send of now would be refused for. */
const mustBeRight = (send: ScheduledSend, isStrict: boolean): void => {
  if (!isStrict) return;
  const body = send.request as unknown as ScheduleBody;
  const problems =
    send.kind === 'notification'
      ? notificationProblems(notificationOf(body))
      : recipientProblems(body.to);
  const [first] = problems;
  if (!first) return;
  const fields = problems.map(({ path: [top = '', ...rest], message }) => [
    top,
    [rest.length > 0 ? `${[top, ...rest].join('.')}: ${message}` : message],
  ]);
  const { details, message } = invalidFields(
    Object.fromEntries(fields),
  ) as AppError<'request.invalid'>;
  throw new AppError('request.invalid', message, { ...details, cause: BY_STRICT });
};

const sentAs = ({ charge, messageId }: Pick<Transmitted, 'charge' | 'messageId'>): Result => ({
  state: 'sent',
  chargeId: charge.chargeId,
  messageId,
});

/** Makes the send, or finds the one that an earlier run has made. */
const transmit = async (
  { runs, notifications, passThrough, defaultsOf, mayAct, clock }: Deps,
  send: ScheduledSend,
  context: AccountContext & { claim: Claim },
  { slot, isResumed }: { slot: Slot | undefined; isResumed: boolean },
): Promise<Result> => {
  const body = send.request!;
  // What an earlier run may have sent already is not decided again.
  if (isResumed) {
    const earlier = await runs.sentEarlier(context.claim, context, { leavesOpen: true });
    if (earlier) return sentAs(earlier);
    if (isoTime(clock.now()) > send.notAfter) return { state: 'expired' };
  }
  if (!(await mayAct(send.accountId))) {
    const message = 'The organisation that owns this account is suspended';
    throw new AppError('organisation.suspended', message);
  }
  const { strict = (await defaultsOf(send.accountId)).strict } = body as { strict?: boolean };
  mustBeRight(send, strict);
  const sent =
    send.kind === 'notification'
      ? await notifications.send({ ...notificationOf(body), slot }, context)
      : await passThrough.send({ ...messageOf(body), slot }, context);
  return sentAs(sent);
};

/** Sends what is due, once. */
const createSendDue = (deps: Deps) => {
  const { writer, lookups, subjects, freeWrites, attempt, clock } = deps;

  /** The category of what would go out now, which quiet hours ask for. */
  const categoryNow = async (
    { quietHours }: AccountHours,
    { phase, send }: ScheduleState,
  ): Promise<Category | undefined> => {
    if (!quietHours || phase !== 'waiting' || !send || isErased(send)) return undefined;
    const { accountId, kind, request } = send;
    try {
      const now = await lookAt(lookups, accountId, kind, request as unknown as ScheduleBody);
      return now.category;
    } catch (error) {
      // Its send is refused for that.
      if (isRefusal(error)) return undefined;
      throw error;
    }
  };

  /** The next time, where its hours do not allow it now; its end, where they never will. */
  const heldBy =
    (account: AccountHours, category: Category | undefined) => (send: ScheduledSend) => {
      const timing = send.request as unknown as ScheduleBody;
      const now = clock.now();
      const to = parseContact(timing.to);
      const asked = { timing, to, category: category ?? send.category, account, now };
      try {
        const plan = planSend(asked, true);
        return plan && Date.parse(plan.dueAt) > now ? plan : undefined;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { state: 'refused' as const, error: shownErrorOf(error) };
      }
    };

  const run = async (
    { begunAt, send, isResumed }: ScheduleState,
    context: AccountContext & { claim: Claim },
    slot: Slot | undefined,
  ): Promise<Result> => {
    try {
      return await transmit(deps, send!, context, { slot, isResumed });
    } catch (error) {
      if (mayPass(error)) throw error;
      if (!isRefusal(error)) {
        if (clock.now() - Date.parse(begunAt!) < FAULTY_FOR_MS) throw error;
        deps.onFault(error);
      }
      return { state: 'refused', error: shownErrorOf(error) };
    }
  };

  return async (
    { scheduleId, accountId, contactRef }: WaitingSend,
    slot: Slot | undefined,
  ): Promise<number | undefined> => {
    if (!deps.isCurrent()) throw new StoreUnavailable('the leases are not renewed');
    const id = inAccount(accountId, scheduleId);
    const account = await deps.defaultsOf(accountId);
    const subject = await subjectOf(subjects, accountId, contactRef);
    const by = { requestId: scheduleId, accountId, cause: scheduleId, countsAsFree: false };
    const context = { ...by, subjects: subject ? [subject] : [] };
    const write = async (command: ScheduleCommand, options?: ExecuteOptions) => {
      const outcome = await writer.execute(scheduleDecider, id, command, context, options);
      // A message that does not go out is not paid.
      const end = outcome.facts.find(({ type }) => type === 'ScheduleEnded');
      if (end && outcome.state.phase !== 'sent') {
        freeWrites.count(accountId, bytesOf(outcome.state.send));
      }
      return outcome.state;
    };
    const before = await writer.load(scheduleDecider, id);
    const held = heldBy(account, await categoryNow(account, before.state));
    const { claiming, begin, leave } = attempt({ isSend: true });
    const end = (result: Result) => {
      // Nothing can be sealed for a contact that was erased meanwhile.
      const told = subject ? result : { ...result, messageId: null, error: null };
      const { claimId } = claiming;
      return write({ type: 'End', claimId, at: isoTime(clock.now()), result: told });
    };
    try {
      const state = await write({ type: 'Begin', claiming, held }, { after: before });
      // It was moved, perhaps before this began.
      if (state.phase === 'waiting') return Date.parse(state.send!.dueAt);
      if (state.phase !== 'sending') return undefined;
      if (!state.run) {
        await end({ state: 'refused', error: shownErrorOf(outcomeUnknown({ template: null })) });
        return undefined;
      }
      const stream = `${scheduleDecider.category}-${id}`;
      begin({ id: scheduleId, stream, resumed: state.isResumed });
      await end(await run(state, { ...by, claim: { id: scheduleId } }, slot));
      return undefined;
    } finally {
      leave();
    }
  };
};

/** Sends what is due, lane by lane. `tick` must be called every moment. */
export const createScheduledSends = (deps: Deps): { reactor: Reactor; tick(): void } => {
  const { scheduled, notifications, clock, onFault, onFailure } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const inHand = new Set<string>();
  const sendDue = createSendDue(deps);
  const queue = createKeyedQueue({
    runningPerGroup: SENDING_PER_LANE,
    jobsPerGroup: IN_MEMORY_PER_LANE,
    jobs: IN_MEMORY_MAX,
    onFault,
  });

  const inTurn = async (row: WaitingSend, lane: string): Promise<number | undefined> => {
    const { rank } = partsOfLane(lane);
    const limits = { withinMs: SLOT_WITHIN_MS, signal, rank };
    const { phoneNumberId, accountId } = row;
    const request = { phoneNumberId: phoneNumberId ?? undefined };
    const slot = await notifications.takeSlot(request, { accountId }, limits);
    if (slot === 'none') return clock.now();
    try {
      const dueAt = await sendDue(row, slot);
      // A look passes over what is in hand.
      if (dueAt !== undefined) timers.expect(lane, dueAt);
      return undefined;
    } finally {
      slot?.release();
    }
  };

  const offer = (lane: string, row: WaitingSend): boolean => {
    const { scheduleId: key } = row;
    const work = async (): Promise<number | undefined> => {
      if (signal.aborted) return undefined;
      if (row.dueAt > clock.now()) return row.dueAt;
      try {
        return await inTurn(row, lane);
      } catch (error) {
        if (mayPass(error)) return clock.now() + pauseOf(error);
        onFault(error);
        return clock.now() + FAULT_MS;
      }
    };
    const queued = queue.offer({ group: lane, key, work });
    if (!queued) return false;
    inHand.add(key);
    queued.settled.then(() => inHand.delete(key));
    return true;
  };

  const take = (lane: string) =>
    takeDue(lane, {
      rows: scheduled,
      until: clock.now() + AHEAD_MS,
      inHand() {
        const before = new Set(inHand);
        return ({ scheduleId }) => before.has(scheduleId) || inHand.has(scheduleId);
      },
      offer: (row) => offer(lane, row),
    });
  const timers = createTimers({ take, clock, onFailure });

  return {
    reactor: {
      name: 'scheduled',
      prepare: (isNew) =>
        forEachLane(scheduled, (name) => {
          if (isNew(partsOfLane(name).accountId)) timers.expect(name, clock.now());
        }),
      on: toEach(['SendScheduled', 'ScheduleChanged', 'ScheduleMoved'], ({ data }) => {
        timers.expect(laneOf(data), Date.parse(data.dueAt));
      }),
      async drain() {
        stopping.abort();
        await Promise.all([timers.drain(), queue.drain()]);
      },
    },
    tick() {
      queue.wake(clock.now());
      timers.tick();
    },
  };
};
