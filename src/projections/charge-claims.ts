import type { Position } from '../events/store.ts';
import { defineProjection, made } from './define.ts';
import { messageKey } from './messages.ts';

/** A message without a record whose status names a charge, until the claim is decided. */
interface ChargeClaimDocument {
  messageRef: string;
  chargeId: string;
  accountId: string;
  /** When the charge was reserved. */
  reservedAt: string;
  order: Position;
}

const settled = () => null;

export const chargeclaims = defineProjection<ChargeClaimDocument>({
  name: 'chargeclaims',
  version: 4,
  indexes: [['reservedAt'], ['chargeId', 'order']],
  on: {
    ChargeClaimed: made(messageKey, ({ data, position }) => ({
      messageRef: data.messageRef,
      chargeId: data.chargeId,
      accountId: data.accountId,
      reservedAt: data.reservedAt,
      order: position,
    })),
    ChargeClaimRefused: { key: messageKey, fold: settled },
    // A record that begins its stream had no claim before it.
    MessageSent: {
      key: (event) => (event.revision === 0 ? [] : messageKey(event)),
      fold: settled,
    },
  },
});
