import { z } from 'zod';
import { isUserId } from '../../events/contact.ts';
import { type Content, MediaKind } from '../../events/content.ts';
import { AppError } from '../../shared/errors.ts';
import { asArray, asRecord, asText, isRecord, type Json } from '../shape.ts';
import { type Direct, encodeDirect } from './direct-send.ts';
import { brokenInteractiveRule } from './interactive-rules.ts';
import { CAPTIONED, counts, lengths } from './message-limits.ts';
import {
  bounded,
  invalid,
  missing,
  mustFit,
  mustHave,
  optional,
  present,
  UNTOUCHED_BYTES_MAX,
} from './refused.ts';

// The types of messages that a caller can build, a record for each: the field of the request with its
// words and an example, the content that it becomes, the provider's form of it, and the provider's rules.

type ContentOf<Type extends Content['type']> = Extract<Content, { type: Type }>;

interface MessageType<Type extends Content['type'], Field extends z.ZodType> {
  /** The field of a request that holds the content. */
  field: Field;
  example: { title: string; value: z.input<Field> };
  /** Throws for a part that is missing. An absent field of the request is an empty object here. */
  contentOf(given: z.output<Field>): ContentOf<Type>;
  /** The content as the provider takes it. */
  encode(content: ContentOf<Type>): Json;
  /** The content in the provider's form of it; refuses what the provider would refuse. */
  read(message: Json, type: string): ContentOf<Type>;
  /** The rule of the provider that the content breaks, in words of the request. */
  brokenRule?(content: ContentOf<Type>, isReply: boolean): string | undefined;
}

const messageType = <Type extends Content['type'], Field extends z.ZodType>(
  _: Type,
  row: MessageType<Type, Field>,
) => row;

/** More contacts are refused before each is checked. */
const CONTACTS_CHECKED_MAX = 1000;
const WEB_ADDRESS = /^https?:\/\//i;

const words = (max: number) => z.string().max(max);
const incomplete = (message: string) => new AppError('message.incomplete', message);

/** Refuses a field of a request that does not fit into an event. */
const mustFitRequest = (name: string, value: unknown): void => {
  if (Buffer.byteLength(JSON.stringify(value)) <= UNTOUCHED_BYTES_MAX) return;
  throw incomplete(`\`${name}\` is larger than ${UNTOUCHED_BYTES_MAX} bytes`);
};

const tooLong = (field: string, text: unknown, max: number) =>
  typeof text === 'string' && text.length > max
    ? `\`${field}\` has more than ${max} characters, the provider's limit`
    : undefined;

const text = messageType('text', {
  field: z
    .object({
      body: words(lengths.text).describe('The text.'),
      previewUrl: z.boolean().describe('Whether the first link shows a preview.'),
    })
    .partial()
    .describe('For type `text`: `body` is required.'),
  example: { title: 'A reply in the window', value: { body: 'Yes: today between six and eight.' } },
  contentOf({ body, previewUrl = false }) {
    if (!body) throw incomplete('`text.body` is required for type text');
    return { type: 'text', body, previewUrl };
  },
  encode: ({ body, previewUrl }) => ({ type: 'text', text: { preview_url: previewUrl, body } }),
  read(message) {
    mustHave(message, 'text.body');
    const { body, preview_url } = asRecord(message.text);
    return { type: 'text', body: String(body), previewUrl: preview_url === true };
  },
  brokenRule: ({ body }) => tooLong('text.body', body, lengths.text),
});

const encodeTemplate = (name: string, language: string, components: readonly unknown[]): Json => ({
  type: 'template',
  template: {
    name,
    language: { code: language },
    ...(components.length > 0 && { components }),
  },
});

