import { z } from 'zod';
import type { PassThrough, PassThroughRequest } from '../../commands/sending/pass-through.ts';
import { recipientProblems } from '../../commands/sending/strict.ts';
import { heldOf } from '../../commands/sending/transmitted.ts';
import { MediaKind } from '../../events/content.ts';
import { brokenRule } from '../../provider/rules/content-rules.ts';
import { counts, lengths } from '../../provider/rules/message-limits.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { advice } from '../route/advice.ts';
import { defineRoute } from '../route/route.ts';
import { billingHeaders, CapReached, Insufficient } from './billing-schemas.ts';
import { billingHeadersOf } from './present.ts';
import {
  clientReference,
  providerStatus,
  recipient,
  sender,
  sendFailed,
  success,
} from './schemas.ts';
import { recipientIn, refuseProblems, type StrictDeps, strict } from './send.ts';

const types = [
  'text',
  'template',
  'media',
  'location',
  'interactive',
  'contacts',
  'reaction',
] as const;

/** An emoji of several parts, such as a family, has up to 35 UTF-16 units. */
const EMOJI_LENGTH_MAX = 64;

/** More contacts are refused before each is checked. */
const CONTACTS_CHECKED_MAX = 1000;

const words = (max: number) => z.string().max(max);

/** An interactive message that opens a flow of the provider. */
const Flow = z.looseObject({
  type: z.literal('flow'),
  header: z.record(z.string(), z.unknown()).optional().describe('A text, or a medium.'),
  body: z.looseObject({ text: z.string() }).describe('The text.'),
  footer: z.looseObject({ text: z.string() }).optional(),
  action: z.looseObject({
    name: z.literal('flow'),
    parameters: z.looseObject({
      flow_message_version: z.literal('3'),
      flow_id: z.string().optional().describe('Id of the flow; else `flow_name`.'),
      flow_name: z.string().optional().describe('Name of the flow; else `flow_id`.'),
      flow_cta: z.string().describe('Label of the button, without emoji.'),
      flow_token: z.string().optional().describe('Your id of this use of the flow.'),
      mode: z.enum(['draft', 'published']).optional(),
      flow_action: z.enum(['navigate', 'data_exchange']).optional(),
      flow_action_payload: z
        .looseObject({ screen: z.string(), data: z.record(z.string(), z.unknown()).optional() })
        .optional()
        .describe('The first screen, and its data.'),
    }),
  }),
});

