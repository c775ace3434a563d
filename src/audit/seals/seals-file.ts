import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sync } from '../../shared/files.ts';
import { parseSeal, type Seal } from './read-seals.ts';

// A file of seals: the notes one after the other, an empty line after each. It only ever grows.

/** One note of a file, with the empty line after it. */
const NOTE = /((?:[^\n—][^\n]*\n)+\n(?:— [^\n]*\n)+)\n/y;
/** Over a hundred years of daily seals. */
const BYTES_MAX = 64 * 1024 * 1024;

/** The notes of a file, and what is behind the last whole one. */
const readNotes = (text: string): { notes: string[]; rest: string } => {
  const notes: string[] = [];
  let end = 0;
  NOTE.lastIndex = 0;
  for (let found = NOTE.exec(text); found; found = NOTE.exec(text)) {
    notes.push(found[1]!);
    end = NOTE.lastIndex;
  }
  return { notes, rest: text.slice(end) };
};

/** The beginning of a note, and no more than one: a write that was cut leaves it at the end. */
const CUT =
  /^(?:(?:[^\n—][^\n]*\n)*(?:[^\n—][^\n]*)?|(?:[^\n—][^\n]*\n)+\n(?:— [^\n]*\n)*(?:[—\ufffd][^\n]*)?)\n*$/;

/**
 * The seals of a file's text, oldest first; the last one may lack its end. Throws for other texts, and
 * for one without any seal.
 */
export const readSealsText = (text: string): Seal[] => {
  const { notes, rest } = readNotes(text.endsWith('\n\n') ? text : `${text}\n`);
  const seals = notes.map((note, index) => {
    const seal = parseSeal(note);
    if (!seal) throw new Error(`Note ${index + 1} of the seals is not a seal of Waybill`);
    return seal;
  });
  // The next write completes a note that was cut.
  const isCut = seals[0] && rest.startsWith(`${seals[0].origin}\n`) && CUT.test(rest);
  if (rest.trim() !== '' && !isCut) {
    throw new Error(
      `Note ${notes.length + 1} of the seals is damaged, or no seal: get the file from where it is kept`,
    );
  }
  // Nothing would be checked, and the answer would say that all is in order.
  if (seals.length === 0) throw new Error('There is no seal in it');
  return seals;
};

/** What reports call a seal that was kept: a checkpoint has no number. */
export const nameOfSeal = ({ old, size }: Seal): string =>
  old ? `seal ${old.number}` : `seal of ${size} entries`;

const gapBetween = (before: Seal, seal: Seal): string | undefined => {
  if (!seal.old) {
    const isSame = before.old || seal.size > before.size || seal.root === before.root;
    if (!before.old && seal.size < before.size) return 'the kept seals have a larger one before it';
    return isSame ? undefined : 'the kept seals have another one of its size before it';
  }
  if (!before.old) return 'the kept seals have one of the new form before it';
  const due = before.old.number + 1;
  if (seal.old.number === due) return undefined;
  return seal.old.number > due
    ? `the kept seals lack seal ${due}`
    : `the kept seals have it after seal ${due - 1}`;
};

/** Seals of the old form that are missing between others, and such as do not go on. A file begins with any seal. */
export const gapsIn = (seals: readonly Seal[]): { name: string; detail: string }[] =>
  seals.slice(1).flatMap((seal, index) => {
    const detail = gapBetween(seals[index]!, seal);
    return detail === undefined ? [] : [{ name: nameOfSeal(seal), detail }];
  });

/** The file holds other seals than the log: it is not touched. */
class ForeignSeals extends Error {
  constructor(file: string, reason: string) {
    super(`${file} ${reason}; nothing was written to it`);
    this.name = 'ForeignSeals';
  }
}

interface LogOfSeals {
  count: number;
  /** The notes of the seals after one, in their order. */
  notesAfter(number: number): AsyncIterable<string>;
  /** The note of one seal; undefined where the log has none. */
  noteOf(number: number): Promise<string | undefined>;
}

/** The number that the log has for the last of the notes, all of one size; undefined where it has none. */
const findNumber = async (
  log: LogOfSeals,
  { size, note }: Seal,
  sameSize: number,
): Promise<number | undefined> => {
  const seals = async (number: number) => parseSeal((await log.noteOf(number)) ?? '');
  let [low, high] = [1, log.count + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const seal = await seals(middle);
    if (seal && !seal.old && seal.size >= size) high = middle;
    else low = middle + 1;
  }
  // Seals of one size may be equal: the file holds each of them.
  for (let number = low + sameSize - 1; number <= log.count; number += 1) {
    const seal = await seals(number);
    if (seal?.size !== size) return undefined;
    if (seal.note === note) return number;
  }
  return undefined;
};

/** The number of the last seal in the file, after a check that it is the log's. */
const demandOurs = async (
  file: string,
  text: string,
  log: LogOfSeals,
): Promise<{ last: number; rest: string }> => {
  const { notes, rest } = readNotes(text);
  if (notes.length === 0) return { last: 0, rest };
  const seals = notes.map(parseSeal);
  const seal = seals.at(-1);
  if (!seal) throw new ForeignSeals(file, 'does not end with a seal');
  const { old, size, note } = seal;
  if (old && old.number > log.count) {
    throw new ForeignSeals(file, `holds seal ${old.number}, and the log ends at seal ${log.count}`);
  }
  const sameSize = seals.filter((one) => !one?.old && one?.size === size).length;
  const isOurs = old && (await log.noteOf(old.number)) === note;
  const last = old ? isOurs && old.number : await findNumber(log, seal, sameSize);
  if (last) return { last, rest };
  throw new ForeignSeals(file, `holds another ${nameOfSeal(seal)} than the log`);
};

const write = async (handle: FileHandle, text: string): Promise<void> => {
  await handle.appendFile(text);
  await handle.sync();
};

/**
 * Appends the seals that the file does not hold yet, each once, also after a write that was cut:
 * the file itself says where it ends. Returns the number of its last seal.
 */
export const appendSeals = async (file: string, log: LogOfSeals): Promise<number> => {
  const handle = await open(file, 'a+', 0o644);
  try {
    const { size } = await handle.stat();
    if (size > BYTES_MAX) throw new ForeignSeals(file, 'is larger than any file of seals');
    const before = size === 0 ? '' : await handle.readFile('utf8');
    const { last, rest } = await demandOurs(file, before, log);
    let missing = rest;
    let number = last;
    for await (const note of log.notesAfter(last)) {
      const text = `${note}\n`;
      if (!text.startsWith(missing)) throw new ForeignSeals(file, 'does not end with a seal');
      await write(handle, text.slice(missing.length));
      missing = '';
      number += 1;
    }
    if (missing !== '') throw new ForeignSeals(file, 'does not end with a seal');
    if (size === 0) sync(dirname(file));
    return number;
  } finally {
    await handle.close();
  }
};
