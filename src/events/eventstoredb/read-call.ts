import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type Position, START } from '../store.ts';
import { formatPosition, type Place, parsePosition, type Received } from './events.ts';
import { commandError, ENDLESS, insideOf } from './inside.ts';
import { calls, EMPTY, placeOf, type ReadRequest, type WireEvent } from './messages.ts';

/** What the server sends about a read: at most one of these, or what no reader needs. */
export interface Reply {
  event: Received | undefined;
  /** How far a subscription has come. */
  checkpoint: Place | undefined;
  isConfirmed: boolean;
  isCaughtUp: boolean;
}

const receivedOf = (event: WireEvent): Received => {
  const { id, stream, revision, properties, data, metadata } = event;
  return {
    id: id?.text ?? '',
    type: properties.type ?? '',
    stream: stream?.name ?? '',
    revision: revision.toNumber(),
    position: formatPosition(placeOf(event)),
    isJson: properties['content-type'] === 'application/json',
    data,
    metadata,
  };
};

const decodeReply = (bytes: Buffer): Reply => {
  const { event, checkpoint, confirmation, caughtUp } = calls.read.decode(bytes);
  return {
    event: event?.event ? receivedOf(event.event) : undefined,
    checkpoint: checkpoint ? placeOf(checkpoint) : undefined,
    isConfirmed: confirmation !== null,
    isCaughtUp: caughtUp !== null,
  };
};

type Options = ReadRequest['options'];

export type Direction = 'forwards' | 'backwards';
const DIRECTIONS: Readonly<Record<Direction, number>> = { forwards: 0, backwards: 1 };

const requestOf = (options: Omit<Options, 'ids'>): ReadRequest => ({
  options: { ...options, ids: { asText: EMPTY } },
});

const counted = (direction: Direction, count: number) => ({
  direction: DIRECTIONS[direction],
  count,
  noFilter: EMPTY,
});

const allFrom = (position: Position | 'end'): NonNullable<Options['all']> => {
  if (position === 'end') return { end: EMPTY };
  return position === START ? { start: EMPTY } : { position: parsePosition(position) };
};

/** Events of one stream, from its first or its last one where no revision is given. */
export const ofStream = (
  name: string,
  { from, direction, count }: { from?: number | undefined; direction: Direction; count: number },
): ReadRequest => {
  const end = direction === 'forwards' ? { start: EMPTY } : { end: EMPTY };
  const where = from === undefined ? end : { revision: from };
  return requestOf({ stream: { stream: { name }, ...where }, ...counted(direction, count) });
};

/** Events of the whole log, those at `position` too where it reads forwards. */
export const ofAll = (
  position: Position | 'end',
  direction: Direction,
  count: number,
): ReadRequest => requestOf({ all: allFrom(position), ...counted(direction, count) });

/** Which events a subscription is sent: the server filters by names of streams or by types. */
export interface Filter {
  on: 'streamName' | 'eventType';
  regex: string;
  /** After this many events that it leaves out, the server sends a checkpoint. */
  window: number;
}

/** A subscription to the events after a position. */
export const subscriptionTo = (position: Position, { on, regex, window }: Filter): ReadRequest =>
  requestOf({
    all: allFrom(position),
    subscription: EMPTY,
    filter: { [on]: { regex }, window, windowsOfCheckpoint: 1 },
  });

/** What a read brings. */
export interface Reader {
  reply(reply: Reply): void;
  /** Once, unless it is cancelled. A call that fails ends with an error of the client's. */
  end(error?: Error): void;
}

export interface ReadCall {
  /** Nothing more is brought until `resume`, and soon the server sends no more. */
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** Makes a read; `reader` is called from then on, never before this returns. */
export const openRead = (
  client: EventStoreDBClient,
  request: ReadRequest,
  reader: Reader,
  { requiresLeader = true }: { requiresLeader?: boolean } = {},
): ReadCall => {
  const inside = insideOf(client);
  let call: ReturnType<typeof make> | undefined;
  let isOver = false;
  const end = (error?: Error): void => {
    if (call) inside.disposableStreams.delete(call);
    if (isOver) return;
    isOver = true;
    reader.end(error);
  };
  const make = (grpc: StreamsClient) => {
    const [metadata, options] = inside.callArguments({ requiresLeader }, ENDLESS);
    const { path, encode } = calls.read;
    return grpc.makeServerStreamRequest(path, encode, decodeReply, request, metadata, options);
  };

  const open = async (): Promise<void> => {
    const grpc = await inside.getGRPCClient(StreamsClient, 'read');
    if (isOver) return;
    call = make(grpc);
    inside.disposableStreams.add(call);
    call.on('data', (reply: Reply) => {
      if (!isOver) reader.reply(reply);
    });
    call.on('end', () => end());
    call.on('error', (error) => {
      if (!isOver) inside.handleError(grpc, error).catch(() => undefined);
      end(commandError(error));
    });
  };
  open().catch(end);

  return {
    pause: () => call?.pause(),
    resume: () => call?.resume(),
    cancel: () => {
      isOver = true;
      call?.cancel();
      end();
    },
  };
};
