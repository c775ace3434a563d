import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** A reservation without a message or a refund, free ones included. */
export interface ReservationDocument {
  chargeId: string;
  accountId: string;
  /** Revision of its ChargeReserved in the account's stream. */
  revision: number;
  reservedAt: string;
  /** Signed movement: zero or below. */
  amount: number;
  order: Position;
}

const chargeId = (event: { data: { chargeId: string } }) => event.data.chargeId;
const settled = { key: chargeId, fold: () => null };

export const reservations = defineProjection<ReservationDocument>({
  name: 'reservations',
  version: 3,
  indexes: [['reservedAt'], ['accountId', 'reservedAt']],
  filters: ['amount'],
  words: ['accountId'],
  on: {
    ChargeReserved: {
      key: chargeId,
      fold: (_, { data, revision, position }) => ({
        chargeId: data.chargeId,
        accountId: data.accountId,
        revision,
        reservedAt: data.at,
        amount: data.amount,
        order: position,
      }),
    },
    MessageSent: settled,
    ChargeRefunded: settled,
  },
});
