import { z } from 'zod';

/** Parts that the provider defines; passed on verbatim. */
const passThrough = z.record(z.string(), z.unknown());

/** The kinds of files that a message can hold. */
export const MediaKind = z.enum(['image', 'video', 'audio', 'document', 'sticker']);
export type MediaKind = z.output<typeof MediaKind>;

/**
 * The content of a message, in our terms; the provider's encoder translates it. The log stores it,
 * except the code of an authentication template, which is masked.
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
  /** A template with the caller's components. */
  z.object({
    type: z.literal('template'),
    name: z.string(),
    language: z.string(),
    components: z.array(z.unknown()),
  }),
  z.object({ type: z.literal('text'), body: z.string(), previewUrl: z.boolean() }),
  z.object({
    type: z.literal('media'),
    mediaType: MediaKind,
    link: z.string().optional(),
    id: z.string().optional(),
    caption: z.string().optional(),
    filename: z.string().optional(),
    /** Recorded speech, which the provider shows as such. */
    voice: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
  z.object({ type: z.literal('interactive'), interactive: passThrough }),
  z.object({ type: z.literal('contacts'), contacts: z.array(passThrough) }),
  /** An empty emoji removes the reaction. */
  z.object({ type: z.literal('reaction'), messageId: z.string(), emoji: z.string() }),
]);
export type Content = z.output<typeof Content>;

/** The fields of each type of content that the log holds in clear. All others are personal. */
export const clearFields = {
  notification: ['name', 'language', 'authentication'],
  template: ['name', 'language'],
  text: ['previewUrl'],
  media: ['mediaType'],
  location: [],
  interactive: [],
  contacts: [],
  reaction: [],
} as const satisfies Record<Content['type'], readonly string[]>;

export const contentTypes = Object.keys(clearFields) as [Content['type'], ...Content['type'][]];

/** The types whose content can name further contacts: by their cards, or by the id of a message. */
export const namingTypes: ReadonlySet<Content['type']> = new Set(['contacts', 'reaction']);

/** The text that the customer reads, where the content itself holds it; null otherwise. */
export const textIn = (content: Content): string | null => {
  switch (content.type) {
    case 'text':
      return content.body;
    case 'media':
      return content.caption ?? null;
    case 'interactive': {
      const { body } = content.interactive as { body?: { text?: unknown } };
      return typeof body?.text === 'string' ? body.text : null;
    }
    default:
      return null;
  }
};

/** A message before the send. */
export interface Intent {
  /** Null without a usable number; such a reservation is refunded at once. */
  phoneNumberId: string | null;
  /** Digits of the number, or the whole user id. */
  to: string;
  source: 'notification' | 'api' | 'bot' | 'gateway';
  event: string | null;
  content: Content;
  /** The text that the customer reads, where it is not the one that content and catalog make. */
  text?: string | null | undefined;
  contextMessageId: string | null;
  clientReference: string | null;
  /** Goes out without a template, at the price of its category. */
  direct?: true | undefined;
  /** The job that sends it. */
  jobId?: string | undefined;
}
