import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import { untilWoken } from '../../shared/timing.ts';
import { BUCKETS_SEEN_WITHIN, isOfBuckets, isShare } from '../bucket.ts';
import {
  type Interest,
  isOfInterest,
  type Position,
  type Recorded,
  StoreUnavailable,
} from '../store.ts';
import type { Connection, HeldClient } from './connection.ts';
import {
  formatPosition,
  isOurs,
  namesFor,
  parsePosition,
  positionOf,
  type Resolved,
  toRecorded,
} from './events.ts';
import { TimedOut, unavailable } from './failure.ts';

export interface Batch {
  events: Recorded[];
  to: Position;
}

/** A catch-up subscription to events of ours, which its reader pulls. */
export interface Subscription {
  /** Whether the server has sent anything yet. */
  isAlive(): boolean;
  /** Whether the server has sent all that was in the log when it began. */
  isCaughtUp(): boolean;
  /**
   * The next batch, of `max` events at most; undefined while there is none. Throws after the subscription has
   * ended.
   */
  take(max?: number): Batch | undefined;
  /** Resolves as woken when `take` may have a result, or at the signal; as quiet after the timeout. */
  wait(signal: AbortSignal, timeoutMs?: number): Promise<'woken' | 'quiet'>;
  /** Ends the subscription here and on the server. Never throws. */
  stop(): void;
}

/** Events that may wait here. Beyond that the server waits, and finally drops the subscription. */
const BUFFERED_MAX = 512;
/** Most events of one batch. */
export const BATCH_MAX = 500;
/** After this many events of other types, the server sends its position as a checkpoint. */
const CHECKPOINT_EVERY = 256;

/** What a subscription is about; all events of ours where both are absent. */
export interface Wanted {
  interest?: Interest | undefined;
  buckets?: ReadonlySet<number> | undefined;
  /** After so many events of other buckets, the server sends its position as a checkpoint. */
  window?: number;
}

/** Whether it is an event of ours, of interest by its stored type, of these buckets or of none. */
export const isWanted = (resolved: Resolved, { interest, buckets }: Wanted): boolean => {
  const { type = '', revision = 0, streamId = '' } = resolved.event ?? {};
  if (!isOurs(resolved)) return false;
  if (!isOfInterest(interest, { type, revision: Number(revision) })) return false;
  return !buckets || isOfBuckets(streamId, buckets);
};

/** What the server has sent about a subscription. */
interface State {
  alive: boolean;
  caughtUp: boolean;
  failure: Error | undefined;
  checkpoint: Position | undefined;
  wake: () => void;
}

/** Types that most events of a log have. */
const FREQUENT = ['MessageSent', 'StatusUpdated'];

/**
 * The server filters by types or by names, not by both. Types are the narrower ones, but where they are most of
 * the log, a share of the accounts is less. Types are words, so none needs an escape in the regex.
 */
const filterOf = ({ interest, buckets, window = BUCKETS_SEEN_WITHIN }: Wanted) => {
  const isByName = !interest || (isShare(buckets) && FREQUENT.some((type) => interest.has(type)));
  return isByName
    ? { filterOn: 'streamName' as const, regex: namesFor(buckets), maxSearchWindow: window }
    : {
        filterOn: 'eventType' as const,
        regex: `^(?:${[...interest.keys()].join('|')})$`,
        maxSearchWindow: CHECKPOINT_EVERY,
      };
};

const open = (
  { client, heard }: HeldClient,
  { position, wanted }: { position: Position; wanted: Wanted },
  state: State,
) => {
  const hear = (): void => {
    state.alive = true;
    heard();
  };
  const subscription = client.subscribeToAll(
    {
      fromPosition: parsePosition(position),
      requiresLeader: true,
      filter: {
        ...filterOf(wanted),
        checkpointInterval: 1,
        checkpointReached: (_, reached) => {
          hear();
          // Of a backlog it is where a page begins, before an event that a subscription from there lacks.
          if (reached.commit === reached.prepare) state.checkpoint = formatPosition(reached);
          state.wake();
        },
      },
    },
    { highWaterMark: BUFFERED_MAX },
  );
  const end = (error: Error): void => {
    state.failure ??= error;
    state.wake();
  };
  // Without this listener an error of the subscription would end the process.
  subscription.on('error', end);
  subscription.on('end', () => end(new StoreUnavailable('the server ended the subscription')));
  subscription.on('close', () => end(new StoreUnavailable('the subscription was closed')));
  subscription.on('confirmation', () => {
    hear();
    state.wake();
  });
  subscription.on('caughtUp', () => {
    hear();
    state.caughtUp = true;
    state.wake();
  });
  subscription.on('readable', () => {
    heard();
    state.wake();
  });
  return subscription;
};

