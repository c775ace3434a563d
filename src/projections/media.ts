import type { EventOf } from '../events/index.ts';
import { defineProjection } from './define.ts';

/** A file that an account may read: a customer sent it, or the account uploaded it. */
export interface MediaDocument {
  id: string;
  mediaId: string;
  accountId: string;
  /** The provider shows the file to this number alone. */
  phoneNumberId: string;
  mimeType: string | null;
  source: 'customer' | 'upload';
  /** Of a customer's file: the customer. */
  contactRef?: string;
  /** False once the message with the file was erased. */
  readable: boolean;
  sealedMonth: string | null;
}

/** The key contains the account, so that no account reaches the file of another by its id. */
export const mediaKeyOf = (accountId: string, mediaId: string): string => `${accountId}.${mediaId}`;

type Received = EventOf<'MessageReceived'>;

/** A customer's file. The message holds it under the name of its kind. */
const fileOf = (event: Received, mediaId: string) => {
  const { accountId, phoneNumberId, contactRef, message, messageType } = event.data;
  const own = { accountId, phoneNumberId, contactRef, mediaId, source: 'customer' as const };
  if (message === null) return { ...own, ...erased };
  const { mime_type } = (message[messageType] ?? {}) as { mime_type?: unknown };
  const mimeType = typeof mime_type === 'string' ? mime_type : null;
  return { ...own, mimeType, readable: true, sealedMonth: event.sealedMonth ?? null };
};

const erased: Pick<MediaDocument, 'mimeType' | 'readable' | 'sealedMonth'> = {
  mimeType: null,
  readable: false,
  sealedMonth: null,
};

/** The files that each account knows, by the provider's id. */
export const media = defineProjection<MediaDocument>({
  name: 'media',
  version: 3,
  indexes: [
    ['contactRef', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  words: ['accountId'],
  erase: { by: 'contactRef', document: (file) => ({ ...file, ...erased }) },
  on: {
    MessageReceived: {
      key: ({ data: { accountId, mediaId } }) =>
        mediaId === null ? [] : mediaKeyOf(accountId, mediaId),
      fold: (known, event, id) => known ?? { id, ...fileOf(event, event.data.mediaId ?? '') },
    },
    MediaUploaded: {
      key: ({ data }) => mediaKeyOf(data.accountId, data.mediaId),
      fold: (known, { data: { accountId, phoneNumberId, mediaId, mimeType } }, id) =>
        known ?? {
          id,
          accountId,
          phoneNumberId,
          mediaId,
          mimeType,
          source: 'upload',
          readable: true,
          sealedMonth: null,
        },
    },
  },
});
