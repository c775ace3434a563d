import type { KnownEvent } from '../../events/index.ts';
import { type EventStore, type Interest, type Position, START } from '../../events/store.ts';
import { Interrupted, retry } from '../../shared/retry.ts';
import { pause } from '../../shared/timing.ts';

/**
 * Work that follows from events. It sees every event once or, after a crash, again: what it does
 * must come to the same when done twice. It is never run by a rebuild.
 */
export interface Reactor {
  name: string;
  /** What it is shown; other events may come too. */
  interest: Interest;
  /**
   * Throws what is worth trying again; the reactor then waits at this event. Work that would hold
   * up the events behind it may go on afterwards: until it has settled the checkpoint stays before
   * this event, so a crash brings the event again.
   */
  handle(event: KnownEvent): Promise<undefined | Unsettled>;
  /** Why work that goes on behind it fails just now; null when it does not. */
  failing?(): string | null;
  /** Called at the stop, when no further event comes: brings to an end what still goes on. */
  drain?(): Promise<void>;
}

export interface Unsettled {
  /** Never settles for what the stop has cut short. */
  settled: Promise<unknown>;
  /** How far it has come meanwhile; before the event for as long as this says nothing. */
  standsAt?(): Position | undefined;
}

export interface RunningReactor {
  name: string;
  status(): { position: Position; failing: string | null };
  stop(): Promise<void>;
}

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 30_000;
const delays = { minMs: RETRY_MS_MIN, maxMs: RETRY_MS_MAX };
/** A checkpoint is kept after so many events, or so much time. */
const CHECKPOINT_EVERY = 500;
const CHECKPOINT_MS = 1000;

/** Streams of snapshots whose state is the position up to which a reactor has done its work. */
export const CHECKPOINT_PREFIX = 'reactor-';

const checkpointStream = (name: string) => `${CHECKPOINT_PREFIX}${name}`;

/**
 * Follows the log for one reactor, in order, from where it had come to. The checkpoint is kept in
 * the log's own snapshots, so dropping the read models does not make it run again.
 */
export const runReactor = (
  reactor: Reactor,
  deps: { store: EventStore; onFailure: (reactor: string, event: string, error: unknown) => void },
): RunningReactor => {
  const { store } = deps;
  const stopping = new AbortController();
  let position: Position = START;
  let saved: Position = START;
  let failing: string | null = null;
  let unsaved = 0;
  /** What goes on behind the reactor: where the log is to be read from again if it never ends. */
  const open = new Map<symbol, () => Position>();

  const save = async () => {
    let at = position;
    for (const standsAt of open.values()) {
      const place = standsAt();
      if (place < at) at = place;
    }
    if (at === saved) return;
    unsaved = 0;
    const snapshot = { revision: 0, version: 1, state: at };
    await store.saveSnapshot(checkpointStream(reactor.name), snapshot);
    saved = at;
  };

  const leaveOpen = ({ settled, standsAt }: Unsettled) => {
    const one = Symbol(reactor.name);
    const before = position;
    open.set(one, () => standsAt?.() ?? before);
    const close = () => void open.delete(one);
    settled.then(close, close);
  };

  const handle = async (event: KnownEvent) => {
    const { signal } = stopping;
    if (signal.aborted) return;
    const onFailure = (error: unknown) => {
      failing = (error as Error).message;
      deps.onFailure(reactor.name, event.id, error);
    };
    try {
      const after = await retry(() => reactor.handle(event), { delays, signal, onFailure });
      failing = null;
      if (after) leaveOpen(after);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
  };

  const followOnce = async () => {
    const snapshot = await store.loadSnapshot(checkpointStream(reactor.name));
    // Whatever else stands there is no position: what a reactor has done comes to the same again.
    position = saved = typeof snapshot?.state === 'string' ? snapshot.state : START;
    for await (const batch of store.follow(position, stopping.signal, reactor.interest)) {
      for (const event of batch.events as KnownEvent[]) {
        await handle(event);
        if (stopping.signal.aborted) return;
        position = event.position;
      }
      position = batch.to;
      unsaved += Math.max(1, batch.events.length);
      if (unsaved >= CHECKPOINT_EVERY) await save();
    }
  };

  const run = async () => {
    let delayMs = RETRY_MS_MIN;
    while (!stopping.signal.aborted) {
      try {
        await followOnce();
      } catch (error) {
        failing = (error as Error).message;
        deps.onFailure(reactor.name, 'the log', error);
      }
      await pause(delayMs, stopping.signal);
      delayMs = Math.min(delayMs * 2, RETRY_MS_MAX);
    }
  };

  let saving: Promise<void> = Promise.resolve();
  const saveInTime = () => {
    saving = saving.then(save).catch(() => undefined);
  };
  const timer = setInterval(saveInTime, CHECKPOINT_MS);
  timer.unref();

  const running = run();
  return {
    name: reactor.name,
    status: () => ({ position, failing: failing ?? reactor.failing?.() ?? null }),
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
