import { LRUCache } from 'lru-cache';
import { parseContact } from '../../events/contact.ts';
import type { JobRow } from '../../events/job.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import { isRefusal } from '../../shared/errors.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { type Reactor, toEach } from '../core/reactor.ts';
import { createTimers, type DueRow, type DueRows, forEachLane, NEVER } from '../core/timers.ts';
import { findConfiguredNumber } from '../sending/outgoing.ts';
import { lookAtEvent } from '../sending/schedules.ts';
import { type AccountHours, planSend } from '../sending/timing.ts';
import { type JobCommand, type JobState, type JobTerms, jobDecider, timingOf } from './job.ts';
import type { JobWrites } from './jobs.ts';
import { createRowSends, type JobId } from './send-rows.ts';

// Runs jobs: an account's queued ones begin while fewer than two run, and those that run send part after
// part, in the order of the file. Rows that may not go out yet are passed over, and the job looks again
// when the first of them may.

/** Jobs of one account that run at a time. */
const JOBS_PER_ACCOUNT = 2;
/** Of one process. */
const RUNNING_MAX = 200;
/** Further ones look more often. */
const RESTING_MAX = 10_000;
/** The share of failures is looked at from so many rows on, counted anew when the job goes on. */
const SHARE_FROM = 100;
const AGAIN_MS = 1_000;
const FAULT_MS = 60_000;
/** Hours that never come may be changed: they are looked at again. */
const CLOSED_MS = 24 * 60 * 60_000;
/** How late a turn sees that its owner has paused the job, or that the organisation was suspended. */
const LOOK_MS = 500;
const CHECK_MS = 15 * 60_000;
const POOR = new Set(['RED', 'RESTRICTED']);

/** A job as the read models know it. */
export interface OpenJob extends JobId {
  status: 'checking' | 'queued' | 'running';
  createdAt: string;
  sendAt: string | null;
}

/** What the read models tell those that run jobs: the lane of a job is its account. */
export interface JobLookups extends Pick<DueRows<DueRow>, 'reachHead' | 'lanes'> {
  /** The jobs of an account that are checked, queued or run, the oldest first, as the log has them now. */
  openJobs(accountId: string): Promise<readonly OpenJob[]>;
  /** Messages of the job that failed after the provider had taken them. */
  failedOf(job: JobId): Promise<number>;
}

interface Deps extends Omit<Parameters<typeof createRowSends>[0], 'signal'> {
  writer: Pick<Writer, 'load'>;
  execute: JobWrites;
  lookups: Lookups;
  jobs: JobLookups;
  defaultsOf: (accountId: string) => AccountHours | Promise<AccountHours>;
  mayAct: (accountId: string) => Promise<boolean>;
  /** False once another process may have the accounts. */
  isCurrent: () => boolean;
  /** Uploads that began before have ended with their process. */
  checkedBy: number;
  onFailure: (error: unknown) => void;
}

/** When each row may go out, in ms since 1970. */
const createTimes = ({ lookups, defaultsOf, clock }: Deps) => {
  const categoryNow = async (accountId: string, { event, ...asked }: JobTerms) => {
    const languageCode = asked.languageCode ?? undefined;
    const phoneNumberId = asked.phoneNumberId ?? undefined;
    return (await lookAtEvent(lookups, accountId, { event, languageCode, phoneNumberId })).category;
  };

  return async (accountId: string, terms: JobTerms): Promise<(row: JobRow) => number> => {
    const { sendAt, deliverBetween } = terms;
    const account = await defaultsOf(accountId);
    if (sendAt === null && deliverBetween === null && account.quietHours === null) return () => 0;
    const timing = timingOf(terms);
    const category = await categoryNow(accountId, terms);
    return (row) => {
      const now = clock.now();
      try {
        const plan = planSend({ timing, to: parseContact(row.to), category, account, now }, true);
        return plan ? Date.parse(plan.dueAt) : 0;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return now + CLOSED_MS;
      }
    };
  };
};

/** Why a job must not go on; undefined where nothing speaks against it. */
const obstacleOf = async (
  { lookups, mayAct, jobs }: Deps,
  job: JobId,
  { terms, sent, refused, overBefore }: JobState,
): Promise<string | undefined> => {
  const { accountId } = job;
  if (!(await mayAct(accountId))) return 'ORG_SUSPENDED';
  const { quality, failedShare, phoneNumberId } = terms!;
  const number = await findConfiguredNumber(lookups, accountId, phoneNumberId ?? undefined);
  if (quality && POOR.has(number?.qualityRating ?? '')) {
    return `The quality of the number is ${number!.qualityRating}`;
  }
  const all = sent + refused;
  if (all - overBefore < SHARE_FROM) return undefined;
  const failed = refused + (await jobs.failedOf(job));
  return failed / all > failedShare ? `${failed} of ${all} messages failed` : undefined;
};

