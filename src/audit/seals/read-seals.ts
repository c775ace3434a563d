import { SEALS_STREAM } from '../../commands/seals/seals.ts';
import type { EventOf } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader, Position, Recorded } from '../../events/store.ts';
import { parseNote } from './note.ts';
import { readRecord } from './record.ts';

/**
 * A signed statement of the whole ledger at one place of the log: a C2SP tlog-checkpoint of the
 * accounts' newest links, with a line for each further field.
 */
export interface Seal {
  /** `waybill/<installation id>`. */
  origin: string;
  /** Accounts with a link. */
  size: number;
  /** Of the tree of the accounts' newest links, in base64. */
  root: string;
  /** 1 for the first seal of the log. */
  number: number;
  /** ISO 8601 in UTC. */
  at: string;
  /** Of the newest record that it covers, in the log that it was made in. */
  position: string;
  /** Hash of that record's leaf, in hex. */
  newest: string;
  /** The tree of all records after the seal `since` (0: from the start of the log), in their order. */
  records: { since: number; size: number; root: string };
  /** The whole note. */
  note: string;
}

const LINES = [
  /^(?<origin>waybill\/[^\s+]+)$/,
  /^(?<size>0|[1-9]\d{0,14})$/,
  /^(?<root>[0-9A-Za-z+/]{43}=)$/,
  /^seal (?<number>[1-9]\d{0,14})$/,
  /^time (?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/,
  /^position (?<position>[0-9-]{1,100})$/,
  /^newest (?<newest>[0-9a-f]{64})$/,
  /^records (?<since>0|[1-9]\d{0,14}) (?<records>[1-9]\d{0,14}|0) (?<recordsRoot>[0-9A-Za-z+/]{43}=)$/,
];

/** The text that is signed. */
export const sealText = (seal: Omit<Seal, 'note'>): string => {
  const { since, size, root } = seal.records;
  return [
    seal.origin,
    seal.size,
    seal.root,
    `seal ${seal.number}`,
    `time ${seal.at}`,
    `position ${seal.position}`,
    `newest ${seal.newest}`,
    `records ${since} ${size} ${root}`,
    '',
  ].join('\n');
};

/** The fields of a note, whose signature is not checked here; undefined for another text. */
export const parseSeal = (note: string): Seal | undefined => {
  const text = parseNote(note)?.text;
  const lines = text?.slice(0, -1).split('\n') ?? [];
  if (lines.length !== LINES.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, pattern] of LINES.entries()) {
    const groups = pattern.exec(lines[index]!)?.groups;
    if (!groups) return undefined;
    Object.assign(found, groups);
  }
  const { origin, size, root, number, at, position, newest, since, records, recordsRoot } =
    found as Record<string, string> & { origin: string; at: string };
  return {
    origin,
    size: Number(size),
    root: root!,
    number: Number(number),
    at,
    position: position!,
    newest: newest!,
    note,
    records: { since: Number(since), size: Number(records), root: recordsRoot! },
  };
};

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
