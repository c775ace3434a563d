import { Readable } from 'node:stream';
import type { Clock } from '../../shared/clock.ts';
import { type Provider, ProviderRefused, ProviderUnreachable, type Sender } from '../provider.ts';
import { asId, asInteger, asText } from '../shape.ts';
import { isUnknownObject, readBody, readRefusal } from './client.ts';
import { bodyOf, type Manage } from './manage.ts';
import type { Transport } from './transport.ts';

/** For a whole upload of up to 100 MB, in milliseconds. */
const UPLOAD_MS = 300_000;

type Upload = Parameters<Provider['uploadMedia']>[1];

/** Unguessable in two: no file can hold the boundary on purpose. */
const digits = (random: () => number): string => random().toString(36).slice(2);

/** A name that can stand in a header of a form. */
const safeName = (filename: string): string =>
  filename.replaceAll(/[^\w.-]+/g, '_').slice(-100) || 'file';

/** The form that the provider takes. Each chunk is written when the socket has room for it. */
async function* formOf({ content, mimeType, filename }: Upload, boundary: string) {
  const part = (headers: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${value}`;
  const type = mimeType.replaceAll(/[\r\n]/g, '');
  yield Buffer.from(
    `${part('name="messaging_product"', 'whatsapp\r\n')}${part('name="type"', `${type}\r\n`)}${part(
      `name="file"; filename="${safeName(filename)}"\r\nContent-Type: ${type}`,
      '',
    )}`,
  );
  yield* content;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** Passes chunks on and keeps the error that ends them: the transport reports only that it was broken. */
async function* watched(content: AsyncIterable<Uint8Array>, seen: { error?: unknown }) {
  try {
    yield* content;
  } catch (error) {
    seen.error = error;
    throw error;
  }
}

export const createMediaCalls = (deps: {
  /** Connections of their own, so that long uploads take none of the sends'. */
  transport: Transport;
  manage: Manage;
  root: string;
  clock: Clock;
  random: () => number;
}): {
  upload: Provider['uploadMedia'];
  read: Provider['readMedia'];
  remove: Provider['removeMedia'];
} => ({
  async upload(sender, file, signal) {
    const { transport, root, clock, random } = deps;
    const boundary = `waybill-${digits(random)}${digits(random)}`;
    const seen: { error?: unknown } = {};
    const exchange = await transport.exchange(
      {
        method: 'POST',
        path: `/${root}/${encodeURIComponent(sender.phoneNumberId)}/media`,
        token: sender.accessToken,
        body: Readable.from(formOf({ ...file, content: watched(file.content, seen) }, boundary)),
        contentType: `multipart/form-data; boundary=${boundary}`,
        signal,
      },
      clock.now() + UPLOAD_MS,
    );
    if (seen.error !== undefined) throw seen.error;
    if (exchange.kind !== 'answer') throw new ProviderUnreachable(exchange.reason);
    const body = readBody(exchange.text);
    const mediaId = asId(body?.id);
    if (mediaId !== null && exchange.status < 300) return { mediaId };
    throw new ProviderRefused(readRefusal(exchange.status, body, sender.accessToken));
  },

  async read(sender: Sender, mediaId: string) {
    const query = { phone_number_id: sender.phoneNumberId };
    const reply = await deps.manage.get(sender, encodeURIComponent(mediaId), query);
    if (reply.kind === 'refused' && isUnknownObject(reply.refusal)) return undefined;
    const body = bodyOf(reply);
    const url = asText(body.url);
    if (url === null) throw new ProviderRefused(readRefusal(200, body, sender.accessToken));
    return {
      url,
      mimeType: asText(body.mime_type),
      sha256: asText(body.sha256),
      bytes: asInteger(body.file_size),
    };
  },

  async remove(sender: Sender, mediaId: string) {
    const query = { phone_number_id: sender.phoneNumberId };
    const reply = await deps.manage.remove(sender, encodeURIComponent(mediaId), query);
    if (reply.kind === 'refused' && isUnknownObject(reply.refusal)) return false;
    bodyOf(reply);
    return true;
  },
});
