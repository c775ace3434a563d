import { LRUCache } from 'lru-cache';
import { CHAIN_START } from '../../events/chain.ts';
import type { Fact } from '../../events/define.ts';
import { encode, encodeMeta, versionOf } from '../../events/index.ts';
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
import { createKeyedRuns } from '../../shared/shared-runs.ts';
import type { CommandContext, Decider, Outcome } from './decider.ts';
import { createFolding } from './folding.ts';
import { type BadSnapshot, createSnapshots, type Folded } from './snapshots.ts';

export interface Job {
  command: unknown;
  context: CommandContext;
  assumeNew: boolean;
  resolve(outcome: Outcome<unknown>): void;
  reject(error: unknown): void;
}

export type AnyDecider = Decider<unknown, unknown>;

/** A stream and its rules. */
export interface Target {
  decider: AnyDecider;
  stream: string;
}

const metaOf = ({ subjects: _, countsAsFree: __, ...meta }: CommandContext) => meta;

/** What an account's request causes counts, so that no new kind of event can be left out. */
const countsAsFree = ({ by, cause, countsAsFree: said }: CommandContext): boolean =>
  said ?? (by === undefined && cause === undefined);

/** The outcome of one job in one attempt; `facts` are what it adds to the stream. */
type Decision = { facts: readonly Fact[]; state: unknown; revision: number } | { refusal: unknown };

export interface BatchDeps {
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
}

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

const settle = (jobs: readonly Job[], decisions: readonly Decision[]) => {
  for (const [index, decision] of decisions.entries()) {
    const job = jobs[index]!;
    if ('refusal' in decision) job.reject(decision.refusal);
    else job.resolve(decision);
  }
};

/** Keeps the states of streams with snapshots in memory, and saves one every so many events. */
const createStates = (deps: BatchDeps, page: number) => {
  const { store, onSnapshotFailed = () => undefined, onBadSnapshot = () => undefined } = deps;
  const states = new LRUCache<string, Folded>({ max: deps.statesMax ?? 5000 });
  const snapshots = createSnapshots(store, deps.seal, deps.keys);
  const folding = createFolding({
    store,
    snapshots,
    page,
    onSnapshotFailed,
    onBad: onBadSnapshot,
  });
  const cached = ({ decider, stream }: Target) =>
    decider.snapshot ? states.get(stream) : undefined;
  const keep = ({ decider, stream }: Target, state: Folded) => {
    if (decider.snapshot) states.set(stream, state);
  };
  const loads = createKeyedRuns<Folded>();
  const load = async (target: Target): Promise<Folded> => {
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
    cached,
    keep,
    load: (target: Target) => loads(target.stream, () => load(target)),
    read: ({ decider, stream }: Target) => folding.load(decider, stream),
    readOn: ({ decider, stream }: Target, from: Folded) => folding.readOn(decider, stream, from),
    forget: (stream: string) => void states.delete(stream),
    /** Saves a snapshot when the events after `before` cross a multiple of `every`. */
    save({ decider, stream }: Target, before: number, after: Folded, last: NewEvent): void {
      const { snapshot } = decider;
      if (!snapshot) return;
      const countOf = (revision: number) => Math.floor((revision + 1) / snapshot.every);
      if (countOf(after.revision) <= countOf(before)) return;
      snapshots
        .save(decider, stream, { ...after, last })
        .catch((error) => onSnapshotFailed(stream, error));
    },
  };
};

/** Decides and appends batches of commands, each in a bounded number of attempts. */
export const createBatchRunner = (
  deps: BatchDeps,
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
      const { subjects = [] } = context;
      const encoded = encode(fact, { subjects, settings, chain });
      chain = encoded.link?.hash ?? chain;
      return {
        id: ids.uuid(),
        type: fact.type,
        version: versionOf(fact.type),
        ...encoded,
        meta: encodeMeta(fact, { at: isoTime(clock.now()), ...metaOf(context) }),
      };
    });
    return { events, chain };
  };

  const append = async (stream: string, expected: number, events: readonly NewEvent[]) => {
    const startedAt = performance.now();
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
    const { decider, stream } = target;
    const cached = states.cached(target);
    const assumed = jobs.every((job) => job.assumeNew);
    // No expected revision guards a decision to add nothing, so its state must have been read, not
    // remembered or assumed.
    let fresh = !cached && !assumed;
    const start: Folded = { state: decider.initial, revision: NO_STREAM, chain: CHAIN_START };
    let base = cached ?? (assumed ? start : await states.read(target));
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
