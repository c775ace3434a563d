import { SEALS_STREAM } from '../../commands/seals/seals.ts';
import type { EventOf } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader, Position, Recorded } from '../../events/store.ts';
import { parseNote } from './note.ts';
import { readRecord } from './record.ts';

/** What the note of a seal says that was made before the log of entries: it is of the newest links alone. */
export interface OldSeal {
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
}

/** A signed statement of the whole ledger at one place of the log: a C2SP tlog-checkpoint 1.0.0. */
export interface Seal {
  /** `waybill/<installation id>`. */
  origin: string;
  /** Entries of the log; of the old form accounts with a link. */
  size: number;
  /** Of the tree of the entries, in base64; of the old form of that of the accounts' newest links. */
  root: string;
  /** The whole note. */
  note: string;
  old?: OldSeal;
}

const CHECKPOINT = [
  /^(?<origin>waybill\/[^\s+]+)$/,
  /^(?<size>0|[1-9]\d{0,14})$/,
  /^(?<root>[0-9A-Za-z+/]{43}=)$/,
];

const OLD_LINES = [
  ...CHECKPOINT,
  /^seal (?<number>[1-9]\d{0,14})$/,
  /^time (?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/,
  /^position (?<position>[0-9-]{1,100})$/,
  /^newest (?<newest>[0-9a-f]{64})$/,
  /^records (?<since>0|[1-9]\d{0,14}) (?<records>[1-9]\d{0,14}|0) (?<recordsRoot>[0-9A-Za-z+/]{43}=)$/,
];

const HEADS_LINES = [
  /^(?<origin>waybill\/[^\s+]+)\/heads$/,
  ...CHECKPOINT.slice(1),
  ...OLD_LINES.slice(3, 5),
  /^tree (?<entries>[1-9]\d{0,14}) (?<treeRoot>[0-9A-Za-z+/]{43}=)$/,
];

/** The named parts of the lines of a note's text; undefined where one is not of its form. */
const fieldsOf = (
  note: string,
  lines: readonly RegExp[],
): Record<string, string | undefined> | undefined => {
  const found = parseNote(note)?.text.slice(0, -1).split('\n') ?? [];
  if (found.length !== lines.length) return undefined;
  const fields: Record<string, string> = {};
  for (const [index, pattern] of lines.entries()) {
    const groups = pattern.exec(found[index]!)?.groups;
    if (!groups) return undefined;
    Object.assign(fields, groups);
  }
  return fields;
};

/** The text that is signed. */
export const checkpointText = ({ origin, size, root }: Omit<Seal, 'note' | 'old'>): string =>
  `${origin}\n${size}\n${root}\n`;

/** The fields of a note, whose signature is not checked here; undefined for another text. */
export const parseSeal = (note: string): Seal | undefined => {
  const isOld = fieldsOf(note, CHECKPOINT) === undefined;
  const found = fieldsOf(note, isOld ? OLD_LINES : CHECKPOINT);
  if (!found) return undefined;
  const { origin = '', size, root = '', number, at = '', position = '', newest = '' } = found;
  const seal = { origin, size: Number(size), root, note };
  if (!isOld) return seal;
  const { since, records, recordsRoot = '' } = found;
  const covered = { since: Number(since), size: Number(records), root: recordsRoot };
  return { ...seal, old: { number: Number(number), at, position, newest, records: covered } };
};

/** The signed note of the accounts' newest links at a seal: with it an export is known to be whole. */
interface HeadsNote {
  origin: string;
  accounts: number;
  /** Of the tree of the newest links, in base64. */
  root: string;
  number: number;
  at: string;
  /** The seal that it goes with. */
  tree: { size: number; root: string };
}

export const headsText = ({ origin, accounts, root, number, at, tree }: HeadsNote): string =>
  `${origin}/heads\n${accounts}\n${root}\nseal ${number}\ntime ${at}\ntree ${tree.size} ${tree.root}\n`;

export const parseHeads = (note: string): HeadsNote | undefined => {
  const found = fieldsOf(note, HEADS_LINES);
  if (!found) return undefined;
  const { origin = '', size, root = '', number, at = '', entries, treeRoot = '' } = found;
  const tree = { size: Number(entries), root: treeRoot };
  return { origin, accounts: Number(size), root, number: Number(number), at, tree };
};

type Log = Pick<EventReader, 'read'>;

/** A seal as the log holds it. */
export interface StoredSeal {
  seal: Seal;
  number: number;
  at: string;
  /** What the log keeps beside the note. */
  stored: EventOf<'LedgerSealed'>['data'];
  /** Of its event: after all that it covers. */
  position: Position;
}

/** A seal of the log of entries. */
export interface StoredCheckpoint extends StoredSeal {
  stored: StoredSeal['stored'] & { tree: NonNullable<StoredSeal['stored']['tree']> };
}

export const isCheckpoint = (stored: StoredSeal | undefined): stored is StoredCheckpoint =>
  stored?.stored.tree != null;

const storedSealOf = ({ type, data, position }: Recorded): StoredSeal | undefined => {
  if (type !== 'LedgerSealed') return undefined;
  const stored = data as StoredSeal['stored'];
  const { number, tree, note } = stored;
  const seal = parseSeal(note);
  const at = tree?.at ?? seal?.old?.at;
  if (!seal || at === undefined || (seal.old?.number ?? number) !== number) return undefined;
  return { seal, number, at, stored, position };
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
  return found?.number === number ? found : undefined;
};

/** The last seal, if it can be read, and how many there are. */
export const lastSeal = async (
  log: Log,
): Promise<{ count: number; last: StoredSeal | undefined }> => {
  const [event] = await log.read(SEALS_STREAM, { direction: 'backwards', limit: 1 });
  return { count: (event?.revision ?? -1) + 1, last: event && storedSealOf(event) };
};

/** A seal as statements name it. */
interface SealAfter extends Pick<StoredSeal, 'number' | 'at'>, Pick<Seal, 'root'> {
  /** Of the newest record that it covers, in this log: in a copy it is another than the seal was made with. */
  position: Position;
}

/**
 * The first seal, in the order of their numbers, that was made at a time or later; null while there
 * is none. Once there is one, the answer never changes. Remembers the times of all seals.
 */
export const createSealAfter = (log: Log): ((at: string) => Promise<SealAfter | null>) => {
  const known: (Omit<SealAfter, 'position'> & Pick<StoredSeal['stored'], 'newest'>)[] = [];
  return async (time) => {
    for await (const { number, at, seal, stored } of readSeals(log, known.at(-1)?.number)) {
      if (number <= (known.at(-1)?.number ?? 0)) continue;
      known.push({ number, at, root: seal.root, newest: stored.newest });
    }
    const first = known.find(({ at }) => at >= time);
    const newest = first && (await readRecord(log, first.newest));
    if (!newest) return null;
    const { number, at, root } = first;
    return { number, at, root, position: newest.position };
  };
};
