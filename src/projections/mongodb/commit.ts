import type { Collection, MongoBulkWriteError } from 'mongodb';
import type { Position } from '../../events/store.ts';
import { createMutex } from '../../shared/concurrency.ts';
import { type Commit, Unwritable } from '../views.ts';
import { type Connection, DURABLE, LIMIT_MS } from './connection.ts';
import { DUPLICATE_KEY, TOO_LARGE, unavailable } from './failure.ts';
import { type Packed, pack, type Row } from './form.ts';
import type { Registry } from './registry.ts';

/** More than one round happens only while another process writes the same documents. */
const ROUNDS_MAX = 4;

/** The writes whose id was taken. Throws on any other error. */
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
      throw new Unwritable(collection, write, new Error(`too large (code ${code})`));
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
        // The bulk failed as a whole: part of it is unanswered, or may be reverted.
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
            // An election could still revert newer data.
            readConcern: 'majority',
            batchSize: ids.length + 1,
            maxTimeMS: LIMIT_MS.read,
          },
        )
        .toArray();
      return new Map(found.map(({ _id, position }) => [_id, position]));
    });

  /**
   * Sends all writes at once. A write whose id was taken is done when the stored document is as new;
   * otherwise a rival inserted it at the same moment, and the write is sent again.
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
    if (pending.length > 0)
      throw unavailable(`other processes write the same documents of ${collection}`);
  };
};

/**
 * Uses no transactions, because a standalone MongoDB has none. These rules replace them:
 *
 * - A document is a function of its id and of the position of its last event, as folds are pure, and
 *   that position guards each write. So any process may write a document, repeatedly and in any
 *   order: the newest version wins, and it is correct.
 * - A removal leaves its position behind, so that it wins in the same way.
 * - The checkpoint moves after the documents are on most of the replica set, and only from the
 *   commit's `from`. A failure before that leaves documents ahead of the checkpoint, which the next
 *   fold leaves unchanged.
 * - A writer with an old checkpoint fails before it writes. One that is overtaken later can still
 *   write documents, without effect, and cannot move the checkpoint.
 * - A partition has one guard for all its checkpoints, so commits of one process wait for each other: what
 *   follows the log and what is being built would overtake one another for good.
 */
export const createCommit = (connection: Connection, registry: Registry) => {
  const writeAll = createWriteAll(connection);
  const { checkpoints } = registry;
  const oneByOne = createMutex();

  const commit = async (commits: readonly Commit[]): Promise<void> => {
    const places = await checkpoints.demand(commits);
    const written = Map.groupBy(commits, ({ collection }) => collection);
    const writing: (() => Promise<void>)[] = [];
    for (const [collection, own] of written) {
      const writes = own.flatMap((one) => one.writes);
      if (writes.length === 0) continue;
      const fields = await registry.fieldsOf(collection);
      const packed = writes.map((write) => pack(collection, write, fields));
      const rows = registry.rowsOf(collection, checkpoints.incarnationIn(places, collection));
      writing.push(() => writeAll(rows, collection, packed));
    }
    // All writes end before a failure is thrown, so that none runs beside a retry.
    const results = await Promise.allSettled(writing.map((write) => write()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    await checkpoints.move(commits, places);
  };

  return async (commits: readonly Commit[]): Promise<void> => {
    if (commits.length > 0) await oneByOne(() => commit(commits));
  };
};
