import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** A message without a record whose status names a charge, until the claim is decided. */
export interface ChargeClaimDocument {
  messageId: string;
  chargeId: string;
  accountId: string;
  /** When the charge was reserved. */
  reservedAt: string;
  order: Position;
}

const messageId = (event: { data: { messageId: string } }) => event.data.messageId;
const settled = () => null;

export const chargeclaims = defineProjection<ChargeClaimDocument>({
  name: 'chargeclaims',
  version: 2,
  indexes: [['reservedAt'], ['chargeId', 'order']],
  on: {
    ChargeClaimed: {
      key: messageId,
      fold: (_, { data, position }) => ({
        messageId: data.messageId,
        chargeId: data.chargeId,
        accountId: data.accountId,
        reservedAt: data.reservedAt,
        order: position,
      }),
    },
    ChargeClaimRefused: { key: messageId, fold: settled },
    // A record that begins its stream had no claim before it.
    MessageSent: {
      key: (event) => (event.revision === 0 ? [] : event.data.messageId),
      fold: settled,
    },
  },
});
