import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import protobuf from 'protobufjs/light.js';
import { type Position, START } from '../store.ts';
import { formatPosition, type Place, parsePosition, type Received } from './events.ts';
import { commandError, ENDLESS, insideOf } from './inside.ts';

/** What the server sends about a read: at most one of these, or what no reader needs. */
export interface Reply {
  event: Received | undefined;
  /** How far a subscription has come. */
  checkpoint: Place | undefined;
  isConfirmed: boolean;
  isCaughtUp: boolean;
}

const field = (type: string, id: number) => ({ type, id });

/** What is read of the server's messages (its `streams.proto`), by the numbers of their fields. */
const schema = protobuf.Root.fromJSON({
  nested: {
    Empty: { fields: {} },
    Id: { fields: { string: field('string', 2) } },
    Stream: { fields: { name: field('bytes', 3) } },
    Recorded: {
      fields: {
        id: field('Id', 1),
        stream: field('Stream', 2),
        revision: field('uint64', 3),
        prepare: field('uint64', 4),
        commit: field('uint64', 5),
        properties: { keyType: 'string', ...field('string', 6) } as protobuf.IMapField,
        metadata: field('bytes', 7),
        data: field('bytes', 8),
      },
    },
    Resolved: { fields: { event: field('Recorded', 1) } },
    Checkpoint: { fields: { commit: field('uint64', 1), prepare: field('uint64', 2) } },
    ReadResp: {
      fields: {
        event: field('Resolved', 1),
        confirmation: field('Empty', 2),
        checkpoint: field('Checkpoint', 3),
        caughtUp: field('Empty', 8),
      },
    },
  },
}).lookupType('ReadResp');

/** Of 64 bits. */
interface Long {
  toNumber(): number;
}

type WirePlace = Record<keyof Place, Long>;

interface WireEvent extends WirePlace {
  id: { string: string } | null;
  stream: { name: Buffer } | null;
  revision: Long;
  properties: Record<string, string>;
  metadata: Buffer;
  data: Buffer;
}

interface WireReply {
  event: { event: WireEvent | null } | null;
  checkpoint: WirePlace | null;
  confirmation: object | null;
  caughtUp: object | null;
}

const placeOf = ({ commit, prepare }: WirePlace): Place => ({
  commit: commit.toNumber(),
  prepare: prepare.toNumber(),
});

const receivedOf = (event: WireEvent): Received => {
  const { id, stream, revision, properties, data, metadata } = event;
  return {
    id: id?.string ?? '',
    type: properties.type ?? '',
    stream: stream?.name.toString() ?? '',
    revision: revision.toNumber(),
    position: formatPosition(placeOf(event)),
    isJson: properties['content-type'] === 'application/json',
    data,
    metadata,
  };
};

const decodeReply = (bytes: Buffer): Reply => {
  const reply = schema.decode(bytes) as unknown as WireReply;
  const { event, checkpoint, confirmation, caughtUp } = reply;
  return {
    event: event?.event ? receivedOf(event.event) : undefined,
    checkpoint: checkpoint ? placeOf(checkpoint) : undefined,
    isConfirmed: confirmation !== null,
    isCaughtUp: caughtUp !== null,
  };
};

/** A read, without its time limit. */
export type ReadRequest = InstanceType<typeof pb.ReadReq>;
type Options = InstanceType<typeof pb.ReadReq.Options>;

const FORWARDS = 0;
const BACKWARDS = 1;
export type Direction = 'forwards' | 'backwards';

const requestOf = (fill: (options: Options) => Options): ReadRequest => {
  const ids = new pb.ReadReq.Options.UUIDOption().setString(new shared.Empty());
  return new pb.ReadReq().setOptions(fill(new pb.ReadReq.Options().setUuidOption(ids)));
};

const counted = (options: Options, direction: Direction, count: number): Options =>
  options
    .setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS)
    .setCount(String(count))
    .setNoFilter(new shared.Empty());

const allFrom = (position: Position | 'end') => {
  const all = new pb.ReadReq.Options.AllOptions();
  if (position === 'end') return all.setEnd(new shared.Empty());
  if (position === START) return all.setStart(new shared.Empty());
  const { commit, prepare } = parsePosition(position);
  const place = new pb.ReadReq.Options.Position();
  return all.setPosition(place.setCommitPosition(commit).setPreparePosition(prepare));
};

/** Events of one stream, from its first or its last one where no revision is given. */
export const ofStream = (
  stream: string,
  { from, direction, count }: { from?: number | undefined; direction: Direction; count: number },
): ReadRequest =>
  requestOf((options) => {
    const identifier = new shared.StreamIdentifier();
    identifier.setStreamName(Buffer.from(stream));
    const of = new pb.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier);
    if (from !== undefined) of.setRevision(String(from));
    else if (direction === 'forwards') of.setStart(new shared.Empty());
    else of.setEnd(new shared.Empty());
    return counted(options.setStream(of), direction, count);
  });

/** Events of the whole log, those at `position` too where it reads forwards. */
export const ofAll = (
  position: Position | 'end',
  direction: Direction,
  count: number,
): ReadRequest =>
  requestOf((options) => counted(options.setAll(allFrom(position)), direction, count));

/** Which events a subscription is sent: the server filters by names of streams or by types. */
export interface Filter {
  on: 'streamName' | 'eventType';
  regex: string;
  /** After this many events that it leaves out, the server sends a checkpoint. */
  window: number;
}

/** A subscription to the events after a position. */
export const subscriptionTo = (position: Position, { on, regex, window }: Filter): ReadRequest =>
  requestOf((options) => {
    const expression = new pb.ReadReq.Options.FilterOptions.Expression().setRegex(regex);
    const filter = new pb.ReadReq.Options.FilterOptions().setMax(window);
    if (on === 'streamName') filter.setStreamIdentifier(expression);
    else filter.setEventType(expression);
    return options
      .setAll(allFrom(position))
      .setSubscription(new pb.ReadReq.Options.SubscriptionOptions())
      .setFilter(filter.setCheckpointintervalmultiplier(1));
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

const PATH = '/event_store.client.streams.Streams/Read';
const encode = (request: ReadRequest): Buffer => Buffer.from(request.serializeBinary());

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
    return grpc.makeServerStreamRequest(PATH, encode, decodeReply, request, metadata, options);
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