const template = messageType('template', {
  field: z
    .object({
      name: words(lengths.template).describe("The provider's name of the template."),
      language: words(lengths.language).describe('Locale of the template; `en_US` by default.'),
      components: z.array(z.unknown()).describe("The provider's component objects."),
    })
    .partial()
    .describe('For type `template`: `name` is required, `components` stay untouched.'),
  example: {
    title: 'A template you built',
    value: {
      name: 'spring_sale',
      language: 'en_US',
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Asha' },
            { type: 'text', text: '1 March' },
          ],
        },
      ],
    },
  },
  contentOf({ name, language = 'en_US', components = [] }) {
    if (!name) throw incomplete('`template.name` is required for type template');
    mustFitRequest('template.components', components);
    return { type: 'template', name, language, components };
  },
  encode: ({ name, language, components }) => encodeTemplate(name, language, components),
  read(message) {
    mustHave(message, 'template.name', 'template.language.code');
    const { name, language, components } = asRecord(message.template);
    const given = asArray(components);
    mustFit('template.components', given);
    const code = String(asRecord(language).code);
    return {
      type: 'template',
      name: bounded('template.name', String(name), lengths.template),
      language: bounded('template.language.code', code, lengths.language),
      components: given,
    };
  },
});

const media = messageType('media', {
  field: z
    .object({
      type: MediaKind.describe('Kind of the media.'),
      link: words(lengths.link).describe('A public http(s) URL for the provider; instead of `id`.'),
      id: words(lengths.mediaId).describe("The provider's media id; instead of `link`."),
      caption: words(4096).describe(
        `Text under an image, a video or a document, of up to ${lengths.caption} characters. Audio and stickers have none.`,
      ),
      filename: words(lengths.filename).describe('Name of a document.'),
    })
    .partial()
    .describe('For type `media`: `type` and exactly one of `link` and `id` are required.'),
  example: {
    title: 'A document',
    value: { type: 'document', id: '1166846181421424', filename: 'invoice.pdf' },
  },
  contentOf({ type: mediaType, link, id, caption, filename }) {
    if (!mediaType) throw incomplete('`media.type` is required for type media');
    if (!link && !id) throw incomplete('`media.link` or `media.id` is required for type media');
    return { type: 'media', mediaType, ...present({ link, id, caption, filename }) };
  },
  // Keys without a value vanish when the message is written as JSON.
  encode: ({ mediaType, id, link, caption, filename, voice }) => ({
    type: mediaType,
    [mediaType]: { id, link, caption, filename, voice },
  }),
  read(message, kind) {
    const mediaType = MediaKind.parse(kind);
    const { id, link, caption, filename, voice } = asRecord(message[mediaType]);
    mustHave(message, id ? `${mediaType}.id` : `${mediaType}.link`);
    const words = present({
      link: bounded('link', optional(link, 'link'), lengths.link),
      id: bounded('id', asText(id) ?? undefined, lengths.mediaId),
      caption: optional(caption, 'caption'),
      filename: bounded('filename', optional(filename, 'filename'), lengths.filename),
    });
    return { type: 'media', mediaType, ...words, ...(voice === true && { voice }) };
  },
  brokenRule({ mediaType, link, id, caption }) {
    if (link && id) {
      return 'The provider takes exactly one of `media.link` and `media.id`: leave one out';
    }
    if (link && !WEB_ADDRESS.test(link)) {
      return '`media.link` must begin with https:// or http://: the provider fetches it';
    }
    if (caption && !CAPTIONED.includes(mediaType)) {
      return `\`media.caption\`: the provider takes none with ${mediaType}, only with ${CAPTIONED.join(', ')}`;
    }
    return tooLong('media.caption', caption, lengths.caption);
  },
});

