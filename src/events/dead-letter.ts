import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** The provider told us something that we could not take in. Nothing of it is lost. */
export const DeadLetterKept = defineEvent(
  'DeadLetterKept',
  z.object({
    deadLetterId: z.string(),
    /** Webhook field it came under, such as `messages`. */
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
/** An administrator closed it without taking it in. */
export const DeadLetterDismissed = defineEvent(
  'DeadLetterDismissed',
  z.object({ deadLetterId: z.string() }),
);
export const deadLetterEvents = [DeadLetterKept, DeadLetterRetried, DeadLetterDismissed] as const;
export type DeadLetterFact = FactOf<(typeof deadLetterEvents)[number]>;
