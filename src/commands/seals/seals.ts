import { hash } from 'node:crypto';
import type { FactOf } from '../../events/define.ts';
import {
  LedgerHeadsListed,
  LedgerSealed,
  type LedgerSealedFact,
  LogTileFilled,
  type LogTileFilledFact,
  SealDelivered,
  type SealDeliveredFact,
} from '../../events/seals.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

type Sealed = LedgerSealedFact['data'];

/** One log has one stream of seals. */
export const SEALS_ID = 'waybill';
export const SEALS_STREAM = `seals-${SEALS_ID}`;

/** The seals of a log, numbered without gaps; the state is their number. */
export const sealsDecider: Decider<number, { type: 'Seal'; sealed: Sealed }, LedgerSealedFact> = {
  category: 'seals',
  initial: 0,
  // Counted, so that an event that cannot be read holds nothing up.
  evolve: (count) => count + 1,
  decide({ sealed }, count) {
    if (sealed.number !== count + 1) {
      throw new AppError('resource.conflict', 'The ledger was sealed meanwhile: try again', {
        retryAfterSeconds: 1,
      });
    }
    return [LedgerSealed.of(sealed)];
  },
};

type Listed = FactOf<typeof LedgerHeadsListed>;

/** One part of what a seal covers. */
export const listedHeadsDecider: Decider<null, { type: 'List' } & Listed['data'], Listed> = {
  category: 'heads',
  initial: null,
  evolve: () => null,
  decide: ({ heads, tiles }) => [LedgerHeadsListed.of({ heads, tiles })],
};

export const listedHeadsId = (listId: string, part: number): string => `${listId}.${part}`;

/** A seal would contradict one that was made before: the log has lost or changed what that one covers. */
export class SealContradicted extends AppError {
  constructor(detail: string) {
    super('resource.conflict', `${detail}: waybill ledger verify shows more`);
    this.name = 'SealContradicted';
  }
}

type Tile = LogTileFilledFact['data'];

/** The id of the stream of a tile. */
export const tileIdOf = ({ level, index }: Pick<Tile, 'level' | 'index'>) => `${level}.${index}`;

export const tileStream = (tile: Pick<Tile, 'level' | 'index'>): string =>
  `tiles-${tileIdOf(tile)}`;

/** A full tile never changes; the state is the hash of its content. */
export const tileDecider: Decider<string | null, { type: 'Fill'; tile: Tile }, LogTileFilledFact> =
  {
    category: 'tiles',
    initial: null,
    evolve: (_, { data }) => hash('sha256', data.hashes),
    decide({ tile }, known) {
      if (known === null) return [LogTileFilled.of(tile)];
      if (known === hash('sha256', tile.hashes)) return [];
      throw new SealContradicted(`Tile ${tileIdOf(tile)} of the log of entries was another before`);
    },
  };

type Delivered = SealDeliveredFact['data'];
export type SealPlace = Delivered['place'];

/** Up to which number the seals are at a place; 0 before the first. */
export const sealPlaceDecider: Decider<number, { type: 'Deliver' } & Delivered, SealDeliveredFact> =
  {
    category: 'sealplace',
    initial: 0,
    evolve: (_, { data }) => data.number,
    decide: ({ place, number }, known) =>
      number <= known ? [] : [SealDelivered.of({ place, number })],
  };
