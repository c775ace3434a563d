import protobuf from 'protobufjs/light.js';
import type { Place } from './events.ts';

// The server's messages (its `streams.proto`), as far as they are written or read here: each field with its number.

type Field = readonly [id: number, type: string, rule?: 'repeated' | 'map'];

const message = (fields: Readonly<Record<string, Field>>) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [id, type, rule]]) => {
      const kind = rule === 'map' ? { keyType: 'string' } : rule && { rule };
      return [name, { id, type, ...kind } as protobuf.IField];
    }),
  ),
});

const schema = protobuf.Root.fromJSON({
  nested: {
    Empty: message({}),
    Id: message({ text: [2, 'string'] }),
    Stream: message({ name: [3, 'string'] }),
    Place: message({ commit: [1, 'uint64'], prepare: [2, 'uint64'] }),

    ReadReq: message({ options: [1, 'ReadOptions'] }),
    ReadOptions: message({
      stream: [1, 'OfStream'],
      all: [2, 'OfAll'],
      direction: [3, 'uint32'],
      count: [5, 'uint64'],
      subscription: [6, 'Empty'],
      filter: [7, 'Filter'],
      noFilter: [8, 'Empty'],
      ids: [9, 'Ids'],
    }),
    Ids: message({ asText: [2, 'Empty'] }),
    OfStream: message({
      stream: [1, 'Stream'],
      revision: [2, 'uint64'],
      start: [3, 'Empty'],
      end: [4, 'Empty'],
    }),
    OfAll: message({ position: [1, 'Place'], start: [2, 'Empty'], end: [3, 'Empty'] }),
    Filter: message({
      streamName: [1, 'Expression'],
      eventType: [2, 'Expression'],
      window: [3, 'uint32'],
      windowsOfCheckpoint: [5, 'uint32'],
    }),
    Expression: message({ regex: [1, 'string'] }),

    ReadResp: message({
      event: [1, 'Resolved'],
      confirmation: [2, 'Empty'],
      checkpoint: [3, 'Place'],
      caughtUp: [8, 'Empty'],
    }),
    Resolved: message({ event: [1, 'Recorded'] }),
    Recorded: message({
      id: [1, 'Id'],
      stream: [2, 'Stream'],
      revision: [3, 'uint64'],
      prepare: [4, 'uint64'],
      commit: [5, 'uint64'],
      properties: [6, 'string', 'map'],
      metadata: [7, 'bytes'],
      data: [8, 'bytes'],
    }),

    BatchAppendReq: message({
      id: [1, 'Id'],
      options: [2, 'AppendOptions'],
      events: [3, 'Proposed', 'repeated'],
      isFinal: [4, 'bool'],
    }),
    AppendOptions: message({
      stream: [1, 'Stream'],
      revision: [2, 'uint64'],
      noStream: [3, 'Empty'],
    }),
    Proposed: message({
      id: [1, 'Id'],
      properties: [2, 'string', 'map'],
      metadata: [3, 'bytes'],
      data: [4, 'bytes'],
    }),

    BatchAppendResp: message({ id: [1, 'Id'], error: [2, 'Status'], success: [3, 'Success'] }),
    Status: message({ message: [2, 'string'], details: [3, 'Any'] }),
    Any: message({ type: [1, 'string'] }),
    Success: message({ revision: [1, 'uint64'], position: [3, 'Place'] }),
  },
});

type Empty = Readonly<Record<string, never>>;
/** Nothing, where that there is such a field says it all. */
export const EMPTY: Empty = {};

/** Of 64 bits. */
interface Long {
  toNumber(): number;
}

type WirePlace = Record<keyof Place, Long>;

interface Expression {
  regex: string;
}

/** A read, a subscription where it says so. Its positions and revisions are below 2 to the power of 53. */
export interface ReadRequest {
  options: {
    stream?: { stream: { name: string }; revision?: number; start?: Empty; end?: Empty };
    all?: { position?: Place; start?: Empty; end?: Empty };
    direction?: number;
    count?: number;
    subscription?: Empty;
    filter?: {
      streamName?: Expression;
      eventType?: Expression;
      window: number;
      windowsOfCheckpoint: number;
    };
    noFilter?: Empty;
    ids: { asText: Empty };
  };
}

/** An event as the server sends it; null for a field that it left out. */
export interface WireEvent extends WirePlace {
  id: { text: string } | null;
  stream: { name: string } | null;
  revision: Long;
  properties: Record<string, string>;
  metadata: Buffer;
  data: Buffer;
}

/** What the server sends about a read; null for a field that it left out. */
interface ReadAnswer {
  event: { event: WireEvent | null } | null;
  checkpoint: WirePlace | null;
  confirmation: Empty | null;
  caughtUp: Empty | null;
}

export interface AppendRequest {
  id: { text: string };
  options: { stream: { name: string }; revision?: number; noStream?: Empty };
  events: {
    id: { text: string };
    properties: Record<string, string>;
    metadata: Buffer;
    data: Buffer;
  }[];
  isFinal: true;
}

/** The outcome of an append; null for a field that the server left out. */
export interface AppendAnswer {
  id: { text: string } | null;
  error: { message: string; details: { type: string } | null } | null;
  success: { revision: Long; position: WirePlace | null } | null;
}

export const placeOf = ({ commit, prepare }: WirePlace): Place => ({
  commit: commit.toNumber(),
  prepare: prepare.toNumber(),
});

const encoding = <T extends object>(name: string) => {
  const type = schema.lookupType(name);
  return (value: T): Buffer => type.encode(value).finish() as Buffer;
};

const decoding = <T>(name: string) => {
  const type = schema.lookupType(name);
  return (bytes: Buffer): T => type.decode(bytes) as T;
};

/** How gRPC makes the two calls: their paths, and the forms of what is sent and answered. */
export const calls = {
  read: {
    path: '/event_store.client.streams.Streams/Read',
    encode: encoding<ReadRequest>('ReadReq'),
    decode: decoding<ReadAnswer>('ReadResp'),
  },
  append: {
    path: '/event_store.client.streams.Streams/BatchAppend',
    encode: encoding<AppendRequest>('BatchAppendReq'),
    decode: decoding<AppendAnswer>('BatchAppendResp'),
  },
};
