import { LRUCache } from 'lru-cache';
import { locateCharge } from '../../commands/core/identifiers.ts';
import type { Position, Recorded } from '../../events/store.ts';
import { AppError } from '../../shared/errors.ts';
import { leafOf, readContent, type SealedContent } from './heads.ts';
import { base64, leafHash, pathByTiles, rootOf, TILE } from './merkle.ts';
import type { ExportProof, HeadProof, Proof, RecordProof } from './proof.ts';
import { lastSeal, readSeal, type StoredSeal } from './read-seals.ts';
import { leafOfRecord, readRecord, recordsBetween, type SealedLog, storedOf } from './record.ts';

/** Contents of seals that are kept in memory: some 300 bytes for each account. */
const CONTENTS_MAX = 2;

/** Makes proofs from the log alone: what a seal covers is in it. */
export interface Prover {
  /** The account and the proof of a charge, null before the next seal. Undefined for an unknown charge. */
  charge(chargeId: string): Promise<{ accountId: string; proof: Proof | null } | undefined>;
  /**
   * The proof of an account's newest link in the last seal, and of its opening; undefined where that
   * seal has no link of it.
   */
  head(accountId: string): Promise<ExportProof | undefined>;
}

const differs = ({ seal }: StoredSeal): AppError =>
  new AppError(
    'resource.conflict',
    `The log is not what its seal ${seal.number} covers: waybill ledger verify shows more`,
  );

/** The first number from 0 on, below `count`, that is `past`; `count` when none is. */
const bisect = async (count: number, past: (index: number) => Promise<boolean>) => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await past(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The position of a record in this log, which a copy has elsewhere than its seals say. */
const positionOf = async (
  log: SealedLog,
  stored: StoredSeal,
  place: { stream: string; revision: number },
): Promise<Position> => {
  const found = await readRecord(log, place);
  if (!found) throw differs(stored);
  return found.position;
};

const findSeal = async (log: SealedLog, position: Position): Promise<StoredSeal | undefined> => {
  const { count } = await lastSeal(log);
  const number = await bisect(count, async (index) => {
    const stored = await readSeal(log, index + 1);
    // An event that is no seal covers nothing.
    if (!stored) return false;
    return (await positionOf(log, stored, stored.stored.newest)) >= position;
  });
  return number === count ? undefined : readSeal(log, number + 1);
};

/** The leaf hashes of one tile of a seal's records, and which of them is the event's. */
const readTile = async (
  log: SealedLog,
  stored: StoredSeal,
  { stream, revision, size }: { stream: string; revision: number; size: number },
  event: Recorded,
) => {
  const first = await readRecord(log, { stream, revision });
  if (!first) throw differs(stored);
  const hashes: Buffer[] = [];
  let index = -1;
  const take = (record: Recorded): void => {
    const leaf = leafOfRecord(record);
    if (leaf === undefined || hashes.length === size) return;
    if (record.stream === event.stream && record.revision === event.revision) index = hashes.length;
    hashes.push(leafHash(leaf));
  };
  take(first);
  const end = await positionOf(log, stored, stored.stored.newest);
  for await (const page of recordsBetween(log, first.position, end)) {
    page.forEach(take);
    if (hashes.length === size) break;
  }
  return { hashes, index };
};

const proveRecord = async (
  log: SealedLog,
  stored: StoredSeal,
  { tiles }: SealedContent,
  event: Recorded,
): Promise<Omit<RecordProof, 'note'>> => {
  const { size } = stored.seal.records;
  const after = await bisect(tiles.length, async (index) => {
    const [stream, revision] = tiles[index]!;
    return (await positionOf(log, stored, { stream, revision })) > event.position;
  });
  const tile = after - 1;
  const [stream = '', revision = -1, root] = tiles[tile] ?? [];
  const count = Math.min(TILE, size - tile * TILE);
  const found = await readTile(log, stored, { stream, revision, size: count }, event);
  if (found.index < 0 || base64(rootOf(found.hashes)) !== root) throw differs(stored);
  const index = tile * TILE + found.index;
  const roots = tiles.map(([, , one]) => Buffer.from(one, 'base64'));
  return { index, size, path: pathByTiles(index, found.hashes, roots).map(base64) };
};

export const createProver = (log: SealedLog): Prover => {
  const contents = new LRUCache<number, Promise<SealedContent | undefined>>({ max: CONTENTS_MAX });
  const contentOf = async (stored: StoredSeal): Promise<SealedContent> => {
    const { number } = stored.seal;
    const reading = contents.get(number) ?? readContent(log, stored);
    contents.set(number, reading);
    const content = await reading.catch(() => undefined);
    if (content) return content;
    contents.delete(number);
    await reading;
    throw differs(stored);
  };

  const proveHead = async (
    stored: StoredSeal,
    accountId: string,
  ): Promise<HeadProof | undefined> => {
    const { heads, hashes, roots } = await contentOf(stored);
    const index = heads.findIndex((head) => head.accountId === accountId);
    if (index < 0) return undefined;
    const tile = Math.floor(index / TILE) * TILE;
    const path = pathByTiles(index, hashes.slice(tile, tile + TILE), roots).map(base64);
    const { size, note } = stored.seal;
    return { leaf: leafOf(heads[index]!), index, size, path, note };
  };

  return {
    async charge(chargeId) {
      const place = locateCharge(chargeId);
      if (!place) return undefined;
      const { accountId, revision } = place;
      const event = await readRecord(log, { stream: `account-${accountId}`, revision });
      if (event?.type !== 'ChargeReserved') return undefined;
      if ((event.data as { chargeId: string }).chargeId !== chargeId) return undefined;
      const stored = await findSeal(log, event.position);
      if (!stored) return { accountId, proof: null };
      const head = await proveHead(stored, accountId);
      if (!head) throw differs(stored);
      const at = await proveRecord(log, stored, await contentOf(stored), event);
      const { version } = event.asStored ?? event;
      const data = storedOf(event) as Record<string, unknown>;
      const { link: beside } = event;
      const link = { type: 'ChargeReserved' as const, version, revision, data, ...beside, ...at };
      return { accountId, proof: { link, ...head } };
    },
    async head(accountId) {
      const { last } = await lastSeal(log);
      const head = last && (await proveHead(last, accountId));
      const opened =
        head && (await readRecord(log, { stream: `account-${accountId}`, revision: 0 }));
      const stored = opened && (await findSeal(log, opened.position));
      if (!stored) return head;
      const at = await proveRecord(log, stored, await contentOf(stored), opened);
      return { ...head, opening: { ...at, note: stored.seal.note } };
    },
  };
};
