import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';
import { messageRef, withMessageRef } from './message.ts';
import { personal } from './personal.ts';
import { shownIds, withRecipient } from './shown-ids.ts';

// The outcome of a charge whose send was interrupted. Each charge has a stream of its own, which only
// the recovery writes, so at most one message can win the charge.

/** The charge paid for this message, whose record was lost. */
export const ChargeMatched = defineEvent(
  'ChargeMatched',
  z.object({
    chargeId: z.string(),
    accountId: z.string(),
    messageRef,
    /** The provider's id of the message. */
    messageId: personal(z.string()),
    phoneNumberId: z.string(),
    contactRef: z.string(),
    /** The ids that the status of the message showed; null where it showed none. */
    recipient: personal(shownIds),
  }),
  // Version 1 has no recipientUserId; version 2 has the ids in clear.
  [(v1) => v1, withRecipient, withMessageRef],
);

/** The message has another charge: this one is free again. */
export const ChargeReleased = defineEvent(
  'ChargeReleased',
  z.object({ chargeId: z.string(), accountId: z.string(), messageRef }),
  [withMessageRef],
);

/** No message claimed the charge in time: it is refunded for good. */
export const ChargeExpired = defineEvent(
  'ChargeExpired',
  z.object({ chargeId: z.string(), accountId: z.string() }),
);

export const recoveryEvents = [ChargeMatched, ChargeReleased, ChargeExpired] as const;
export type RecoveryFact = FactOf<(typeof recoveryEvents)[number]>;
