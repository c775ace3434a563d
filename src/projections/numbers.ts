import type { PhoneProfile, Sealed } from '../events/phone.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** A number. After an unlinking, `linked` is false and the token is gone. */
export interface NumberDocument extends PhoneProfile {
  phoneNumberId: string;
  wabaId: string;
  accountId: string;
  accessToken: Sealed | null;
  messagesPerSecond: number;
  webhookUrl: string | null;
  linkedAt: string;
  linked: boolean;
  /** Position of the newest PhoneLinked. */
  order: Position;
}

const phoneNumberId = (event: { data: { phoneNumberId: string } }) => event.data.phoneNumberId;

const shown = (profile: PhoneProfile): PhoneProfile => ({
  displayPhoneNumber: profile.displayPhoneNumber,
  verifiedName: profile.verifiedName,
  qualityRating: profile.qualityRating,
  registered: profile.registered,
  blockers: profile.blockers,
});

export const numbers = defineProjection<NumberDocument>({
  name: 'numbers',
  version: 1,
  indexes: [
    ['accountId', 'order'],
    ['wabaId', 'order'],
  ],
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
