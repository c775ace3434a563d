import type { LedgerHead } from '../../events/seals.ts';
import { type Position, START } from '../../events/store.ts';
import { type Head, readContent } from './heads.ts';
import { base64 } from './merkle.ts';
import { isSignedBy, parseVerifierKey, type Signer } from './note.ts';
import { isCheckpoint, lastSeal, parseHeads, type StoredCheckpoint } from './read-seals.ts';
import { entryOfRecord, readRecord, type SealedLog } from './record.ts';
import { openTilesOf, type Place } from './tiles.ts';
import { createGrowingTree, type GrowingTree, rootOfOpen, sizeOf } from './tree.ts';

/** The log of entries, and the newest link of each account, as far as the log was read. */
export interface Growing {
  tree: GrowingTree;
  /** The record of the first entry that fills no tile yet. */
  first: Place | null;
  heads: Map<string, Head>;
  /** Heads that the last seal does not list. */
  changed: Map<string, LedgerHead>;
  newest: (Place & { position: Position }) | undefined;
  /** Up to here the log was read. */
  after: Position;
  /** Seals so far. */
  count: number;
  /** The list of all heads that the next seal's adds to, and how many were listed since; none for 0. */
  base: number;
  listed: number;
  /** What the tree must be where it has the size of the last seal. */
  due: { size: number; root: string; number: number } | undefined;
}

const dueOf = ({ number, seal: { size, root } }: StoredCheckpoint): Growing['due'] => ({
  size,
  root,
  number,
});

/** The content of the last seal as the log lists it, if our own key has signed it. */
const readSealed = async (log: SealedLog, sealed: StoredCheckpoint, signer: Signer) => {
  const { seal, stored } = sealed;
  const keys = [parseVerifierKey(signer.verifierKey)];
  const heads = parseHeads(stored.tree.heads);
  if (!isSignedBy(seal.note, keys) || !isSignedBy(stored.tree.heads, keys)) return undefined;
  const open = openTilesOf(sealed);
  const isTree = sizeOf(open) === seal.size && base64(rootOfOpen(open)) === seal.root;
  if (!isTree || heads?.tree.root !== seal.root) return undefined;
  const newest = await readRecord(log, stored.newest);
  const last = open[0]?.at(-1);
  if (!newest || (last && !entryOfRecord(newest)?.equals(last))) return undefined;
  const content = await readContent(log, sealed);
  return content && { open, content, newest };
};

/**
 * Where the next seal starts: from the last one, if our own key has signed it, what the log lists makes
 * its roots, and its newest record is in the log; else from the start of the log, and then the tree has
 * to grow over the last one. So nothing that the log holds is believed unless a signature covers it.
 */
export const findStart = async (log: SealedLog, signer: Signer): Promise<Growing> => {
  const { last, count } = await lastSeal(log);
  const sealed = isCheckpoint(last) && last.seal.origin === signer.name ? last : undefined;
  const found = sealed && (await readSealed(log, sealed, signer));
  const changed = new Map<string, LedgerHead>();
  const due = sealed && dueOf(sealed);
  if (!found) {
    const nothing = { first: null, newest: undefined, after: START, base: 0, listed: 0 };
    return { tree: createGrowingTree(), heads: new Map(), changed, count, due, ...nothing };
  }
  const { open, content, newest } = found;
  const { stream, revision, position } = newest;
  return {
    tree: createGrowingTree(open),
    first: sealed.stored.tree.first,
    heads: new Map(content.heads.map((head) => [head.accountId, head])),
    changed,
    newest: { stream, revision, position },
    after: position,
    count,
    base: sealed.stored.base,
    listed: content.listed,
    due,
  };
};
