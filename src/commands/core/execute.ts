import { LRUCache } from 'lru-cache';
import { CHAIN_START } from '../../events/chain.ts';
import type { Fact } from '../../events/define.ts';
import { encode } from '../../events/index.ts';
import type { KeyRing } from '../../events/opened.ts';
import type { DataSubject } from '../../events/personal.ts';
import { oldestMonth } from '../../events/sealing.ts';
import { SETTINGS_KEY } from '../../events/settings.ts';
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  NO_STREAM,
  StoreUnavailable,
  WrongRevision,
} from '../../events/store.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { createCoalescedByKey } from '../../shared/concurrency.ts';
import type { CommandContext, Decider, Outcome } from './decider.ts';
import { createFolding } from './folding.ts';
import { type BadSnapshot, createSnapshots, type Folded } from './snapshots.ts';

interface WriterBounds {
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
  // An instance that loses must read before it tries again, and can lose to every batch of its rivals.
  attemptsMax: 32,
  batchMax: 128,
  queueMax: 4096,
  page: 1000,
};

export interface ExecuteOptions {
  /**
   * Decides on the initial state without a read, and reads only when the append or the decision
   * shows that the stream is not new. Saves the hot path a read.
   */
  assumeNew?: boolean;
  /** Decides on what an earlier command of this process has left, and reads only when that is over. */
  after?: Pick<Outcome<unknown>, 'state' | 'revision'> | undefined;
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
  /** The state of one stream, no older than the call. Concurrent calls share reads. */
  load<State, Command, F extends Fact>(
    decider: Decider<State, Command, F>,
    id: string,
  ): Promise<{ state: State; revision: number }>;
  /** The state in memory, which may be behind the log; undefined for none. Reads nothing. */
  recall<State, Command, F extends Fact>(
    decider: Decider<State, Command, F>,
    id: string,
  ): State | undefined;
  /** Resolves when no command is running. */
  drain(): Promise<void>;
}

interface WriterDeps {
  store: EventStore;
  clock: Clock;
  ids: Ids;
  /** Keyed hash that seals snapshots; without it a snapshot that was forged is not found. */
  seal?: (text: string) => string;
  /**
   * The data keys of the personal parts of snapshots, and the key of settings; without them, no snapshot
   * with such a part is kept, and settings are stored in clear.
   */
  keys?: Pick<KeyRing, 'load' | 'find'>;
  /** States kept in memory, of deciders that save snapshots. */
  statesMax?: number;
  /** Called with each appended event before its command resolves, so that no cache is behind it. */
  onEvent?: readonly ((event: NewEvent) => void)[];
  /** Called with the seconds of each append. */
  onAppended?: (seconds: number) => void;
  /** Called when an append failed; `conflict`: another writer was first. */
  onAppendFailed?: (reason: 'conflict' | 'failed') => void;
  /** Called for each event that an account has written without paying. */
  onFree?: (accountId: string, event: NewEvent) => void;
  onSnapshotFailed?: (stream: string, error: unknown) => void;
  onBadSnapshot?: (bad: BadSnapshot) => void;
  /** Lower ones, for tests. */
  bounds?: Partial<WriterBounds>;
}

type AnyDecider = Decider<unknown, unknown>;

/** A command that waits for its stream. */
interface Job {
  command: unknown;
  context: CommandContext;
  assumed: Pick<Outcome<unknown>, 'state' | 'revision'> | undefined;
  resolve(outcome: Outcome<unknown>): void;
  reject(error: unknown): void;
}

/** A stream and its rules. */
interface Target {
  decider: AnyDecider;
  stream: string;
}

interface Mailbox extends Target {
  jobs: Job[];
}

/** What an account's request causes counts, so that no new kind of event can be left out. */
const countsAsFree = ({ by, cause, countsAsFree: said }: CommandContext): boolean =>
  said ?? (by === undefined && cause === undefined);

/** The outcome of one job in one attempt; `facts` are what it adds to the stream. */
type Decision = { facts: readonly Fact[]; state: unknown; revision: number } | { refusal: unknown };

/** What the log will tell of the keys of new facts. */
const sealedIn = (subjects: readonly DataSubject[]): Pick<Fact, 'sealedMonth'> => {
  const sealedMonth = oldestMonth(subjects.map(({ month }) => month));
  return sealedMonth === undefined ? {} : { sealedMonth };
};

