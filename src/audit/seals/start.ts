import { type Position, START } from '../../events/store.ts';
import { type Head, readContent } from './heads.ts';
import { isSignedBy, parseVerifierKey, type Signer } from './note.ts';
import { lastSeal, type StoredSeal } from './read-seals.ts';
import { leafOfRecord, nameOfLeaf, readRecord, type SealedLog } from './record.ts';

/** What the next seal starts from. */
export interface Start {
  heads: Map<string, Head>;
  /** The number of the seal that the records follow; 0 from the start of the log. */
  since: number;
  after: Position;
  last: StoredSeal | undefined;
  /** Seals so far. */
  count: number;
  listed: number;
}

type Last = Pick<Start, 'last' | 'count'>;

const fromStart = (last: Last): Start => ({
  heads: new Map(),
  since: 0,
  after: START,
  listed: 0,
  ...last,
});

/**
 * Where the next seal starts: from the last one, if its note is signed by our own key, the stored
 * heads make its root, and its newest record is in the log; else from the start of the log. So
 * nothing that the log holds is believed unless a signature covers it.
 */
export const findStart = async (log: SealedLog, signer: Signer): Promise<Start> => {
  const found = await lastSeal(log);
  const { last, count } = found;
  if (!last || last.seal.origin !== signer.name) return fromStart(found);
  if (!isSignedBy(last.seal.note, [parseVerifierKey(signer.verifierKey)])) return fromStart(found);
  const newest = await readRecord(log, last.stored.newest);
  const leaf = newest && leafOfRecord(newest);
  if (!newest || !leaf || nameOfLeaf(leaf) !== last.seal.newest) return fromStart(found);
  const content = await readContent(log, last);
  if (!content) return fromStart(found);
  const heads = new Map(content.heads.map((head) => [head.accountId, head]));
  const { number: since } = last.seal;
  return { heads, since, after: newest.position, last, count, listed: content.listed };
};
