import { z } from 'zod';

/** Pieces that the provider defines and that pass through us untouched. */
const passThrough = z.record(z.string(), z.unknown());

/**
 * What a message can carry, in our words. The provider's encoder turns it into theirs; the log
 * keeps it, with one exception: the code of an authentication template is masked before it is kept.
 */
export const Content = z.discriminatedUnion('type', [
  /** A template of the catalog: positional parameters, in order. */
  z.object({
    type: z.literal('notification'),
    name: z.string(),
    language: z.string(),
    authentication: z.boolean(),
    parameters: z.array(z.string()),
  }),
  /** A template whose components the caller built. */
  z.object({
    type: z.literal('template'),
    name: z.string(),
    language: z.string(),
    components: z.array(z.unknown()),
  }),
  z.object({ type: z.literal('text'), body: z.string(), previewUrl: z.boolean() }),
  z.object({
    type: z.literal('media'),
    mediaType: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
    link: z.string().optional(),
    id: z.string().optional(),
    caption: z.string().optional(),
    filename: z.string().optional(),
  }),
  z.object({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
  z.object({ type: z.literal('interactive'), interactive: passThrough }),
]);
export type Content = z.output<typeof Content>;

/** The four kinds that decide a price (contract 2.9). */
export const Category = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE']);
export type Category = z.output<typeof Category>;

/**
 * All that is known of a message before the provider is asked. It stands in the reservation, so
 * that a message whose record was lost in a crash can be written from it later.
 */
export const Intent = z.object({
  /** Null when the account had no usable number; such a reservation is refunded at once. */
  phoneNumberId: z.string().nullable(),
  wabaId: z.string().nullable(),
  /** Digits only. */
  to: z.string(),
  source: z.enum(['notification', 'api', 'bot']),
  event: z.string().nullable(),
  content: Content,
  /** The text as the customer reads it, where there is one. */
  text: z.string().nullable(),
  contextMessageId: z.string().nullable(),
  clientReference: z.string().nullable(),
});
export type Intent = z.output<typeof Intent>;
