import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { MediaKind } from '../../events/content.ts';
import { MEDIA_BYTES_MAX, mediaTypeOf } from '../rules/media-types.ts';
import { asRecord, asText, type Json } from '../shape.ts';
import { type GraphAnswer, graphError, noSuchObject, ok } from './answers.ts';
import type { SimulatedMedia } from './media-file.ts';
import type { SimulatedNumber, World } from './world.ts';

/** Bytes of all files; the oldest go first. */
const KEPT_BYTES_MAX = 256 * 1024 * 1024;
/** For how long the URL of a file can be read, in milliseconds. */
const URL_MS = 5 * 60 * 1000;

/** The first part of the path of a file. */
export const MEDIA_PATH = '_media';

export const keepMedia = (world: World, file: Omit<SimulatedMedia, 'id'>): SimulatedMedia => {
  const media = { ...file, id: `9${String(world.nextId()).padStart(14, '0')}` };
  world.media.set(media.id, media);
  let kept = [...world.media.values()].reduce((sum, { content }) => sum + content.length, 0);
  for (const [id, { content }] of world.media) {
    if (kept <= KEPT_BYTES_MAX || id === media.id) break;
    world.media.delete(id);
    kept -= content.length;
  }
  return media;
};

const sha256 = (content: Buffer, encoding: 'base64' | 'hex'): string =>
  createHash('sha256').update(content).digest(encoding);

/** What a webhook says of a file. */
export const describeMedia = ({ id, mimeType, content }: SimulatedMedia) => ({
  id,
  mime_type: mimeType,
  sha256: sha256(content, 'base64'),
});

/** `GET /<media id>`: where the file can be read. */
export const readMedia = (
  world: World,
  id: string,
  query: URLSearchParams,
  origin: string,
): GraphAnswer => {
  const file = world.media.get(id);
  const asked = query.get('phone_number_id');
  const isOthers = asked !== null && asked !== file?.phoneNumberId;
  if (!file || file.fault === 'lost' || isOthers) return noSuchObject(id);
  const { mimeType, content } = file;
  return ok({
    messaging_product: 'whatsapp',
    url: `${origin}/${MEDIA_PATH}/${id}/${world.clock.now() + URL_MS}`,
    mime_type: mimeType,
    sha256: sha256(content, 'hex'),
    file_size: String(content.length),
    id,
  });
};

/** The file behind a URL of `readMedia`; undefined once the URL has expired. */
export const fileAt = (world: World, [id = '', until]: string[]): SimulatedMedia | undefined =>
  Number(until) > world.clock.now() ? world.media.get(id) : undefined;

const missing = (name: string) =>
  graphError(100, { details: `The parameter ${name} is required.` });

interface ReceivedFile {
  mimeType: string;
  content: Buffer;
}

/** The provider's refusal of an upload. */
const checkUpload = (
  fields: ReadonlyMap<string, string>,
  file: ReceivedFile | undefined,
): GraphAnswer | undefined => {
  if (fields.get('messaging_product') !== 'whatsapp') return missing('messaging_product');
  if (!file) return missing('file');
  const { mimeType, content } = file;
  const type = mediaTypeOf(mimeType);
  if (!type) return graphError(100, { details: `Param file has the invalid type ${mimeType}` });
  if (content.length === 0) return graphError(100, { details: 'Param file is empty' });
  if (content.length <= type.bytesMax) return undefined;
  return graphError(100, { details: `Param file is larger than ${type.bytesMax} bytes` });
};

/** The provider's refusal of a message with a file of another number, or in strict mode of none. */
export const checkFileOf = (
  world: World,
  { phoneNumberId }: SimulatedNumber,
  message: Json,
): GraphAnswer | undefined => {
  const { success, data: type } = MediaKind.safeParse(message.type);
  const id = success ? asText(asRecord(message[type]).id) : null;
  if (id === null) return undefined;
  const owner = world.media.get(id)?.phoneNumberId;
  if (owner === phoneNumberId || (owner === undefined && !world.settings.strict)) return undefined;
  const details = `Param ${type}['id'] is not a valid whatsapp business account media attachment ID`;
  return graphError(100, { details });
};

/** `POST /<number>/media`: a form with the file. */
export const uploadMedia = (
  world: World,
  phoneNumberId: string,
  request: IncomingMessage,
): Promise<GraphAnswer> =>
  new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const chunks: Buffer[] = [];
    let mimeType: string | undefined;
    const answer = (): GraphAnswer => {
      const file =
        mimeType === undefined ? undefined : { mimeType, content: Buffer.concat(chunks) };
      const refusal = checkUpload(fields, file);
      return refusal ?? ok({ id: keepMedia(world, { phoneNumberId, ...file! }).id });
    };
    const form = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: { files: 1, fields: 10, fileSize: MEDIA_BYTES_MAX + 1 },
    });
    form.on('field', (name, value) => void fields.set(name, value));
    form.on('file', (_name, file, _filename, _encoding, type) => {
      mimeType = type;
      file.on('data', (chunk: Buffer) => void chunks.push(chunk));
    });
    form.on('finish', () => resolve(answer()));
    form.on('error', reject);
    request.on('error', reject);
    request.pipe(form);
  });
