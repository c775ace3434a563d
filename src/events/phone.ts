import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** An access token as it may be stored: AES-256-GCM under a key that is not in the log. */
export const Sealed = z.object({
  key: z.string(),
  iv: z.string(),
  tag: z.string(),
  text: z.string(),
});
export type Sealed = z.output<typeof Sealed>;

/** What the provider says of a number. */
export const PhoneProfile = z.object({
  displayPhoneNumber: z.string(),
  verifiedName: z.string(),
  /** GREEN, YELLOW, RED or UNKNOWN; null when never read. */
  qualityRating: z.string().nullable(),
  /** False until the number is registered for the hosted interface; null when not known. */
  registered: z.boolean().nullable(),
  /** The provider's reasons why it cannot send at all, each a sentence that names the fix. */
  blockers: z.array(z.string()),
});
export type PhoneProfile = z.output<typeof PhoneProfile>;

export const PhoneLinked = defineEvent(
  'PhoneLinked',
  z.object({
    phoneNumberId: z.string(),
    wabaId: z.string(),
    accountId: z.string(),
    accessToken: Sealed.nullable(),
    profile: PhoneProfile,
    messagesPerSecond: z.int().min(1),
  }),
);
export const PhoneTokenSet = defineEvent(
  'PhoneTokenSet',
  z.object({ phoneNumberId: z.string(), accessToken: Sealed.nullable() }),
);
/** The provider was read, or told us of a change. */
export const PhoneProfileRead = defineEvent(
  'PhoneProfileRead',
  z.object({ phoneNumberId: z.string(), profile: PhoneProfile }),
);
/** The provider hinted that something about a number changed; what it is now must be read. */
export const PhoneNoticed = defineEvent(
  'PhoneNoticed',
  z.object({
    phoneNumberId: z.string(),
    /** Made of what the provider sent, so that the same notice again is known. */
    noticeId: z.string(),
    about: z.enum(['quality', 'name', 'account']),
    /** The provider's word, such as FLAGGED, DEFERRED or ACCOUNT_RESTRICTION. */
    word: z.string(),
    /** The provider's own time; null where it gave none. */
    noticedAt: z.iso.datetime().nullable(),
  }),
);
/** Where inbound messages are forwarded; null disables (contract 4.14). */
export const PhoneWebhookSet = defineEvent(
  'PhoneWebhookSet',
  z.object({ phoneNumberId: z.string(), webhookUrl: z.string().nullable() }),
);
export const PhoneUnlinked = defineEvent(
  'PhoneUnlinked',
  z.object({ phoneNumberId: z.string(), accountId: z.string() }),
);
export const phoneEvents = [
  PhoneLinked,
  PhoneTokenSet,
  PhoneProfileRead,
  PhoneNoticed,
  PhoneWebhookSet,
  PhoneUnlinked,
] as const;
export type PhoneFact = FactOf<(typeof phoneEvents)[number]>;
