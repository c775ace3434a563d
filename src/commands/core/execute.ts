import { LRUCache } from 'lru-cache';
import type { Fact } from '../../events/define.ts';
import { versionOf } from '../../events/index.ts';
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  NO_STREAM,
  StoreUnavailable,
  WrongRevision,
} from '../../events/store.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import type { CommandContext, Decider, Outcome } from './decider.ts';
import { createFolding, type Folded } from './folding.ts';
import { type BadSnapshot, createSnapshots } from './snapshots.ts';

export interface WriterBounds {
  /** Attempts to decide and append before a stream counts as contended. */
  attemptsMax: number;
  /** Decisions that are appended as one write. */
  batchMax: number;
  /** Commands that may wait for one stream. */
  queueMax: number;
  /** Events of one read. */
  page: number;
}

export const writerBounds: Readonly<WriterBounds> = {
  attemptsMax: 8,
  batchMax: 128,
  queueMax: 4096,
  page: 1000,
};

interface Job {
  command: unknown;
  context: CommandContext;
  assumeNew: boolean;
  resolve(outcome: Outcome<unknown>): void;
  reject(error: unknown): void;
}

interface Mailbox {
  decider: Decider<unknown, unknown>;
  stream: string;
  jobs: Job[];
}

/** The outcome of one job in one attempt; `facts` are what it adds to the stream. */
type Decision = { facts: readonly Fact[]; state: unknown; revision: number } | { refusal: unknown };

export interface ExecuteOptions {
  /**
   * Decides on the initial state without a read, and reads only when the append or the decision
   * shows that the stream is not new. Saves the hot path a read.
   */
  assumeNew?: boolean;
}

export type Execute = <State, Command, F extends Fact>(
  decider: Decider<State, Command, F>,
  id: string,
  command: Command,
  context: CommandContext,
  options?: ExecuteOptions,
) => Promise<Outcome<State, F>>;

export interface Writer {
  execute: Execute;
  /** The state of one stream as it is now. */
  load<State, Command, F extends Fact>(
    decider: Decider<State, Command, F>,
    id: string,
  ): Promise<{ state: State; revision: number }>;
  /** Resolves when no command is running. */
  drain(): Promise<void>;
}

export interface WriterDeps {
  store: EventStore;
  clock: Clock;
  ids: Ids;
  /** Keyed hash that seals snapshots; without it a snapshot that was forged is not found. */
  seal?: (text: string) => string;
  /** States kept in memory, of deciders that save snapshots. */
  statesMax?: number;
  /** Lower ones, for tests. */
  bounds?: Partial<WriterBounds>;
  onSnapshotFailed?: (stream: string, error: unknown) => void;
  onBadSnapshot?: (bad: BadSnapshot) => void;
}

/** Decides each job on the state that the jobs before it leave. */
const decideAll = (mailbox: Mailbox, jobs: readonly Job[], base: Folded) => {
  const { decider } = mailbox;
  const facts: { fact: Fact; context: CommandContext }[] = [];
  let { state, revision } = base;
  const decisions = jobs.map((job): Decision => {
    try {
      const made = decider.decide(job.command, state);
      for (const fact of made) {
        state = decider.evolve(state, fact);
        revision += 1;
        facts.push({ fact, context: job.context });
      }
      return { facts: made, state, revision };
    } catch (refusal) {
      return { refusal };
    }
  });
  return { decisions, facts, after: { state, revision } };
};

const settle = (jobs: readonly Job[], decisions: readonly Decision[]) => {
  for (const [index, decision] of decisions.entries()) {
    const job = jobs[index]!;
    if ('refusal' in decision) job.reject(decision.refusal);
    else job.resolve(decision);
  }
};

/**
 * The only write path: read, fold, decide, append with the expected revision, in a bounded number of
 * attempts. Commands for one stream wait in its mailbox. Commands that arrive during an append are
 * decided one after the other in memory and appended as one write, so a busy account costs one
 * append for many messages.
 */