/** Runs jobs. `tick` must be called every moment. */
export const createJobRuns = (deps: Deps): { reactor: Reactor; tick(): void } => {
  const { writer, execute, jobs, clock } = deps;
  const running = new Map<string, Promise<void>>();
  /** When jobs that run, but have nothing to send now, look again. */
  const resting = new LRUCache<string, number>({ max: RESTING_MAX });
  const stopping = new AbortController();
  const sendRows = createRowSends({ ...deps, signal: stopping.signal });
  const timesOf = createTimes(deps);

  const decide = ({ accountId, jobId }: JobId, command: JobCommand) => {
    const context = { requestId: jobId, accountId, cause: jobId, countsAsFree: false };
    return execute(accountId, jobId, command, context);
  };
  const mayGoOn = () => !stopping.signal.aborted && deps.isCurrent();
  const load = async ({ accountId, jobId }: JobId): Promise<JobState> =>
    (await writer.load(jobDecider(accountId, jobId), inAccount(accountId, jobId))).state;

  /** Whether the job still runs and may, by a look every moment. */
  const watch = (job: JobId) => {
    let lookedAt = performance.now();
    let isRunning = true;
    return async (): Promise<boolean> => {
      if (!mayGoOn()) return false;
      if (performance.now() - lookedAt < LOOK_MS) return isRunning;
      lookedAt = performance.now();
      isRunning = await Promise.all([load(job), deps.mayAct(job.accountId)]).then(
        ([{ status }, mayAct]) => status === 'running' && mayAct,
        () => false,
      );
      return isRunning;
    };
  };

  /** Sends what may go out now. Resolves to the time of the next look. */
  const run = async (job: JobId): Promise<number> => {
    let state = await load(job);
    if (state.status !== 'running') return NEVER;
    const dueAt = await timesOf(job.accountId, state.terms!);
    const goesOn = watch(job);
    let heldUntil = NEVER;
    let isHeld = false;
    for (let part = 0; part < state.parts.length; part += 1) {
      if (state.over.includes(part)) continue;
      if (!mayGoOn() || state.status !== 'running') return NEVER;
      const obstacle = isHeld ? undefined : await obstacleOf(deps, job, state);
      if (obstacle !== undefined) {
        await decide(job, { type: 'Pause', reason: obstacle });
        return NEVER;
      }
      const end = await sendRows({ job, state, part, dueAt, goesOn });
      if (end.reason !== undefined) {
        await decide(job, { type: 'Pause', reason: end.reason });
        return NEVER;
      }
      if (end.isLeft) return clock.now() + Math.max(AGAIN_MS, end.retryAfterSeconds * 1000);
      heldUntil = Math.min(heldUntil, end.heldUntil);
      isHeld = end.isHeld;
      if (!isHeld) state = await load(job);
    }
    if (heldUntil !== NEVER) return heldUntil;
    await decide(job, { type: 'Finish' });
    return NEVER;
  };

  const again = (error: unknown, jobId: string): number => {
    // Another process works on the part, or the log is away.
    const passes =
      error instanceof StoreUnavailable ||
      isRefusal(error, 'idempotency.in_progress', 'service.unavailable');
    if (!passes) deps.onFault(error, jobId);
    return clock.now() + (passes ? AGAIN_MS : FAULT_MS);
  };

  const start = (job: OpenJob): void => {
    const { accountId, jobId } = job;
    const work = run(job)
      .catch((error) => again(error, jobId))
      .then((at) => {
        running.delete(jobId);
        if (at !== NEVER) resting.set(jobId, at);
        // What its owner did meanwhile was not begun.
        timers.expect(accountId, Math.min(at, clock.now() + AGAIN_MS));
      });
    running.set(jobId, work);
  };

  /** The process of an old upload has ended before the end of its file. Resolves to when it is old. */
  const endCheck = async (job: OpenJob): Promise<number> => {
    const createdAt = Date.parse(job.createdAt);
    const oldAt = createdAt < deps.checkedBy ? 0 : createdAt + CHECK_MS;
    if (oldAt > clock.now()) return oldAt;
    const reason = 'The service stopped while it was checked: upload the file again';
    await decide(job, { type: 'MarkUnusable', reason });
    return NEVER;
  };

  /** Starts what may run of an account. */
  const take = async (accountId: string): Promise<number | undefined> => {
    if (!mayGoOn()) throw new StoreUnavailable('the leases are not renewed');
    const open = await jobs.openJobs(accountId);
    let count = open.filter(({ status }) => status === 'running').length;
    let next = NEVER;
    for (const job of open) {
      const { jobId, status, sendAt } = job;
      if (status === 'checking') {
        next = Math.min(next, await endCheck(job));
        continue;
      }
      const from = status === 'queued' ? sendAt && Date.parse(sendAt) : resting.get(jobId);
      if (from && from > clock.now()) {
        next = Math.min(next, from);
        continue;
      }
      if (running.has(jobId)) continue;
      if (running.size >= RUNNING_MAX) return undefined;
      if (status === 'queued') {
        if (count >= JOBS_PER_ACCOUNT) continue;
        count += 1;
        await decide(job, { type: 'Begin' });
      }
      resting.delete(jobId);
      start(job);
    }
    return next;
  };

  const timers = createTimers({ take, clock, onFailure: deps.onFailure });

  return {
    reactor: {
      name: 'jobs',
      prepare: (isNew) =>
        forEachLane(jobs, (accountId) => {
          if (isNew(accountId)) timers.expect(accountId, clock.now());
        }),
      on: {
        JobCreated({ data, meta }) {
          timers.expect(data.accountId, Date.parse(meta.at) + CHECK_MS);
        },
        ...toEach(['JobStarted', 'JobPaused', 'JobCancelled', 'JobFinished'], ({ data }) => {
          resting.delete(data.jobId);
          timers.expect(data.accountId, clock.now());
        }),
      },
      async drain() {
        stopping.abort();
        await Promise.all([timers.drain(), ...running.values()]);
      },
    },
    tick: () => timers.tick(),
  };
};
