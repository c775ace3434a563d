import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

// Erasures of contacts, and the retention of personal data. No event names a contact by anything but
// the pseudonyms of its ids (refs), which cannot be resolved once the contact's keys are destroyed.

/** What was held of a contact. */
const found = z.object({
  /** Events with sealed parts. */
  events: z.int().min(0),
  /** Documents of the read models. */
  messages: z.int().min(0),
  conversations: z.int().min(0),
  runs: z.int().min(0),
  deadLetters: z.int().min(0),
});
export type Found = z.output<typeof found>;

/** Subjects of one erasure: all ids of the contact in all its accounts. They fit into one append. */
export const SUBJECTS_MAX = 5_000;

/** Keys that were destroyed: all of these subjects, or those of an account up to a month. */
export type Destroyed = { refs: readonly string[] } | { accountId: string; through: string };

/** An administrator asked for everything about a contact to be erased. In a stream of its own. */
export const ErasureRequested = defineEvent(
  'ErasureRequested',
  z.object({
    erasureId: z.string(),
    /** The account that was named; null for all accounts. */
    accountId: z.string().nullable(),
    reason: z.string().nullable(),
    /** The ids of the contact, in every account where something is held of them. */
    subjects: z.array(z.object({ accountId: z.string(), ref: z.string() })).max(SUBJECTS_MAX),
  }),
);
/** The keys are destroyed, and the documents counted. They are not emptied yet. */
export const ErasureStarted = defineEvent(
  'ErasureStarted',
  z.object({ erasureId: z.string(), found }),
);
/** Nothing of the contact is left in documents and files. */
export const ErasureDone = defineEvent('ErasureDone', z.object({ erasureId: z.string(), found }));

/**
 * The one stream of all destructions of keys: after an event of it, no reader opens what it names,
 * and a key store that was restored from an older copy applies it again.
 */
export const DESTROYED_KEYS_STREAM = 'destroyedkeys-all';

/** All keys of these subjects are destroyed. */
export const ContactErased = defineEvent(
  'ContactErased',
  z.object({ erasureId: z.string(), refs: z.array(z.string()) }),
);
/** The account's keys up to this UTC month, such as `2026-10`, are destroyed. */
export const MonthsExpired = defineEvent(
  'MonthsExpired',
  z.object({
    /** Empty for items of the provider that belong to no account. */
    accountId: z.string(),
    through: z.string().regex(/^\d{4}-\d{2}$/),
  }),
);

/** For how long an account keeps personal data. In a stream beside the account's hash chain. */
export const RetentionSet = defineEvent(
  'RetentionSet',
  z.object({
    accountId: z.string(),
    /** A month goes when it ended that many months ago. Null: never. */
    contentRetentionMonths: z.int().min(1).max(120).nullable(),
  }),
);

export const erasureEvents = [
  ErasureRequested,
  ErasureStarted,
  ErasureDone,
  ContactErased,
  MonthsExpired,
  RetentionSet,
] as const;
export type ErasureFact = FactOf<
  typeof ErasureRequested | typeof ErasureStarted | typeof ErasureDone
>;
export type DestructionFact = FactOf<typeof ContactErased | typeof MonthsExpired>;
export type RetentionFact = FactOf<typeof RetentionSet>;
