import { bucketOfAccount } from '../../events/bucket.ts';
import { type EventOf, type KnownEvent, newerType } from '../../events/index.ts';
import {
  type EventStore,
  type Interest,
  isOfInterest,
  type Position,
  type Recorded,
  StoreUnavailable,
} from '../../events/store.ts';
import { type GrowingDelays, retry } from '../../shared/retry.ts';
import { inTrace } from '../../shared/trace-context.ts';
import { createCheckpoints, type Unsettled } from './reactor-checkpoints.ts';

/** The checkpoints are saved after so many events. */
const CHECKPOINT_EVERY = 500;

interface ReactorContext {
  /** Fires at the stop. */
  signal: AbortSignal;
  /** Of an event for all: for which accounts this process has not handled it yet. */
  isFor(accountId: string): boolean;
}

/**
 * Throws when another attempt can help; the reactor then waits at this event. Work that would delay the
 * next events may continue after the call: until it has settled, the checkpoint stays before this event,
 * so the event comes again after a crash.
 */
type Reaction<Event extends KnownEvent> = (
  event: Event,
  context: ReactorContext,
) => Unsettled | undefined | Promise<Unsettled | undefined>;

/** A reaction to each type of event. */
export type Reactions = { readonly [Type in KnownEvent['type']]?: Reaction<EventOf<Type>> };

/** The same reaction to several types. */
export const toEach = <Type extends KnownEvent['type']>(
  types: readonly Type[],
  reaction: Reaction<EventOf<Type>>,
): Reactions => Object.fromEntries(types.map((type) => [type, reaction]));

/**
 * Work that follows from events. It sees every event once or, after a crash, again: what it does
 * must come to the same when done twice. It waits before an event of its types that a newer program
 * wrote. A rebuild of the read models never runs it.
 */
export interface Reactor {
  name: string;
  /** Another object after an event: the log is followed for its types from the next event on. */
  readonly on: Reactions;
  /** The first revision that it needs of a type, where it is not 0. */
  from?: Partial<Record<KnownEvent['type'], number>>;
  /**
   * Whether every process handles the event for its accounts. Else one does, in order: the one that has
   * the bucket of its account, or that of what belongs to none.
   */
  isForAll?(event: KnownEvent): boolean;
  /**
   * Called before the log is followed, and again when this process gets further accounts: `isNew` tells
   * which they are. Throws when another attempt can help.
   */
  prepare?(isNew: (accountId: string) => boolean): Promise<void>;
  /** Why work that continues after its call fails at present; null when it does not. */
  failing?(): string | null;
  /** Called at the stop, when no further event comes: ends the work that still runs. */
  drain?(): Promise<void>;
}

/** The events that it follows the log for. */
const interestOf = ({ on, from }: Reactor): Interest =>
  new Map((Object.keys(on) as KnownEvent['type'][]).map((type) => [type, from?.[type] ?? 0]));

/** What it does for an event: nothing for one of another type. */
export const reactTo = async (
  { on }: Pick<Reactor, 'on'>,
  event: KnownEvent,
  context: ReactorContext,
): Promise<Unsettled | undefined> =>
  (on[event.type] as Reaction<KnownEvent> | undefined)?.(event, context);

/** The partitions of a reactor that one process has. */
export interface ReactorShare {
  /** All partitions, wherever they are. */
  count: number;
  held: readonly number[];
}

interface ReactorDeps {
  store: EventStore;
  onFailure: (reactor: string, event: string, error: unknown) => void;
  /** False once another process may have the partitions. */
  isCurrent?: () => boolean;
}

/** The account that an event belongs to, if it does to one. */
export const accountOf = ({ data, meta }: KnownEvent): string | undefined => {
  const { accountId = meta.accountId } = data as { accountId?: unknown };
  return typeof accountId === 'string' ? accountId : undefined;
};

/** The partition, of so many, of an account; of what belongs to none without one. */
const partitionOf = (accountId: string | undefined, count: number): number =>
  count === 1 ? 0 : bucketOfAccount(accountId);

/** The partition of an event; null for all. */
const partitionIn = ({ isForAll }: Reactor, event: KnownEvent, count: number): number | null => {
  if (count === 1) return 0;
  // Whose it is, a newer program knows.
  if (newerType(event) !== undefined || isForAll?.(event)) return null;
  return partitionOf(accountOf(event), count);
};

interface FollowingEvents {
  handle: (event: KnownEvent, isFor: ReactorContext['isFor']) => Promise<Unsettled | undefined>;
  /** Called for each batch, also an empty one: it shows that the log is followed. */
  onFollowed: () => void;
  onBatch: () => void;
}

/**
 * Follows the log once for the partitions of a reactor, in order, from the checkpoint of the slowest;
 * each gets the events after its own.
 */
