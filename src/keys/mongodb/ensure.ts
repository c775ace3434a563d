import { createNamedPool } from '../../shared/fair-pool.ts';
import { createDelays } from '../../shared/retry.ts';
import { pause } from '../../shared/timing.ts';
import { type KeyStore, KeysUnavailable, type SubjectRecord } from '../key-store.ts';
import { DURABLE, keyOf, LIMIT_MS, type Row, type Rows, subjectOf, textOf } from './rows.ts';

const DUPLICATE_KEY = 11_000;

/** What a rival has written shows only once most of the replica set has it. */
const LOOK_AGAIN_DELAYS_MS = [0, 0, 5, 10, 20, 50, 100, 200, 400, 800, 1_600];

/** Calls at one time: half of the connections, which the read models use too. Others wait. */
const AT_ONCE = 10;
/** An account takes at most four times what it leaves to others. */
const SHARE = 4;
const WAIT_MS = 10_000;

const isDuplicate = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;

/** Two writers of one subject meet at its `_id`: the second one looks again. */
export const createEnsure = ({ rows, call, prepare, find }: Rows): KeyStore['ensure'] => {
  const insert = ({ hash, ref, accountId }: SubjectRecord, keys: Row['keys']): Promise<boolean> =>
    call(LIMIT_MS.write, async () => {
      try {
        await rows.insertOne({ _id: hash, ref, accountId, keys }, DURABLE);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });
  /** Changes nothing where the subject is destroyed, or has the key. */
  const add = ({ hash, ref }: SubjectRecord, month: string, wrapped: Uint8Array) =>
    call(LIMIT_MS.write, async () => {
      const { matchedCount } = await rows.updateOne(
        { _id: hash, ref, [`keys.${month}`]: { $exists: false } },
        { $set: { [`keys.${month}`]: textOf(wrapped) } },
        DURABLE,
      );
      return matchedCount === 1;
    });

  const ensure: KeyStore['ensure'] = async (fresh, month, wrap) => {
    await prepare();
    const delays = createDelays(LOOK_AGAIN_DELAYS_MS);
    for (;;) {
      const [there] = await find({ _id: fresh.hash });
      const known = there && keyOf(there, month);
      if (known) return { subject: subjectOf(there), key: known };
      const subject = there ? subjectOf(there) : fresh;
      const { ref, accountId } = subject;
      const wrapped = wrap(ref);
      const isWritten = there
        ? await add(subject, month, wrapped)
        : await insert(fresh, { [month]: textOf(wrapped) });
      if (isWritten) return { subject, key: { ref, month, accountId, wrapped } };
      const delayMs = delays.next();
      if (delayMs === undefined) throw new KeysUnavailable('others change the same data keys');
      if (delayMs > 0) await pause(delayMs);
    }
  };

  const pool = createNamedPool(AT_ONCE, SHARE);
  return async (fresh, month, wrap) => {
    const { accountId } = fresh;
    const isIn = pool.take(accountId) || (await pool.wait(accountId, WAIT_MS));
    if (!isIn) throw new KeysUnavailable('too many contacts are new at once');
    try {
      return await ensure(fresh, month, wrap);
    } finally {
      pool.release(accountId);
    }
  };
};
