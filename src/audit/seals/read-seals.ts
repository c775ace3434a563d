import { SEALS_STREAM } from '../../commands/seals/seals.ts';
import type { EventOf } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader, Position, Recorded } from '../../events/store.ts';
import { readRecord } from './record.ts';
import { parseSeal, type Seal } from './seal.ts';

type Log = Pick<EventReader, 'read'>;

/** A seal as the log holds it. */
export interface StoredSeal {
  seal: Seal;
  /** What the log keeps beside the note, which no signature covers. */
  stored: EventOf<'LedgerSealed'>['data'];
  /** Of its event: after all that it covers. */
  position: Position;
}

const storedSealOf = ({ type, data, position }: Recorded): StoredSeal | undefined => {
  if (type !== 'LedgerSealed') return undefined;
  const stored = data as StoredSeal['stored'];
  const seal = parseSeal(stored.note);
  return seal && seal.number === stored.number ? { seal, stored, position } : undefined;
};

/** The seals of the log, oldest first. Leaves out an event that is none. */
export async function* readSeals(log: Log, after = 0): AsyncGenerator<StoredSeal, void, void> {
  for await (const page of streamPages(log, SEALS_STREAM, { from: after })) {
    for (const event of page) {
      const found = storedSealOf(event);
      if (found) yield found;
    }
  }
}

export const readSeal = async (log: Log, number: number): Promise<StoredSeal | undefined> => {
  const [event] = await log.read(SEALS_STREAM, { from: number - 1, limit: 1 });
  const found = event && storedSealOf(event);
  return found?.seal.number === number ? found : undefined;
};

/** The last seal, if it can be read, and how many there are. */
export const lastSeal = async (
  log: Log,
): Promise<{ count: number; last: StoredSeal | undefined }> => {
  const [event] = await log.read(SEALS_STREAM, { direction: 'backwards', limit: 1 });
  return { count: (event?.revision ?? -1) + 1, last: event && storedSealOf(event) };
};

/** A seal as statements name it. */
type SealAfter = Pick<Seal, 'number' | 'at' | 'root'> & {
  /** Of the newest record that it covers, in this log: in a copy it is another than the note says. */
  position: Position;
};

/**
 * The first seal, in the order of their numbers, that was made at a time or later; null while there
 * is none. Once there is one, the answer never changes. Remembers the times of all seals.
 */
export const createSealAfter = (log: Log): ((at: string) => Promise<SealAfter | null>) => {
  const known: (Pick<Seal, 'number' | 'at' | 'root'> & Pick<StoredSeal['stored'], 'newest'>)[] = [];
  return async (time) => {
    for await (const { seal, stored } of readSeals(log, known.at(-1)?.number)) {
      const { number, at, root } = seal;
      if (number > (known.at(-1)?.number ?? 0))
        known.push({ number, at, root, newest: stored.newest });
    }
    const first = known.find(({ at }) => at >= time);
    const newest = first && (await readRecord(log, first.newest));
    if (!newest) return null;
    const { number, at, root } = first;
    return { number, at, root, position: newest.position };
  };
};
