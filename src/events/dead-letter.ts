import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';
import { personal } from './personal.ts';

/** An item of the provider that could not be ingested, stored whole. */
export const DeadLetterKept = defineEvent(
  'DeadLetterKept',
  z.object({
    deadLetterId: z.string(),
    /** The account of the number; empty where the item belongs to none. */
    accountId: z.string(),
    /** The ids of contacts in the item, else the one subject of all items that name none. */
    contactRefs: z.array(z.string()),
    /** Webhook field of the item, such as `messages`. */
    field: z.string(),
    wabaId: z.string().nullable(),
    phoneNumberId: z.string().nullable(),
    /** In words of the service, which repeat nothing of the item. */
    reason: z.string(),
    /** Length of the stored item in characters. */
    rawLength: z.int().min(0),
    /** The item as JSON text, verbatim. */
    raw: personal(z.string()),
  }),
  [
    (stored) => ({
      ...stored,
      accountId: '',
      contactRefs: [],
      rawLength: (stored.raw as string).length,
    }),
  ],
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