/** Decides each job on the state that the jobs before it leave. */
const decideAll = ({ decider }: Target, jobs: readonly Job[], base: Folded) => {
  const facts: { fact: Fact; context: CommandContext }[] = [];
  let { state, revision } = base;
  const decisions = jobs.map((job): Decision => {
    try {
      const { subjects = [] } = job.context;
      const made = decider.decide(job.command, state);
      const sealed = sealedIn(subjects);
      for (const fact of made) {
        state = decider.evolve(state, { ...fact, ...sealed });
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

/** The newest state that the jobs assume, where none of them wants a read. */
const assumedBy = ({ decider }: Target, jobs: readonly Job[]): Folded | undefined => {
  let newest: Job['assumed'];
  for (const { assumed } of jobs) {
    if (!assumed) return undefined;
    if (!newest || assumed.revision > newest.revision) newest = assumed;
  }
  // Only a stream with snapshots has a chain, and the end of that is not assumed.
  const isKnown = newest && (newest.revision === NO_STREAM || !decider.snapshot);
  return isKnown ? { ...newest!, chain: CHAIN_START } : undefined;
};

const settle = (jobs: readonly Job[], decisions: readonly Decision[]) => {
  for (const [index, decision] of decisions.entries()) {
    const job = jobs[index]!;
    if ('refusal' in decision) job.reject(decision.refusal);
    else job.resolve(decision);
  }
};

/** With a size for each entry the cache takes memory as it fills; with `max` it takes all at once. */
const ONE_ENTRY = { size: 1 };

/** Keeps the states of streams with snapshots in memory, and saves one every so many events. */
const createStates = (deps: WriterDeps, page: number) => {
  const { store, onSnapshotFailed = () => undefined, onBadSnapshot = () => undefined } = deps;
  const states = new LRUCache<string, Folded>({ maxSize: deps.statesMax ?? 5000 });
  const snapshots = createSnapshots(store, deps.seal, deps.keys);
  const folding = createFolding({
    store,
    snapshots,
    page,
    onSnapshotFailed,
    onBad: onBadSnapshot,
  });
  /** Streams with an append under way, which their states in memory may lack. */
  const appending = new Set<string>();
  const cached = ({ decider, stream }: Target) =>
    decider.snapshot ? states.get(stream) : undefined;
  const keep = ({ decider, stream }: Target, state: Folded) => {
    if (decider.snapshot) states.set(stream, state, ONE_ENTRY);
  };
  const loads = createCoalescedByKey<Folded>();
  const readNewest = async (target: Target): Promise<Folded> => {
    const { decider, stream } = target;
    const from = cached(target);
    const folded = await (from
      ? folding.readOn(decider, stream, from)
      : folding.load(decider, stream));
    // A command may have gone further meanwhile.
    if (folded.revision > (cached(target)?.revision ?? NO_STREAM)) keep(target, folded);
    return folded;
  };
  return {
    appending,
    cached,
    keep,
    load: async (target: Target): Promise<Folded> => {
      // Of a log that no other process writes, what is in memory is the newest.
      const isNewest = store.soleWriter && !appending.has(target.stream);
      const newest = isNewest ? cached(target) : undefined;
      return newest ?? loads(target.stream, () => readNewest(target));
    },
    read: ({ decider, stream }: Target) => folding.load(decider, stream),
    readOn: ({ decider, stream }: Target, from: Folded) => folding.readOn(decider, stream, from),
    forget(stream: string): void {
      states.delete(stream);
      appending.delete(stream);
    },
    /** Saves a snapshot when the events after `before` cross a multiple of `every`. */
    save({ decider, stream }: Target, before: number, after: Folded, last: NewEvent): void {
      const { snapshot } = decider;
      if (!snapshot) return;
      // So many are left until the next one, counted after `before`.
      if (after.revision - before < snapshot.every - ((before + 1) % snapshot.every)) return;
      snapshots
        .save(decider, stream, { ...after, last })
        .catch((error) => onSnapshotFailed(stream, error));
    },
  };
};

/** Decides and appends batches of commands, each in a bounded number of attempts. */
const createBatchRunner = (
  deps: WriterDeps,
  { attemptsMax, page }: { attemptsMax: number; page: number },
) => {
  const { store, clock, ids, onEvent = [], onFree = () => undefined } = deps;
  const states = createStates(deps, page);
  let settings: DataSubject | undefined;

  /** Makes what decisions leave open: ids, times, seals and hashes. */
  const stampAll = (made: readonly { fact: Fact; context: CommandContext }[], base: Folded) => {
    let { chain } = base;
    if (!settings) {
      // Not before the first event: the key of the installation may be read after the start.
      const key = deps.keys?.find(SETTINGS_KEY.ref, SETTINGS_KEY.month);
      settings = key && { ...SETTINGS_KEY, key };
    }
    const events = made.map(({ fact, context }): NewEvent => {
      const { subjects = [], countsAsFree: _, ...by } = context;
      const meta = { at: isoTime(clock.now()), ...by };
      const stored = encode(fact, meta, { subjects, settings, chain });
      chain = stored.link?.hash ?? chain;
      return { id: ids.uuid(), ...stored };
    });
    return { events, chain };
  };

  const append = async (stream: string, expected: number, events: readonly NewEvent[]) => {
    const startedAt = performance.now();
    states.appending.add(stream);
    try {
      await store.append(stream, expected, events);
    } catch (error) {
      deps.onAppendFailed?.(error instanceof WrongRevision ? 'conflict' : 'failed');
      throw error;
    }
    deps.onAppended?.((performance.now() - startedAt) / 1000);
    for (const event of events) for (const tell of onEvent) tell(event);
  };

  const run = async (target: Target, jobs: readonly Job[]): Promise<void> => {
    const { stream } = target;
    const cached = states.cached(target);
    const assumed = cached ?? assumedBy(target, jobs);
    // No expected revision guards a decision to add nothing, so its state must have been read, not
    // remembered or assumed.
    let fresh = !assumed;
    let base = assumed ?? (await states.read(target));
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const { decisions, facts, after } = decideAll(target, jobs, base);
      const idle = decisions.some((made) => 'refusal' in made || made.facts.length === 0);
      if (idle && !fresh) {
        base = await states.readOn(target, base);
        fresh = true;
        continue;
      }
      if (facts.length === 0) {
        states.keep(target, base);
        states.appending.delete(stream);
        settle(jobs, decisions);
        return;
      }
      try {
        const { events, chain } = stampAll(facts, base);
        await append(stream, base.revision, events);
        for (const [index, { context }] of facts.entries()) {
          const { accountId } = context;
          if (accountId !== undefined && countsAsFree(context)) onFree(accountId, events[index]!);
        }
        const reached = { ...after, chain };
        states.keep(target, reached);
        states.appending.delete(stream);
        states.save(target, base.revision, reached, events.at(-1)!);
        settle(jobs, decisions);
        return;
      } catch (error) {
        if (error instanceof AppendTooLarge && jobs.length > 1) {
          const half = Math.ceil(jobs.length / 2);
          await run(target, jobs.slice(0, half));
          await run(target, jobs.slice(half));
          return;
        }
        if (!(error instanceof WrongRevision)) throw error;
        base = await states.readOn(target, base);
        fresh = true;
      }
    }
    throw new StoreUnavailable(`stream ${stream} is contended`);
  };

  return { run, states };
};

/**
 * The only write path: read, fold, decide, append with the expected revision, in a bounded number of
 * attempts. Commands for one stream wait in its mailbox. Commands that arrive during an append are
 * decided one after the other in memory and appended as one write, so a busy account costs one
 * append for many messages.
 */
export const createWriter = (deps: WriterDeps): Writer => {
  const { attemptsMax, batchMax, queueMax, page } = { ...writerBounds, ...deps.bounds };
  const { run, states } = createBatchRunner(deps, { attemptsMax, page });
  const mailboxes = new Map<string, Mailbox>();
  let waitingForIdle: (() => void)[] = [];

  const work = async (mailbox: Mailbox): Promise<void> => {
    while (mailbox.jobs.length > 0) {
      const jobs = mailbox.jobs.splice(0, batchMax);
      try {
        await run(mailbox, jobs);
      } catch (error) {
        states.forget(mailbox.stream);
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
        assumed: options.assumeNew
          ? { state: decider.initial, revision: NO_STREAM }
          : options.after,
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
      const mailbox = { decider: decider as unknown as AnyDecider, stream, jobs: [job] };
      mailboxes.set(stream, mailbox);
      // Commands that arrive in the same turn of the event loop go into the first append.
      queueMicrotask(() => void work(mailbox));
    });

  return {
    execute,
    load: async (decider, id) => {
      const stream = `${decider.category}-${id}`;
      const folded = await states.load({ decider: decider as unknown as AnyDecider, stream });
      return folded as Folded<never>;
    },
    recall(decider, id) {
      const stream = `${decider.category}-${id}`;
      return states.cached({ decider: decider as unknown as AnyDecider, stream })?.state as never;
    },
    drain: () =>
      mailboxes.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => waitingForIdle.push(resolve)),
  };
};
