import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** An account uploaded a file to the provider. The stream is named by the provider's id of the file. */
export const MediaUploaded = defineEvent(
  'MediaUploaded',
  z.object({
    mediaId: z.string(),
    accountId: z.string(),
    /** The provider binds the id to this number. */
    phoneNumberId: z.string(),
    /** The key of the caller. */
    keyId: z.string(),
    mimeType: z.string(),
    bytes: z.int().min(0),
  }),
);

export const mediaEvents = [MediaUploaded] as const;
export type MediaFact = FactOf<(typeof mediaEvents)[number]>;
