import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import { untilWoken } from '../../shared/timing.ts';
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
  OUR_STREAMS,
  parsePosition,
  positionOf,
  type Resolved,
  toRecorded,
} from './events.ts';

export interface Batch {
  events: Recorded[];
  to: Position;
}

/** A catch-up subscription to events of ours, which its reader pulls. */
export interface Subscription {
  /** Whether the server has sent anything yet. */
  isAlive(): boolean;
  /** The next batch; undefined while there is none. Throws after the subscription has ended. */
  take(): Batch | undefined;
  /** Resolves as woken when `take` may have a result, or at the signal; as quiet after the timeout. */
  wait(signal: AbortSignal, timeoutMs?: number): Promise<'woken' | 'quiet'>;
  /** Ends the subscription here and on the server. Never throws. */
  stop(): void;
}

/** Events that may wait here. Beyond that the server waits, and finally drops the subscription. */
const BUFFERED_MAX = 512;
/** Most events of one batch. */
export const BATCH_MAX = 500;
/** After this many events of others, the server sends its position as a checkpoint. */
const CHECKPOINT_EVERY = 256;

/** Whether it is an event of ours, of interest by its stored type. */
export const isWanted = (resolved: Resolved, interest: Interest | undefined): boolean => {
  const { type = '', revision = 0 } = resolved.event ?? {};
  return isOurs(resolved) && isOfInterest(interest, { type, revision: Number(revision) });
};

/** What the server has sent about a subscription. */
interface State {
  alive: boolean;
  failure: Error | undefined;
  checkpoint: Position | undefined;
  wake: () => void;
}

/** Types are words, so none needs an escape in the regex. */
const filterOf = (interest: Interest | undefined) =>
  interest
    ? { filterOn: 'eventType' as const, regex: `^(?:${[...interest.keys()].join('|')})$` }
    : { filterOn: 'streamName' as const, regex: OUR_STREAMS };

const open = (
  { client, heard }: HeldClient,
  { position, interest }: { position: Position; interest: Interest | undefined },
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
        ...filterOf(interest),
        maxSearchWindow: CHECKPOINT_EVERY,
        checkpointInterval: 1,
        checkpointReached: (_, reached) => {
          hear();
          state.checkpoint = formatPosition(reached);
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
  subscription.on('readable', () => {
    heard();
    state.wake();
  });
  return subscription;
};

/**
 * The server filters by type: each event that it sends costs its reader about 30 µs of CPU. So with an
 * interest, nothing comes for up to CHECKPOINT_EVERY events of other types.
 */
export const subscribe = (
  connection: Pick<Connection, 'hold'>,
  position: Position,
  interest: Interest | undefined,
): Subscription => {
  const held = connection.hold();
  const idle = (): void => undefined;
  const state: State = { alive: false, failure: undefined, checkpoint: undefined, wake: idle };
  const subscription = open(held, { position, interest }, state);
  let to = position;

  const takeEvents = (): { events: Recorded[]; isEmpty: boolean } => {
    const events: Recorded[] = [];
    for (let taken = 0; taken < BATCH_MAX; taken += 1) {
      const resolved: AllStreamResolvedEvent | null = subscription.read();
      if (resolved === null) return { events, isEmpty: true };
      to = positionOf(resolved);
      if (isWanted(resolved, interest)) events.push(toRecorded(resolved));
    }
    return { events, isEmpty: false };
  };
  const isBehind = (checkpoint: Position | undefined): checkpoint is Position =>
    checkpoint !== undefined && checkpoint > to;

  return {
    isAlive: () => state.alive,
    take: () => {
      const before = to;
      const { events, isEmpty } = takeEvents();
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
