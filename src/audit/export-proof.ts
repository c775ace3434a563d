import type { Entry } from './entry.ts';
import type { Problems } from './problems.ts';
import { isSignedBy } from './seals/note.ts';
import {
  checkHead,
  checkOldHead,
  checkOldRecord,
  ExportProof,
  isEntryOf,
  OldExportProof,
} from './seals/proof.ts';
import type { Seal } from './seals/read-seals.ts';
import { recordLeaf } from './seals/record.ts';
import { type SealsReport, type SealsToCheck, UNWITNESSED } from './seals/seal-audit.ts';
import { gapsIn, nameOfSeal } from './seals/seals-file.ts';

/** The first line of an export with a proof: a seal covers the chain up to one of its links. */
export const proofLine = (proof: ExportProof): string => JSON.stringify({ proof: true, ...proof });

export const isProofLine = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { proof?: unknown }).proof === true;

/** Lines in a row that the proof does not cover. */
interface UncoveredLines {
  from: number;
  to: number;
  /** What they are, or why they are not covered. */
  what: string;
}

/** All lines that the proof of an export does not cover. */
export interface Uncovered {
  /** Number of the lines. */
  count: number;
  /** The first ones, in their order. */
  lines: readonly UncoveredLines[];
}

const LISTED_MAX = 100;

const createUncovered = () => {
  const lines: UncoveredLines[] = [];
  let count = 0;
  return {
    add(line: number, what: string): void {
      count += 1;
      const last = lines.at(-1);
      if (last?.what === what && last.to === line - 1) last.to = line;
      else if (lines.length < LISTED_MAX) lines.push({ from: line, to: line, what });
    },
    all: (): Uncovered => ({ count, lines }),
  };
};

/** What is wrong with the kept seals by themselves. */
const problemsOfKept = ({ kept = [], keys = [] }: SealsToCheck) => [
  ...gapsIn(kept),
  ...kept
    .filter(({ note }) => keys.length > 0 && !isSignedBy(note, keys))
    .map((seal) => ({ name: nameOfSeal(seal), detail: 'no given key has signed it' })),
];

/** Whether two notes are of one seal: cosignatures may differ. */
const isSameSeal = (one: Seal, other: Seal): boolean =>
  one.old || other.old
    ? one.note === other.note
    : one.origin === other.origin && one.size === other.size && one.root === other.root;

/** A proof in either form. */
type AnyExportProof =
  | { form: 'entries'; proof: ExportProof }
  | { form: 'old'; proof: OldExportProof };

const readProof = (value: unknown): AnyExportProof | undefined => {
  const now = ExportProof.safeParse(value);
  if (now.success) return { form: 'entries', proof: now.data };
  const old = OldExportProof.safeParse(value);
  return old.success ? { form: 'old', proof: old.data } : undefined;
};

/** The seal that the auditor asks for: the newest that he kept, or one of a size. */
const askedSeal = ({ kept, at }: SealsToCheck): Seal | undefined =>
  at === undefined ? kept?.at(-1) : kept?.findLast(({ old, size }) => !old && size === at);

/** What is wrong with the seal that the export's writer chose. */
const problemsOfChoice = (seal: Seal, given: SealsToCheck): readonly string[] => {
  const { kept, at } = given;
  if (!kept) return [];
  if (!kept.some((one) => isSameSeal(one, seal))) return ['its seal is not among the kept ones'];
  const asked = askedSeal(given);
  if (!asked) return [`no kept seal is of ${at} entries`];
  if (isSameSeal(asked, seal)) return [];
  const under = `it is under the ${nameOfSeal(seal)}`;
  if (at !== undefined) return [`${under}, and you asked for the ${nameOfSeal(asked)}`];
  return [`${under}, and the ${nameOfSeal(asked)} is kept: ask for an export of today`];
};

/** One line of an export that holds an event, and what the books need of it. */
interface EventLine {
  line: number;
  type: string;
  entry: Entry | undefined;
}

/**
 * Compares the proof of an export with its events, with kept seals and with keys. The chain confirms all links
 * up to the newest that the seal covers; other records have proofs of their own. Lines without are listed.
 */