const location = messageType('location', {
  field: z
    .object({
      latitude: z.number().min(-90).max(90).describe('Degrees, -90 to 90.'),
      longitude: z.number().min(-180).max(180).describe('Degrees, -180 to 180.'),
      name: words(lengths.place).describe('Name of the place.'),
      address: words(lengths.place).describe('Address of the place.'),
    })
    .partial()
    .describe('For type `location`: `latitude` and `longitude` are required.'),
  example: {
    title: 'A place',
    value: { latitude: 18.52, longitude: 73.85, name: 'Corner Shop', address: '1 Main St' },
  },
  contentOf({ latitude, longitude, name, address }) {
    if (latitude === undefined || longitude === undefined) {
      throw incomplete('`location.latitude` and `location.longitude` are required');
    }
    return { type: 'location', latitude, longitude, ...present({ name, address }) };
  },
  encode: ({ latitude, longitude, name, address }) => ({
    type: 'location',
    location: { latitude, longitude, name, address },
  }),
  read(message) {
    mustHave(message, 'location.latitude', 'location.longitude');
    const location = asRecord(message.location);
    const [latitude, longitude] = [Number(location.latitude), Number(location.longitude)];
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      invalid('location is out of range');
    }
    const textOf = (path: string, value: unknown) =>
      bounded(path, optional(value, path), lengths.place);
    const name = textOf('location.name', location.name);
    const address = textOf('location.address', location.address);
    return { type: 'location', latitude, longitude, ...present({ name, address }) };
  },
});

/** An interactive message that opens a flow of the provider. */
const Flow = z.looseObject({
  type: z.literal('flow').describe('A flow.'),
  header: z.record(z.string(), z.unknown()).optional().describe('A text, or a medium.'),
  body: z
    .looseObject({ text: z.string().max(lengths.body).describe('The text.') })
    .describe('The text.'),
  footer: z
    .looseObject({ text: z.string().max(lengths.footer).describe('The line.') })
    .optional()
    .describe('A line below the text.'),
  action: z
    .looseObject({
      name: z.literal('flow').describe('Always `flow`.'),
      parameters: z
        .looseObject({
          flow_message_version: z.literal('3').describe('Always `3`.'),
          flow_id: z.string().optional().describe('Id of the flow; else `flow_name`.'),
          flow_name: z.string().optional().describe('Name of the flow; else `flow_id`.'),
          flow_cta: z
            .string()
            .max(lengths.buttonTitle)
            .describe('Label of the button, without emoji.'),
          flow_token: z.string().optional().describe('Your id of this use of the flow.'),
          mode: z
            .enum(['draft', 'published'])
            .optional()
            .describe('`draft` tries a flow that is not published; `published` by default.'),
          flow_action: z
            .enum(['navigate', 'data_exchange'])
            .optional()
            .describe('Whether it opens a screen, or asks your endpoint for one.'),
          flow_action_payload: z
            .looseObject({
              screen: z.string().describe('Id of the first screen.'),
              data: z
                .record(z.string(), z.unknown())
                .optional()
                .describe('What the first screen gets.'),
            })
            .optional()
            .describe('The first screen, and its data.'),
        })
        .describe('Which flow, and how it is opened.'),
    })
    .describe('The button that opens the flow.'),
});

