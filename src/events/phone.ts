import { z } from 'zod';
import { defineEvent, type FactOf, type Upcast } from './define.ts';

/** An encrypted access token: AES-256-GCM with a key outside the log. */
export const Sealed = z.object({
  key: z.string(),
  iv: z.string(),
  tag: z.string(),
  text: z.string(),
});
export type Sealed = z.output<typeof Sealed>;

/** The provider's data of a number. */
export const PhoneProfile = z.object({
  displayPhoneNumber: z.string(),
  verifiedName: z.string(),
  /** GREEN, YELLOW, RED or UNKNOWN; null before the first reading. */
  qualityRating: z.string().nullable(),
  /** False until the number is registered for the hosted interface; null when unknown. */
  registered: z.boolean().nullable(),
  /** The provider's reasons why the number cannot send, each with its fix. */
  blockers: z.array(z.string()),
  /** Where the provider limits sends (LIMITED) without blocking them, and why. */
  limits: z.array(z.string()),
  /** The provider's word for how many customers may be written to in 24 hours; absent until it says it. */
  messagingLimit: z.string().optional(),
  /** The messaging account that pays, where a number shows one. */
  messagingAccountId: z.string().optional(),
});
export type PhoneProfile = z.output<typeof PhoneProfile>;

const withoutLimits: Upcast = (v1) => ({
  ...v1,
  profile: { ...(v1.profile as object), limits: [] },
});

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
  [withoutLimits],
);
export const PhoneTokenSet = defineEvent(
  'PhoneTokenSet',
  z.object({ phoneNumberId: z.string(), accessToken: Sealed.nullable() }),
);
/** The profile was read from the provider, or arrived in a notice. */
export const PhoneProfileRead = defineEvent(
  'PhoneProfileRead',
  z.object({ phoneNumberId: z.string(), profile: PhoneProfile }),
  [withoutLimits],
);
/** Whether our app receives the notifications of the number's business account, as the provider said. */
export const PhoneSubscriptionRead = defineEvent(
  'PhoneSubscriptionRead',
  z.object({
    phoneNumberId: z.string(),
    /** Null when the provider did not tell. */
    subscribed: z.boolean().nullable(),
    /** The provider's words, where it refused. */
    problem: z.string().nullable(),
  }),
);
/** Why the provider takes no messages without a template from a business account. */
export const DirectSendBar = z.object({
  state: z.enum(['not_onboarded', 'restricted']),
  /** Until then none is tried. */
  until: z.iso.datetime(),
});
export type DirectSendBar = z.output<typeof DirectSendBar>;
/** The provider refused a message without a template (Direct Send) of the number's business account. */
export const PhoneDirectSendBarred = defineEvent(
  'PhoneDirectSendBarred',
  DirectSendBar.extend({ phoneNumberId: z.string() }),
);
/** A notice of the provider that a number changed; its profile must be read. */
export const PhoneNoticed = defineEvent(
  'PhoneNoticed',
  z.object({
    phoneNumberId: z.string(),
    /** Derived from the notice, so that a repetition is recognised. */
    noticeId: z.string(),
    about: z.enum(['quality', 'name', 'account']),
    /** The provider's word, such as FLAGGED, DEFERRED or ACCOUNT_RESTRICTION. */
    word: z.string(),
    /** The provider's time; null without one. */
    noticedAt: z.iso.datetime().nullable(),
  }),
);
/** The URL that receives inbound messages; null for none (contract 4.14). */
export const PhoneWebhookSet = defineEvent(
  'PhoneWebhookSet',
  z.object({ phoneNumberId: z.string(), webhookUrl: z.string().nullable() }),
  // Version 1 has the URL in clear.
  [(v1) => v1],
  undefined,
  {
    paths: ({ webhookUrl }) => (webhookUrl === undefined ? [] : [['webhookUrl']]),
    unopened: { webhookUrl: null },
  },
);
export const PhoneUnlinked = defineEvent(
  'PhoneUnlinked',
  z.object({ phoneNumberId: z.string(), accountId: z.string() }),
);
export const phoneEvents = [
  PhoneLinked,
  PhoneTokenSet,
  PhoneProfileRead,
  PhoneSubscriptionRead,
  PhoneDirectSendBarred,
  PhoneNoticed,
  PhoneWebhookSet,
  PhoneUnlinked,
] as const;
export type PhoneFact = FactOf<(typeof phoneEvents)[number]>;
