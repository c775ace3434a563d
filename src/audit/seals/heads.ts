import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../../commands/account/chain.ts';
import { listedHeadsId } from '../../commands/seals/seals.ts';
import { streamPages } from '../../events/paging.ts';
import type { LedgerHead, RecordTile } from '../../events/seals.ts';
import type { EventReader } from '../../events/store.ts';
import { base64, leafHash, rootOf, tileRootsOf } from './merkle.ts';
import { parseHeads, readSeals, type StoredSeal } from './read-seals.ts';

type Log = Pick<EventReader, 'read'>;

/** The newest link of an account: a leaf of the tree of heads. */
export interface Head {
  accountId: string;
  revision: number;
  sequence: number;
  hash: string;
  position: string;
}

export type Leaf = Omit<Head, 'revision'>;

export const leafOf = ({ accountId, sequence, hash, position }: Leaf): Leaf => ({
  accountId,
  sequence,
  hash,
  position,
});

export const headLeafHash = (head: Leaf): Buffer => leafHash(canonicalJson(leafOf(head)));

const headOf = ([accountId, revision, sequence, hash, position]: LedgerHead): Head => ({
  accountId,
  revision,
  sequence,
  hash,
  position,
});

export const listedOf = ({ accountId, revision, sequence, hash, position }: Head): LedgerHead => [
  ...([accountId, revision, sequence, hash, position] as const),
];

/** Leaves that are hashed in one turn of the event loop. */
const AT_ONCE = 2000;

/** The heads in the order of the tree, and the hashes of their leaves. */
export const treeOf = async (all: Iterable<Head>): Promise<{ heads: Head[]; hashes: Buffer[] }> => {
  const heads = [...all].sort((one, other) => (one.accountId < other.accountId ? -1 : 1));
  const hashes: Buffer[] = [];
  for (const head of heads) {
    hashes.push(headLeafHash(head));
    if (hashes.length % AT_ONCE === 0) await nextTurn();
  }
  return { heads, hashes };
};

/** What the log lists for a seal, and what the seal's own note of heads confirms. */
export interface SealedContent {
  heads: readonly Head[];
  hashes: readonly Buffer[];
  /** Roots of the tiles of `hashes`. */
  roots: readonly Uint8Array[];
  /** The tiles of the records of a seal of the old form. */
  tiles: readonly RecordTile[];
  /** Heads that were listed since the last full list. */
  listed: number;
}

/** Parts of one read; a part may have 300 kB. */
const PARTS_AT_ONCE = 4;

const readParts = async (log: Log, { listId, parts }: StoredSeal['stored']) => {
  const heads: Head[] = [];
  const tiles: RecordTile[] = [];
  for (let part = 0; part < parts; part += 1) {
    const stream = `heads-${listedHeadsId(listId, part)}`;
    for await (const page of streamPages(log, stream, { pageSize: PARTS_AT_ONCE })) {
      for (const { type, data } of page) {
        if (type !== 'LedgerHeadsListed') continue;
        const listed = data as { heads: LedgerHead[]; tiles: RecordTile[] };
        heads.push(...listed.heads.map(headOf));
        tiles.push(...listed.tiles);
      }
    }
  }
  return { heads, tiles };
};

/** The size and root of the tree of heads at a seal. */
const sealedHeads = ({ seal, stored }: StoredSeal): { size: number; root: string } | undefined => {
  if (!stored.tree) return seal;
  const heads = parseHeads(stored.tree.heads);
  return heads && { size: heads.accounts, root: heads.root };
};

/**
 * The content of a seal, from the lists of heads since its base. Undefined where these do not make
 * the sealed root: then somebody changed them.
 */
export const readContent = async (
  log: Log,
  sealed: StoredSeal,
): Promise<SealedContent | undefined> => {
  const { number, stored } = sealed;
  const heads = new Map<string, Head>();
  let tiles: readonly RecordTile[] = [];
  let listed = 0;
  for await (const one of readSeals(log, stored.base - 1)) {
    if (one.number > number) break;
    const found = await readParts(log, one.stored);
    for (const head of found.heads) heads.set(head.accountId, head);
    listed += found.heads.length;
    tiles = found.tiles;
  }
  const tree = await treeOf(heads.values());
  const roots = tileRootsOf(tree.hashes);
  const due = sealedHeads(sealed);
  const isSealed = tree.heads.length === due?.size && base64(rootOf(roots)) === due.root;
  return isSealed ? { ...tree, roots, tiles, listed } : undefined;
};
