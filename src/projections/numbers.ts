import type { DirectSendBar, PhoneProfile, Sealed } from '../events/phone.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** The profile, with null for what the provider has not said. */
interface Shown extends Omit<PhoneProfile, 'messagingLimit' | 'messagingAccountId'> {
  messagingLimit: string | null;
  messagingAccountId: string | null;
}

/** A number. After an unlinking, `linked` is false and the token is gone. */
export interface NumberDocument extends Shown {
  phoneNumberId: string;
  wabaId: string;
  accountId: string;
  accessToken: Sealed | null;
  messagesPerSecond: number;
  /** Whether our app receives the notifications of the business account; null when unknown. */
  subscribed: boolean | null;
  /** Why the provider refused the subscription; null when it did not. */
  subscriptionProblem: string | null;
  /** Why the provider took no message without a template; it may be over. Null where it never refused. */
  directSendBar: DirectSendBar | null;
  webhookUrl: string | null;
  linkedAt: string;
  linked: boolean;
  /** Position of the newest PhoneLinked. */
  order: Position;
}

const phoneNumberId = (event: { data: { phoneNumberId: string } }) => event.data.phoneNumberId;

const shown = (profile: PhoneProfile): Shown => ({
  displayPhoneNumber: profile.displayPhoneNumber,
  verifiedName: profile.verifiedName,
  qualityRating: profile.qualityRating,
  registered: profile.registered,
  blockers: profile.blockers,
  limits: profile.limits,
  messagingLimit: profile.messagingLimit ?? null,
  messagingAccountId: profile.messagingAccountId ?? null,
});

export const numbers = defineProjection<NumberDocument>({
  name: 'numbers',
  version: 6,
  indexes: [
    ['accountId', 'order'],
    ['wabaId', 'order'],
    ['linked', 'order'],
  ],
  words: ['accountId', 'wabaId'],
  on: {
    PhoneLinked: {
      key: phoneNumberId,
      fold: (_, { data, meta, position }) => ({
        phoneNumberId: data.phoneNumberId,
        wabaId: data.wabaId,
        accountId: data.accountId,
        accessToken: data.accessToken,
        ...shown(data.profile),
        messagesPerSecond: data.messagesPerSecond,
        subscribed: null,
        subscriptionProblem: null,
        directSendBar: null,
        webhookUrl: null,
        linkedAt: meta.at,
        linked: true,
        order: position,
      }),
    },
    PhoneTokenSet: {
      key: phoneNumberId,
      fold: (number, { data }) => number && { ...number, accessToken: data.accessToken },
    },
    PhoneProfileRead: {
      key: phoneNumberId,
      fold: (number, { data }) => number && { ...number, ...shown(data.profile) },
    },
    PhoneSubscriptionRead: {
      key: phoneNumberId,
      fold: (number, { data: { subscribed, problem } }) =>
        number && { ...number, subscribed, subscriptionProblem: problem },
    },
    PhoneDirectSendBarred: {
      key: phoneNumberId,
      fold: (number, { data: { state, until } }) =>
        number && { ...number, directSendBar: { state, until } },
    },
    PhoneWebhookSet: {
      key: phoneNumberId,
      fold: (number, { data }) => number && { ...number, webhookUrl: data.webhookUrl },
    },
    PhoneUnlinked: {
      key: phoneNumberId,
      fold: (number) => number && { ...number, accessToken: null, webhookUrl: null, linked: false },
    },
  },
});
