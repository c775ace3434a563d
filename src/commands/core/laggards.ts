import { setTimeout as pause } from 'node:timers/promises';
import type { KnownEvent } from '../../events/index.ts';
import { type EventStore, type Position, START } from '../../events/store.ts';
import { Interrupted, persist } from './persist.ts';
import type { Unsettled } from './reactor.ts';

/** Groups that may lag at a time; past it everybody waits for one of them to catch up. */
const GROUPS_MAX = 500;
const PAGE = 500;
const FULL_PAUSE_MS = 50;
const FAILED_PAUSE_MS = 1000;

/** What one group has handed on that is not settled: where the log stood before each. */
interface Held {
  before: Position | undefined;
  settled: Promise<unknown>;
}

export interface Laggards {
  /**
   * Hands on an event of the followed log, each in its turn. `full` when the group has no room
   * and too many lag already: to be tried again.
   */
  take(event: KnownEvent): Unsettled | undefined | 'full';
  /** The same, but waits while it is full. Rejects when the signal fires meanwhile. */
  takeInTurn(event: KnownEvent): Promise<Unsettled | undefined>;
  /** Resolves when nothing is read any more; call it after the signal has fired. */
  drain(): Promise<void>;
}

/**
 * Lets a group that has no room fall behind, and no other with it. Its events stay in the log, from
 * where they are read and handed on in order as room comes, until it has caught up.
 */
export const createLaggards = (deps: {
  store: Pick<EventStore, 'readAll'>;
  /** Undefined for an event that nothing is to be done for. */
  groupOf: (event: KnownEvent) => string | undefined;
  /** Hands it on; undefined while its group has no room. */
  offer: (event: KnownEvent) => Promise<unknown> | undefined;
  onChange: (group: string, lags: boolean) => void;
  onFault: (error: unknown) => void;
  signal: AbortSignal;
}): Laggards => {
  const { store, groupOf, offer, onChange, onFault, signal } = deps;
  const lagging = new Map<string, Promise<void>>();
  /** Where the followed log has come to: what is behind it comes by itself. */
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

    /** Comes to where the log was followed to, and no further. */
    const catchUp = async (): Promise<void> => {
      if (position === undefined) await handOn(first);
      while (position! < followed) {
        const from = position!;
        const page = await persist(() => store.readAll(from, PAGE), signal);
        for (const event of page.events as KnownEvent[]) {
          if (event.position > followed) return;
          if (groupOf(event) === group) await handOn(event);
          else position = event.position;
        }
        if (page.to > followed || page.to <= from) return;
        position = page.to;
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
    // What the stop has cut short stays open: its events come again at the next start.
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

  const take: Laggards['take'] = (event) => {
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
