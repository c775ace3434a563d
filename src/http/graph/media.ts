import { z } from 'zod';
import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import type { Media } from '../../commands/media/media.ts';
import { type MediaDocument, media, mediaKeyOf } from '../../projections/media.ts';
import { MEDIA_BYTES_MAX, mediaTypeOf } from '../../provider/rules/media-types.ts';
import { AppError } from '../../shared/errors.ts';
import { actingFor, type IncomingForm } from '../edge/context.ts';
import type { Transfers } from '../edge/transfers.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { fileReply } from '../v1/media.ts';
import {
  AddressHeaders,
  chosenFields,
  Fields,
  GATEWAY,
  mustFindNumber,
  originOf,
  queryText,
} from './common.ts';

interface Deps {
  lookups: Pick<Lookups, 'numbers'>;
  media: Media;
  transfers: Transfers;
}

const Form = z.object({
  messaging_product: z.string().optional(),
  type: z.string().optional(),
  file: z.string(),
});

/** The file with the type that the form gives, where that of the file itself is none of the provider's. */
const typed = (form: IncomingForm): IncomingForm => {
  const { type = form.mimeType } = form.fields;
  return mediaTypeOf(form.mimeType) ? form : { ...form, mimeType: type };
};

const mustFindFile = async (models: ReadModels, accountId: string, id: string) => {
  const known = await models.get(media, mediaKeyOf(accountId, id));
  if (known?.readable) return known;
  throw models.notFound(
    new AppError('resource.unknown', `Object with ID '${id}' does not exist here`, {
      hint: 'Use the id of a number, of a file that was uploaded here, or of one that a customer sent.',
    }),
  );
};

/** A number in the provider's fields. */
export const graphNumber = (number: NumberRecord): Fields => {
  const { blockers, limits, registered } = number;
  const isBlocked = blockers.length > 0;
  const can_send_message = isBlocked ? 'BLOCKED' : limits.length > 0 ? 'LIMITED' : 'AVAILABLE';
  return {
    id: number.phoneNumberId,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating ?? 'UNKNOWN',
    status: registered === false ? 'PENDING' : 'CONNECTED',
    platform_type: registered === false ? 'NOT_APPLICABLE' : 'CLOUD_API',
    code_verification_status: 'VERIFIED',
    throughput: { level: 'STANDARD' },
    health_status: {
      can_send_message,
      entities: [
        {
          entity_type: 'PHONE_NUMBER',
          id: number.phoneNumberId,
          can_send_message,
          ...(isBlocked && {
            errors: blockers.map((error_description) => ({ error_description })),
          }),
          ...(limits.length > 0 && { additional_info: limits }),
        },
      ],
    },
    ...(number.messagingLimit !== null && {
      whatsapp_business_manager_messaging_limit: number.messagingLimit,
    }),
    ...(number.messagingAccountId !== null && { messaging_account_id: number.messagingAccountId }),
  };
};

const describe = async (
  deps: Deps,
  file: MediaDocument,
  at: { origin: string; version: string; id: string },
) => {
  const { mimeType, sha256, bytes } = await deps.media.describe(file);
  return {
    messaging_product: 'whatsapp',
    url: `${at.origin}/api/graph/${at.version}/${encodeURIComponent(at.id)}/file`,
    ...(mimeType !== null && { mime_type: mimeType }),
    ...(sha256 !== null && { sha256 }),
    ...(bytes !== null && { file_size: String(bytes) }),
    id: at.id,
  };
};

/** Uploads, and what an id alone names: a number, or a file. */
export const graphNodeRoutes = (deps: Deps): readonly JsonRoute[] => [
  defineRoute({
    ...GATEWAY,
    method: 'POST',
    path: '/graph/:version/:id/media',
    summary: 'Upload a file, as at the provider',
    request: { query: Fields },
    upload: Form,
    responses: { 200: z.object({ id: z.string() }) },
    errors: ['number.none', 'number.unknown', 'provider.failed', 'account.free_writes'],
    async handle({ params, query }, context) {
      const { accountId, keyId } = context.key;
      const { phoneNumberId } = await mustFindNumber(deps.lookups, accountId, params.id);
      deps.transfers.begin('upload', context);
      const caller = { ...actingFor(context), keyId, signal: context.signal() };
      // A field after the file comes too late: the file is sent on as it is read.
      const limits = { bytesMax: MEDIA_BYTES_MAX, ignoresLateFields: true };
      const { id } = await context.readForm(limits, (form) => {
        const product = form.fields.messaging_product ?? queryText(query, 'messaging_product');
        if (product !== undefined && product !== 'whatsapp') {
          throw new AppError(
            'request.malformed',
            'The parameter messaging_product must be whatsapp',
          );
        }
        return deps.media.upload(typed(form), phoneNumberId, caller);
      });
      return { id };
    },
  }),
  defineRoute({
    ...GATEWAY,
    method: 'GET',
    path: '/graph/:version/:id',
    summary: 'Read a number, or where a file can be read, as at the provider',
    request: { query: Fields, headers: AddressHeaders },
    responses: { 200: Fields },
    errors: ['number.none', 'number.unknown', 'resource.unknown', 'provider.failed'],
    reads: [media],
    async handle({ params, query, headers }, { key, models }) {
      const { id, version } = params;
      const numbers = await deps.lookups.numbers(key.accountId);
      const number = numbers.find((one) => one.phoneNumberId === id);
      if (number) return chosenFields(graphNumber(number), queryText(query, 'fields'));
      const file = await mustFindFile(models, key.accountId, id);
      return describe(deps, file, { origin: originOf(headers), version, id });
    },
  }),
  defineRoute({
    ...GATEWAY,
    method: 'GET',
    path: '/graph/:version/:id/file',
    summary: 'Download a file',
    responses: { 200: z.string() },
    download: 'file',
    errors: ['number.none', 'resource.unknown', 'provider.failed'],
    reads: [media],
    async handle({ params }, context) {
      const { key, models, signal } = context;
      const file = await mustFindFile(models, key.accountId, params.id);
      deps.transfers.begin('download', context);
      return fileReply(deps.media, file, signal());
    },
  }),
  defineRoute({
    ...GATEWAY,
    method: 'DELETE',
    path: '/graph/:version/:id',
    summary: 'Remove a file, as at the provider',
    responses: { 200: z.object({ success: z.literal(true) }) },
    errors: ['number.none', 'resource.unknown', 'provider.failed'],
    reads: [media],
    async handle({ params }, { key, upToDate }) {
      await deps.media.remove(await mustFindFile(await upToDate(), key.accountId, params.id));
      return { success: true as const };
    },
  }),
];
