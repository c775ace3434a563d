import { parseNote } from './note.ts';

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
