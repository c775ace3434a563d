import type { AllStreamResolvedEvent, EventStoreDBClient } from '@eventstore/db-client';
import {
  type Interest,
  isOfInterest,
  type Position,
  type Recorded,
  StoreUnavailable,
} from '../store.ts';
import {
  formatPosition,
  isOurs,
  OUR_STREAMS,
  parsePosition,
  positionOf,
  toRecorded,
} from './events.ts';

export interface Batch {
  events: Recorded[];
  to: Position;
}

/** One catch-up subscription to all streams of ours, pulled at its reader's pace. */
export interface Subscription {
  /** Whether the server has said anything yet. */
  isAlive(): boolean;
  /** What has come and was not taken yet; undefined when nothing has. Throws when it has ended. */
  take(): Batch | undefined;
  /** Resolves when there may be something to take, when it has ended, or as quiet after a time. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<'woken' | 'quiet'>;
  /** Ends it, here and on the server. Never throws. */
  stop(): void;
}

/** Events that may wait here. Beyond that the server waits, and in the end drops the reader. */
const BUFFERED_MAX = 512;
const BATCH_MAX = 500;
/** After so many events that are not ours the server says how far it has come. */
const CHECKPOINT_EVERY = 256;

const placeOf = ({ event }: AllStreamResolvedEvent) => ({
  type: event?.type ?? '',
  revision: Number(event?.revision ?? 0),
});

/**
 * Events of no interest are left out here and not by the server: it would then say
 * less often how far it has come, and silence would no longer mean that something is wrong.
 */
export const subscribe = (
  client: EventStoreDBClient,
  position: Position,
  interest: Interest | undefined,
): Subscription => {
  let alive = false;
  let failure: Error | undefined;
  let checkpoint: Position | undefined;
  let to = position;
  let wake = (): void => undefined;

  const subscription = client.subscribeToAll(
    {
      fromPosition: parsePosition(position),
      requiresLeader: true,
      filter: {
        filterOn: 'streamName',
        regex: OUR_STREAMS,
        maxSearchWindow: CHECKPOINT_EVERY,
        checkpointInterval: 1,
        checkpointReached: (_, reached) => {
          alive = true;
          checkpoint = formatPosition(reached);
          wake();
        },
      },
    },
    { highWaterMark: BUFFERED_MAX },
  );
  const end = (error: Error): void => {
    failure ??= error;
    wake();
  };
  // Without this listener an error of the subscription would end the process.
  subscription.on('error', end);
  subscription.on('end', () => end(new StoreUnavailable('the server ended the subscription')));
  subscription.on('close', () => end(new StoreUnavailable('the subscription was closed')));
  subscription.on('confirmation', () => {
    alive = true;
  });
  subscription.on('readable', () => wake());

  const isWanted = (resolved: AllStreamResolvedEvent): boolean =>
    isOurs(resolved) && isOfInterest(interest, placeOf(resolved));

  const takeEvents = (): { events: Recorded[]; isEmpty: boolean } => {
    const events: Recorded[] = [];
    for (let taken = 0; taken < BATCH_MAX; taken += 1) {
      const resolved: AllStreamResolvedEvent | null = subscription.read();
      if (resolved === null) return { events, isEmpty: true };
      to = positionOf(resolved);
      if (isWanted(resolved)) events.push(toRecorded(resolved));
    }
    return { events, isEmpty: false };
  };

  return {
    isAlive: () => alive,
    take: () => {
      const before = to;
      const { events, isEmpty } = takeEvents();
      // A checkpoint speaks of what came before it, all of which has been taken by now.
      if (isEmpty && checkpoint !== undefined && checkpoint > to) to = checkpoint;
      if (to !== before) {
        alive = true;
        return { events, to };
      }
      if (failure) throw failure;
      return undefined;
    },
    wait: (timeoutMs, signal) =>
      new Promise((resolve) => {
        const isReached = checkpoint !== undefined && checkpoint > to;
        const isThere = isReached || subscription.readableLength > 0;
        if (isThere || failure || signal.aborted) return resolve('woken');
        const settle = (how: 'woken' | 'quiet'): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          wake = () => undefined;
          resolve(how);
        };
        const onAbort = (): void => settle('woken');
        const timer = setTimeout(() => settle('quiet'), timeoutMs);
        signal.addEventListener('abort', onAbort);
        wake = onAbort;
      }),
    stop: () => {
      // Not waited for: it never resolves once the stream is destroyed.
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    },
  };
};
