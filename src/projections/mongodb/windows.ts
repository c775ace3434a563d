import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { SharedWindow, SharedWindows } from '../coordination.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';

interface Row {
  _id: string;
  number: number;
  taken: number;
  /** Both by the server's clock. */
  beganAt: Date;
  lookedAt: Date;
}

/** Longer than any window; the server deletes older rows once a minute. */
const KEPT_SECONDS = 300;

/** Waits for no journal. An election may revert a count, which admits a few more requests. */
const QUICK = { writeConcern: { w: 1 } } as const;

const windowOf = ({ number, taken, beganAt, lookedAt }: Row): SharedWindow => ({
  number,
  taken,
  ageMs: lookedAt.getTime() - beganAt.getTime(),
});

export const createSharedWindows = ({
  db,
  call,
}: Pick<Connection, 'db' | 'call'>): SharedWindows => {
  const rows: Collection<Row> = db.collection('views.windows');
  let isIndexed = false;

  const index = () => {
    if (isIndexed) return;
    isIndexed = true;
    call(LIMIT_MS.manage, () =>
      rows.createIndex({ lookedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }),
    ).catch(() => {
      isIndexed = false;
    });
  };

  const change = async (
    filter: Filter<Row>,
    update: UpdateFilter<Row>,
    upsert = false,
  ): Promise<SharedWindow | undefined> => {
    index();
    const row = await call(LIMIT_MS.read, () =>
      rows
        .findOneAndUpdate(
          filter,
          { ...update, $currentDate: { lookedAt: true, ...update.$currentDate } },
          { returnDocument: 'after', upsert, ...QUICK },
        )
        .catch((error: unknown) => {
          if (isDuplicate(error)) return null;
          throw error;
        }),
    );
    return row ? windowOf(row) : undefined;
  };

  return {
    look: (bucket) => change({ _id: bucket }, {}),
    take: (bucket, number, count, limit) =>
      change({ _id: bucket, number, taken: { $lte: limit - count } }, { $inc: { taken: count } }),
    begin: (bucket, after, count) =>
      change(
        { _id: bucket, number: after },
        { $set: { number: after + 1, taken: count }, $currentDate: { beganAt: true } },
        // The first window is inserted, or its id is taken.
        after === 0,
      ),
    async giveBack(bucket, number, count) {
      await change({ _id: bucket, number }, { $inc: { taken: -count } });
    },
  };
};
