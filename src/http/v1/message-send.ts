import { z } from 'zod';
import type { PassThrough, PassThroughRequest } from '../../commands/sending/pass-through.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../route/response.ts';
import { defineRoute } from '../route/route.ts';
import { billingHeadersOf } from './present.ts';
import {
  billingHeaders,
  CapReached,
  clientReference,
  ErrorBody,
  Insufficient,
  phoneNumberId,
  recipient,
} from './schemas.ts';

const words = (max: number) => z.string().max(max);

const Body = z.object({
  to: recipient,
  type: z
    .enum(['text', 'template', 'media', 'location', 'interactive'])
    .describe('Which of the fields below holds the content.'),
  phoneNumberId: phoneNumberId.optional(),
  text: z
    .object({ body: words(4096), previewUrl: z.boolean() })
    .partial()
    .optional()
    .describe('For type `text`: `body` is required.'),
  template: z
    .object({ name: words(512), language: words(20), components: z.array(z.unknown()) })
    .partial()
    .optional()
    .describe(
      'For type `template`: `name` is required, `language` is `en_US` when absent, `components` go through untouched.',
    ),
  media: z
    .object({
      type: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
      link: words(2048),
      id: words(200),
      caption: words(4096),
      filename: words(500),
    })
    .partial()
    .optional()
    .describe('For type `media`: `type` and one of `link` and `id` are required.'),
  location: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: words(1000),
      address: words(1000),
    })
    .partial()
    .optional()
    .describe('For type `location`: `latitude` and `longitude` are required.'),
  interactive: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('For type `interactive`: `type` and `action` are required; goes through untouched.'),
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

/** Contract 4.10. */
export const messageSendRoute = (deps: { passThrough: PassThrough }) =>
  defineRoute({
    method: 'POST',
    path: '/v1/messages/send',
    access: 'key',
    scope: 'messages:send',
    summary: 'Send a message that you built: text, template, media, location or interactive',
    description:
      'Nothing that you build is checked but that it is there. All types but `template` need an open 24-hour window and are free.',
    tags: ['Messages'],
    request: { body: Body },
    responses: {
      200: z.object({
        success: z.literal(true),
        messageId: z.string(),
        type: z.string(),
        to: z.string(),
        phoneNumberId: z.string(),
      }),
      402: Insufficient,
      403: ErrorBody.extend({ windowExpiredAt: z.iso.datetime().nullable().optional() }),
      429: CapReached,
      502: ErrorBody.extend({
        details: z.object({
          type: z.string(),
          template: z.string().nullable(),
          providerCode: z.int().nullable(),
          providerMessage: z.string(),
        }),
      }),
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
