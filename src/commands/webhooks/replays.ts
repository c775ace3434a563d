import type { KnownEvent } from '../../events/index.ts';
import type { EventStore } from '../../events/store.ts';
import { createSemaphore } from '../../shared/concurrency.ts';
import { orStop } from '../../shared/retry.ts';
import { type Reactor, type RunningReactor, runReactor, toEach } from '../core/reactor.ts';
import type { Unsettled } from '../core/reactor-checkpoints.ts';
import type { Delivery, OpenReplay } from './ports.ts';
import { type ForAccount, typesOf } from './sources.ts';

/** Replays at one time; further ones wait. Each reads the log by itself. */
const RUNNING_MAX = 16;
/** A replay looks after so many events whether the account may still write. */
const LOOK_EVERY = 50;
/** An account has two at a time at most, and one from the seventh place on. */
const SHARE = 0.1;

export const allOf = (unsettled: readonly Unsettled[]): Unsettled | undefined =>
  unsettled.length === 0
    ? undefined
    : { settled: Promise.all(unsettled.map(({ settled }) => settled)) };

interface ReplayDeps {
  /** The log as it is stored: bodies are opened one by one. */
  log: EventStore;
  sourcesOf: (event: KnownEvent) => Promise<readonly ForAccount[]>;
  /** Waits for room among replayed deliveries. */
  offer: (delivery: Delivery) => Promise<Unsettled>;
  /** Whether the account has free writes left today. */
  mayWrite: (accountId: string) => Promise<boolean>;
  /** Records the end. */
  end: (replay: OpenReplay) => Promise<void>;
  onFailure: (name: string, event: string, error: unknown) => void;
}

/**
 * Delivers the events of one replay, up to the one that asked for it, or until the account has used up its
 * free writes of the day.
 */
const createReplay = (replay: OpenReplay, deps: ReplayDeps, onEnd: () => void): Reactor => {
  const { endpointId, accountId, replayId, since, topics } = replay;
  const open = new Set<Promise<unknown>>();
  let isOver = false;
  let count = 0;

  const deliver = async (sources: readonly ForAccount[]): Promise<Unsettled | undefined> => {
    const offered: Unsettled[] = [];
    for (const { source } of sources) {
      offered.push(await deps.offer({ endpointId, accountId, source: { ...source, asked: true } }));
    }
    return allOf(offered);
  };

  const end = async (signal: AbortSignal): Promise<undefined> => {
    // What a stop drops from the queues never settles; the next start reads the log again.
    await orStop(Promise.all(open), signal);
    await deps.end(replay);
    isOver = true;
    onEnd();
  };

  const isUsedUp = async (): Promise<boolean> => {
    count += 1;
    return count % LOOK_EVERY === 1 && !(await deps.mayWrite(accountId));
  };

  return {
    name: `webhook-replay-${replayId}`,
    on: {
      ...toEach(typesOf(topics), async (event, { signal }) => {
        if (isOver || event.meta.at < since) return undefined;
        const sources = (await deps.sourcesOf(event)).filter(
          (one) =>
            one.accountId === accountId && topics.some((topic) => topic === one.source.topic),
        );
        if (sources.length === 0) return undefined;
        if (await isUsedUp()) return end(signal);
        const after = await deliver(sources);
        if (after) {
          const settled = after.settled.finally(() => open.delete(settled));
          open.add(settled);
        }
        return after;
      }),
      async WebhookReplayStarted({ data }, { signal }) {
        if (!isOver && data.replayId === replayId) await end(signal);
      },
    },
  };
};

/** Runs the replays of this process, a few at a time; one that hangs keeps places of its account alone. */
export const createReplays = (deps: ReplayDeps) => {
  const running = new Map<string, { replay: OpenReplay; reactor: RunningReactor }>();
  const waiting = new Map<string, OpenReplay>();
  const stopping = new Set<Promise<void>>();
  const places = createSemaphore(RUNNING_MAX, SHARE);

  const letOthersGoFirst = ({ accountId }: OpenReplay): void => {
    for (const [replayId, replay] of [...waiting]) {
      if (replay.accountId !== accountId) continue;
      waiting.delete(replayId);
      waiting.set(replayId, replay);
    }
  };

  const stop = (replayId: string): void => {
    waiting.delete(replayId);
    const known = running.get(replayId);
    if (!known) return;
    running.delete(replayId);
    places.release(known.replay.accountId);
    const stopped = known.reactor.stop().finally(() => stopping.delete(stopped));
    stopping.add(stopped);
    letOthersGoFirst(known.replay);
    startNext();
  };

  const startNext = (): void => {
    for (const [replayId, replay] of waiting) {
      if (!places.take(replay.accountId)) continue;
      waiting.delete(replayId);
      // Stopped in a later turn, because the end is reported from within the reactor.
      const onEnd = () => void setImmediate(() => stop(replayId));
      const reactor = runReactor(createReplay(replay, deps, onEnd), {
        store: deps.log,
        onFailure: deps.onFailure,
      });
      running.set(replayId, { replay, reactor });
    }
  };

  return {
    start(replay: OpenReplay): void {
      if (running.has(replay.replayId)) return;
      waiting.set(replay.replayId, replay);
      startNext();
    },
    stop,
    /** Ends the replays of an endpoint, which is disabled or gone. */
    stopOf(endpointId: string): void {
      const all = [...waiting.values(), ...[...running.values()].map(({ replay }) => replay)];
      for (const one of all) if (one.endpointId === endpointId) stop(one.replayId);
    },
    async drain(): Promise<void> {
      waiting.clear();
      for (const replayId of running.keys()) stop(replayId);
      await Promise.all(stopping);
    },
  };
};
