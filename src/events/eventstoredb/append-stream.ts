import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { NO_STREAM, type Position } from '../store.ts';
import { type Encoded, formatPosition } from './events.ts';
import { Refused, TimedOut } from './failure.ts';
import { commandError, ENDLESS, type Inside, insideOf } from './inside.ts';
import { type AppendAnswer, type AppendRequest, calls, EMPTY, placeOf } from './messages.ts';

/** One append; each sending of it is the same. */
export interface Appending {
  stream: string;
  expected: number;
  events: readonly Encoded[];
}

/** For a repeated append the server may answer without a position. */
export interface Answer {
  revision: number;
  position: Position | undefined;
}

/** Sends an append over the shared stream. `given` fires when it must not be sent any more. */
export type SendAppend = (
  appending: Appending,
  timeoutMs: number,
  given?: AbortSignal,
) => Promise<Answer>;

const makeCall = (inside: Inside, grpc: StreamsClient) => {
  const [metadata, options] = inside.callArguments({ requiresLeader: true }, ENDLESS);
  const { path, encode, decode } = calls.append;
  return grpc.makeBidiStreamRequest(path, encode, decode, metadata, options);
};

interface InFlight {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

interface AppendStream {
  call: ReturnType<typeof makeCall>;
  /** By the id that each answer repeats. */
  inFlight: Map<string, InFlight>;
  /** When the last answer came. */
  heardAt: number;
  end(error: Error): void;
}

/** Ids for answers, in the form of UUIDs. */
const createIds = () => {
  let count = 0;
  return (): string => {
    count += 1;
    return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
  };
};

/** Without a deadline, which would compare the server's clock with ours. */
const requestOf = (text: string, { stream, expected, events }: Appending): AppendRequest => ({
  id: { text },
  options: {
    stream: { name: stream },
    ...(expected === NO_STREAM ? { noStream: EMPTY } : { revision: expected }),
  },
  events: events.map(({ id, type, metadata, data }) => ({
    id: { text: id },
    properties: { type, 'content-type': 'application/json' },
    metadata,
    data,
  })),
  isFinal: true,
});

const settle = ({ success, error }: AppendAnswer, { resolve, reject }: InFlight): void => {
  if (!success) {
    reject(new Refused(error?.details?.type.split('/').at(-1), error?.message));
    return;
  }
  const { revision, position } = success;
  resolve({
    revision: revision.toNumber(),
    position: position ? formatPosition(placeOf(position)) : undefined,
  });
};

const open = (inside: Inside, grpc: StreamsClient, onEnd: () => void): AppendStream => {
  const call = makeCall(inside, grpc);
  const inFlight: AppendStream['inFlight'] = new Map();
  const end = (error: Error): void => {
    onEnd();
    inside.disposableStreams.delete(call);
    inside.handleError(grpc, error).catch(() => undefined);
    call.cancel();
    const reason = commandError(error);
    for (const { reject } of inFlight.values()) reject(reason);
    inFlight.clear();
  };
  const stream = { call, inFlight, end, heardAt: Number.NEGATIVE_INFINITY };
  call.on('data', (answer: AppendAnswer) => {
    stream.heardAt = performance.now();
    const id = answer.id?.text ?? '';
    const one = inFlight.get(id);
    // No call waits for a late answer.
    if (!one) return;
    inFlight.delete(id);
    settle(answer, one);
  });
  call.on('error', end);
  call.on('end', () => end(new Error('the server ended the stream of appends')));
  inside.disposableStreams.add(call);
  return stream;
};

/**
 * Sends appends over one stream of the client's connection, which costs half the CPU of a call for
 * each append. When the stream ends, all appends in flight reject, with unknown outcome.
 *
 * The library's own shared stream is not used: it keeps the appends of all its connections together,
 * rejects all of them when one stream ends, and a late answer ends the process.
 */
export const createAppendStream = (client: EventStoreDBClient): SendAppend => {
  const inside = insideOf(client);
  const nextId = createIds();
  let current: { grpc: StreamsClient; stream: AppendStream } | undefined;

  const streamOf = (grpc: StreamsClient): AppendStream => {
    if (current?.grpc === grpc) return current.stream;
    // The client has connected again. Appends in flight are still answered.
    current?.stream.call.end();
    const stream = open(inside, grpc, () => {
      if (current?.stream === stream) current = undefined;
    });
    current = { grpc, stream };
    return stream;
  };

  return async (appending, timeoutMs, given) => {
    const askedAt = performance.now();
    const grpc = await inside.getGRPCClient(StreamsClient, 'appendToStream');
    const sentAt = performance.now();
    given?.throwIfAborted();
    if (sentAt - askedAt > timeoutMs) throw new TimedOut(timeoutMs);
    const stream = streamOf(grpc);
    const { call, inFlight } = stream;
    const id = nextId();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => {
      inFlight.delete(id);
      reject(new TimedOut(timeoutMs));
      // Other calls of the connection may still be answered.
      if (stream.heardAt < sentAt) stream.end(new Error('the stream of appends is silent'));
    }, timeoutMs);
    inFlight.set(id, { resolve, reject });
    call.write(requestOf(id, appending));
    return promise.finally(() => clearTimeout(timer));
  };
};
