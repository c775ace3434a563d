import type { JobFact, JobFlaw, JobPlan, JobRow } from '../../events/job.ts';
import { type Claim, StoreUnavailable } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import { type Clock, type Ids, sortedId } from '../../shared/clock.ts';
import { AppError, isRefusal } from '../../shared/errors.ts';
import { bytesOf, type FreeWrites } from '../account/free-writes.ts';
import { costOf } from '../account/movements.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext, Outcome } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { mismatch } from '../idempotency/idempotency-key.ts';
import { placeOf } from '../pricing/market.ts';
import { erasureDecider } from '../privacy/erasure.ts';
import { findEvent } from '../sending/catalog.ts';
import type { Asked, Quotes } from '../sending/quote.ts';
import { mustBeInTime } from '../sending/timing.ts';
import { createRowCheck } from './check-rows.ts';
import {
  type JobCommand,
  type JobState,
  type JobTerms,
  jobDecider,
  timingOf,
  unpaidBytes,
} from './job.ts';
import { type Columns, type FileBounds, type FileRow, fileBounds, unusable } from './read-file.ts';

/** Rows and bytes of one event of the log: an append holds 1 MiB when it is sealed. */
const PART_ROWS = 100;
const PART_BYTES = 128 * 1024;
/** Parts of a file that are on their way into the log, while further rows are read. */
const PARTS_AHEAD = 3;
/** Jobs of an account that have not ended. */
export const LIVE_MAX = 100;
const MEGABYTE = 1024 * 1024;
/** Runs of one request, each of which ended with its process. */
const RUNS_MAX = 10;
/** Rows that cannot be sent of which a dry run tells. */
export const FLAWS_MAX = 100;

/** A job whose file is to be destroyed. */
export interface ExpiredFile {
  accountId: string;
  jobId: string;
  fileRef: string;
}

/** What a job is to send. */
export interface JobSpec extends Omit<JobTerms, 'fileRef' | 'retryOf' | 'bytesMax'> {
  columns: Columns;
}

/** The rows of a file as they come, and how many bytes it has at most. */
export interface JobFile {
  rows: AsyncIterable<{ row: number } & FileRow>;
  bytesMax: number;
  /** Reads what is left of its form, and resolves to what tells it from others. Absent: the claim does. */
  fingerprint?(): Promise<string>;
}

interface Caller extends CommandContext {
  accountId: string;
}

/** A request under an idempotency key. */
export interface Keyed {
  claim: Claim;
  /** Whether an earlier run of it broke off. */
  resumed: boolean;
}

/** Rows that were read and are not in the log yet. */
interface Part {
  numbers: number[];
  rows: JobRow[];
  /** The ids of the contacts of `rows`. */
  ids: string[];
  flaws: JobFlaw[];
}

/** The send of a row as a quote asks about it, and as it is made. */
export const askedOf = (
  {
    event,
    languageCode,
    phoneNumberId,
  }: Pick<JobTerms, 'event' | 'languageCode' | 'phoneNumberId'>,
  { to, clientReference, values }: JobRow,
): Extract<Asked, { kind: 'notification' }> => ({
  kind: 'notification',
  request: {
    to,
    event,
    variables: Object.fromEntries(
      findEvent(event)!.variables.map((name, at) => [name, values[at] ?? '']),
    ),
    languageCode: languageCode ?? undefined,
    phoneNumberId: phoneNumberId ?? undefined,
    clientReference,
  },
});

/** Changes a job. */
export type JobWrites = (
  accountId: string,
  jobId: string,
  command: JobCommand,
  context: CommandContext,
) => Promise<Outcome<JobState, JobFact>>;

const ends = new Set<JobFact['type']>(['JobUnusable', 'JobCancelled', 'JobFinished']);

/** Counts the rows that no send has paid as free writes, once the job has ended. */
export const createJobWrites =
  (writer: Pick<Writer, 'execute'>, freeWrites: Pick<FreeWrites, 'count'>): JobWrites =>
  async (accountId, jobId, command, context) => {
    const decider = jobDecider(accountId, jobId);
    const outcome = await writer.execute(decider, inAccount(accountId, jobId), command, context);
    const bytes = unpaidBytes(outcome.state);
    if (bytes > 0 && outcome.facts.some(({ type }) => ends.has(type))) {
      freeWrites.count(accountId, bytes);
    }
    return outcome;
  };

