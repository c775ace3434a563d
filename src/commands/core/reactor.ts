import type { KnownEvent } from '../../events/index.ts';
import type { Position } from '../../events/store.ts';
import { type GrowingDelays, retry } from '../../shared/retry.ts';
import { inTrace } from '../../shared/trace-context.ts';
import {
  createFollowing,
  type IsFor,
  type Reactor,
  type ReactorDeps,
  type ReactorShare,
} from './reactor-following.ts';
import { known } from './unreadable.ts';
import type { Unsettled } from './unsettled.ts';

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

  const handle = async (event: KnownEvent, isFor: IsFor): Promise<Unsettled | undefined> => {
    const react = () => reactor.handle(known(event, reactor.interest), signal, isFor);
    const work = () => inTrace(event.meta.traceparent, react);
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
