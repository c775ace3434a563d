import type { Position } from '../../events/store.ts';
import type { Entry } from '../entry.ts';
import type { AuditedLog } from '../movement.ts';
import type { Problems } from '../problems.ts';
import type { Policy } from '../witness/policy.ts';
import { headLeafHash, type Leaf, readContent } from './heads.ts';
import { base64, createTiledTree, rootOf, TILE, type TiledTree } from './merkle.ts';
import { isSignedBy, type VerifierKey } from './note.ts';
import {
  isCheckpoint,
  type OldSeal,
  readSeals,
  type Seal,
  type StoredCheckpoint,
  type StoredSeal,
} from './read-seals.ts';
import { nameOfLeaf, readRecord, recordHash, recordLeaf } from './record.ts';
import { gapsIn, nameOfSeal } from './seals-file.ts';
import { createTiles, openTilesOf } from './tiles.ts';
import { createGrowingTree } from './tree.ts';

/** Seals that were kept outside of the log, and the keys that must have signed. */
export interface SealsToCheck {
  /** Oldest first; absent where only the seals of the log itself are checked. */
  kept?: readonly Seal[] | undefined;
  /** Signatures are not checked where there is none. */
  keys?: readonly VerifierKey[] | undefined;
  /** The size of the kept seal that an export must be proved under; its newest one when absent. */
  at?: number | undefined;
  /** Which witnesses must have signed the newest seal. */
  policy?: Policy | undefined;
}

/** What is wrong with a seal that too few witnesses have signed. */
export const UNWITNESSED = 'too few of the witnesses of the policy have signed it';

/** What a verification found of seals. */
export interface SealsReport {
  /** Seals that the log agrees with. */
  count: number;
  /** The last one of them. */
  last: { number: number; at: string } | null;
  /** Whether signatures were checked. */
  signed: boolean;
  /** Whether the witnesses of a policy were checked; absent without one. */
  witnessed?: true;
}

/** One seal, while the log is scanned. */
interface Due {
  seal: Seal;
  /** What a report calls it. */
  name: string;
  /** As the log has it. */
  stored?: StoredSeal;
  state: 'open' | 'same' | 'differs';
  /** All records from the start of the log are those that were sealed, in their order. */
  isWhole: boolean;
  /** Roots of the log's tiles, where its records differ. */
  tiles?: readonly Uint8Array[];
}

/** A seal of the old form. */
interface OldDue extends Due {
  seal: Seal & { old: OldSeal };
}

const isOld = (due: Due): due is OldDue => due.seal.old !== undefined;

type Say = (detail: string, accountId?: string) => void;

const NAMED_MAX = 10;

const rootOfHeads = (heads: ReadonlyMap<string, Leaf>): string => {
  const ids = [...heads.keys()].sort((one, other) => (one < other ? -1 : 1));
  return base64(rootOf(ids.map((id) => headLeafHash(heads.get(id)!))));
};

const hashIn = (entry: Entry): string | undefined => ('hash' in entry ? entry.hash : undefined);

const oldLeafOf = (entry: Entry, hash: string): string | undefined => {
  if (entry.kind === 'terms') return recordLeaf(entry, hash);
  if (!('revision' in entry)) return undefined;
  const { accountId, revision } = entry;
  return recordLeaf({ stream: `account-${accountId}`, revision }, hash);
};

/** The state of the log at each seal of the old form, as its entries come. */
const createOldScan = (all: readonly OldDue[]) => {
  const dues = new Map(all.map((due) => [due.seal.old.number, due]));
  const byNewest = Map.groupBy(all, ({ seal }) => seal.old.newest);
  const heads = new Map<string, Leaf>();
  /** The records after a seal, by its number. */
  const trees = new Map<number, TiledTree>();
  const isNeeded = (since: number) =>
    all.some(({ seal, state }) => state === 'open' && seal.old.records.since === since);
  if (isNeeded(0)) trees.set(0, createTiledTree());

  const settle = (due: OldDue): void => {
    const { seal } = due;
    const { since, size, root } = seal.old.records;
    const tree = trees.get(since);
    const isSame = tree && tree.size() === size && base64(tree.root()) === root;
    due.isWhole = isSame === true && (since === 0 || dues.get(since)?.isWhole === true);
    if (isSame === false) due.tiles = tree!.tiles();
    // The heads hold positions, which are others in a copy of the log; its records are the same.
    const holds =
      due.isWhole ||
      (isSame !== false && heads.size === seal.size && rootOfHeads(heads) === seal.root);
    due.state = holds ? 'same' : 'differs';
    if (!isNeeded(since)) trees.delete(since);
    if (isNeeded(seal.old.number)) trees.set(seal.old.number, createTiledTree());
  };

  return (entry: Entry, hash: string): void => {
    const leaf = oldLeafOf(entry, hash);
    if (leaf === undefined) return;
    for (const tree of trees.values()) tree.add(leaf);
    if (entry.kind === 'link') {
      const { accountId, sequence, position } = entry;
      heads.set(accountId, { accountId, sequence, hash, position });
    }
    for (const due of byNewest.get(nameOfLeaf(leaf)) ?? []) if (due.state === 'open') settle(due);
  };
};

