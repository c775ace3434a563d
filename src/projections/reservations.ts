import { type UnsentState, unsentStateOf } from '../events/account.ts';
import type { Position } from '../events/store.ts';
import { defineProjection, made } from './define.ts';

/**
 * A reservation without a message, free ones included: open, or given back. Those with a message are
 * in `messages`, so that both together are all attempts to send. The log alone holds what is personal.
 */
export interface ReservationDocument {
  chargeId: string;
  accountId: string;
  contactRef: string;
  event: string | null;
  clientReference: string | null;
  state: 'pending' | UnsentState;
  /** Revision of its ChargeReserved in the account's stream. */
  revision: number;
  /** Null once it is given back. */
  reservedAt: string | null;
  createdAt: string;
  /** Signed movement: zero or below. */
  amount: number;
  order: Position;
}

const chargeId = (event: { data: { chargeId: string } }) => event.data.chargeId;

export const reservations = defineProjection<ReservationDocument>({
  name: 'reservations',
  version: 5,
  indexes: [['reservedAt?'], ['accountId', 'reservedAt?'], ['accountId', '-order'], ['-order']],
  filters: ['amount', 'contactRef', 'event', 'clientReference', 'state', 'createdAt'],
  words: ['accountId', 'event', 'state'],
  on: {
    ChargeReserved: made(chargeId, ({ data, revision, position }) => ({
      chargeId: data.chargeId,
      accountId: data.accountId,
      contactRef: data.contactRef,
      event: data.outline.event ?? null,
      clientReference: data.outline.clientReference ?? null,
      state: 'pending',
      revision,
      reservedAt: data.at,
      createdAt: data.at,
      amount: data.amount,
      order: position,
    })),
    MessageSent: { key: chargeId, fold: () => null },
    ChargeRefunded: {
      key: chargeId,
      fold(open, { data }) {
        const state = unsentStateOf(data);
        // Without a document its message is recorded.
        return open && state !== null ? { ...open, state, reservedAt: null } : null;
      },
    },
  },
});

/** The condition of queries for those that are open. */
export const isOpen = { reservedAt: { gt: '' } } as const;