interface Deps {
  writer: Pick<Writer, 'execute' | 'load'>;
  execute: JobWrites;
  subjects: Pick<Subjects, 'of' | 'ofAll'>;
  quotes: Quotes;
  freeWrites: Pick<FreeWrites, 'left'>;
  /** The jobs of an account that have not ended, and the bytes of their rows that were not sent. */
  waiting: (accountId: string) => Promise<{ jobs: number; bytes: number }>;
  clock: Clock;
  ids: Ids;
  /** Lower ones, for tests. */
  fileBounds?: Partial<FileBounds> | undefined;
}

const full = (message: string) => new AppError('job.full', message, { limit: 'jobs' });

/**
 * What waits in jobs is as unpaid as what was written for free, until it is sent. The first file always
 * has room, a further one while that sum is below the day's bound.
 */
const mustHaveRoom = async ({ waiting, freeWrites }: Deps, accountId: string): Promise<void> => {
  const { jobs, bytes } = await waiting(accountId);
  if (jobs >= LIVE_MAX) throw full(`${jobs} jobs of this account have not ended already`);
  if (bytes === 0 || bytes < (await freeWrites.left(accountId))) return;
  const megabytes = Math.ceil(bytes / MEGABYTE);
  throw full(`${megabytes} MB of rows wait in jobs of this account already`);
};

/** Adds up what rows cost: those of one market cost the same. */
const createTotals = ({ quotes }: Deps, terms: Parameters<typeof askedOf>[0], context: Caller) => {
  const markets = new Map<string, { count: number; sample: JobRow }>();
  return {
    add(row: JobRow, id: string): void {
      const { market } = placeOf(id);
      const known = markets.get(market);
      if (known) known.count += 1;
      else markets.set(market, { count: 1, sample: row });
    },
    async read(): Promise<Pick<JobPlan, 'billing' | 'currency' | 'amount' | 'totals'>> {
      const all = [...markets.values()];
      const quote = await quotes.quote(
        all.map(({ sample }) => askedOf(terms, sample)),
        context,
      );
      const totals = quote.items.flatMap(({ price }, at) => {
        if (!price) return [];
        const { category, market, sellPrice: unitPrice } = price;
        const { count } = all[at]!;
        return [{ category, market, count, unitPrice, amount: count * costOf(price) }];
      });
      const amount = totals.reduce((sum, total) => sum + total.amount, 0);
      return { billing: quote.billing, currency: quote.currency, amount, totals };
    },
  };
};

/** The rows with the first one read: what makes a file unusable is in most cases seen by then. */
const begun = async <T>(rows: AsyncIterable<T>): Promise<AsyncIterable<T>> => {
  const reading = rows[Symbol.asyncIterator]();
  const first = await reading.next();
  // A file without rows says so itself.
  if (first.done) throw new AppError('job.state', 'No row of the job failed or was refused');
  return (async function* () {
    try {
      for (let one: IteratorResult<T> = first; !one.done; one = await reading.next())
        yield one.value;
    } finally {
      await reading.return?.();
    }
  })();
};

