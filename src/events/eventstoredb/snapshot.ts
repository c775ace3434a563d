import type { JSONEventData } from '@eventstore/db-client';
import { v5 as nameBasedUuid } from 'uuid';
import { APPEND_BYTES_MAX, AppendTooLarge, NO_STREAM, type Snapshot } from '../store.ts';
import type { Connection } from './connection.ts';
import { bytesOf, snapshotStreamOf } from './events.ts';
import { classify, unavailable } from './failure.ts';
import { readRaw } from './read.ts';

/** An arbitrary UUID: the namespace of ids that depend only on their content. */
const NAMESPACE = 'b0f1a3de-5f0a-4c1c-9a53-6ed5e1c4a2f7';
const ROUNDS_MAX = 3;

interface Kept {
  snapshot: Snapshot;
  /** Revision of its event in the stream of snapshots. */
  at: number;
}

const isSnapshot = (data: unknown): data is Snapshot =>
  typeof data === 'object' && data !== null && 'revision' in data && 'version' in data;

/** Stands for an event that holds no snapshot. */
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

/** Bounds the stream of snapshots to one event, before its first snapshot. */
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

const eventOf = (id: string, data: Snapshot): JSONEventData => ({
  ...{ id, type: 'Snapshot', contentType: 'application/json', metadata: {} },
  data: { ...data },
});

const append = async (
  connection: Connection,
  stream: string,
  { snapshot, expected }: { snapshot: Snapshot; expected: number },
): Promise<boolean> => {
  const { revision, version, state } = snapshot;
  const data = { revision, version, state };
  const id = nameBasedUuid(`${stream} ${expected} ${JSON.stringify(data)}`, NAMESPACE);
  const event = eventOf(id, data);
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
 * Other processes may save snapshots at the same time: the one with the highest revision stays, or
 * with `replace` this one.
 */
export const saveSnapshot = async (
  connection: Connection,
  of: string,
  snapshot: Snapshot,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> => {
  const stream = snapshotStreamOf(of);
  const { revision, version, state } = snapshot;
  const bytes = bytesOf([eventOf('', { revision, version, state })]);
  if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
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
