import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

// What became of a charge whose send broke off. Each charge has a stream of its own for this, which
// nothing but the recovery writes: so one message at most can win the charge.

/** This message, whose record was lost, is the one that the charge paid for. */
export const ChargeMatched = defineEvent(
  'ChargeMatched',
  z.object({
    chargeId: z.string(),
    accountId: z.string(),
    messageId: z.string(),
    phoneNumberId: z.string(),
    recipientWaId: z.string().nullable(),
  }),
);

/** The message turned out to have another charge: this one is free again. */
export const ChargeReleased = defineEvent(
  'ChargeReleased',
  z.object({ chargeId: z.string(), accountId: z.string(), messageId: z.string() }),
);

/** No message claimed the charge in time: the charge is refunded, and stays so. */
export const ChargeExpired = defineEvent(
  'ChargeExpired',
  z.object({ chargeId: z.string(), accountId: z.string() }),
);

export const recoveryEvents = [ChargeMatched, ChargeReleased, ChargeExpired] as const;
export type RecoveryFact = FactOf<(typeof recoveryEvents)[number]>;
