import { LRUCache } from 'lru-cache';
import type { KnownEvent } from '../../events/index.ts';
import type { JobPlan, JobRow } from '../../events/job.ts';
import type { Price } from '../../events/price.ts';
import { type Claim, type EventReader, StoreUnavailable } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import type { Clock } from '../../shared/clock.ts';
import { createMutex } from '../../shared/concurrency.ts';
import { AppError, isRefusal } from '../../shared/errors.ts';
import { pause } from '../../shared/timing.ts';
import { costOf } from '../account/movements.ts';
import { isSameUnit } from '../account/state.ts';
import type { Subjects } from '../contacts/subjects.ts';
import { NEVER } from '../core/timers.ts';
import { type ClaimedRuns, isOwn } from '../idempotency/claimed-runs.ts';
import type { ClaimResult, Idempotency } from '../idempotency/idempotency.ts';
import type { Notifications } from '../sending/notification.ts';
import { shownErrorOf } from '../sending/send-errors.ts';
import { type JobState, openPart, type TurnOutcome } from './job.ts';
import { askedOf, type JobWrites } from './jobs.ts';

// Sends the rows of one event of a job, a part. Each turn of a part is claimed as a request with an
// idempotency key is, and its sends carry the claim and the row: a turn that was cut off is taken up under the
// same key, however late, and what it sent is found in the log. A turn that came to its end leaves no doubt,
// and the next one has a key of its own.

/** Rows of one job that are under way. */
const PARALLEL = 16;
const SLOT_WITHIN_MS = 60_000;
/** Jobs whose pace is in memory; a process runs fewer at a time. */
const PACES_MAX = 1_000;
/** Jobs wait behind live and scheduled sends for the pace of a number. */
const RANK = 9;

/** Codes of the provider after which further messages of the event or of the number would fail, too. */
const STOPPING = new Set([132015, 131048, 131064]);

export interface JobId {
  accountId: string;
  jobId: string;
}

interface Deps {
  execute: JobWrites;
  /** With personal data in clear. */
  store: Pick<EventReader, 'read'>;
  idempotency: Pick<Idempotency, 'claim'>;
  runs: Pick<ClaimedRuns, 'sentEarlier' | 'termOf'>;
  notifications: Notifications;
  subjects: Pick<Subjects, 'areHeld'>;
  clock: Clock;
  signal: AbortSignal;
  onFault: (error: unknown, jobId: string) => void;
}

/** What became of a row. */
type Outcome =
  | { kind: 'sent'; chargeId: string; amount: number }
  | { kind: 'refused'; code: string }
  /** The row waits on, because every other one would fail as well. */
  | { kind: 'pause'; reason: string }
  /** It was not begun. */
  | { kind: 'left' }
  /** It may have gone out: its next turn finds it in the log. */
  | { kind: 'unclear'; fault?: unknown; retryAfterSeconds?: number | undefined };

const ERASED: Outcome = { kind: 'refused', code: 'ERASED' };

/** What a refusal of one row means for the job. */
const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof StoreUnavailable) {
    return { kind: 'unclear', retryAfterSeconds: error.retryAfterSeconds };
  }
  if (!isRefusal(error)) return { kind: 'unclear', fault: error };
  if (isRefusal(error, 'idempotency.in_progress', 'service.unavailable')) {
    return { kind: 'unclear', retryAfterSeconds: error.details.retryAfterSeconds };
  }
  if (isRefusal(error, 'account.insufficient')) {
    return { kind: 'pause', reason: error.details.reason };
  }
  if (isRefusal(error, 'account.cap_reached')) {
    return { kind: 'pause', reason: `LIMIT_REACHED ${error.details.limit}` };
  }
  if (isRefusal(error, 'job.state')) return { kind: 'pause', reason: 'MAX_AMOUNT' };
  const { code, providerCode } = shownErrorOf(error);
  if (isRefusal(error, 'account.free_writes', 'template.not_approved', 'number.none')) {
    return { kind: 'pause', reason: code };
  }
  if (providerCode != null && STOPPING.has(providerCode)) {
    return { kind: 'pause', reason: `The provider refused a message with ${providerCode}` };
  }
  return { kind: 'refused', code };
};

