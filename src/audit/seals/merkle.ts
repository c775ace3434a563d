import { hash } from 'node:crypto';

// The Merkle tree of RFC 6962, section 2.1: SHA-256, with different prefixes for leaves and nodes.

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  hash('sha256', Buffer.concat(parts), 'buffer');

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export const HASH_BYTES = 32;

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

export const leafHash = (data: string | Uint8Array): Buffer =>
  sha256(LEAF, typeof data === 'string' ? Buffer.from(data) : data);

/** One place for the bytes of all nodes: most of the work on a tree is to hash them. */
const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => {
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return hash('sha256', node, 'buffer');
};

/** The largest power of two below `size`. */
export const splitOf = (size: number): number => {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
};

/** The root of a tree of these leaf hashes, or of complete subtrees of one size. */
export const rootOf = (
  hashes: readonly Uint8Array[],
  from = 0,
  to = hashes.length,
): Buffer | Uint8Array => {
  if (to === from) return sha256();
  if (to - from === 1) return hashes[from]!;
  const middle = from + splitOf(to - from);
  return nodeHash(rootOf(hashes, from, middle), rootOf(hashes, middle, to));
};

/** The hashes beside the way from one leaf to the root, from the leaf on. */
export const pathOf = (
  hashes: readonly Uint8Array[],
  index: number,
  from = 0,
  to = hashes.length,
): Uint8Array[] => {
  if (to - from <= 1) return [];
  const middle = from + splitOf(to - from);
  return index < middle
    ? [...pathOf(hashes, index, from, middle), rootOf(hashes, middle, to)]
    : [...pathOf(hashes, index, middle, to), rootOf(hashes, from, middle)];
};

/** A leaf's place in a tree, and its path to the root. */
interface Inclusion {
  index: number;
  size: number;
  path: readonly Uint8Array[];
}

/** The root that a path leads to (RFC 9162, section 2.1.3.2); undefined for a path of another tree. */
export const rootFrom = (
  leaf: Uint8Array,
  { index, size, path }: Inclusion,
): Uint8Array | undefined => {
  if (!Number.isSafeInteger(index) || index < 0 || !(index < size)) return undefined;
  let [at, last] = [index, size - 1];
  let root = leaf;
  const up = () => {
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  };
  for (const beside of path) {
    if (last === 0 || beside.length !== HASH_BYTES) return undefined;
    if (at % 2 === 1 || at === last) {
      root = nodeHash(beside, root);
      while (at % 2 === 0 && at !== 0) up();
    } else root = nodeHash(root, beside);
    up();
  }
  return last === 0 ? root : undefined;
};

/** Two sizes of one tree, with their roots. */
export interface Growth {
  from: { size: number; root: Uint8Array };
  to: { size: number; root: Uint8Array };
}

/** Whether a proof shows that a tree has only grown (RFC 9162, section 2.1.4.2). */
export const isConsistent = ({ from, to }: Growth, proof: readonly Uint8Array[]): boolean => {
  if (from.size > to.size || proof.some((one) => one.length !== HASH_BYTES)) return false;
  if (from.size === to.size) return proof.length === 0 && same(from.root, to.root);
  if (from.size === 0) return proof.length === 0;
  let [at, last] = [from.size - 1, to.size - 1];
  const up = () => {
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  };
  while (at % 2 === 1) up();
  // The root of a complete tree is the first hash itself.
  const [first, ...rest] = at === 0 ? [from.root, ...proof] : proof;
  if (!first) return false;
  let [older, newer] = [first, first];
  for (const beside of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      older = nodeHash(beside, older);
      newer = nodeHash(beside, newer);
      while (at % 2 === 0 && at !== 0) up();
    } else newer = nodeHash(newer, beside);
    up();
  }
  return last === 0 && same(older, from.root) && same(newer, to.root);
};

/** Leaves of a tile: a complete subtree, whose root covers its leaves. */
export const TILE = 256;

/** Grows a tree of any size; keeps one hash for each tile, and the leaves of the last one. */
export const createTiledTree = () => {
  const full: Uint8Array[] = [];
  let open: Buffer[] = [];
  let size = 0;
  const tiles = (): readonly Uint8Array[] => (open.length > 0 ? [...full, rootOf(open)] : full);
  return {
    /** Returns whether the leaf begins a tile. */
    add(data: string): boolean {
      const begins = open.length === 0;
      open.push(leafHash(data));
      size += 1;
      if (open.length === TILE) {
        full.push(rootOf(open));
        open = [];
      }
      return begins;
    },
    size: () => size,
    tiles,
    root: () => rootOf(tiles()),
  };
};

/** The roots of the tiles of these leaf hashes. */
export const tileRootsOf = (hashes: readonly Uint8Array[]): Uint8Array[] =>
  Array.from({ length: Math.ceil(hashes.length / TILE) }, (_, tile) =>
    rootOf(hashes, tile * TILE, Math.min((tile + 1) * TILE, hashes.length)),
  );

/** The path of a leaf, from the leaf hashes of its tile and the roots of all tiles. */
export const pathByTiles = (
  index: number,
  ofTile: readonly Uint8Array[],
  roots: readonly Uint8Array[],
): Uint8Array[] => [...pathOf(ofTile, index % TILE), ...pathOf(roots, Math.floor(index / TILE))];

export type TiledTree = ReturnType<typeof createTiledTree>;

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
