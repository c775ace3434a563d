import type { Call, CallOptions, SendOptions } from './transport.ts';
import type { AnswerOf, BodyOf, Schemas } from './types.ts';

/** Rows as objects by column; or a file of CSV or JSON Lines, whole or as it comes. */
export type JobRows = readonly Readonly<Record<string, unknown>>[] | Blob | ReadableStream;

/** A job without its rows. */
export type NewJob = Omit<BodyOf<'createJob'>, 'rows' | 'dryRun'> & {
  /** Of a file: one in `.jsonl` is JSON Lines. Absent: that of the file, else CSV. */
  filename?: string;
};

export interface WatchOptions extends CallOptions {
  /** From a change to the next look, in ms; 1 s when absent. Grows to 15 s while nothing changes. */
  everyMs?: number;
}

interface Deps {
  create(call: Call, options: SendOptions | undefined): Promise<AnswerOf<'createJob'>>;
  get(jobId: string, options: CallOptions): Promise<Schemas['Job']>;
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  uploadMs: number;
}

const LOOK_EVERY_MS = 1000;
const LOOK_EVERY_MAX_MS = 15_000;
/** A change is seen late by half of the time that nothing has changed for, at most. */
const PAUSE_GROWTH = 1.5;

/** In these a job stays until somebody does something. */
const RESTING: ReadonlySet<string> = new Set(['unusable', 'ready', 'paused', 'cancelled', 'done']);

const fileOf = async (rows: JobRows): Promise<{ file: Blob; name: string }> => {
  if (rows instanceof Blob) {
    return { file: rows, name: 'name' in rows && rows.name ? String(rows.name) : 'rows.csv' };
  }
  if (rows instanceof ReadableStream) {
    return { file: await new Response(rows).blob(), name: 'rows.csv' };
  }
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
  return { file: new Blob(lines, { type: 'application/x-ndjson' }), name: 'rows.jsonl' };
};

/** What is seen of a job: the rest changes with the time of the look. */
const seenOf = ({ state, reason, counts, amount, plan }: Schemas['Job']): string =>
  JSON.stringify([state, reason, counts, amount, plan === null]);

/** Jobs by their files, and how far they are. The other calls have a method each, such as `startJob`. */
export const createJobs = ({ create, get, wait, uploadMs }: Deps) => ({
  /**
   * Uploads the rows, and makes a job of them, one under one key. Nothing is sent before `startJob`.
   */
  async create(rows: JobRows, { filename, ...spec }: NewJob, options?: SendOptions) {
    const { file, name } = await fileOf(rows);
    const form = new FormData();
    // The service reads the file last.
    form.append('spec', JSON.stringify(spec));
    form.append('file', file, filename ?? name);
    const call: Call = { method: 'POST', path: '/v1/jobs', form, isKeyed: true };
    return create({ ...call, timeoutMs: uploadMs }, options);
  },

  /**
   * The job as it is, and again after each change, until it does nothing more by itself: it is checked,
   * paused, cancelled or done.
   */
  async *watch(
    jobId: string,
    { everyMs = LOOK_EVERY_MS, ...options }: WatchOptions = {},
  ): AsyncGenerator<Schemas['Job'], void, void> {
    let before = '';
    let pauseMs = everyMs;
    for (;;) {
      const job = await get(jobId, options);
      const seen = seenOf(job);
      if (seen !== before) {
        before = seen;
        pauseMs = everyMs;
        yield job;
      }
      if (RESTING.has(job.state)) return;
      await wait(pauseMs, options.signal);
      pauseMs = Math.max(everyMs, Math.min(pauseMs * PAUSE_GROWTH, LOOK_EVERY_MAX_MS));
    }
  },
});

export type Jobs = ReturnType<typeof createJobs>;
