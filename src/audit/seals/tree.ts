import { HASH_BYTES, leafHash, nodeHash, rootOf, splitOf, TILE } from './merkle.ts';

// The log of entries as a tree in tiles, after C2SP tlog-tiles: a tile has up to 256 hashes. Those of level
// 0 are entries, those of the levels above the roots of full tiles one level below.

/** A full tile. */
export interface FullTile {
  level: number;
  index: number;
  hashes: readonly Uint8Array[];
}

/** Of each level the hashes that fill no tile yet: all that a tree needs to grow. */
export type OpenTiles = readonly (readonly Uint8Array[])[];

/** The height of a tile's own tree: 256 is 2 to the power of 8. */
const HEIGHT = 8;

const leavesOf = (entries: readonly Uint8Array[]): Uint8Array[] =>
  entries.map((entry) => leafHash(entry));

/** The complete subtrees of some hashes in a row, the largest first. */
const peaksOf = (hashes: readonly Uint8Array[]): Uint8Array[] => {
  const peaks: Uint8Array[] = [];
  for (let [from, width] = [0, TILE / 2]; width >= 1; width /= 2) {
    if (hashes.length - from < width) continue;
    peaks.push(rootOf(hashes, from, from + width));
    from += width;
  }
  return peaks;
};

export const sizeOf = (open: OpenTiles): number =>
  open.reduce((size, { length }, level) => size + length * TILE ** level, 0);

/** The root of the tree whose last tiles these are. */
export const rootOfOpen = (open: OpenTiles): Uint8Array => {
  const peaks = open.flatMap((hashes, level) =>
    // From the smallest subtree on the right to the largest on the left.
    peaksOf(level === 0 ? leavesOf(hashes) : hashes).reverse(),
  );
  const [last, ...rest] = peaks;
  return last ? rest.reduce((right, left) => nodeHash(left, right), last) : rootOf([]);
};

/** A tree that only grows. Keeps less than 256 hashes of each level. */
export const createGrowingTree = (open: OpenTiles = []) => {
  const levels = open.map((hashes) => [...hashes]);
  let size = sizeOf(open);
  return {
    /** Returns the tiles that the entry has filled. */
    add(entry: Uint8Array): FullTile[] {
      size += 1;
      const full: FullTile[] = [];
      let hash = entry;
      for (let level = 0; ; level += 1) {
        levels[level] ??= [];
        const hashes = levels[level]!;
        hashes.push(hash);
        if (hashes.length < TILE) return full;
        full.push({ level, index: size / TILE ** (level + 1) - 1, hashes });
        hash = rootOf(level === 0 ? leavesOf(hashes) : hashes);
        levels[level] = [];
      }
    },
    size: () => size,
    root: () => rootOfOpen(levels),
    open: (): OpenTiles => levels.map((hashes) => [...hashes]),
  };
};

export type GrowingTree = ReturnType<typeof createGrowingTree>;

/** The hashes of a tile, those of level 0 as entries: as many as there are. */
export type TileAt = (level: number, index: number) => Promise<readonly Uint8Array[]>;

/** Makes proofs from tiles, each of which it reads once. */
export const createTreeReader = (tileAt: TileAt) => {
  const leaves = new Map<number, Promise<readonly Uint8Array[]>>();
  const hashesOf = (level: number, index: number) => {
    if (level > 0) return tileAt(level, index);
    const found = leaves.get(index) ?? tileAt(0, index).then(leavesOf);
    leaves.set(index, found);
    return found;
  };
  const complete = async (height: number, index: number): Promise<Uint8Array> => {
    const level = Math.floor(height / HEIGHT);
    const width = 2 ** (height % HEIGHT);
    const tile = Math.floor((index * width) / TILE);
    const from = (index * width) % TILE;
    const hashes = await hashesOf(level, tile);
    if (hashes.length < from + width) throw new Error(`tile ${level}/${tile} is too narrow`);
    return rootOf(hashes, from, from + width);
  };
  /** The root of the entries from one to before another. */
  const range = async (from: number, to: number): Promise<Uint8Array> => {
    const size = to - from;
    const split = splitOf(size);
    if (size === 1 || split * 2 === size) {
      return complete(Math.round(Math.log2(size)), from / size);
    }
    return nodeHash(await range(from, from + split), await range(from + split, to));
  };
  /** The hashes beside the way from an entry to the root (RFC 6962, section 2.1.1). */
  const inclusion = async (index: number, to: number, from = 0): Promise<Uint8Array[]> => {
    if (to - from <= 1) return [];
    const middle = from + splitOf(to - from);
    return index < middle
      ? [...(await inclusion(index, middle, from)), await range(middle, to)]
      : [...(await inclusion(index, to, middle)), await range(from, middle)];
  };
  /** Section 2.1.2: the tree of `old` entries is the beginning of this one. */
  const grown = async (old: number, from: number, to: number, isRoot: boolean) => {
    if (old === to) return isRoot ? [] : [await range(from, to)];
    const middle = from + splitOf(to - from);
    const proof: Uint8Array[] =
      old <= middle
        ? [...(await grown(old, from, middle, isRoot)), await range(middle, to)]
        : [...(await grown(old, middle, to, false)), await range(from, middle)];
    return proof;
  };
  return {
    inclusion: (index: number, size: number) => inclusion(index, size),
    consistency: async (old: number, size: number): Promise<Uint8Array[]> =>
      old === 0 ? [] : grown(old, 0, size, true),
  };
};

/** The hashes of a tile in one text, or in the bytes that are served. */
export const hashesIn = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
