import type { Position } from '../../events/store.ts';
import type { Entry } from '../entry.ts';
import type { AuditedLog } from '../movement.ts';
import type { Problems } from '../problems.ts';
import { headLeafHash, type Leaf, readContent } from './heads.ts';
import { base64, createTiledTree, rootOf, type TiledTree } from './merkle.ts';
import { isSignedBy, type VerifierKey } from './note.ts';
import type { Seal } from './read-seals.ts';
import { readSeals, type StoredSeal } from './read-seals.ts';
import { nameOfLeaf, readRecord, recordHash, recordLeaf } from './record.ts';
import { gapsIn } from './seals-file.ts';

/** Seals that were kept outside of the log, and the keys that must have signed. */
export interface SealsToCheck {
  /** Oldest first; absent where only the seals of the log itself are checked. */
  kept?: readonly Seal[] | undefined;
  /** Signatures are not checked where there is none. */
  keys?: readonly VerifierKey[] | undefined;
}

/** What a verification found of seals. */
export interface SealsReport {
  /** Seals that the log agrees with. */
  count: number;
  /** The last one of them. */
  last: { number: number; at: string } | null;
  /** Whether signatures were checked. */
  signed: boolean;
}

/** One seal, while the log is scanned. */
interface Due {
  seal: Seal;
  /** As the log has it. */
  stored?: StoredSeal;
  state: 'open' | 'same' | 'differs';
  /** All records from the start of the log are those that were sealed, in their order. */
  isWhole: boolean;
  /** Roots of the log's tiles, where its records differ. */
  tiles?: readonly Uint8Array[];
}

type Say = (detail: string, accountId?: string) => void;

const NAMED_MAX = 10;

const rootOfHeads = (heads: ReadonlyMap<string, Leaf>): string => {
  const ids = [...heads.keys()].sort((one, other) => (one < other ? -1 : 1));
  return base64(rootOf(ids.map((id) => headLeafHash(heads.get(id)!))));
};

const leafOfEntry = (entry: Entry): string | undefined => {
  if (entry.kind === 'terms') return recordLeaf(entry, entry.hash);
  if (!('hash' in entry) || entry.hash === undefined) return undefined;
  const { accountId, revision, hash } = entry;
  return recordLeaf({ stream: `account-${accountId}`, revision }, hash);
};

/** The state of the log at each seal, as its entries come. */
const createScan = (dues: ReadonlyMap<number, Due>) => {
  const byNewest = Map.groupBy(dues.values(), ({ seal }) => seal.newest);
  const heads = new Map<string, Leaf>();
  /** The records after a seal, by its number. */
  const trees = new Map<number, TiledTree>();
  const isNeeded = (since: number) =>
    [...dues.values()].some(({ seal, state }) => state === 'open' && seal.records.since === since);
  if (isNeeded(0)) trees.set(0, createTiledTree());

  const settle = (due: Due): void => {
    const { seal } = due;
    const { since, size, root } = seal.records;
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
    if (isNeeded(seal.number)) trees.set(seal.number, createTiledTree());
  };

  return (entry: Entry): void => {
    const leaf = leafOfEntry(entry);
    if (leaf === undefined) return;
    for (const tree of trees.values()) tree.add(leaf);
    if (entry.kind === 'link') {
      const { accountId, sequence, hash, position } = entry;
      heads.set(accountId, { accountId, sequence, hash, position });
    }
    for (const due of byNewest.get(nameOfLeaf(leaf)) ?? []) if (due.state === 'open') settle(due);
  };
};

/** Names the accounts whose links are not those that a seal covers. */
const nameAccounts = async (log: AuditedLog, stored: StoredSeal, say: Say): Promise<void> => {
  const { number } = stored.seal;
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

/** Names the place of the first record that is not the one that a seal covers. */
const nameRecords = async (log: AuditedLog, { stored, tiles }: Due, say: Say): Promise<void> => {
  const content = stored && tiles && (await readContent(log, stored));
  const index = content?.tiles.findIndex(([, , root], at) => {
    const found = tiles?.[at];
    return found === undefined || base64(found) !== root;
  });
  const [stream, revision] = content?.tiles[index ?? -1] ?? [];
  if (stream !== undefined)
    say(`the first difference is within 256 records from ${stream} ${revision} on`);
};

/**
 * Compares seals with the log, as its entries come in their order. Each seal names the
 * newest record that it covers. There the records since an earlier seal must make its root, and,
 * unless they do from the start of the log on, the heads of all chains theirs.
 */
export const createSealAudit = async (
  log: AuditedLog,
  { kept = [], keys = [] }: SealsToCheck,
  { problems, head }: { problems: Problems; head: Position },
) => {
  const sayOf =
    (at: string): Say =>
    (detail, accountId) =>
      problems.add({ accountId: accountId ?? null, kind: 'seal', at, detail });
  const dues = new Map<number, Due>();
  const take = (seal: Seal, say: Say, stored?: StoredSeal): void => {
    if (keys.length > 0 && !isSignedBy(seal.note, keys)) say('no given key has signed it');
    else dues.set(seal.number, { seal, ...(stored && { stored }), state: 'open', isWhole: false });
  };
  let last = 0;
  for await (const stored of readSeals(log)) {
    if (stored.position > head) break;
    last = stored.seal.number;
    take(stored.seal, sayOf(`seal ${last} of the log`), stored);
  }
  for (const { number, detail } of gapsIn(kept)) sayOf(`kept seal ${number}`)(detail);
  for (const seal of kept) {
    const { number } = seal;
    const say = sayOf(`kept seal ${number}`);
    const known = dues.get(number);
    if (known?.seal.note === seal.note) continue;
    say(
      number > last ? 'the log ends before this seal' : 'the log has another seal of this number',
    );
    take(seal, say, known?.stored);
  }
  const scan = dues.size > 0 ? createScan(dues) : undefined;

  return {
    take: (entry: Entry) => scan?.(entry),
    async end(): Promise<SealsReport | null> {
      if (dues.size === 0 && kept.length === 0) return null;
      const all = [...dues.values()].sort((one, other) => one.seal.number - other.seal.number);
      const bad = all.filter(({ state }) => state !== 'same');
      const [first] = bad;
      if (first) {
        const { number, at } = first.seal;
        const say = sayOf(`seal ${number}`);
        const what = first.state === 'open' ? 'lacks the newest record' : 'is not what was covered';
        const more = bad.length > 1 ? `, nor do ${bad.length - 1} later ones hold` : '';
        say(`the log ${what} at ${at}${more}`);
        await nameRecords(log, first, say);
        const latest = bad.findLast(({ stored }) => stored)?.stored;
        if (latest) await nameAccounts(log, latest, say);
      }
      const good = all.filter(({ state }) => state === 'same');
      const newest = good.at(-1)?.seal;
      return {
        count: good.length,
        last: newest ? { number: newest.number, at: newest.at } : null,
        signed: keys.length > 0,
      };
    },
  };
};