/**
 * The server filters: each event that it sends costs its reader about 20 µs of CPU, and one that it leaves
 * out costs itself about 1 µs. So nothing comes for up to CHECKPOINT_EVERY events of other types, or
 * BUCKETS_SEEN_WITHIN of other buckets.
 */
export const subscribe = (
  connection: Pick<Connection, 'hold'>,
  position: Position,
  wanted: Wanted,
): Subscription => {
  const held = connection.hold();
  const idle = (): void => undefined;
  const state: State = {
    alive: false,
    caughtUp: false,
    failure: undefined,
    checkpoint: undefined,
    wake: idle,
  };
  const subscription = open(held, { position, wanted }, state);
  let to = position;

  const takeEvents = (max: number): { events: Recorded[]; isEmpty: boolean } => {
    const events: Recorded[] = [];
    for (let taken = 0; taken < max; taken += 1) {
      const resolved: AllStreamResolvedEvent | null = subscription.read();
      if (resolved === null) return { events, isEmpty: true };
      to = positionOf(resolved);
      if (isWanted(resolved, wanted)) events.push(toRecorded(resolved));
    }
    return { events, isEmpty: false };
  };
  const isBehind = (checkpoint: Position | undefined): checkpoint is Position =>
    checkpoint !== undefined && checkpoint > to;

  return {
    isAlive: () => state.alive,
    isCaughtUp: () => state.caughtUp,
    take: (max = BATCH_MAX) => {
      const before = to;
      const { events, isEmpty } = takeEvents(max);
      // All events before the checkpoint have been taken.
      if (isEmpty && isBehind(state.checkpoint)) to = state.checkpoint;
      if (to !== before) {
        state.alive = true;
        return { events, to };
      }
      if (state.failure) throw state.failure;
      return undefined;
    },
    wait: async (signal, timeoutMs) => {
      if (isBehind(state.checkpoint) || subscription.readableLength > 0 || state.failure) {
        return 'woken';
      }
      const listen = (wake: () => void) => {
        state.wake = wake;
        return () => {
          state.wake = idle;
        };
      };
      return untilWoken(signal, listen, timeoutMs);
    },
    stop: () => {
      // Without await: it never resolves after the stream is destroyed.
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
      held.release();
    },
  };
};

/** After so many events of other buckets, the server says how far a page has come. */
const PAGE_WINDOW = 1_000;

/**
 * Up to `limit` events of ours in these buckets after a position, as `EventReader.readAll`. The client cannot
 * have the server filter a read: a subscription that ends with the page does it.
 */
export const readShare = async (
  connection: Pick<Connection, 'hold' | 'timeoutMs'>,
  position: Position,
  limit: number,
  buckets: ReadonlySet<number>,
): Promise<Batch> => {
  const subscription = subscribe(connection, position, { buckets, window: PAGE_WINDOW });
  const page: Batch = { events: [], to: position };
  const endless = new AbortController().signal;
  try {
    while (page.events.length < limit) {
      // Before the take: all that was sent by then is taken below.
      const isLast = subscription.isCaughtUp();
      const batch = subscription.take(limit - page.events.length);
      if (batch) {
        page.events.push(...batch.events);
        page.to = batch.to;
      } else if (isLast) break;
      else if ((await subscription.wait(endless, connection.timeoutMs)) === 'quiet') {
        throw new TimedOut(connection.timeoutMs);
      }
    }
    return page;
  } catch (error) {
    throw unavailable('cannot be read', error);
  } finally {
    subscription.stop();
  }
};
