import type { KnownEvent } from '../../events/index.ts';
import type { LogPage } from '../../events/paging.ts';
import { type EventStore, type Interest, type Position, START } from '../../events/store.ts';
import { type GrowingDelays, retry } from '../../shared/retry.ts';

/**
 * Work that follows from events. It sees every event once or, after a crash, again: what it does
 * must come to the same when done twice. A rebuild of the read models never runs it.
 */
export interface Reactor {
  name: string;
  /**
   * The events that it handles; it may get others too. Another object after an event is another
   * interest: the log is followed by that from the next event on.
   */
  readonly interest: Interest;
  /** Called before the log is followed. Throws when another attempt can help. */
  prepare?(): Promise<void>;
  /**
   * Throws when another attempt can help; the reactor then waits at this event. Work that would
   * delay the next events may continue after the call: until it has settled, the checkpoint stays
   * before this event, so the event comes again after a crash. The signal fires at the stop.
   */
  handle(event: KnownEvent, signal?: AbortSignal): Promise<undefined | Unsettled>;
  /** Why work that continues after its call fails at present; null when it does not. */
  failing?(): string | null;
  /** Called at the stop, when no further event comes: ends the work that still runs. */
  drain?(): Promise<void>;
}

/** Work that continues after its call. */
export interface Unsettled<T = unknown> {
  /** Stays open when a stop interrupts the work. */
  settled: Promise<T>;
  /** The position that the work has reached; until it is defined, that before the event. */
  standsAt?(): Position | undefined;
}

export interface RunningReactor {
  name: string;
  status(): { position: Position; failing: string | null };
  stop(): Promise<void>;
}

const RETRY_DELAYS: GrowingDelays = { minMs: 100, maxMs: 30_000 };
/** The checkpoint is saved after so many events, or so much time. */
const CHECKPOINT_EVERY = 500;
const CHECKPOINT_MS = 1000;

/** Streams of snapshots whose state is the position up to which a reactor has done its work. */
export const CHECKPOINT_PREFIX = 'reactor-';

/**
 * How far a reactor has come. The checkpoint lies in the log's own snapshots, so dropping the read
 * models does not make the reactor run again.
 */
const createCheckpoint = (name: string, store: EventStore) => {
  const stream = `${CHECKPOINT_PREFIX}${name}`;
  let position: Position = START;
  let saved: Position = START;
  let unsaved = 0;
  /** One for each unsettled work: the position from which the log must be read again. */
  const open = new Set<() => Position>();

  const save = async (): Promise<void> => {
    unsaved = 0;
    let at = position;
    for (const place of open) if (place() < at) at = place();
    if (at === saved) return;
    await store.saveSnapshot(stream, { revision: 0, version: 1, state: at });
    saved = at;
  };

  return {
    position: () => position,
    async load(): Promise<Position> {
      const snapshot = await store.loadSnapshot(stream);
      // A state of any other type is no position; handling all events again does no harm.
      position = saved = typeof snapshot?.state === 'string' ? snapshot.state : START;
      return position;
    },
    moveTo(next: Position): void {
      position = next;
    },
    leaveOpen({ settled, standsAt }: Unsettled): void {
      const before = position;
      const place = () => standsAt?.() ?? before;
      open.add(place);
      const close = () => void open.delete(place);
      settled.then(close, close);
    },
    save,
    /** Counts events that were handled, and saves after a number of them. */
    async count(events: number): Promise<void> {
      unsaved += events;
      if (unsaved >= CHECKPOINT_EVERY) await save();
    },
  };
};

/** Handles the batches until the interest of the reactor changes, then resolves to true. */
const followInterest = async (
  reactor: Pick<Reactor, 'interest'>,
  batches: AsyncIterable<LogPage>,
  on: {
    /** False at the stop. */
    handle: (event: KnownEvent) => Promise<boolean>;
    onBatch: (batch: LogPage) => Promise<void>;
    /** Called for each batch, also an empty one: it shows that the log is followed. */
    onFollowed: () => void;
  },
): Promise<boolean> => {
  const { interest } = reactor;
  for await (const batch of batches) {
    on.onFollowed();
    for (const event of batch.events as readonly KnownEvent[]) {
      if (!(await on.handle(event))) return false;
      if (reactor.interest !== interest) return true;
    }
    await on.onBatch(batch);
  }
  return false;
};

/** Follows the log for one reactor, in order, from its checkpoint. */
export const runReactor = (
  reactor: Reactor,
  deps: { store: EventStore; onFailure: (reactor: string, event: string, error: unknown) => void },
): RunningReactor => {
  const { store } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const checkpoint = createCheckpoint(reactor.name, store);
  let failing: string | null = null;
  const { save } = checkpoint;

  const retrying = <T>(what: string, work: (progressed: () => void) => Promise<T>) => {
    const onFailure = (error: unknown) => {
      failing = (error as Error).message;
      deps.onFailure(reactor.name, what, error);
    };
    return retry(work, { delays: RETRY_DELAYS, signal, onFailure });
  };

  /** Handles one event. False at the stop. */
  const handle = async (event: KnownEvent): Promise<boolean> => {
    if (signal.aborted) return false;
    const after = await retrying(event.id, () => reactor.handle(event, signal));
    failing = null;
    if (after) checkpoint.leaveOpen(after);
    if (signal.aborted) return false;
    checkpoint.moveTo(event.position);
    return true;
  };

  const follow = async (progressed: () => void): Promise<void> => {
    await checkpoint.load();
    await reactor.prepare?.();
    const onBatch = async ({ events, to }: LogPage) => {
      checkpoint.moveTo(to);
      progressed();
      await checkpoint.count(Math.max(1, events.length));
    };
    const batches = () => store.follow(checkpoint.position(), signal, reactor.interest);
    const onFollowed = () => {
      failing = null;
    };
    while (await followInterest(reactor, batches(), { handle, onBatch, onFollowed }));
    if (!signal.aborted) throw new Error('the subscription ended');
  };

  let saving: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    saving = saving.then(save).catch(() => undefined);
  }, CHECKPOINT_MS);
  timer.unref();

  // Only a stop ends it, by Interrupted.
  const running = retrying('the log', follow).catch(() => undefined);
  return {
    name: reactor.name,
    status: () => ({
      position: checkpoint.position(),
      failing: failing ?? reactor.failing?.() ?? null,
    }),
    async stop() {
      stopping.abort();
      await running;
      clearInterval(timer);
      await reactor.drain?.();
      await saving;
      await save().catch(() => undefined);
    },
  };
};
