import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** An item of the provider that could not be ingested, stored whole. */
export const DeadLetterKept = defineEvent(
  'DeadLetterKept',
  z.object({
    deadLetterId: z.string(),
    /** Webhook field of the item, such as `messages`. */
    field: z.string(),
    wabaId: z.string().nullable(),
    phoneNumberId: z.string().nullable(),
    reason: z.string(),
    /** The item as JSON text, verbatim. */
    raw: z.string(),
  }),
);
export const DeadLetterRetried = defineEvent(
  'DeadLetterRetried',
  z.object({ deadLetterId: z.string(), resolved: z.boolean(), reason: z.string().nullable() }),
);
/** An administrator closed the item without ingesting it. */
export const DeadLetterDismissed = defineEvent(
  'DeadLetterDismissed',
  z.object({ deadLetterId: z.string() }),
);
export const deadLetterEvents = [DeadLetterKept, DeadLetterRetried, DeadLetterDismissed] as const;
export type DeadLetterFact = FactOf<(typeof deadLetterEvents)[number]>;