/** The log of entries as it grows, compared with each seal where it has its size. */
const createTreeScan = (dues: readonly Due[]) => {
  const bySize = Map.groupBy(dues, ({ seal }) => seal.size);
  const tree = createGrowingTree();
  const tiles: Uint8Array[] = [];
  return {
    take(hash: string): void {
      for (const { level, hashes } of tree.add(Buffer.from(hash, 'hex'))) {
        if (level === 0) tiles.push(rootOf(hashes));
      }
      for (const due of bySize.get(tree.size()) ?? []) {
        due.state = base64(tree.root()) === due.seal.root ? 'same' : 'differs';
        if (due.state === 'differs') due.tiles = [...tiles, rootOf(tree.open()[0] ?? [])];
      }
    },
    /** The roots of the full tiles of level 0. */
    tiles: (): readonly Uint8Array[] => tiles,
  };
};

const createScan = (dues: readonly Due[]) => {
  const old = dues.filter(isOld);
  const oldScan = old.length > 0 ? createOldScan(old) : undefined;
  const treeScan =
    old.length < dues.length ? createTreeScan(dues.filter((due) => !isOld(due))) : undefined;
  return {
    take(entry: Entry): void {
      const hash = hashIn(entry);
      if (hash === undefined) return;
      treeScan?.take(hash);
      oldScan?.(entry, hash);
    },
    tiles: () => treeScan?.tiles() ?? [],
  };
};

/** Names the accounts whose links are not those that a seal covers. */
const nameAccounts = async (log: AuditedLog, stored: StoredSeal, say: Say): Promise<void> => {
  const { number } = stored;
  const content = await readContent(log, stored);
  if (!content) return say(`the heads that the log lists for seal ${number} were changed too`);
  let left = NAMED_MAX;
  for (const { accountId, revision, sequence, hash } of content.heads) {
    const link = await readRecord(log, { stream: `account-${accountId}`, revision });
    const found = link && recordHash(link);
    if (found === hash) continue;
    const instead = found === undefined ? 'is not in the log' : `has the hash ${found}`;
    say(`link ${sequence} ${instead}; seal ${number} covers ${hash}`, accountId);
    left -= 1;
    if (left === 0) return say('and there may be more accounts');
  }
};

/** Of each tile the record that begins it, and its root, as the log holds them for a seal. */
async function* sealedTiles(log: AuditedLog, stored: StoredSeal) {
  if (!isCheckpoint(stored)) {
    const content = await readContent(log, stored);
    for (const [stream, revision, root] of content?.tiles ?? []) {
      yield { first: { stream, revision }, root };
    }
    return;
  }
  const tiles = createTiles(log);
  const tileAt = tiles.tileOf(openTilesOf(stored));
  for (let index = 0; index * TILE < stored.seal.size; index += 1) {
    const first = await tiles.firstOf(stored, index);
    yield { first, root: base64(rootOf(await tileAt(0, index))) };
  }
}

/** Names the place of the first record that is not the one that a seal covers. */
const nameRecords = async (log: AuditedLog, { stored, tiles }: Due, say: Say): Promise<void> => {
  if (!stored || !tiles) return;
  let index = 0;
  for await (const { first, root } of sealedTiles(log, stored)) {
    const found = tiles[index];
    index += 1;
    if (found !== undefined && base64(found) === root) continue;
    if (!first) return;
    say(`the first difference is within ${TILE} records from ${first.stream} ${first.revision} on`);
    return;
  }
};

/** Names the first full tile that the log serves otherwise than its records make it. */
const nameTiles = async (
  log: AuditedLog,
  stored: StoredCheckpoint,
  { found, say }: { found: readonly Uint8Array[]; say: Say },
): Promise<void> => {
  const tileAt = createTiles(log).tileOf(openTilesOf(stored));
  for (let index = 0; (index + 1) * TILE <= stored.seal.size; index += 1) {
    const hashes = await tileAt(0, index).catch(() => []);
    const root = found[index];
    if (root && base64(rootOf(hashes)) === base64(root)) continue;
    say(`tile 0/${index} of the log of entries is missing, or not what its records make`);
    return;
  }
};

