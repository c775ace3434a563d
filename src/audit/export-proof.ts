import type { Entry } from './entry.ts';
import type { Problems } from './problems.ts';
import { isSignedBy } from './seals/note.ts';
import { checkHead, checkRecord, ExportProof } from './seals/proof.ts';
import { parseSeal, type Seal } from './seals/read-seals.ts';
import { recordLeaf } from './seals/record.ts';
import type { SealsReport, SealsToCheck } from './seals/seal-audit.ts';
import { gapsIn } from './seals/seals-file.ts';

/** The first line of an export with a proof: a seal covers the chain up to one of its links. */
export const proofLine = (proof: ExportProof): string => JSON.stringify({ proof: true, ...proof });

export const isProofLine = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { proof?: unknown }).proof === true;

/** Lines in a row that the proof does not cover. */
export interface UncoveredLines {
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
    .map(({ number }) => ({ number, detail: 'no given key has signed it' })),
];

const isKept = ({ kept }: SealsToCheck, note: string): boolean =>
  !kept || kept.some((seal) => seal.note === note);

/** What is wrong with a proof by itself, and with the seal that whoever wrote the export chose. */
const problemsOfProof = (proof: ExportProof, given: SealsToCheck): readonly string[] => {
  const { seal, problems } = checkHead(proof, given.keys ?? []);
  if (!isKept(given, proof.note)) return [...problems, 'its seal is not among the kept ones'];
  const newest = given.kept?.at(-1);
  if (!newest || newest.note === proof.note) return problems;
  const old = `it is under seal ${seal?.number}, and seal ${newest.number} is kept: ask for an export of today`;
  return [...problems, old];
};

/** One line of an export that holds an event, and what the books need of it. */
interface EventLine {
  line: number;
  type: string;
  entry: Entry | undefined;
}

/**
 * Compares the proof of an export with its events, with kept seals and with keys. It covers all links
 * up to the newest that its seal covers, and the opening of the account; other lines are listed.
 */
export const createExportProof = (given: SealsToCheck, problems: Problems) => {
  const { kept, keys = [] } = given;
  let proof: ExportProof | undefined;
  let seal: Seal | undefined;
  let isMet = false;
  const uncovered = createUncovered();
  const sayAt = (at: string) => (detail: string) =>
    problems.add({ accountId: proof?.leaf.accountId ?? null, kind: 'seal', at, detail });
  const say = sayAt('the proof');

  const takeLink = ({ sequence, hash }: { sequence: number; hash: string }, line: number) => {
    const { leaf } = proof!;
    if (sequence > leaf.sequence) uncovered.add(line, `movements after seal ${seal?.number}`);
    if (sequence !== leaf.sequence) return;
    isMet = true;
    if (hash === leaf.hash) return;
    say(`link ${sequence} has the hash ${hash}; the seal covers ${leaf.hash}`);
  };

  const takeOpening = (hash: string | undefined, { line, type }: EventLine): void => {
    const { opening, leaf } = proof!;
    if (!opening || !isKept(given, opening.note)) {
      uncovered.add(line, type);
      return;
    }
    const record = recordLeaf({ stream: `account-${leaf.accountId}`, revision: 0 }, hash ?? '');
    const { problems: found } = checkRecord(opening, record, keys);
    for (const one of found) sayAt(`line ${line}`)(`the opening of the account: ${one}`);
  };

  return {
    /** The account that it is of; undefined without a proof that can be read. */
    read(value: unknown): string | undefined {
      const parsed = ExportProof.safeParse(value);
      if (!parsed.success) say('it cannot be read');
      proof = parsed.data;
      seal = proof && parseSeal(proof.note);
      return proof?.leaf.accountId;
    },
    /** The first line of an export of a period says what was before. */
    takeStart(line: number): void {
      if (proof) uncovered.add(line, 'the account before the first event');
    },
    take(event: EventLine): void {
      const { entry, line, type } = event;
      if (!proof) return;
      if (entry?.kind === 'link') takeLink(entry, line);
      else if (entry?.kind === 'setting' && entry.revision === 0) takeOpening(entry.hash, event);
      else uncovered.add(line, type);
    },
    end(): { seals: SealsReport | null; uncovered?: Uncovered } {
      for (const { number, detail } of problemsOfKept(given)) {
        sayAt(`kept seal ${number}`)(detail);
      }
      if (!proof) {
        const isWanted = kept !== undefined || keys.length > 0;
        if (isWanted) say('the export has none: write one with waybill ledger export --proof');
        return { seals: null };
      }
      for (const one of problemsOfProof(proof, given)) say(one);
      if (!isMet) say(`the export has no link ${proof.leaf.sequence}`);
      const last = seal ? { number: seal.number, at: seal.at } : null;
      const seals = { count: seal ? 1 : 0, last, signed: keys.length > 0 };
      return { seals, uncovered: uncovered.all() };
    },
  };
};