export const createExportProof = (given: SealsToCheck, problems: Problems) => {
  const { kept, keys = [], policy } = given;
  let found: AnyExportProof | undefined;
  let seal: Seal | undefined;
  let named: SealsReport['last'] = null;
  let ofProof: readonly string[] = [];
  let isMet = false;
  const uncovered = createUncovered();
  /** Proofs of records by their revision. */
  const records = new Map<number, ExportProof['records'][number]>();
  const sayAt = (at: string) => (detail: string) =>
    problems.add({ accountId: found?.proof.leaf.accountId ?? null, kind: 'seal', at, detail });
  const say = sayAt('the proof');
  const sealName = () => (seal ? nameOfSeal(seal) : 'seal');

  const takeLink = ({ sequence, hash }: { sequence: number; hash: string }, line: number) => {
    const { leaf } = found!.proof;
    if (sequence > leaf.sequence) uncovered.add(line, `movements after the ${sealName()}`);
    if (sequence !== leaf.sequence) return;
    isMet = true;
    if (hash === leaf.hash) return;
    say(`link ${sequence} has the hash ${hash}; the seal covers ${leaf.hash}`);
  };

  const takeRecord = (revision: number, hash: string, { line, type }: EventLine): void => {
    const at = records.get(revision);
    if (!at || !seal) {
      uncovered.add(line, type);
      return;
    }
    records.delete(revision);
    if (isEntryOf(seal, hash, at)) return;
    sayAt(`line ${line}`)(`${type} is not what the ${sealName()} covers at entry ${at.index}`);
  };

  /** The old form proves the opening alone. */
  const takeOldRecord = (
    { opening, leaf }: OldExportProof,
    { revision, hash }: { revision: number; hash: string },
    { line, type }: EventLine,
  ): void => {
    const isOpening = revision === 0 && opening !== undefined;
    const isKept = !kept || kept.some(({ note }) => note === opening?.note);
    if (!isOpening || !isKept) {
      uncovered.add(line, type);
      return;
    }
    const record = recordLeaf({ stream: `account-${leaf.accountId}`, revision }, hash);
    for (const one of checkOldRecord(opening, record, keys).problems) {
      sayAt(`line ${line}`)(`the opening of the account: ${one}`);
    }
  };

  return {
    /** The account that it is of; undefined without a proof that can be read. */
    read(value: unknown): string | undefined {
      found = readProof(value);
      if (!found) {
        say('it cannot be read');
        return undefined;
      }
      if (found.form === 'entries') {
        const { number, at, ...checked } = checkHead(found.proof, keys);
        ({ seal, problems: ofProof } = checked);
        if (number !== undefined && at !== undefined) named = { number, at };
        for (const one of found.proof.records) records.set(one.revision, one);
      } else {
        ({ seal, problems: ofProof } = checkOldHead(found.proof, keys));
        named = seal?.old ? { number: seal.old.number, at: seal.old.at } : null;
      }
      return found.proof.leaf.accountId;
    },
    /** The first line of an export of a period says what was before; records from then are not in it. */
    takeStart(line: number, first: number): void {
      if (found) uncovered.add(line, 'the account before the first event');
      for (const revision of records.keys()) if (revision < first) records.delete(revision);
    },
    /** What the last line holds beside the events. */
    takeBooks(line: number): void {
      if (found) uncovered.add(line, 'names, issuers, values of credits and seals of statements');
    },
    take(event: EventLine): void {
      const { entry, line, type } = event;
      if (!found) return;
      if (entry?.kind === 'link') takeLink(entry, line);
      else if (entry?.kind !== 'setting' || entry.hash === undefined) uncovered.add(line, type);
      else if (found.form === 'entries') takeRecord(entry.revision, entry.hash, event);
      else takeOldRecord(found.proof, { revision: entry.revision, hash: entry.hash }, event);
    },
    end(): { seals: SealsReport | null; uncovered?: Uncovered } {
      for (const { name, detail } of problemsOfKept(given)) sayAt(`kept ${name}`)(detail);
      if (!found) {
        const isWanted = kept !== undefined || keys.length > 0 || policy !== undefined;
        if (isWanted) say('the export has none: write one with waybill ledger export --proof');
        return { seals: null };
      }
      for (const one of ofProof) say(one);
      if (policy && !policy.isMetBy(found.proof.note)) say(`of its seal: ${UNWITNESSED}`);
      if (seal) for (const one of problemsOfChoice(seal, given)) say(one);
      const { sequence } = found.proof.leaf;
      if (!isMet) say(`the export has no link ${sequence}`);
      for (const revision of records.keys()) say(`the export has no event of revision ${revision}`);
      const witnessed = policy && { witnessed: true as const };
      const seals = { count: seal ? 1 : 0, last: named, signed: keys.length > 0, ...witnessed };
      return { seals, uncovered: uncovered.all() };
    },
  };
};