/** A turn of a part. */
export interface Turn {
  job: JobId;
  state: JobState;
  part: number;
  /** When a row may go out, in ms since 1970: now or before, or later. */
  dueAt(row: JobRow): number;
  /** Whether the job still runs, and may. Does not throw. */
  goesOn(): Promise<boolean>;
}

/** What a turn came to. */
interface TurnEnd {
  /** Why the job must pause. */
  reason?: string | undefined;
  /** When the first of its rows that wait may go out; NEVER where none waits for that. */
  heldUntil: number;
  /** Whether rows wait that might have gone out now. */
  isLeft: boolean;
  /** For how long rows of which it is not known whether they went out ask to wait; 0 where none does. */
  retryAfterSeconds: number;
  /** Whether it sent nothing because nothing may go out now. */
  isHeld: boolean;
}

type RowsAdded = Extract<KnownEvent, { type: 'JobRowsAdded' }>;
type ClaimedTurn = Extract<ClaimResult, { kind: 'claimed' }>;

/** A row of the file; null where its recipient was erased. */
interface Waiting {
  row: number;
  content: JobRow | null;
  /** The pseudonym of its recipient. */
  ref: string | undefined;
}

/** Notes what became of rows. */
const createNotes = () => {
  const sent: TurnOutcome['sent'][number][] = [];
  const refused: [number, string][] = [];
  const over = new Set<number>();
  let reason: string | undefined;
  let isClear = true;
  let retryAfterSeconds = 0;
  return {
    over,
    sent,
    refused,
    amount: () => sent.reduce((sum, { amount }) => sum + amount, 0),
    reason: () => reason,
    isClear: () => isClear,
    retryAfterSeconds: () => retryAfterSeconds,
    note(row: number, outcome: Outcome): void {
      if (outcome.kind === 'pause') reason ??= outcome.reason;
      if (outcome.kind === 'unclear') {
        isClear = false;
        retryAfterSeconds = Math.max(retryAfterSeconds, outcome.retryAfterSeconds ?? 0);
      }
      if (outcome.kind === 'sent') {
        const { chargeId, amount } = outcome;
        over.add(row);
        sent.push({ row, chargeId, amount });
      }
      if (outcome.kind === 'refused') {
        over.add(row);
        refused.push([row, outcome.code]);
      }
    },
  };
};

type Notes = ReturnType<typeof createNotes>;

type TakenSlot = ReturnType<Notifications['takeSlot']>;
type Pace = (takeSlot: () => TakenSlot) => TakenSlot;

/** Lets rows begin one after the other: those that had waited for slots together would go at once. */
const createPace = (perSecond: number, signal: AbortSignal): Pace => {
  const inTurn = createMutex();
  let nextAt = 0;
  return (takeSlot) =>
    inTurn(async () => {
      const now = performance.now();
      const at = Math.max(nextAt, now);
      await pause(at - now, signal);
      const askedAt = performance.now();
      const slot = await takeSlot();
      nextAt = at + (performance.now() - askedAt) + 1000 / perSecond;
      return slot;
    });
};

/** What the bound of a job leaves, in the unit of its plan. */
interface Budget {
  left: number;
  unit: Pick<JobPlan, 'billing' | 'currency'>;
}

/** What one row takes of the bound of its job; its price may be decided more than once. */
const shareOf = (budget: Budget) => {
  let taken = 0;
  const release = () => {
    budget.left += taken;
    taken = 0;
  };
  return {
    take(price: Price): void {
      release();
      const cost = costOf(price);
      if (!isSameUnit(price, budget.unit)) {
        throw new AppError('job.state', 'The account counts in another unit than `maxAmount`');
      }
      if (cost > budget.left)
        throw new AppError('job.state', 'The job would take more than `maxAmount`');
      budget.left -= cost;
      taken = cost;
    },
    release,
  };
};

