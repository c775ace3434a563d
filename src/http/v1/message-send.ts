import { z } from 'zod';
import type { PassThrough, PassThroughRequest } from '../../commands/sending/pass-through.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../route/response.ts';
import { defineRoute } from '../route/route.ts';
import { billingHeaders, CapReached, Insufficient } from './billing-schemas.ts';
import { billingHeadersOf } from './present.ts';
import { clientReference, recipient, sender, sendFailed, success } from './schemas.ts';

const words = (max: number) => z.string().max(max);

const Body = z.object({
  to: recipient,
  type: z
    .enum(['text', 'template', 'media', 'location', 'interactive'])
    .describe('Which of the next fields holds the content.'),
  phoneNumberId: sender,
  text: z
    .object({
      body: words(4096).describe('The text.'),
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
      type: z
        .enum(['image', 'video', 'audio', 'document', 'sticker'])
        .describe('Kind of the media.'),
      link: words(2048).describe('A public URL for the provider; instead of `id`.'),
      id: words(200).describe("The provider's media id; instead of `link`."),
      caption: words(4096).describe('Text under an image, a video or a document.'),
      filename: words(500).describe('Name of a document.'),
    })
    .partial()
    .optional()
    .describe('For type `media`: `type` and one of `link` and `id` are required.'),
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
    .record(z.string(), z.unknown())
    .optional()
    .describe('For type `interactive`: `type` and `action` are required; stays untouched.'),
  contextMessageId: words(500).optional().describe('The message that this one answers.'),
  clientReference,
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

/** The content for the requested type; an error of contract 4.10 names a missing field. */
const contentOf = (body: Body): Sendable => {
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
  }
};

const WindowClosed = z.object({
  error: z.string().describe('The error as text for people.'),
  windowExpiredAt: z.iso.datetime().nullable().optional().describe('End of the last window.'),
});

/** Contract 4.10. */
export const messageSendRoute = (deps: { passThrough: PassThrough }) =>
  defineRoute({
    method: 'POST',
    path: '/v1/messages/send',
    access: 'key',
    scope: 'messages:send',
    summary: 'Send a message that you built: text, template, media, location or interactive',
    description:
      'The service checks only that the content is present. All types but `template` need an open 24-hour window and are free.',
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
      }),
      402: Insufficient,
      403: WindowClosed,
      429: CapReached,
      502: sendFailed('type'),
    },
    errors: [
      'message.incomplete',
      'message.window_closed',
      'account.insufficient',
      'account.cap_reached',
      'account.free_writes',
      'number.none',
      'provider.refused',
      'provider.unknown_outcome',
    ],
    idempotent: { reversible: true },
    responseHeaders: billingHeaders,
    async handle({ body }, { key, requestId, signal, claim }) {
      const { accountId } = key;
      const { to, phoneNumberId: from, contextMessageId, clientReference } = body;
      const content = contentOf(body);
      const request = { to, content, phoneNumberId: from, contextMessageId, clientReference };
      const sent = await deps.passThrough.send(request, { requestId, accountId, signal, claim });
      const answer = {
        success: true as const,
        messageId: sent.messageId,
        type: body.type,
        to: sent.to,
        phoneNumberId: sent.phoneNumberId,
      };
      return reply(200, answer, billingHeadersOf(sent.charge));
    },
  });
