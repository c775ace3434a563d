import { MediaKind } from '../events/content.ts';
import type { KnownEvent } from '../events/index.ts';
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
}

/** The key contains the account, so that no account reaches the file of another by its id. */
export const mediaKeyOf = (accountId: string, mediaId: string): string => `${accountId}.${mediaId}`;

type Received = Extract<KnownEvent, { type: 'MessageReceived' }>;

/** The file of an inbound message, which holds it under the name of its kind. */
const fileOf = ({ message, messageType }: Received['data']) => {
  if (!(MediaKind.options as readonly string[]).includes(messageType)) return undefined;
  const { id, mime_type } = (message[messageType] ?? {}) as { id?: unknown; mime_type?: unknown };
  if (typeof id !== 'string' || id === '') return undefined;
  return { mediaId: id, mimeType: typeof mime_type === 'string' ? mime_type : null };
};

/** The files that each account knows, by the provider's id. */
export const media = defineProjection<MediaDocument>({
  name: 'media',
  version: 2,
  indexes: [],
  on: {
    MessageReceived: {
      key: ({ data }) => {
        const file = fileOf(data);
        return file ? mediaKeyOf(data.accountId, file.mediaId) : [];
      },
      fold: (known, { data }, id) => {
        if (known) return known;
        const { accountId, phoneNumberId } = data;
        return { id, accountId, phoneNumberId, ...fileOf(data)!, source: 'customer' };
      },
    },
    MediaUploaded: {
      key: ({ data }) => mediaKeyOf(data.accountId, data.mediaId),
      fold: (known, { data: { accountId, phoneNumberId, mediaId, mimeType } }, id) =>
        known ?? { id, accountId, phoneNumberId, mediaId, mimeType, source: 'upload' },
    },
  },
});