const interactive = messageType('interactive', {
  field: z
    .union([Flow, z.record(z.string(), z.unknown())])
    .describe(
      'For type `interactive`: `type` and `action` are required; stays untouched. A flow is checked whole.',
    ),
  example: {
    title: 'Buttons',
    value: {
      type: 'button',
      body: { text: 'Is this time good for you?' },
      action: {
        buttons: [
          { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
          { type: 'reply', reply: { id: 'no', title: 'No' } },
        ],
      },
    },
  },
  contentOf(interactive) {
    if (!interactive.type || !interactive.action) {
      throw incomplete('`interactive.type` and `interactive.action` are required');
    }
    mustFitRequest('interactive', interactive);
    return { type: 'interactive', interactive };
  },
  encode: ({ interactive }) => ({ type: 'interactive', interactive }),
  read(message) {
    const interactive = asRecord(message.interactive);
    const { type, action } = interactive;
    mustHave(message, 'interactive.type');
    if (!isRecord(action)) return missing('interactive.action');
    if (type === 'button' || type === 'list') mustHave(message, 'interactive.body.text');
    if (type === 'button') {
      for (const button of asArray(action.buttons)) mustHave(button, 'reply.id', 'reply.title');
    }
    if (type === 'list') {
      mustHave(message, 'interactive.action.button');
      const rows = asArray(action.sections).flatMap((section) => asArray(asRecord(section).rows));
      if (rows.length === 0) missing('interactive.action.sections.0.rows');
      for (const row of rows) mustHave(row, 'id', 'title');
    }
    mustFit('interactive', interactive);
    return { type: 'interactive', interactive };
  },
  brokenRule: ({ interactive }) => brokenInteractiveRule(interactive),
});

const namePartsOf = (contact: unknown): string[] =>
  Object.entries(asRecord(asRecord(contact).name)).flatMap(([name, part]) =>
    typeof part === 'string' && part !== '' ? [name] : [],
  );

/** A list, or its JSON text: the Graph API takes both, and a client in use writes the text. */
const listIn = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

const contacts = messageType('contacts', {
  field: z
    .array(z.record(z.string(), z.unknown()))
    .max(CONTACTS_CHECKED_MAX)
    .describe(
      `For type \`contacts\`: 1 to ${counts.contacts} of the provider's contact objects, each with \`name.formatted_name\` and one more part of the name; stay untouched.`,
    ),
  example: {
    title: 'A contact',
    value: [
      {
        name: { formatted_name: 'Ravi Shah', first_name: 'Ravi', last_name: 'Shah' },
        phones: [{ phone: '+91 22 5550 0100', type: 'WORK' }],
      },
    ],
  },
  contentOf(contacts) {
    if (!contacts.length) throw incomplete('`contacts` is required for type contacts');
    mustFitRequest('contacts', contacts);
    return { type: 'contacts', contacts };
  },
  encode: ({ contacts }) => ({ type: 'contacts', contacts }),
  read({ contacts: given }) {
    const contacts = listIn(given);
    if (!Array.isArray(contacts)) return missing('contacts');
    if (contacts.length === 0) invalid('contacts holds none');
    for (const contact of contacts) mustHave(contact, 'name.formatted_name');
    mustFit('contacts', contacts);
    return { type: 'contacts', contacts: contacts.map(asRecord) };
  },
  brokenRule({ contacts }) {
    if (contacts.length > counts.contacts) {
      return `\`contacts\` has ${contacts.length} items: the provider takes at most ${counts.contacts}`;
    }
    for (const [at, contact] of contacts.entries()) {
      const parts = namePartsOf(contact);
      if (!parts.includes('formatted_name')) {
        return `\`contacts[${at}].name.formatted_name\` is required by the provider`;
      }
      if (parts.length < 2) {
        return `\`contacts[${at}].name\` needs one more part, such as \`first_name\`: the provider requires it`;
      }
    }
    return undefined;
  },
});

const reaction = messageType('reaction', {
  field: z
    .object({
      messageId: words(lengths.messageId).describe('The message that the reaction is to.'),
      emoji: words(lengths.emoji).describe('One emoji; an empty text removes the reaction.'),
    })
    .partial()
    .describe('For type `reaction`: both fields are required.'),
  example: {
    title: 'A reaction',
    value: { messageId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUM0E5', emoji: '👍' },
  },
  contentOf({ messageId, emoji }) {
    if (!messageId) throw incomplete('`reaction.messageId` is required for type reaction');
    if (emoji === undefined) {
      throw incomplete('`reaction.emoji` is required for type reaction; empty, it removes one');
    }
    return { type: 'reaction', messageId, emoji };
  },
  encode: ({ messageId, emoji }) => ({
    type: 'reaction',
    reaction: { message_id: messageId, emoji },
  }),
  read(message) {
    const { emoji, message_id } = asRecord(message.reaction);
    if (typeof emoji !== 'string') return missing('reaction.emoji');
    mustHave(message, 'reaction.message_id');
    const messageId = bounded('reaction.message_id', String(message_id), lengths.messageId);
    return { type: 'reaction', messageId, emoji: bounded('reaction.emoji', emoji, lengths.emoji) };
  },
  brokenRule: (_, isReply) =>
    isReply
      ? '`contextMessageId`: the provider takes none with a reaction, which names its message itself'
      : undefined,
});

/** The content of a message that a caller built. */
export type BuiltContent = Exclude<Content, { type: 'notification' }>;
export type BuiltType = BuiltContent['type'];

/** In the order of the reference. */
export const messageTypes = {
  text,
  template,
  media,
  location,
  interactive,
  contacts,
  reaction,
} satisfies { [Type in BuiltType]: Pick<MessageType<Type, z.ZodType>, 'encode'> };

export const builtTypes = Object.keys(messageTypes) as [BuiltType, ...BuiltType[]];

/** The same records for a type that is known only while the program runs. */
const byType = messageTypes as Record<BuiltType, MessageType<BuiltType, z.ZodType>>;

const textParameters = (values: readonly string[]) =>
  values.map((one) => ({ type: 'text', text: one }));

/** The provider wants the code of an authentication twice: for the text, and for the button that copies it. */
const notificationComponents = ({
  authentication,
  parameters,
}: ContentOf<'notification'>): unknown[] => {
  if (parameters.length === 0) return [];
  const body = { type: 'body', parameters: textParameters(parameters) };
  if (!authentication) return [body];
  const code = textParameters(parameters.slice(0, 1));
  return [body, { type: 'button', sub_type: 'url', index: '0', parameters: code }];
};

const encodeNotification = (content: ContentOf<'notification'>): Json =>
  encodeTemplate(content.name, content.language, notificationComponents(content));

const recipientOf = (to: string): Json => {
  if (isUserId(to)) return { recipient: to };
  return { to: to.startsWith('+') ? to : `+${to}` };
};

/**
 * Encodes a message for the provider. A number gets a `+`: without one the provider may take it for a
 * national number of the sender's country. The charge's id comes back in every status update.
 */
export const encodeMessage = (
  to: string,
  content: Content,
  {
    chargeId,
    contextMessageId,
    messagingAccountId,
    direct,
  }: {
    chargeId: string;
    contextMessageId: string | null;
    messagingAccountId?: string | null | undefined;
    direct?: Direct | undefined;
  },
): Json => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...recipientOf(to),
  ...(contextMessageId !== null && { context: { message_id: contextMessageId } }),
  biz_opaque_callback_data: chargeId,
  messaging_account_id: messagingAccountId ?? undefined,
  ...(direct && encodeDirect(direct)),
  ...(content.type === 'notification'
    ? encodeNotification(content)
    : byType[content.type].encode(content)),
});