export const createJobs = (deps: Deps) => {
  const { writer, execute, subjects, clock, ids } = deps;

  /** The data keys of a file and of the recipients of some of its rows, all of one month. */
  const keysOf = async (jobId: string, part: Part, { accountId }: Caller) => {
    const own = await subjects.of(accountId, jobId);
    const recipients = await subjects.ofAll(accountId, part.ids);
    if (recipients.some(({ month }) => month !== own.month)) {
      throw new StoreUnavailable('the month has just changed', { retryAfterSeconds: 1 });
    }
    return { own, recipients };
  };

  /** Seals rows under the key of the file and those of their recipients. */
  const addPart = (
    jobId: string,
    { ids: _, ...part }: Part,
    { own, recipients }: Awaited<ReturnType<typeof keysOf>>,
    context: Caller,
  ) => {
    const otherRefs = recipients.map(({ ref }) => ref);
    const named = otherRefs.map((ref, at) => ({ path: ['rows', at], refs: [ref] }));
    const unsized = { contactRef: own.ref, ...part, otherRefs, named };
    const rows = { ...unsized, bytes: bytesOf(unsized) };
    // Paid by the sends of the rows; what comes to nothing is counted at the end of the job.
    const on = { ...context, countsAsFree: false, subjects: [own, ...recipients] };
    return execute(context.accountId, jobId, { type: 'AddRows', rows }, on);
  };

  /** Adds parts in their order: while some are appended, the keys of the next are made, and rows are read. */
  const createAdding = (jobId: string, context: Caller) => {
    const ahead: Promise<unknown>[] = [];
    return {
      async add(part: Part): Promise<void> {
        const [keys, before] = [keysOf(jobId, part, context), ahead.at(-1)];
        const added = Promise.all([keys, before]).then(([known]) =>
          addPart(jobId, part, known, context),
        );
        added.catch(() => undefined);
        ahead.push(added);
        if (ahead.length > PARTS_AHEAD) await ahead.shift();
      },
      /** Resolves, or throws, when nothing is on its way any more. */
      async end(): Promise<void> {
        await ahead.at(-1);
      },
    };
  };

  /** Reads the rows once, hands them on as they come, and adds up what they cost. */
  const check = async (
    { columns, ...terms }: JobSpec,
    rows: JobFile['rows'],
    context: Caller,
    add: (part: Part) => Promise<void>,
  ): Promise<JobPlan> => {
    const checkRow = createRowCheck(findEvent(terms.event)!, columns, timingOf(terms), clock.now());
    const totals = createTotals(deps, terms, context);
    const counts = { rows: 0, good: 0, bad: 0, duplicates: 0 };
    const none = (): Part => ({ numbers: [], rows: [], ids: [], flaws: [] });
    let part = none();
    let bytes = 0;
    for await (const row of rows) {
      const checked = checkRow(row);
      counts.rows += 1;
      if ('good' in checked) {
        const { good, id } = checked;
        counts.good += 1;
        part.numbers.push(checked.row);
        part.rows.push(good);
        part.ids.push(id);
        totals.add(good, id);
        bytes += JSON.stringify(good).length;
      } else {
        counts[checked.flaw.state === 'bad' ? 'bad' : 'duplicates'] += 1;
        part.flaws.push(checked.flaw);
      }
      const size = part.numbers.length + part.flaws.length;
      if (size < PART_ROWS && bytes < PART_BYTES) continue;
      await add(part);
      part = none();
      bytes = 0;
    }
    if (part.numbers.length + part.flaws.length > 0) await add(part);
    return { ...counts, ...(await totals.read()) };
  };

  const stateOf = async (
    { accountId }: Pick<Caller, 'accountId'>,
    jobId: string,
  ): Promise<JobState> =>
    (await writer.load(jobDecider(accountId, jobId), inAccount(accountId, jobId))).state;

  /**
   * The id for the job of a request; `isMade` where an earlier run of it has read its whole file. What such
   * a run left unfinished is ended: nobody can add to it any more.
   */
  const jobIdFor = async (
    keyed: Keyed | undefined,
    context: Caller,
  ): Promise<{ jobId: string; isMade: boolean }> => {
    if (!keyed) return { jobId: sortedId('job', ids), isMade: false };
    const first = sortedId('job', ids, keyed.claim);
    if (!keyed.resumed) return { jobId: first, isMade: false };
    const reason = 'The upload broke off, and was made again';
    for (let run = 1; run <= RUNS_MAX; run += 1) {
      const jobId = run === 1 ? first : `${first}_${run}`;
      if ((await stateOf(context, jobId)).status === null) return { jobId, isMade: false };
      const { accountId } = context;
      const { state } = await execute(accountId, jobId, { type: 'MarkUnusable', reason }, context);
      if (state.status !== 'unusable') return { jobId, isMade: true };
    }
    throw unusable(`The upload broke off ${RUNS_MAX} times: make it under a new Idempotency-Key`);
  };

  /** Throws where a form is not that of the job. */
  const mustBeOf = async (
    jobId: string,
    { fingerprint }: Pick<JobFile, 'fingerprint'>,
    caller: Caller,
  ): Promise<void> => {
    if (!fingerprint) return;
    const given = await fingerprint();
    const { fingerprint: known } = await stateOf(caller, jobId);
    if (known !== null && known !== given) throw mismatch();
  };

  /** Destroys the key of a file as the keys of a contact are: nobody reads its rows any more. */
  const destroyFile = async ({ accountId, jobId, fileRef }: ExpiredFile): Promise<void> => {
    const context = { requestId: jobId, accountId, cause: jobId };
    const erasureId = sortedId('era', ids);
    const reason = `The file of ${jobId}, which is kept no longer`;
    const request = { erasureId, accountId, reason, subjects: [{ accountId, ref: fileRef }] };
    await writer.execute(erasureDecider, erasureId, { type: 'Request', request }, context, {
      assumeNew: true,
    });
    await execute(accountId, jobId, { type: 'DestroyFile' }, context);
  };

  /** Ends a job whose file was not read to its end, or is of no use, and destroys what was read of it. */
  const abandon = async (
    jobId: string,
    fileRef: string,
    error: unknown,
    context: Caller,
  ): Promise<void> => {
    const { accountId } = context;
    const reason = isRefusal(error) ? error.message : 'The upload was interrupted';
    const { state } = await execute(accountId, jobId, { type: 'MarkUnusable', reason }, context);
    if (state.status === 'unusable') await destroyFile({ accountId, jobId, fileRef });
  };

  const create = async (
    spec: JobSpec,
    file: JobFile,
    context: Caller,
    { keyed, retryOf }: { keyed: Keyed | undefined; retryOf: string | null },
  ): Promise<string> => {
    const { accountId } = context;
    const { jobId, isMade } = await jobIdFor(keyed, context);
    if (isMade) {
      await mustBeOf(jobId, file, context);
      return jobId;
    }
    const { columns: _, ...given } = spec;
    if (retryOf === null) mustBeInTime(timingOf(given), clock.now());
    await mustHaveRoom(deps, accountId);
    const rows = await begun(file.rows);
    const { ref: fileRef } = await subjects.of(accountId, jobId);
    const terms: JobTerms = { ...given, retryOf, fileRef, bytesMax: file.bytesMax };
    await execute(accountId, jobId, { type: 'Create', terms }, context);
    try {
      const adding = createAdding(jobId, context);
      const plan = await check(spec, rows, context, adding.add).finally(adding.end);
      const fingerprint = await file.fingerprint?.();
      // Before the caller hears of the job, so that one he knows of has its plan, whatever dies.
      await execute(accountId, jobId, { type: 'FinishCheck', plan, fingerprint }, context);
    } catch (error) {
      await abandon(jobId, fileRef, error, context);
      throw error;
    }
    return jobId;
  };

  return {
    execute,
    stateOf,

    fileBounds: { ...fileBounds, ...deps.fileBounds },

    /**
     * Stores the rows of a new job with their plan, and answers its id. Throws where the file cannot be
     * used: nothing of it can be sent then.
     */
    create: (spec: JobSpec, file: JobFile, caller: Caller, keyed: Keyed | undefined) =>
      create(spec, file, caller, { keyed, retryOf: null }),

    mustBeOf,

    /** What the check of a job would find. Makes no job. */
    async rehearse(
      spec: JobSpec,
      rows: JobFile['rows'],
      caller: Caller,
    ): Promise<{ plan: JobPlan; flaws: readonly JobFlaw[] }> {
      mustBeInTime(timingOf(spec), clock.now());
      const flaws: JobFlaw[] = [];
      const plan = await check(spec, rows, caller, async (part) => {
        flaws.push(...part.flaws.slice(0, FLAWS_MAX - flaws.length));
      });
      return { plan, flaws };
    },

    /** A new job of rows of another one, which are named like the event's variables. */
    async retry(
      jobId: string,
      rows: JobFile['rows'],
      caller: Caller,
      keyed: Keyed | undefined,
    ): Promise<string> {
      const { terms } = await stateOf(caller, jobId);
      const { fileRef: _, retryOf: __, bytesMax, ...given } = terms!;
      const { variables } = findEvent(given.event)!;
      const columns: Columns = {
        to: 'to',
        clientReference: 'clientReference',
        variables: Object.fromEntries(variables.map((name) => [name, name])),
      };
      return create({ ...given, columns }, { rows, bytesMax }, caller, { keyed, retryOf: jobId });
    },

    destroyFile,
  };
};

export type Jobs = ReturnType<typeof createJobs>;