/** The body of a request: `type` names the field that holds the content. */
export const Body = z.object({
  to: recipient,
  type: z.enum(types).describe('Which of the next fields holds the content.'),
  phoneNumberId: sender,
  text: z
    .object({
      body: words(lengths.text).describe('The text.'),
      previewUrl: z.boolean().describe('Whether the first link shows a preview.'),
    })
    .partial()
    .optional()
    .describe('For type `text`: `body` is required.'),
  template: z
    .object({
      name: words(512).describe("The provider's name of the template."),
      language: words(20).describe('Locale of the template; `en_US` by default.'),
      components: z.array(z.unknown()).describe("The provider's component objects."),
    })
    .partial()
    .optional()
    .describe('For type `template`: `name` is required, `components` stay untouched.'),
  media: z
    .object({
      type: MediaKind.describe('Kind of the media.'),
      link: words(2048).describe('A public http(s) URL for the provider; instead of `id`.'),
      id: words(200).describe("The provider's media id; instead of `link`."),
      caption: words(4096).describe(
        `Text under an image, a video or a document, of up to ${lengths.caption} characters. Audio and stickers have none.`,
      ),
      filename: words(500).describe('Name of a document.'),
    })
    .partial()
    .optional()
    .describe('For type `media`: `type` and exactly one of `link` and `id` are required.'),
  location: z
    .object({
      latitude: z.number().min(-90).max(90).describe('Degrees, -90 to 90.'),
      longitude: z.number().min(-180).max(180).describe('Degrees, -180 to 180.'),
      name: words(1000).describe('Name of the place.'),
      address: words(1000).describe('Address of the place.'),
    })
    .partial()
    .optional()
    .describe('For type `location`: `latitude` and `longitude` are required.'),
  interactive: z
    .union([Flow, z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'For type `interactive`: `type` and `action` are required; stays untouched. A flow is checked whole.',
    ),
  contacts: z
    .array(z.record(z.string(), z.unknown()))
    .max(CONTACTS_CHECKED_MAX)
    .optional()
    .describe(
      `For type \`contacts\`: 1 to ${counts.contacts} of the provider's contact objects, each with \`name.formatted_name\` and one more part of the name; stay untouched.`,
    ),
  reaction: z
    .object({
      messageId: words(500).describe('The message that the reaction is to.'),
      emoji: words(EMOJI_LENGTH_MAX).describe('One emoji; an empty text removes the reaction.'),
    })
    .partial()
    .optional()
    .describe('For type `reaction`: both fields are required.'),
  contextMessageId: words(500).optional().describe('The message that this one answers.'),
  clientReference,
  strict: strict.describe(
    'Refuses with 400, before any charge, a `to` that is no possible telephone number. When absent, the default of the account; else false.',
  ),
});
type Body = z.output<typeof Body>;
type Sendable = PassThroughRequest['content'];

/** Content that passes through unchanged must fit into an event. */
const UNTOUCHED_BYTES_MAX = 100_000;

const incomplete = (message: string) => new AppError('message.incomplete', message);

const mustFit = (name: string, value: unknown): void => {
  if (Buffer.byteLength(JSON.stringify(value)) > UNTOUCHED_BYTES_MAX) {
    throw incomplete(`\`${name}\` is larger than ${UNTOUCHED_BYTES_MAX} bytes`);
  }
};

/** Drops absent fields, so that an event holds no undefined. */
const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const givenContent = (body: Body): Sendable => {
  switch (body.type) {
    case 'text': {
      const { body: text, previewUrl = false } = body.text ?? {};
      if (!text) throw incomplete('`text.body` is required for type text');
      return { type: 'text', body: text, previewUrl };
    }
    case 'template': {
      const { name, language = 'en_US', components = [] } = body.template ?? {};
      if (!name) throw incomplete('`template.name` is required for type template');
      mustFit('template.components', components);
      return { type: 'template', name, language, components };
    }
    case 'media': {
      const { type: mediaType, link, id, caption, filename } = body.media ?? {};
      if (!mediaType) throw incomplete('`media.type` is required for type media');
      if (!link && !id) throw incomplete('`media.link` or `media.id` is required for type media');
      return { type: 'media', mediaType, ...given({ link, id, caption, filename }) };
    }
    case 'location': {
      const { latitude, longitude, name, address } = body.location ?? {};
      if (latitude === undefined || longitude === undefined) {
        throw incomplete('`location.latitude` and `location.longitude` are required');
      }
      return { type: 'location', latitude, longitude, ...given({ name, address }) };
    }
    case 'interactive': {
      const { interactive } = body;
      if (!interactive?.type || !interactive.action) {
        throw incomplete('`interactive.type` and `interactive.action` are required');
      }
      mustFit('interactive', interactive);
      return { type: 'interactive', interactive };
    }
    case 'contacts': {
      const { contacts = [] } = body;
      if (contacts.length === 0) throw incomplete('`contacts` is required for type contacts');
      mustFit('contacts', contacts);
      return { type: 'contacts', contacts };
    }
    case 'reaction': {
      const { messageId, emoji } = body.reaction ?? {};
      if (!messageId) throw incomplete('`reaction.messageId` is required for type reaction');
      if (emoji === undefined) {
        throw incomplete('`reaction.emoji` is required for type reaction; empty, it removes one');
      }
      return { type: 'reaction', messageId, emoji };
    }
  }
};

/**
 * The content for the requested type. An error of contract 4.10 names a missing field, another one the
 * provider's rule that the message breaks.
 */
export const contentOf = (body: Body): Sendable => {
  const content = givenContent(body);
  const broken = brokenRule(content, { isReply: body.contextMessageId !== undefined });
  if (broken) throw new AppError('message.not_allowed', broken);
  return content;
};

const WindowClosed = z.object({
  error: z.string().describe('The error as text for people.'),
  windowExpiredAt: z.iso.datetime().nullable().optional().describe('End of the last window.'),
  ...advice,
});

/** Contract 4.10. */
export const messageSendRoute = (deps: { passThrough: PassThrough } & StrictDeps) =>
  defineRoute({
    method: 'POST',
    path: '/v1/messages/send',
    access: 'key',
    scope: 'messages:send',
    summary:
      'Send a message that you built: text, template, media, location, interactive, contacts or reaction',
    description:
      'The service checks that the content is present and within the limits of the provider. All types but `template` need an open 24-hour window, and are free unless the plan charges them (`chargeService`).',
    answer: 'The provider accepted the message.',
    tags: ['Messages'],
    request: { body: Body },
    responses: {
      200: z.object({
        success,
        messageId: z.string().describe("The provider's message id."),
        type: z.string().describe('The sent type.'),
        to: z.string().describe('The recipient, digits only.'),
        phoneNumberId: z.string().describe('The sending number.'),
        providerStatus,
      }),
      402: Insufficient,
      403: WindowClosed,
      429: CapReached,
      502: sendFailed('type'),
    },
    errors: [
      'message.incomplete',
      'message.not_allowed',
      'message.window_closed',
      'account.insufficient',
      'account.cap_reached',
      'account.free_writes',
      'number.none',
      'provider.refused',
      'provider.unknown_outcome',
    ],
    idempotent: { reversible: true, contacts: recipientIn },
    responseHeaders: billingHeaders,
    async handle({ body }, { key, requestId, signal, claim }) {
      const { accountId } = key;
      const isStrict = body.strict ?? deps.strictByDefault(accountId);
      if (isStrict && (await isStrict)) refuseProblems(recipientProblems(body.to));
      const { to, phoneNumberId: from, contextMessageId, clientReference } = body;
      const content = contentOf(body);
      const request = { to, content, phoneNumberId: from, contextMessageId, clientReference };
      const caller = { requestId, accountId, signal: signal(), claim };
      const sent = await deps.passThrough.send(request, caller);
      const answer = {
        success: true as const,
        messageId: sent.messageId,
        type: body.type,
        to: sent.to,
        phoneNumberId: sent.phoneNumberId,
        ...heldOf(sent),
      };
      return reply(200, answer, billingHeadersOf(sent.charge));
    },
  });