/** Encodes a read receipt, which may show that a reply is being written. */
export const encodeReceipt = (messageId: string, typing: boolean): Json => ({
  messaging_product: 'whatsapp',
  status: 'read',
  message_id: messageId,
  ...(typing && { typing_indicator: { type: 'text' } }),
});

/** The reader of each type by the provider's name. A map, because a message may name any word. */
export const readersOfTypes: ReadonlyMap<string, (message: Json, type: string) => BuiltContent> =
  new Map([
    ...builtTypes.flatMap((type) => (type === 'media' ? [] : [[type, byType[type].read] as const])),
    ...MediaKind.options.map((kind) => [kind, media.read] as const),
  ]);

/**
 * The content that the field of its type makes. An error of contract 4.10 names a missing field, another
 * one the provider's rule that the message breaks: it would be charged, refused and refunded.
 */
export const contentOf = (type: BuiltType, field: unknown, isReply: boolean): BuiltContent => {
  const content = byType[type].contentOf(field ?? {}) as BuiltContent;
  const broken = brokenRule(content, { isReply });
  if (broken) throw new AppError('message.not_allowed', broken);
  return content;
};

/** The rule of the provider that a message breaks, in words that name the field and the limit. */
export const brokenRule = (content: BuiltContent, { isReply = false } = {}): string | undefined =>
  byType[content.type].brokenRule?.(content, isReply);
