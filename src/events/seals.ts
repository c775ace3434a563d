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

/** Stream, revision and root: the first record of a tile of the tree of records, and its root in base64. */
export const RecordTile = z.tuple([z.string(), z.int().min(0), z.string()]);
export type RecordTile = z.output<typeof RecordTile>;

/** A part of what a seal covers, in a stream of its own, stored before the seal itself. */
export const LedgerHeadsListed = defineEvent(
  'LedgerHeadsListed',
  z.object({ heads: z.array(LedgerHead), tiles: z.array(RecordTile) }),
);

/**
 * The ledger was sealed. The revision of the event is the seal's number less one. The tree's leaves
 * are the heads that were listed from the seal `base` on, of each account the newest.
 */
export const LedgerSealed = defineEvent(
  'LedgerSealed',
  z.object({
    number: z.int().min(1),
    /** A C2SP signed note. */
    note: z.string(),
    /** The newest record that it covers. */
    newest: z.object({ stream: z.string(), revision: z.int().min(0) }),
    base: z.int().min(1),
    /** The parts are in the streams `heads-<listId>.<n>`, n from 0. */
    listId: z.string(),
    parts: z.int().min(1),
  }),
);

/** All seals up to this one are where the operator wants them. */
export const SealDelivered = defineEvent(
  'SealDelivered',
  z.object({ place: z.enum(['file', 'url']), number: z.int().min(1) }),
);

export const sealEvents = [LedgerHeadsListed, LedgerSealed, SealDelivered] as const;
export type LedgerSealedFact = FactOf<typeof LedgerSealed>;
export type SealDeliveredFact = FactOf<typeof SealDelivered>;
