import { untilWoken } from '../../shared/timing.ts';
import { BUCKETS_SEEN_WITHIN, isOfBuckets, isShare } from '../bucket.ts';
import {
  type Interest,
  isOfInterest,
  type Position,
  type Recorded,
  StoreUnavailable,
} from '../store.ts';
import type { Connection } from './connection.ts';
import { formatPosition, isOurs, namesFor, type Received } from './events.ts';
import { TimedOut, unavailable } from './failure.ts';
import { type Filter, openRead, type Reply, subscriptionTo } from './read-call.ts';

export interface Batch<T = Recorded> {
  events: T[];
  to: Position;
}

/** A catch-up subscription to events of ours, which its reader pulls. */
export interface Subscription<T = Recorded> {
  /** Whether the server has sent anything yet. */
  isAlive(): boolean;
  /** Whether the server has sent all that was in the log when it began. */
  isCaughtUp(): boolean;
  /**
   * The next batch, of `max` events at most; undefined while there is none. Throws after the subscription has
   * ended.
   */
  take(max?: number): Batch<T> | undefined;
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
export const isWanted = (event: Received, { interest, buckets }: Wanted): boolean =>
  isOurs(event) &&
  isOfInterest(interest, event) &&
  (!buckets || isOfBuckets(event.stream, buckets));

/** Types that most events of a log have. */
const FREQUENT = ['MessageSent', 'StatusUpdated'];

/**
 * The server filters by types or by names, not by both. Types are the narrower ones, but where they are most of
 * the log, a share of the accounts is less. Types are words, so none needs an escape in the regex.
 */
const filterOf = ({ interest, buckets, window = BUCKETS_SEEN_WITHIN }: Wanted): Filter => {
  const isByName = !interest || (isShare(buckets) && FREQUENT.some((type) => interest.has(type)));
  return isByName
    ? { on: 'streamName', regex: namesFor(buckets), window }
    : {
        on: 'eventType',
        regex: `^(?:${[...interest.keys()].join('|')})$`,
        window: CHECKPOINT_EVERY,
      };
};

/**
 * The server filters: each event that it sends costs its reader about 10 µs of CPU, and one that it leaves
 * out costs itself about 1 µs. So nothing comes for up to CHECKPOINT_EVERY events of other types, or
 * BUCKETS_SEEN_WITHIN of other buckets.
 */
export const subscribe = <T>(
  connection: Pick<Connection, 'hold'>,
  position: Position,
  wanted: Wanted,
  read: (event: Received) => T,
): Subscription<T> => {
  const request = subscriptionTo(position, filterOf(wanted));
  const held = connection.hold();
  const idle = (): void => undefined;
  let wake = idle;
  let isWaking = false;
  let buffered: Received[] = [];
  let to = position;
  /** How far the server has come, once what is buffered is taken. */
  let reached = position;
  let isAlive = false;
  let isCaughtUp = false;
  let failure: Error | undefined;

  /** After all that has come by now, so that a reader wakes once for many events. */
  const wakeSoon = (): void => {
    if (isWaking) return;
    isWaking = true;
    setImmediate(() => {
      isWaking = false;
      wake();
    });
  };
  const reply = ({ event, checkpoint, ...signs }: Reply): void => {
    held.heard();
    isAlive ||= signs.isConfirmed || checkpoint !== undefined || signs.isCaughtUp;
    isCaughtUp ||= signs.isCaughtUp;
    if (event) buffered.push(event);
    // In a backlog it is where a page begins, before an event that a subscription from there lacks.
    else if (checkpoint && checkpoint.commit === checkpoint.prepare) {
      reached = formatPosition(checkpoint);
    }
    if (buffered.length >= BUFFERED_MAX) call.pause();
    wakeSoon();
  };
  const end = (error: Error = new StoreUnavailable('the server ended the subscription')): void => {
    failure = error;
    wakeSoon();
  };
  const call = openRead(held.client, request, { reply, end });
  const hasNews = () => buffered.length > 0 || reached > to || failure !== undefined;

  return {
    isAlive: () => isAlive,
    isCaughtUp: () => isCaughtUp,
    take: (max = BATCH_MAX) => {
      const before = to;
      const taken = buffered.slice(0, max);
      buffered = buffered.slice(max);
      call.resume();
      to = taken.at(-1)?.position ?? to;
      // All events before the checkpoint have been taken.
      if (buffered.length === 0 && reached > to) to = reached;
      if (to !== before) {
        isAlive = true;
        const events = taken.filter((event) => isWanted(event, wanted));
        return { events: events.map(read), to };
      }
      if (failure) throw failure;
      return undefined;
    },
    wait: async (signal, timeoutMs) => {
      if (hasNews()) return 'woken';
      const listen = (woken: () => void) => {
        wake = woken;
        return () => {
          wake = idle;
        };
      };
      return untilWoken(signal, listen, timeoutMs);
    },
    stop: () => {
      call.cancel();
      held.release();
    },
  };
};

/** After so many events of other buckets, the server says how far a page has come. */
const PAGE_WINDOW = 1_000;

/**
 * Up to `limit` wanted events after a position, as `EventReader.readAll`. A filtered read of the server does not
 * say how far it looked: a subscription that ends with the page does.
 */
export const readWanted = async <T>(
  connection: Pick<Connection, 'hold' | 'timeoutMs'>,
  { position, limit, ...wanted }: Wanted & { position: Position; limit: number },
  read: (event: Received) => T,
): Promise<Batch<T>> => {
  const subscription = subscribe(connection, position, { window: PAGE_WINDOW, ...wanted }, read);
  const page: Batch<T> = { events: [], to: position };
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