export const createWriter = (deps: WriterDeps): Writer => {
  const { store, clock, ids } = deps;
  const { attemptsMax, batchMax, queueMax, page } = { ...writerBounds, ...deps.bounds };
  const states = new LRUCache<string, Folded>({ max: deps.statesMax ?? 5000 });
  const snapshots = createSnapshots(store, deps.seal);
  const onSnapshotFailed = deps.onSnapshotFailed ?? (() => undefined);
  const onBad = deps.onBadSnapshot ?? (() => undefined);
  const folding = createFolding({ store, snapshots, page, onBad, onSnapshotFailed });
  const { readOn } = folding;
  const mailboxes = new Map<string, Mailbox>();
  let waitingForIdle: (() => void)[] = [];

  const stamp = ({ fact, context }: { fact: Fact; context: CommandContext }): NewEvent => ({
    id: ids.uuid(),
    type: fact.type,
    version: versionOf(fact.type),
    data: fact.data,
    meta: { at: isoTime(clock.now()), ...context },
  });

  const keepSnapshot = (
    { decider, stream }: Mailbox,
    before: number,
    after: Folded,
    last: NewEvent,
  ) => {
    const { snapshot } = decider;
    if (!snapshot) return;
    states.set(stream, after);
    const crossed =
      Math.floor((after.revision + 1) / snapshot.every) > Math.floor((before + 1) / snapshot.every);
    if (!crossed) return;
    snapshots
      .save(decider, stream, { ...after, last })
      .catch((error) => onSnapshotFailed(stream, error));
  };

  const runBatch = async (mailbox: Mailbox, jobs: readonly Job[]): Promise<void> => {
    const { decider, stream } = mailbox;
    const cached = decider.snapshot && states.get(stream);
    const assumed = jobs.every((job) => job.assumeNew);
    // No expected revision guards a decision to add nothing, so its state must have been read, not
    // remembered or assumed.
    let fresh = !cached && !assumed;
    const start: Folded = { state: decider.initial, revision: NO_STREAM };
    let base = cached ?? (assumed ? start : await folding.load(decider, stream));
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const { decisions, facts, after } = decideAll(mailbox, jobs, base);
      const idle = decisions.some((made) => 'refusal' in made || made.facts.length === 0);
      if (idle && !fresh) {
        base = await readOn(decider, stream, base);
        fresh = true;
        continue;
      }
      if (facts.length === 0) {
        if (decider.snapshot) states.set(stream, base);
        settle(jobs, decisions);
        return;
      }
      try {
        const events = facts.map(stamp);
        await store.append(stream, base.revision, events);
        keepSnapshot(mailbox, base.revision, after, events.at(-1)!);
        settle(jobs, decisions);
        return;
      } catch (error) {
        if (error instanceof AppendTooLarge && jobs.length > 1) {
          const half = Math.ceil(jobs.length / 2);
          await runBatch(mailbox, jobs.slice(0, half));
          await runBatch(mailbox, jobs.slice(half));
          return;
        }
        if (!(error instanceof WrongRevision)) throw error;
        base = await readOn(decider, stream, base);
        fresh = true;
      }
    }
    throw new StoreUnavailable(`stream ${stream} is contended`);
  };

  const work = async (mailbox: Mailbox): Promise<void> => {
    while (mailbox.jobs.length > 0) {
      const jobs = mailbox.jobs.splice(0, batchMax);
      try {
        await runBatch(mailbox, jobs);
      } catch (error) {
        states.delete(mailbox.stream);
        for (const job of jobs) job.reject(error);
      }
    }
    mailboxes.delete(mailbox.stream);
    if (mailboxes.size === 0) {
      for (const resolve of waitingForIdle) resolve();
      waitingForIdle = [];
    }
  };

  const execute: Execute = (decider, id, command, context, options = {}) =>
    new Promise((resolve, reject) => {
      const stream = `${decider.category}-${id}`;
      const job: Job = {
        command,
        context,
        assumeNew: options.assumeNew ?? false,
        resolve: resolve as Job['resolve'],
        reject,
      };
      const busy = mailboxes.get(stream);
      if (busy) {
        if (busy.jobs.length >= queueMax) {
          reject(new StoreUnavailable(`too many commands wait for ${stream}`));
          return;
        }
        busy.jobs.push(job);
        return;
      }
      const mailbox: Mailbox = {
        decider: decider as unknown as Decider<unknown, unknown>,
        stream,
        jobs: [job],
      };
      mailboxes.set(stream, mailbox);
      // Commands that arrive in the same turn of the event loop go into the first append.
      queueMicrotask(() => void work(mailbox));
    });

  return {
    execute,
    load: async (decider, id) => {
      const stream = `${decider.category}-${id}`;
      const erased = decider as unknown as Decider<unknown, unknown>;
      const cached = decider.snapshot && states.get(stream);
      const folded = cached
        ? await readOn(erased, stream, cached)
        : await folding.load(erased, stream);
      return folded as { state: never; revision: number };
    },
    drain: () =>
      mailboxes.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => waitingForIdle.push(resolve)),
  };
};
