import { setTimeout as pause } from 'node:timers/promises';
import type { KnownEvent } from '../../events/index.ts';
import { logPages } from '../../events/paging.ts';
import { type EventReader, type Position, START } from '../../events/store.ts';
import { Interrupted } from '../../shared/retry.ts';
import type { Unsettled } from './reactor.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** How many groups may lag at a time. Past that, every group waits until one has caught up. */
const GROUPS_MAX = 500;
const PAGE_EVENTS = 500;
const FULL_PAUSE_MS = 50;
const FAILED_PAUSE_MS = 1000;

/** An event that was handed on and has not settled, and the position before it. */
interface Held {
  before: Position | undefined;
  settled: Promise<unknown>;
}

export interface Backlog {
  /**
   * Hands on an event of the followed log, in the order of its group. Returns `full` when its group
   * has no room and too many groups lag: the caller tries again.
   */
  take(event: KnownEvent): Unsettled | undefined | 'full';
  /** Does the same, but waits while it is full. Rejects when the signal fires meanwhile. */
  takeInTurn(event: KnownEvent): Promise<Unsettled | undefined>;
  /** Resolves when all reading has ended. Call it after the signal has fired. */
  drain(): Promise<void>;
}

/**
 * Lets a group that has no room fall behind without holding up the others. Its events stay in the
 * log; the backlog reads them from there and hands them on in order until the group has caught up.
 */
export const createBacklog = (deps: {
  store: Pick<EventReader, 'readAll'>;
  /** Undefined for an event that needs no work. */
  groupOf: (event: KnownEvent) => string | undefined;
  /** Hands the event on; undefined while its group has no room. */
  offer: (event: KnownEvent) => Promise<unknown> | undefined;
  onChange: (group: string, lags: boolean) => void;
  onFault: (error: unknown) => void;
  signal: AbortSignal;
}): Backlog => {
  const { store, groupOf, offer, onChange, onFault, signal } = deps;
  const reading: typeof store = {
    readAll: (position, limit) =>
      retryWhileUnavailable(() => store.readAll(position, limit), signal),
  };
  const lagging = new Map<string, Promise<void>>();
  /** The position of the last event taken. Later events arrive through `take`. */
  let followed: Position = START;

  const wait = async (milliseconds: number) => {
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new Interrupted();
  };

  const begin = (group: string, first: KnownEvent): Unsettled => {
    const held = new Set<Held>();
    let position: Position | undefined;

    const handOn = async (event: KnownEvent) => {
      for (;;) {
        const settled = offer(event);
        if (settled) {
          const one = { before: position, settled };
          held.add(one);
          const close = () => void held.delete(one);
          settled.then(close, close);
          position = event.position;
          return;
        }
        await wait(FULL_PAUSE_MS);
      }
    };

    /** Reads up to the position of the last event taken, and no further. */
    const catchUp = async (): Promise<void> => {
      if (position === undefined) await handOn(first);
      if (position === followed) return;
      for await (const { events, to } of logPages(reading, position!, { pageSize: PAGE_EVENTS })) {
        for (const event of events as readonly KnownEvent[]) {
          if (event.position > followed) return;
          if (groupOf(event) === group) await handOn(event);
          else position = event.position;
        }
        if (to > followed) return;
        position = to;
        if (position === followed) return;
      }
    };

    const run = async (): Promise<void> => {
      for (;;) {
        try {
          await catchUp();
          break;
        } catch (error) {
          if (error instanceof Interrupted) throw error;
          onFault(error);
          await wait(FAILED_PAUSE_MS);
        }
      }
      lagging.delete(group);
      onChange(group, false);
    };

    const running = run();
    lagging.set(group, running);
    onChange(group, true);
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    // Work that a stop interrupts stays unsettled: its events come again at the next start.
    running
      .then(() => Promise.all([...held].map((one) => one.settled)))
      .then(() => resolve())
      .catch(() => undefined);
    return {
      settled,
      standsAt: () => {
        const [oldest] = held;
        return oldest ? oldest.before : position;
      },
    };
  };

  const take: Backlog['take'] = (event) => {
    followed = event.position;
    const group = groupOf(event);
    if (group === undefined || lagging.has(group)) return undefined;
    const settled = offer(event);
    if (settled) return { settled };
    return lagging.size < GROUPS_MAX ? begin(group, event) : 'full';
  };

  return {
    take,
    async takeInTurn(event) {
      for (;;) {
        const taken = take(event);
        if (taken !== 'full') return taken;
        await pause(FULL_PAUSE_MS, undefined, { signal });
      }
    },
    async drain() {
      await Promise.allSettled(lagging.values());
    },
  };
};
