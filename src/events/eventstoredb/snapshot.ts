import type { JSONEventData } from '@eventstore/db-client';
import { v5 as nameBasedUuid } from 'uuid';
import { AppendTooLarge, NO_STREAM, type Snapshot } from '../store.ts';
import type { Connection } from './connection.ts';
import { bytesOf, snapshotStreamOf } from './events.ts';
import { classify, unavailable } from './failure.ts';
import { readRaw } from './read.ts';

/** Any UUID: ids made of it and of a content are the same for the same content. */
const NAMESPACE = 'b0f1a3de-5f0a-4c1c-9a53-6ed5e1c4a2f7';
const ROUNDS_MAX = 3;

interface Kept {
  snapshot: Snapshot;
  /** Of the event that holds it, in the stream of the snapshots. */
  at: number;
}

const isSnapshot = (data: unknown): data is Snapshot =>
  typeof data === 'object' && data !== null && 'revision' in data && 'version' in data;

/** What an event comes to that holds something else. */
const UNKNOWN: Snapshot = { revision: NO_STREAM, version: 0, state: undefined };

const readKept = async (connection: Connection, stream: string): Promise<Kept | undefined> => {
  const [last] = await readRaw(connection, stream, { direction: 'backwards', limit: 1 });
  if (!last?.event) return undefined;
  const { data, revision: at } = last.event;
  const { revision, version, state } = isSnapshot(data) ? data : UNKNOWN;
  return { snapshot: { revision, version, state }, at: Number(at) };
};

export const loadSnapshot = async (
  connection: Connection,
  stream: string,
): Promise<Snapshot | undefined> =>
  (await readKept(connection, snapshotStreamOf(stream)))?.snapshot;

/** Written before the first snapshot, so that a stream of snapshots always has its bound. */
const keepOneOnly = async (connection: Connection, stream: string): Promise<void> => {
  const options = {
    expectedRevision: 'no_stream' as const,
    requiresLeader: true,
    deadline: connection.timeoutMs,
  };
  await connection
    .run((client) => client.setStreamMetadata(stream, { maxCount: 1 }, options))
    .catch((error: unknown) => {
      if (classify(error) !== 'wrong-revision') throw error;
    });
};

const append = async (
  connection: Connection,
  stream: string,
  { snapshot, expected }: { snapshot: Snapshot; expected: number },
): Promise<boolean> => {
  const { revision, version, state } = snapshot;
  const data = { revision, version, state };
  const event: JSONEventData = {
    id: nameBasedUuid(`${stream} ${expected} ${JSON.stringify(data)}`, NAMESPACE),
    type: 'Snapshot',
    contentType: 'application/json',
    data,
    metadata: {},
  };
  return connection
    .run((client) =>
      client.appendToStream(stream, event, {
        expectedRevision: expected === NO_STREAM ? 'no_stream' : BigInt(expected),
        requiresLeader: true,
        deadline: connection.timeoutMs,
      }),
    )
    .then(
      () => true,
      (error: unknown) => {
        if (classify(error) !== 'wrong-revision') throw error;
        return false;
      },
    );
};

/**
 * Beside it a snapshot of the same or a newer revision may be written: the newest stays, unless this
 * one is to replace whatever is kept.
 */
export const saveSnapshot = async (
  connection: Connection,
  of: string,
  snapshot: Snapshot,
  { bytesMax, replace = false }: { bytesMax: number; replace?: boolean | undefined },
): Promise<void> => {
  const stream = snapshotStreamOf(of);
  const bytes = bytesOf([
    {
      id: '',
      type: 'Snapshot',
      contentType: 'application/json',
      data: { ...snapshot },
      metadata: {},
    },
  ]);
  if (bytes > bytesMax) throw new AppendTooLarge(stream, bytes);
  try {
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const kept = await readKept(connection, stream);
      if (!replace && (kept?.snapshot.revision ?? NO_STREAM) > snapshot.revision) return;
      if (!kept) await keepOneOnly(connection, stream);
      if (await append(connection, stream, { snapshot, expected: kept?.at ?? NO_STREAM })) return;
    }
  } catch (error) {
    throw unavailable('cannot keep a snapshot', error);
  }
};
