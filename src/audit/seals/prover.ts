import { LRUCache } from 'lru-cache';
import { locateCharge } from '../../events/charge-form.ts';
import { streamPages } from '../../events/paging.ts';
import type { Position, Recorded } from '../../events/store.ts';
import { AppError } from '../../shared/errors.ts';
import { leafOf, readContent, type SealedContent } from './heads.ts';
import { base64, pathByTiles, TILE } from './merkle.ts';
import { type ExportProof, type Proof, RECORDS_MAX } from './proof.ts';
import {
  isCheckpoint,
  lastSeal,
  readSeal,
  type StoredCheckpoint,
  type StoredSeal,
} from './read-seals.ts';
import { entryOfRecord, readRecord, type SealedLog, storedOf } from './record.ts';
import { createTiles, openTilesOf, type Place } from './tiles.ts';

/** Contents of seals that are kept in memory: some 300 bytes for each account. */
const CONTENTS_MAX = 2;

/** Makes proofs from the log alone: what a seal covers is in it. */
export interface Prover {
  /** The account and the proof of a charge, null before the next seal. Undefined for an unknown charge. */
  charge(chargeId: string): Promise<{ accountId: string; proof: Proof | null } | undefined>;
  /**
   * The proof of an account's newest link in the last seal, or in the seal of a size, and of its other
   * records, from a revision on; undefined where that seal has no link of it. The link's revision too: the
   * position in the proof is that of the log that was sealed, of which this one may be a copy.
   */
  head(
    accountId: string,
    size?: number,
    from?: number,
  ): Promise<{ proof: ExportProof; revision: number } | undefined>;
}

const differs = ({ number }: StoredSeal): AppError =>
  new AppError(
    'resource.conflict',
    `The log is not what its seal ${number} covers: waybill ledger verify shows more`,
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

export const createProver = (log: SealedLog): Prover => {
  const tiles = createTiles(log);
  const contents = new LRUCache<number, Promise<SealedContent | undefined>>({ max: CONTENTS_MAX });
  const contentOf = async (sealed: StoredSeal): Promise<SealedContent> => {
    const { number } = sealed;
    const reading = contents.get(number) ?? readContent(log, sealed);
    contents.set(number, reading);
    const content = await reading.catch(() => undefined);
    if (content) return content;
    contents.delete(number);
    await reading;
    throw differs(sealed);
  };

  /** The position of a record in this log, which a copy has elsewhere. */
  const positionOf = async (sealed: StoredSeal, place: Place | null): Promise<Position> => {
    const found = place && (await readRecord(log, place));
    if (!found) throw differs(sealed);
    return found.position;
  };

  /** The number of an event's entry. */
  const indexOf = async (sealed: StoredCheckpoint, event: Recorded): Promise<number> => {
    const entry = entryOfRecord(event);
    const count = Math.ceil(sealed.seal.size / TILE);
    const after = await bisect(
      count,
      async (tile) =>
        (await positionOf(sealed, await tiles.firstOf(sealed, tile))) > event.position,
    );
    const tile = after - 1;
    const entries = tile < 0 ? [] : await tiles.tileOf(openTilesOf(sealed))(0, tile);
    const found = entries.findIndex((one) => entry?.equals(one));
    if (found < 0) throw differs(sealed);
    return tile * TILE + found;
  };

  const include = async (sealed: StoredCheckpoint, event: Recorded) => {
    const index = await indexOf(sealed, event);
    const path = await tiles.reader(openTilesOf(sealed)).inclusion(index, sealed.seal.size);
    return { index, path: path.map(base64) };
  };

  /** The newest of the seals with one size: a later one may have more cosignatures. */
  const newestOf = async (number: number, size: number, count: number) => {
    const last = await bisect(count - number, async (index) => {
      const sealed = await readSeal(log, number + index + 1);
      return !isCheckpoint(sealed) || sealed.seal.size !== size;
    });
    return readSeal(log, number + last);
  };

  /** The first seal, in the order of the log, of which something holds. */
  const findSeal = async (
    holds: (sealed: StoredCheckpoint) => boolean | Promise<boolean>,
  ): Promise<StoredCheckpoint | undefined> => {
    const { count } = await lastSeal(log);
    const number = await bisect(count, async (index) => {
      const sealed = await readSeal(log, index + 1);
      // An event that is no seal covers nothing, and those of the old form have no entries.
      return isCheckpoint(sealed) && holds(sealed);
    });
    const first = number === count ? undefined : await readSeal(log, number + 1);
    const found = first && (await newestOf(first.number, first.seal.size, count));
    return isCheckpoint(found) ? found : undefined;
  };

  const covers = (event: Recorded) => async (sealed: StoredCheckpoint) =>
    (await positionOf(sealed, sealed.stored.newest)) >= event.position;

  /** The account's records that are no links, and that a seal covers. */
  const proveRecords = async (sealed: StoredCheckpoint, accountId: string, from = 0) => {
    const records: ExportProof['records'] = [];
    const end = await positionOf(sealed, sealed.stored.newest);
    for await (const page of streamPages(log, `account-${accountId}`, { from })) {
      for (const event of page) {
        if (event.position > end || records.length === RECORDS_MAX) return records;
        if (event.link || !entryOfRecord(event)) continue;
        records.push({ revision: event.revision, ...(await include(sealed, event)) });
      }
    }
    return records;
  };

  return {
    async charge(chargeId) {
      const place = locateCharge(chargeId);
      if (!place) return undefined;
      const { accountId, revision } = place;
      const event = await readRecord(log, { stream: `account-${accountId}`, revision });
      if (event?.type !== 'ChargeReserved') return undefined;
      if ((event.data as { chargeId: string }).chargeId !== chargeId) return undefined;
      const sealed = await findSeal(covers(event));
      if (!sealed) return { accountId, proof: null };
      const at = await include(sealed, event);
      const { version } = event.asStored ?? event;
      const data = storedOf(event) as Record<string, unknown>;
      const { link: beside } = event;
      const link = {
        type: 'ChargeReserved' as const,
        version,
        accountId,
        revision,
        data,
        ...beside,
      };
      const { size, note } = sealed.seal;
      return { accountId, proof: { link, ...at, size, note } };
    },
    async head(accountId, size, from) {
      const { last } = await lastSeal(log);
      const sealed = size === undefined ? last : await findSeal((one) => one.seal.size >= size);
      if (!isCheckpoint(sealed) || (size ?? sealed.seal.size) !== sealed.seal.size)
        return undefined;
      const { heads, hashes, roots } = await contentOf(sealed);
      const index = heads.findIndex((head) => head.accountId === accountId);
      if (index < 0) return undefined;
      const head = heads[index]!;
      const tile = Math.floor(index / TILE) * TILE;
      const path = pathByTiles(index, hashes.slice(tile, tile + TILE), roots).map(base64);
      const stream = `account-${accountId}`;
      const newest = await readRecord(log, { stream, revision: head.revision });
      if (!newest) throw differs(sealed);
      const proof = {
        leaf: leafOf(head),
        head: { index, size: heads.length, path, note: sealed.stored.tree.heads },
        ...(await include(sealed, newest)),
        size: sealed.seal.size,
        note: sealed.seal.note,
        records: await proveRecords(sealed, accountId, from),
      };
      return { proof, revision: head.revision };
    },
  };
};