/** What the log has in place of a kept seal; undefined where it has the same. */
const insteadOf = (seal: Seal, ours: Due | undefined, count: number, size: number) => {
  const isOurs = ours && (seal.old ? ours.seal.note === seal.note : ours.seal.root === seal.root);
  if (isOurs) return undefined;
  if (ours) return `the log has another seal of this ${seal.old ? 'number' : 'size'}`;
  const isBeyond = seal.old ? seal.old.number > count : seal.size > size;
  return isBeyond ? 'the log ends before this seal' : 'the log has no such seal';
};

/**
 * Compares seals with the log, as its entries come in their order: where the log has the size of a seal, its
 * entries must make the seal's root. A seal of the old form names the newest record that it covers. There the
 * records since an earlier seal must make its root, and, unless they do from the start of the log on, the
 * heads of all chains theirs.
 */
export const createSealAudit = async (
  log: AuditedLog,
  { kept = [], keys = [], policy }: SealsToCheck,
  { problems, head }: { problems: Problems; head: Position },
) => {
  const sayOf =
    (at: string): Say =>
    (detail, accountId) =>
      problems.add({ accountId: accountId ?? null, kind: 'seal', at, detail });
  const dues: Due[] = [];
  const take = (given: Pick<Due, 'seal' | 'name' | 'stored'>, say: Say): Due => {
    const due: Due = { ...given, state: 'open', isWhole: false };
    if (keys.length > 0 && !isSignedBy(due.seal.note, keys)) say('no given key has signed it');
    else dues.push(due);
    return due;
  };
  /** The seals of the log, by any signer. */
  const known: Due[] = [];
  let [count, size] = [0, 0];
  for await (const stored of readSeals(log)) {
    if (stored.position > head) break;
    const { seal, number } = stored;
    [count, size] = [number, seal.old ? 0 : seal.size];
    known.push(take({ seal, stored, name: `seal ${number}` }, sayOf(`seal ${number} of the log`)));
  }
  for (const { name, detail } of gapsIn(kept)) sayOf(`kept ${name}`)(detail);
  for (const seal of kept) {
    const ours = known.find((due) =>
      seal.old
        ? due.seal.old?.number === seal.old.number
        : !isOld(due) && due.seal.size === seal.size,
    );
    const instead = insteadOf(seal, ours, count, size);
    if (instead === undefined && (keys.length === 0 || isSignedBy(seal.note, keys))) continue;
    const say = sayOf(`kept ${nameOfSeal(seal)}`);
    if (instead !== undefined) say(instead);
    take({ seal, name: nameOfSeal(seal), ...(ours?.stored && { stored: ours.stored }) }, say);
  }
  const scan = dues.length > 0 ? createScan(dues) : undefined;
  // The log may have more cosignatures of a seal than the file that kept it at once.
  const demandWitnesses = () => {
    const asked = kept.at(-1) ?? known.at(-1)?.seal;
    const same = [...kept, ...known.map((due) => due.seal)].filter(
      (one) => one.root === asked?.root,
    );
    if (!policy || same.some(({ note }) => policy.isMetBy(note))) return;
    sayOf(asked ? `the newest ${nameOfSeal(asked)}` : 'the log')(
      asked ? UNWITNESSED : 'it has no seal',
    );
  };
  demandWitnesses();

  return {
    take: (entry: Entry) => scan?.take(entry),
    async end(): Promise<SealsReport | null> {
      if (dues.length === 0 && kept.length === 0) return null;
      const bad = dues.filter(({ state }) => state !== 'same');
      const [first] = bad;
      if (first) {
        const say = sayOf(first.name);
        const what = first.state === 'open' ? 'lacks the newest record' : 'is not what was covered';
        const at = first.stored?.at ?? first.seal.old?.at;
        const when = at === undefined ? '' : ` at ${at}`;
        const more = bad.length > 1 ? `, nor do ${bad.length - 1} others hold` : '';
        say(`the log ${what}${when}${more}`);
        await nameRecords(log, first, say);
        const latest = bad.findLast(({ stored }) => stored)?.stored;
        if (latest) await nameAccounts(log, latest, say);
      }
      const good = dues.filter(({ state, stored }) => state === 'same' && stored);
      const newest = good.at(-1)?.stored;
      if (isCheckpoint(newest)) {
        const say = sayOf(`seal ${newest.number}`);
        await nameTiles(log, newest, { found: scan?.tiles() ?? [], say });
      }
      return {
        count: good.length,
        last: newest ? { number: newest.number, at: newest.at } : null,
        signed: keys.length > 0,
        ...(policy && { witnessed: true as const }),
      };
    },
  };
};
