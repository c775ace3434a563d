import type { Collection, MongoBulkWriteError } from 'mongodb';
import type { Position } from '../../events/store.ts';
import { type Commit, StaleCheckpoint, Unwritable } from '../views.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { DUPLICATE_KEY, TOO_LARGE, unavailable } from './failure.ts';
import { type Packed, pack, type Row } from './form.ts';
import { DURABLE, isAt, type Registry } from './registry.ts';

/** More than one round is only gone when somebody else writes the same documents. */
const ROUNDS_MAX = 4;

/** Those that found their id taken. Throws when anything else went wrong with any of them. */
const lostOf = (
  { writeErrors }: MongoBulkWriteError,
  collection: string,
  writes: readonly Packed[],
): Packed[] => {
  const lost: Packed[] = [];
  for (const { code, index } of [writeErrors].flat()) {
    const write = writes[index]!;
    if (code === DUPLICATE_KEY) lost.push(write);
    else if (TOO_LARGE.includes(code)) {
      throw new Unwritable(collection, write.position, new Error(`too large (code ${code})`));
    } else throw unavailable(`a document was refused with code ${code}`);
  }
  return lost;
};

const createWriteAll = ({ call, driver }: Pick<Connection, 'call' | 'driver'>) => {
  const send = (rows: Collection<Row>, collection: string, writes: readonly Packed[]) =>
    call(LIMIT_MS.write, async (): Promise<Packed[]> => {
      const operations = writes.map(({ operation }) => operation);
      try {
        await rows.bulkWrite(operations, { ordered: false, ...DURABLE });
        return [];
      } catch (error) {
        if (!(error instanceof driver.MongoBulkWriteError)) throw error;
        const lost = lostOf(error, collection, writes);
        // The bulk as a whole went wrong: not all of it was answered, or it may be taken back.
        if (lost.length === 0) throw error;
        return lost;
      }
    });

  const positionsOf = (rows: Collection<Row>, writes: readonly Packed[]) =>
    call(LIMIT_MS.read, async (): Promise<Map<string, Position>> => {
      const ids = writes.map(({ id }) => id);
      const found = await rows
        .find(
          { _id: { $in: ids } },
          {
            projection: { position: 1 },
            // What an election could still take back does not count.
            readConcern: 'majority',
            batchSize: ids.length + 1,
            maxTimeMS: LIMIT_MS.read,
          },
        )
        .toArray();
      return new Map(found.map(({ _id, position }) => [_id, position]));
    });

  /**
   * Sends all writes at once and sees to those that found their id taken: what stands there is as
   * new or newer, and then they are done, or it was made by a rival in the same instant, and then
   * they go again.
   */
  return async (rows: Collection<Row>, collection: string, writes: readonly Packed[]) => {
    let pending = writes;
    for (let round = 0; round < ROUNDS_MAX && pending.length > 0; round += 1) {
      const lost = await send(rows, collection, pending);
      if (lost.length === 0) return;
      const kept = await positionsOf(rows, lost);
      pending = lost.filter(({ id, position }) => {
        const there = kept.get(id);
        return there === undefined || there < position;
      });
    }
    if (pending.length > 0) throw unavailable(`others write the same documents of ${collection}`);
  };
};

/**
 * There are no transactions in this: MongoDB has none when it stands alone. What stands in for them
 *
 * - A document is a function of its id and of the position of the last event in it, as folds are
 *   pure; and each write is guarded by that position. So it does not matter who writes a document,
 *   how often and in which order: the newest stands, and it is right.
 * - A removal leaves its position behind, so that it is newest in the same way.
 * - The checkpoint moves after the documents are on most of the replica set, and only from where
 *   the commit found it. Whatever fails before leaves documents that are ahead of the checkpoint,
 *   which the next to fold takes as they are.
 * - A writer whose picture is old is told so before it writes. One that is overtaken later than
 *   that can still write documents, to no effect, and cannot move the checkpoint.
 */
export const createCommit = (connection: Connection, registry: Registry) => {
  const writeAll = createWriteAll(connection);

  return async (commits: readonly Commit[]): Promise<void> => {
    if (commits.length === 0) return;
    const packed = commits.map(({ collection, writes }) =>
      writes.map((write) => pack(collection, write)),
    );
    const entries = await registry.find(commits.map(({ collection }) => collection));
    const writing = commits.map(({ collection, from }, index) => {
      const entry = entries.get(collection);
      if (!isAt(entry, from)) throw new StaleCheckpoint(collection);
      const rows = registry.rowsOf(collection, entry.incarnation);
      return () => writeAll(rows, collection, packed[index]!);
    });
    // All of them come to an end before any failure is told, so that none goes on beside a retry.
    const results = await Promise.allSettled(writing.map((write) => write()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    await registry.move(commits, entries);
  };
};
