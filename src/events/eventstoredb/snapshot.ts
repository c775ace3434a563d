import { v5 as nameBasedUuid } from 'uuid';
import { APPEND_BYTES_MAX, AppendTooLarge, NO_STREAM, type Snapshot } from '../store.ts';
import type { Connection } from './connection.ts';
import { bytesOf, dataOf, type Encoded, snapshotStreamOf, toJson } from './events.ts';
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
  if (!last) return undefined;
  const data = dataOf(last);
  const { revision, version, state } = isSnapshot(data) ? data : UNKNOWN;
  return { snapshot: { revision, version, state }, at: last.revision };
};

export const loadSnapshot = async (
  connection: Connection,
  stream: string,
): Promise<Snapshot | undefined> =>
  (await readKept(connection, snapshotStreamOf(stream)))?.snapshot;

const eventOf = (type: string, data: Buffer): Omit<Encoded, 'id'> => ({
  type,
  data,
  metadata: toJson({}),
});

/** Whether the stream ended at the expected revision. */
const append = async (
  connection: Connection,
  { stream, expected, event }: { stream: string; expected: number; event: Omit<Encoded, 'id'> },
): Promise<boolean> => {
  const id = nameBasedUuid(`${stream} ${expected} ${event.data}`, NAMESPACE);
  const appending = { stream, expected, events: [{ ...event, id }] };
  return connection
    .run((_, sendAppend) => sendAppend(appending, connection.timeoutMs))
    .then(
      () => true,
      (error: unknown) => {
        if (classify(error) !== 'wrong-revision') throw error;
        return false;
      },
    );
};

/** The metadata of a stream bounds it to one event. */
const ONE_ONLY = eventOf('$metadata', toJson({ $maxCount: 1 }));

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
  const event = eventOf('Snapshot', toJson({ revision, version, state }));
  const bytes = bytesOf([{ ...event, id: '' }]);
  if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
  try {
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const kept = await readKept(connection, stream);
      if (!replace && (kept?.snapshot.revision ?? NO_STREAM) > snapshot.revision) return;
      if (!kept) {
        await append(connection, { stream: `$$${stream}`, expected: NO_STREAM, event: ONE_ONLY });
      }
      if (await append(connection, { stream, expected: kept?.at ?? NO_STREAM, event })) return;
    }
  } catch (error) {
    throw unavailable('cannot keep a snapshot', error);
  }
};