export const createRowSends = (deps: Deps) => {
  const { execute, store, idempotency, notifications, clock, signal } = deps;
  const paces = new LRUCache<string, Pace>({ max: PACES_MAX });

  /** That of its job, whatever the turn. */
  const paceOf = ({ job: { jobId }, state }: Turn): Pace => {
    const { perSecond } = state.terms!;
    if (perSecond === null) return (takeSlot) => takeSlot();
    const pace = paces.get(jobId) ?? createPace(perSecond, signal);
    paces.set(jobId, pace);
    return pace;
  };

  const waitingIn = async ({ job, state, part }: Turn): Promise<readonly Waiting[]> => {
    const stream = `job-${inAccount(job.accountId, job.jobId)}`;
    const [event] = await store.read(stream, { from: part + 1, limit: 1 });
    const { numbers, rows, otherRefs } = (event as RowsAdded).data;
    const done = new Set(openPart(state, part).done);
    return numbers.flatMap((row, at) =>
      done.has(row) ? [] : [{ row, content: rows?.[at] ?? null, ref: otherRefs?.[at] }],
    );
  };

  /** Sends one row. `budget` is what the bound of the job leaves, from which each row takes its price first. */
  const sendRow = async (
    turn: Turn,
    { content, ref }: Waiting,
    claim: Claim,
    budget: Budget | undefined,
  ): Promise<Outcome> => {
    if (!content) return ERASED;
    const { accountId, jobId } = turn.job;
    const { request } = askedOf(turn.state.terms!, content);
    const context = { requestId: jobId, accountId, claim };
    const until = performance.now() + SLOT_WITHIN_MS;
    const slot = await paceOf(turn)(() => {
      const withinMs = Math.max(0, until - performance.now());
      return notifications.takeSlot(request, context, { withinMs, signal, rank: RANK });
    });
    if (slot === 'none') return { kind: 'left' };
    const share = budget && shareOf(budget);
    try {
      // It may have waited for long.
      if (!(await turn.goesOn())) return { kind: 'left' };
      if (ref !== undefined && !(await deps.subjects.areHeld([ref]))) return ERASED;
      const send = { ...request, slot, jobId, bound: share?.take };
      const { charge } = await notifications.send(send, context);
      const { chargeId, price } = charge;
      return { kind: 'sent', chargeId, amount: costOf(price) };
    } catch (error) {
      share?.release();
      return outcomeOf(error);
    } finally {
      slot?.release();
    }
  };

  /** What a turn that was cut off has sent of a row. */
  const sentBefore = async ({ job }: Turn, claim: Claim): Promise<Outcome> => {
    const { accountId, jobId } = job;
    try {
      const sent = await deps.runs.sentEarlier(claim, { requestId: jobId, accountId });
      if (!sent) return { kind: 'left' };
      const { chargeId, price } = sent.charge;
      return { kind: 'sent', chargeId, amount: costOf(price) };
    } catch (error) {
      return outcomeOf(error);
    }
  };

  const claimTurn = async ({ job, state, part }: Turn): Promise<ClaimedTurn> => {
    const { accountId, jobId } = job;
    const { turns } = openPart(state, part);
    const asked = {
      ownerId: accountId,
      route: 'job',
      target: `job ${jobId}`,
      key: `${jobId}.${part}.${turns}`,
      body: {},
      isSend: false,
      lasts: true,
    };
    const taken = await idempotency.claim(asked, { requestId: jobId, accountId, cause: jobId });
    if (taken.kind === 'answered') throw new Error(`part ${part} of ${jobId} was answered`);
    return taken;
  };

  /** Writes what became of rows. False where the turn is another run's by now, or over. */
  const settle = async (
    { job, state, part }: Turn,
    { sent, refused }: Notes,
    left: TurnOutcome['left'],
    taken: ClaimedTurn | undefined,
  ): Promise<boolean> => {
    const { accountId, jobId } = job;
    const { turns: turn } = openPart(state, part);
    const isOurs = () => isOwn(deps.runs, taken?.claim);
    const outcome = { part, turn, sent, refused, left, isOwn: isOurs };
    const context = { requestId: jobId, accountId, cause: jobId, countsAsFree: false };
    const { facts } = await execute(accountId, jobId, { type: 'Settle', outcome }, context);
    return facts.length > 0;
  };

  const sendAll = async (
    turn: Turn,
    waiting: readonly Waiting[],
    taken: ClaimedTurn,
    notes: Notes,
  ): Promise<void> => {
    const { job, state } = turn;
    const { claim, resumed } = taken;
    const claimOf = (row: number): Claim => ({ id: claim.id, part: row });
    // Before anything new: what was sent counts for the bound.
    for (const { row } of resumed ? waiting : []) {
      notes.note(row, await sentBefore(turn, claimOf(row)));
      if (notes.reason() !== undefined || !notes.isClear()) return;
    }
    const left = waiting.filter(({ row }) => !notes.over.has(row));
    // A settlement that an earlier run still appends fails after this one: rows that follow stay under the key.
    if (resumed && left.length > 0 && !(await settle(turn, notes, 'unclear', taken))) return;
    const { maxAmount } = state.terms!;
    const budget =
      maxAmount === null
        ? undefined
        : { left: maxAmount - state.amount - notes.amount(), unit: state.plan! };
    let next = 0;
    const inTurn = async (): Promise<void> => {
      while (next < left.length && notes.reason() === undefined && notes.isClear()) {
        const one = left[next]!;
        const { row, content } = one;
        next += 1;
        if (content && turn.dueAt(content) > clock.now()) continue;
        if (!(await turn.goesOn())) return;
        const outcome = await sendRow(turn, one, claimOf(row), budget).catch(outcomeOf);
        if (outcome.kind === 'unclear' && outcome.fault !== undefined) {
          deps.onFault(outcome.fault, job.jobId);
          notes.note(row, { kind: 'pause', reason: 'FAULT' });
        }
        notes.note(row, outcome);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, inTurn));
  };

  /** Sends the rows of a part that wait and may go out now. */
  return async (turn: Turn): Promise<TurnEnd> => {
    const waiting = await waitingIn(turn);
    const heldUntil = (rows: readonly Waiting[]): number => {
      const times = rows.flatMap(({ content }) => (content ? turn.dueAt(content) : []));
      return Math.min(NEVER, ...times.filter((at) => at > clock.now()));
    };
    const mayGo = ({ content }: Waiting) => !content || turn.dueAt(content) <= clock.now();
    if (waiting.length > 0 && !waiting.some(mayGo)) {
      return { heldUntil: heldUntil(waiting), isLeft: false, retryAfterSeconds: 0, isHeld: true };
    }
    const notes = createNotes();
    const taken = waiting.length > 0 ? await claimTurn(turn) : undefined;
    try {
      if (taken) await sendAll(turn, waiting, taken, notes);
      const rest = notes.over.size === waiting.length ? 'none' : 'waiting';
      const left = notes.isClear() ? rest : 'unclear';
      // A turn that goes on and has nothing to tell leaves no event.
      if (left !== 'unclear' || notes.over.size > 0) await settle(turn, notes, left, taken);
    } finally {
      taken?.leave();
    }
    const rest = waiting.filter(({ row }) => !notes.over.has(row));
    return {
      reason: notes.reason(),
      heldUntil: heldUntil(rest),
      isLeft: rest.some(mayGo),
      retryAfterSeconds: notes.retryAfterSeconds(),
      isHeld: false,
    };
  };
};