const createFollowing = (
  reactor: Reactor,
  { store, isCurrent = () => true }: ReactorDeps,
  { count, held }: ReactorShare,
  signal: AbortSignal,
) => {
  const checkpoints = createCheckpoints(reactor.name, count, store);
  let pending = held;
  /** Fires when there are further partitions. */
  let turn = new AbortController();
  let unsaved = 0;

  const open = async (): Promise<void> => {
    const added = pending;
    if (added.length === 0) return;
    await checkpoints.load(added);
    await reactor.prepare?.((unit) => added.includes(partitionOf(unit, count)));
    pending = pending.filter((one) => !added.includes(one));
  };

  /** Handles one event. False at the stop. */
  const take = async (event: KnownEvent, handle: FollowingEvents['handle']): Promise<boolean> => {
    const places = checkpoints.newTo(event.position, partitionIn(reactor, event, count));
    if (places.length > 0) {
      if (!isCurrent()) throw new StoreUnavailable('the leases are not renewed');
      const partitions = new Set(places.map(({ partition }) => partition));
      const isFor = (account: string) => partitions.has(partitionOf(account, count));
      checkpoints.note(places, await handle(event, isFor));
      if (signal.aborted) return false;
    }
    checkpoints.moveTo(event.position, 1);
    return true;
  };

  const save = async (options?: { all: boolean }): Promise<void> => {
    unsaved = 0;
    await checkpoints.save(options);
  };

  return {
    position: checkpoints.position,
    save,
    add(partitions: readonly number[]): void {
      pending = [...pending, ...partitions];
      turn.abort();
    },
    /** Reads on until the interest changes, there are further partitions, or it is stopped. */
    async run({ handle, onFollowed, onBatch }: FollowingEvents): Promise<void> {
      turn = new AbortController();
      const ended = AbortSignal.any([signal, turn.signal]);
      await open();
      const { on } = reactor;
      const buckets = count === 1 ? undefined : new Set(checkpoints.partitions());
      const from = checkpoints.position();
      for await (const { events, to } of store.follow(from, ended, interestOf(reactor), buckets)) {
        onFollowed();
        for (const event of events as readonly KnownEvent[]) {
          if (ended.aborted || !(await take(event, handle))) return;
          if (reactor.on !== on) return;
        }
        checkpoints.moveTo(to, 0);
        onBatch();
        unsaved += Math.max(1, events.length);
        if (unsaved >= CHECKPOINT_EVERY) await save();
      }
      if (!ended.aborted) throw new Error('the subscription ended');
    },
  };
};

/** Throws for an event of interest that a newer program wrote: a reactor of that program handles it. */
const demandKnown = (reactor: Reactor, event: Recorded): void => {
  const type = newerType(event);
  if (type === undefined || !isOfInterest(interestOf(reactor), { ...event, type })) return;
  throw new Error(`a newer program wrote ${type} in version ${event.version}: its worker goes on`);
};

export interface RunningReactor {
  name: string;
  status(): { position: Position; failing: string | null };
  /** Handles the events of these partitions too. */
  add(partitions: readonly number[]): void;
  stop(): Promise<void>;
}

const RETRY_DELAYS: GrowingDelays = { minMs: 100, maxMs: 30_000 };
/** The checkpoints are saved after so much time, too. */
const CHECKPOINT_MS = 1000;

/** The whole reactor, for a process that has all of it. */
const WHOLE: ReactorShare = { count: 1, held: [0] };

/** Runs a reactor, or its partitions that this process has. */
export const runReactor = (
  reactor: Reactor,
  deps: ReactorDeps,
  share: ReactorShare = WHOLE,
): RunningReactor => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const following = createFollowing(reactor, deps, share, signal);
  let failing: string | null = null;

  const retrying = <T>(what: string, work: (progressed: () => void) => Promise<T>) => {
    const onFailure = (error: unknown) => {
      failing = (error as Error).message;
      deps.onFailure(reactor.name, what, error);
    };
    return retry(work, { delays: RETRY_DELAYS, signal, onFailure });
  };

  const handle: FollowingEvents['handle'] = async (event, isFor) => {
    const react = () => reactTo(reactor, event, { signal, isFor });
    const work = async () => {
      demandKnown(reactor, event);
      return inTrace(event.meta.traceparent, react);
    };
    const after = await retrying(event.id, work);
    failing = null;
    return after;
  };

  const follow = async (progressed: () => void): Promise<void> => {
    const onFollowed = () => {
      failing = null;
    };
    while (!signal.aborted) await following.run({ handle, onFollowed, onBatch: progressed });
  };

  let saving: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    saving = saving.then(() => following.save()).catch(() => undefined);
  }, CHECKPOINT_MS);
  timer.unref();

  // Only a stop ends it, by Interrupted.
  const running = retrying('the log', follow).catch(() => undefined);
  return {
    name: reactor.name,
    status: () => ({
      position: following.position(),
      failing: failing ?? reactor.failing?.() ?? null,
    }),
    add: following.add,
    async stop() {
      stopping.abort();
      await running;
      clearInterval(timer);
      await reactor.drain?.();
      await saving;
      await following.save({ all: true }).catch(() => undefined);
    },
  };
};
