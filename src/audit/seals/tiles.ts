import { LRUCache } from 'lru-cache';
import { tileStream } from '../../commands/seals/seals.ts';
import type { EventOf } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { leafHash, TILE } from './merkle.ts';
import { isCheckpoint, lastSeal, type StoredCheckpoint } from './read-seals.ts';
import { createTreeReader, hashesIn, type OpenTiles, sizeOf, type TileAt } from './tree.ts';

// The tiles of the log of entries, as the log holds them: full ones as events, the others with each seal.

type Log = Pick<EventReader, 'read'>;

/** The place of a record. */
export interface Place {
  stream: string;
  revision: number;
}

export const openTilesOf = ({ stored }: StoredCheckpoint): OpenTiles =>
  stored.tree.open.map((text) => hashesIn(Buffer.from(text, 'base64')));

/** Full tiles that are kept in memory: 8 kB each. */
const KEPT_MAX = 256;

/** Reads the tiles of the last seal. */
export const createTiles = (log: Log) => {
  const kept = new LRUCache<string, { hashes: Uint8Array[]; first: Place | null }>({
    max: KEPT_MAX,
  });
  const full = async (level: number, index: number) => {
    const stream = tileStream({ level, index });
    const known = kept.get(stream);
    if (known) return known;
    const [event] = await log.read(stream, { limit: 1 });
    if (event?.type !== 'LogTileFilled')
      throw new Error(`the log lacks its tile ${level}/${index}`);
    const { hashes, first } = event.data as EventOf<'LogTileFilled'>['data'];
    const tile = { hashes: hashesIn(Buffer.from(hashes, 'base64')), first };
    kept.set(stream, tile);
    return tile;
  };
  const tileOf =
    (open: OpenTiles): TileAt =>
    async (level, index) => {
      const fullOnes = Math.floor(sizeOf(open) / TILE ** (level + 1));
      if (index < fullOnes) return (await full(level, index)).hashes;
      return index === fullOnes ? (open[level] ?? []) : [];
    };
  return {
    tileOf,
    /** Makes proofs for trees up to the one that ends with these. */
    reader: (open: OpenTiles) => createTreeReader(tileOf(open)),
    /** The record of the first entry of a tile of level 0. */
    async firstOf(sealed: StoredCheckpoint, index: number): Promise<Place | null> {
      const isFull = index < Math.floor(sealed.seal.size / TILE);
      return isFull ? (await full(0, index)).first : sealed.stored.tree.first;
    },
  };
};

export type Tiles = ReturnType<typeof createTiles>;

/** A tile's number as a path, in groups of three digits. */
export const pathOfIndex = (index: number): string => {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!;
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
};

const LEVEL_MAX = 63;
const PATH =
  /^tile\/(?<level>entries|0|[1-9]\d?)\/(?<index>(?:x\d{3}\/){0,4}\d{3})(?:\.p\/(?<width>[1-9]\d{0,2}))?$/;

interface Asked {
  level: number;
  /** Entries as they are, each after its length. */
  isBundle: boolean;
  index: number;
  /** Undefined for a full tile. */
  width: number | undefined;
}

/** Undefined for another path. Each tile has one path. */
const parsePath = (path: string): Asked | undefined => {
  const { level = '', index = '', width } = PATH.exec(path)?.groups ?? {};
  const asked = {
    level: level === 'entries' ? 0 : Number(level),
    isBundle: level === 'entries',
    index: Number(index.replaceAll(/[x/]/g, '')),
    width: width === undefined ? undefined : Number(width),
  };
  if (index === '' || asked.level > LEVEL_MAX || (asked.width ?? 0) >= TILE) return undefined;
  return pathOfIndex(asked.index) === index ? asked : undefined;
};

/** The files of the log of entries, but for the checkpoint: every tile of a tree of this size. */
export function* tilePaths(size: number): Generator<string, void, void> {
  const ofLevel = function* (name: string, count: number) {
    const full = Math.floor(count / TILE);
    for (let index = 0; index < full; index += 1) yield `tile/${name}/${pathOfIndex(index)}`;
    if (count % TILE > 0) yield `tile/${name}/${pathOfIndex(full)}.p/${count % TILE}`;
  };
  yield* ofLevel('entries', size);
  for (let [level, count] = [0, size]; count > 0; level += 1, count = Math.floor(count / TILE)) {
    yield* ofLevel(String(level), count);
  }
}

/** An entry bundle: each entry after its length, two bytes big-endian. */
const bundleOf = (entries: readonly Uint8Array[]): Buffer =>
  Buffer.concat(entries.flatMap((entry) => [Buffer.of(0, entry.length), entry]));

/** The log of entries as anybody may read it: C2SP tlog-tiles 0.1.0, below `/transparency/`. */
export interface Transparency {
  /** The last seal; undefined before the first. */
  checkpoint(): Promise<StoredCheckpoint | undefined>;
  /** A tile or an entry bundle; undefined for what the last seal does not cover. */
  tile(path: string): Promise<Buffer | undefined>;
}

export const createTransparency = (log: Log): Transparency => {
  const tiles = createTiles(log);
  const checkpoint = async () => {
    const { last } = await lastSeal(log);
    return isCheckpoint(last) ? last : undefined;
  };
  return {
    checkpoint,
    async tile(path) {
      const asked = parsePath(path);
      const sealed = asked && (await checkpoint());
      if (!sealed) return undefined;
      const { level, index, width = TILE, isBundle } = asked;
      const hashes = await tiles.tileOf(openTilesOf(sealed))(level, index);
      if (hashes.length < width) return undefined;
      const shown = hashes.slice(0, width);
      if (isBundle) return bundleOf(shown);
      return Buffer.concat(level === 0 ? shown.map((entry) => leafHash(entry)) : shown);
    },
  };
};
