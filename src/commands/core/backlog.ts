import type { KnownEvent } from '../../events/index.ts';
import { logPages } from '../../events/paging.ts';
import type { EventReader, Position } from '../../events/store.ts';
import { pauseOrStop, retry } from '../../shared/retry.ts';
import { inTrace } from '../../shared/trace-context.ts';
import type { Unsettled } from './reactor-checkpoints.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** How many groups may lag at a time. Past that, every group waits until one has caught up. */
const GROUPS_MAX = 500;
const PAGE_EVENTS = 500;
/** Pause before another attempt to offer an event for which there was no room. */
const FULL_PAUSE_MS = 50;
const FAILED_DELAYS = { minMs: 1000, maxMs: 1000 };

interface Backlog {
  /**
   * Offers an event of the followed log, in the order of its group. Returns `full` when its group
   * has no room and too many groups lag: the caller tries again.
   */
  take(event: KnownEvent): Unsettled | undefined | 'full';
  /** Does the same, but waits while it is full. Throws Interrupted when the signal fires meanwhile. */
  takeInTurn(event: KnownEvent, until: { signal: AbortSignal }): Promise<Unsettled | undefined>;
  /** Resolves when all reading has ended. Call it after the signal has fired. */
  drain(): Promise<void>;
}

interface BacklogDeps {
  store: Pick<EventReader, 'readAll'>;
  /** Undefined for an event that needs no work. */
  groupOf: (event: KnownEvent) => string | undefined;
  /** Undefined while the group of the event has no room. */
  offer: (event: KnownEvent) => Unsettled | undefined;
  onChange: (group: string, lags: boolean) => void;
  onFault: (error: unknown) => void;
  signal: AbortSignal;
}

/** A group that has no room. */
interface Lag {
  /** The position of its last event taken. Later ones arrive through `take`. */
  upTo: Position;
  reading: Promise<void>;
}

/** Reads the events of one group from the log, and offers them in order. */
const createGroupReader = (group: string, { store, groupOf, offer, signal }: BacklogDeps) => {
  const log: typeof store = {
    readAll: (...where) => retryWhileUnavailable(() => store.readAll(...where), signal),
  };
  /** Unsettled work of the group, and the position before the event of each. */
  const open = new Map<Promise<unknown>, Position | undefined>();
  let position: Position | undefined;

  const offerInTurn = async (event: KnownEvent): Promise<void> => {
    for (;;) {
      const offered = inTrace(event.meta.traceparent, () => offer(event));
      if (offered) {
        const { settled } = offered;
        open.set(settled, position);
        const close = () => void open.delete(settled);
        settled.then(close, close);
        position = event.position;
        return;
      }
      await pauseOrStop(FULL_PAUSE_MS, signal);
    }
  };

  return {
    position: () => (open.size > 0 ? open.values().next().value : position),
    settled: () => Promise.all(open.keys()),
    /**
     * Offers `first` and all later events up to the end, which moves meanwhile. Calls `onEnd` in the
     * same tick in which it sees the end: an event taken after that must not find the group lagging.
     */
    async readOn(first: KnownEvent, end: () => Position, onEnd: () => void): Promise<void> {
      if (position === undefined) await offerInTurn(first);
      while (position! < end()) {
        const paging = { upTo: end(), pageSize: PAGE_EVENTS };
        for await (const { events, to } of logPages(log, position!, paging)) {
          for (const event of events as readonly KnownEvent[]) {
            if (groupOf(event) === group) await offerInTurn(event);
            else position = event.position;
          }
          position = to;
        }
      }
      onEnd();
    },
  };
};

/**
 * Lets a group that has no room fall behind without holding up the others. Its events stay in the
 * log; the backlog reads them from there and offers them in order until the group has caught up.
 */
export const createBacklog = (deps: BacklogDeps): Backlog => {
  const { groupOf, offer, onChange, onFault, signal } = deps;
  const lagging = new Map<string, Lag>();

  const begin = (group: string, first: KnownEvent): Unsettled => {
    const reader = createGroupReader(group, deps);
    const onEnd = () => {
      lagging.delete(group);
      onChange(group, false);
    };
    const lag: Lag = { upTo: first.position, reading: Promise.resolve() };
    const read = () => reader.readOn(first, () => lag.upTo, onEnd);
    lag.reading = retry(read, { delays: FAILED_DELAYS, signal, onFailure: onFault });
    lagging.set(group, lag);
    onChange(group, true);
    // Work that a stop interrupts stays unsettled: its events come again at the next start.
    const never = new Promise<never>(() => undefined);
    const settled = lag.reading.then(reader.settled).catch(() => never);
    return { settled, position: reader.position };
  };

  const take: Backlog['take'] = (event) => {
    const group = groupOf(event);
    if (group === undefined) return undefined;
    const lag = lagging.get(group);
    if (lag) {
      lag.upTo = event.position;
      return undefined;
    }
    const offered = offer(event);
    if (offered) return offered;
    return lagging.size < GROUPS_MAX ? begin(group, event) : 'full';
  };

  return {
    take,
    async takeInTurn(event, { signal: stopping }) {
      for (;;) {
        const taken = take(event);
        if (taken !== 'full') return taken;
        await pauseOrStop(FULL_PAUSE_MS, stopping);
      }
    },
    async drain() {
      await Promise.allSettled([...lagging.values()].map(({ reading }) => reading));
    },
  };
};
