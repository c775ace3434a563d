import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** Account, revision, sequence, hash and position of the account's newest link. */
export const LedgerHead = z.tuple([
  z.string(),
  z.int().min(0),
  z.int().min(1),
  z.string(),
  z.string(),
]);
export type LedgerHead = z.output<typeof LedgerHead>;

/**
 * Stream, revision and root: the first record of a tile of the tree of records, and its root in base64.
 * Seals of version 1 have them.
 */
export const RecordTile = z.tuple([z.string(), z.int().min(0), z.string()]);
export type RecordTile = z.output<typeof RecordTile>;

/** A part of what a seal covers, in a stream of its own, stored before the seal itself. */
export const LedgerHeadsListed = defineEvent(
  'LedgerHeadsListed',
  z.object({ heads: z.array(LedgerHead), tiles: z.array(RecordTile) }),
);

const Place = z.object({ stream: z.string(), revision: z.int().min(0) });

/**
 * A full tile of the log of entries, in a stream of its own. Its hashes one after the other, in base64:
 * entries at level 0, roots of tiles above.
 */
export const LogTileFilled = defineEvent(
  'LogTileFilled',
  z.object({
    level: z.int().min(0),
    index: z.int().min(0),
    hashes: z.string(),
    /** The record of the first entry; null above level 0. */
    first: Place.nullable(),
  }),
);

/** What the log keeps of a seal of the log of entries. */
const SealedTree = z.object({
  at: z.iso.datetime(),
  /** Of the newest record that it covers, in the log that it was made in. */
  position: z.string(),
  /** The signed note of the accounts' newest links, by which an export is known to be whole. */
  heads: z.string(),
  /** Of each level the hashes that fill no tile yet, in base64. */
  open: z.array(z.string()),
  /** The record of the first entry of these at level 0. */
  first: Place.nullable(),
});

/**
 * The ledger was sealed. The revision of the event is the seal's number less one. Heads are those that
 * were listed from the seal `base` on, of each account the newest.
 */
export const LedgerSealed = defineEvent(
  'LedgerSealed',
  z.object({
    number: z.int().min(1),
    /** A C2SP signed note. */
    note: z.string(),
    /** The newest record that it covers. */
    newest: Place,
    base: z.int().min(1),
    /** The parts are in the streams `heads-<listId>.<n>`, n from 0. */
    listId: z.string(),
    parts: z.int().min(1),
    /** Null in version 1, whose note says all. */
    tree: SealedTree.nullable(),
  }),
  [(v1) => ({ ...v1, tree: null })],
);

/** All seals up to this one are where the operator wants them. */
export const SealDelivered = defineEvent(
  'SealDelivered',
  z.object({ place: z.enum(['file', 'url']), number: z.int().min(1) }),
);

export const sealEvents = [LedgerHeadsListed, LogTileFilled, LedgerSealed, SealDelivered] as const;
export type LedgerSealedFact = FactOf<typeof LedgerSealed>;
export type LogTileFilledFact = FactOf<typeof LogTileFilled>;
export type SealDeliveredFact = FactOf<typeof SealDelivered>;
