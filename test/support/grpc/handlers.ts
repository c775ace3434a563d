import type pb from '@eventstore/db-client/generated/streams_pb.js';
import type { Metadata } from '@grpc/grpc-js';
import {
  type AppendFault,
  notLeaderOf,
  type ReadFault,
  refusalOf,
  type SubscriptionFault,
} from './faults.ts';
import type { Kept, KeptLog } from './log.ts';
import type { ReadCall, Subscriptions } from './subscriptions.ts';
import { eventBytes, nameOf, notFoundMessage } from './wire.ts';

/** What the double holds and what it has been told to do. */
export interface DoubleState {
  log: KeptLog;
  subscriptions: Subscriptions;
  /** Used up from the front, each by the next call of its kind. */
  faults: { appends: AppendFault[]; reads: ReadFault[]; subscriptions: SubscriptionFault[] };
  /** How long every call waits before anything is done. */
  delayMs: number;
  /** `user:password` that every call must carry; undefined lets everybody in. */
  credentials: string | undefined;
  /** Set where another server leads: calls that need the leader are sent there. */
  leaderPort: number | undefined;
  /** How to end each open stream of appends without an error. */
  appendStreams: Set<() => void>;
  counts: {
    appends: number;
    /** Appends that were done, or were to be refused, after their delay. */
    appendsOver: number;
    /** Streams of appends that were opened. */
    appendStreams: number;
    reads: number;
    readsCancelled: number;
  };
}

type ReadOptions = InstanceType<typeof pb.ReadReq.Options>;

export const soon = (delayMs: number, work: () => void): void => {
  // The test's process need not stay for an answer that nobody waits for any more.
  if (delayMs > 0) setTimeout(work, delayMs).unref();
  else work();
};

/** Why a call is turned away before anybody looks at what it asks. */
export const turnedAway = ({ credentials, leaderPort }: DoubleState, metadata: Metadata) => {
  if (credentials !== undefined) {
    const wanted = `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (metadata.get('authorization')[0] !== wanted) return refusalOf('unauthenticated');
  }
  const needsLeader = metadata.get('requires-leader')[0] === 'true';
  return leaderPort !== undefined && needsLeader ? notLeaderOf(leaderPort) : undefined;
};

const DEFAULT_CHECKPOINT_EVERY = 32;

const subscriptionOf = (options: ReadOptions) => {
  const filter = options.getFilter();
  const position = options.getAll()?.getPosition();
  const every = (filter?.getMax() || DEFAULT_CHECKPOINT_EVERY) as number;
  return {
    after: position && BigInt(position.getCommitPosition()),
    names: new RegExp(filter?.getStreamIdentifier()?.getRegex() ?? ''),
    types: new RegExp(filter?.getEventType()?.getRegex() ?? ''),
    checkpointEvery: every * (filter?.getCheckpointintervalmultiplier() || 1),
  };
};

/** Read from a position the log gives the event at it forwards, and the one before it backwards. */
const readAll = (log: KeptLog, options: ReadOptions): Kept[] => {
  const all = options.getAll();
  const isForwards = options.getReadDirection() === 0;
  const count = Number(options.getCount());
  const given = all?.getPosition()?.getCommitPosition();
  const position = given === undefined ? undefined : BigInt(given);
  if (isForwards) {
    const after = log.all().filter((event) => position === undefined || event.position >= position);
    return all?.hasEnd() ? [] : after.slice(0, count);
  }
  const before = log.all().filter((event) => position === undefined || event.position < position);
  return before.slice(-count).reverse();
};

const readStream = (events: readonly Kept[], options: ReadOptions): Kept[] => {
  const from = options.getStream();
  const count = Number(options.getCount());
  const revision = from?.hasRevision() ? Number(from.getRevision()) : undefined;
  if (options.getReadDirection() === 0) {
    return events.slice(revision ?? 0, (revision ?? 0) + count);
  }
  const upTo = events.slice(0, revision === undefined ? undefined : revision + 1);
  return upTo.slice(-count).reverse();
};

const answerRead = (
  state: DoubleState,
  call: ReadCall,
  options: ReadOptions,
  only: number | undefined,
): void => {
  if (options.hasAll()) {
    const events = readAll(state.log, options).slice(0, only);
    for (const event of events) call.write(eventBytes(event));
    if (only !== undefined) return;
  } else {
    const stream = nameOf(options.getStream()?.getStreamIdentifier());
    const events = state.log.stream(stream);
    if (events.length === 0) call.write(notFoundMessage(stream));
    for (const event of readStream(events, options)) call.write(eventBytes(event));
  }
  call.end();
};

const answerSubscription = (state: DoubleState, call: ReadCall, options: ReadOptions): void => {
  const fault = state.faults.subscriptions.shift();
  if (fault === 'unconfirmed' || fault === 'none') return;
  if (fault === undefined || fault === 'silent') {
    state.subscriptions.open(call, subscriptionOf(options), fault === undefined);
    return;
  }
  call.emit('error', refusalOf(fault));
};

export const handleRead =
  (state: DoubleState) =>
  (call: ReadCall): void => {
    const options: ReadOptions = call.request.getOptions();
    const refusal = turnedAway(state, call.metadata);
    if (refusal) {
      call.emit('error', refusal);
      return;
    }
    if (options.hasSubscription()) {
      answerSubscription(state, call, options);
      return;
    }
    state.counts.reads += 1;
    const { answer, only, delayMs = state.delayMs } = state.faults.reads.shift() ?? {};
    call.on('cancelled', () => {
      state.counts.readsCancelled += 1;
    });
    if (answer === 'none') return;
    soon(delayMs, () => {
      if (answer) call.emit('error', refusalOf(answer));
      else answerRead(state, call, options, only);
    });
  };
