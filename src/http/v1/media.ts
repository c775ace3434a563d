import { z } from 'zod';
import type { Media } from '../../commands/media/media.ts';
import { MediaKind } from '../../events/content.ts';
import { type MediaDocument, media, mediaKeyOf } from '../../projections/media.ts';
import { MEDIA_BYTES_MAX, mediaTypeNames } from '../../provider/rules/media-types.ts';
import { AppError } from '../../shared/errors.ts';
import { actingFor } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import {
  TRANSFERS_PER_ACCOUNT_MAX,
  TRANSFERS_PER_KEY_MAX,
  type Transfers,
} from '../edge/transfers.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { phoneNumberId, sender } from './schemas.ts';

const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w-]+=[\w.+-]{1,50})*$/;

const BOUNDS = `A key has ${TRANSFERS_PER_KEY_MAX} transfers at a time and an account ${TRANSFERS_PER_ACCOUNT_MAX}, each of 5 minutes and at 16 kB/s on average at least; a further one is a 503 with \`Retry-After\`.`;

const Uploaded = z.object({
  id: z.string().describe("The provider's media id, for `media.id` of a message; lives 30 days."),
  phoneNumberId: phoneNumberId.describe('The number that can send the file.'),
  kind: MediaKind.describe('Which `media.type` of a message takes the file.'),
  mimeType: z.string().describe('The type of the file.'),
  bytes: z.int().describe('Size of the file.'),
});

const Form = z.object({
  phoneNumberId: sender,
  file: z
    .string()
    .meta({ contentMediaType: 'application/octet-stream' })
    .describe(`The file, after the other fields, as one of: ${mediaTypeNames.join(', ')}.`),
});

/** A file, streamed from the provider. */
export const fileReply = async (from: Media, known: MediaDocument, signal: AbortSignal) => {
  const { content, mimeType, bytes } = await from.open(known, signal);
  const type = mimeType ?? known.mimeType ?? '';
  return reply(200, content as never, {
    'Content-Type': MIME_TYPE.test(type) ? type : 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Accept-Ranges': 'none',
    ...(bytes !== null && { 'Content-Length': String(bytes) }),
  });
};

/** Files: uploads for messages, and what customers sent. */
export const mediaRoutes = (deps: { media: Media; transfers: Transfers }): readonly JsonRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/media',
    access: 'key',
    scope: 'media:write',
    summary: 'Upload a file for messages',
    description: `A form with the field \`file\`, and before it optionally \`phoneNumberId\`. Limits are the provider's: 5 MB for images, 16 MB for video and audio, 500 KB for stickers, 100 MB for documents. ${BOUNDS}`,
    tags: ['Media'],
    upload: Form,
    responses: { 201: Uploaded },
    errors: ['number.none', 'provider.failed', 'account.free_writes'],
    async handle(_, context) {
      deps.transfers.begin('upload', context);
      const { keyId } = context.key;
      const caller = { ...actingFor(context), keyId, signal: context.signal() };
      return context.readForm({ bytesMax: MEDIA_BYTES_MAX }, (form) =>
        deps.media.upload(form, form.fields.phoneNumberId, caller),
      );
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/media/:id',
    access: 'key',
    scope: 'media:read',
    summary: 'Download a file that a customer sent or that you uploaded',
    description: `The id is that of the inbound message, such as \`message.image.id\`, or of an upload. The provider keeps a customer's file for 7 days and an upload for 30. Up to 100 MB, always whole: \`Range\` is ignored. A connection that ends before \`Content-Length\` bytes, or without the last chunk, brought a part of the file only. ${BOUNDS}`,
    answer: 'The file, with its type in `Content-Type`.',
    tags: ['Media'],
    responses: { 200: z.string().describe('The bytes of the file.') },
    download: 'file',
    errors: ['resource.unknown', 'number.none', 'provider.failed'],
    reads: [media],
    async handle({ params }, context) {
      const { key, models, signal } = context;
      const known = await models.get(media, mediaKeyOf(key.accountId, params.id));
      if (!known?.readable)
        throw models.notFound(new AppError('resource.unknown', 'Media not found'));
      deps.transfers.begin('download', context);
      return fileReply(deps.media, known, signal());
    },
  }),
];
