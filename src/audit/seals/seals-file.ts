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

/** Seals that are missing between others, or stand twice. A file begins with any seal. */
export const gapsIn = (seals: readonly Seal[]): { number: number; detail: string }[] =>
  seals.slice(1).flatMap(({ number }, index) => {
    const due = seals[index]!.number + 1;
    if (number === due) return [];
    const detail =
      number > due
        ? `the kept seals lack seal ${due}`
        : `the kept seals have it after seal ${due - 1}`;
    return [{ number, detail }];
  });

/** The file holds other seals than the log: it is not touched. */
export class ForeignSeals extends Error {
  constructor(file: string, reason: string) {
    super(`${file} ${reason}; nothing was written to it`);
    this.name = 'ForeignSeals';
  }
}

export interface LogOfSeals {
  count: number;
  /** The notes of the seals after one, in their order. */
  notesAfter(number: number): AsyncIterable<string>;
  /** The note of one seal; undefined where the log has none. */
  noteOf(number: number): Promise<string | undefined>;
}

/** The number of the last seal in the file, after a check that it is the log's. */
const demandOurs = async (
  file: string,
  text: string,
  log: LogOfSeals,
): Promise<{ last: number; rest: string }> => {
  const { notes, rest } = readNotes(text);
  const note = notes.at(-1);
  if (note === undefined) return { last: 0, rest };
  const last = parseSeal(note)?.number;
  if (last === undefined) throw new ForeignSeals(file, 'does not end with a seal');
  if (last > log.count) {
    throw new ForeignSeals(file, `holds seal ${last}, and the log ends at seal ${log.count}`);
  }
  if ((await log.noteOf(last)) !== note) {
    throw new ForeignSeals(file, `holds another seal ${last} than the log`);
  }
  return { last, rest };
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
