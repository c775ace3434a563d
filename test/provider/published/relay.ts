import { buffer } from 'node:stream/consumers';
import { request } from 'undici';
import { startServer } from '../../support/server.ts';
import type { Json } from '../../support/waybill.ts';

/** A call of the provider and its answer, as they passed. */
export interface Exchange {
  method: string;
  /** With the query. */
  target: string;
  /** Of what was sent. */
  mediaType: string;
  /** JSON, or the fields of a form; undefined without a body. */
  sent: Json | undefined;
  status: number;
  answered: Json;
}

const JSON_TYPE = /^application\/json\b/;

/** Undefined for anything but JSON. */
const readJson = (type: unknown, body: Buffer): Json | undefined =>
  body.length > 0 && JSON_TYPE.test(String(type)) ? JSON.parse(body.toString()) : undefined;

/** The fields of a form, a file by its text; JSON as it is. */
const readSent = async (type: string, body: Buffer): Promise<Json | undefined> => {
  if (!type.startsWith('multipart/')) return readJson(type, body);
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': type },
  }).formData();
  const fields = [...form].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : await value.text(),
  ]);
  return Object.fromEntries(await Promise.all(fields));
};

/** Stands before a server and keeps what passes. */
export const startRelay = async (baseUrl: string) => {
  const exchanges: Exchange[] = [];
  const { url, close } = await startServer(async (incoming, response) => {
    const { method = 'GET', url: target = '/', headers } = incoming;
    const { host: _, connection: __, 'transfer-encoding': ___, ...passed } = headers;
    const sent = await buffer(incoming);
    const answer = await request(`${baseUrl}${target}`, {
      method: method as 'GET',
      headers: passed,
      ...(sent.length > 0 && { body: sent }),
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    const { statusCode: status, headers: answered } = answer;
    const type = headers['content-type'] ?? 'application/json';
    const [mediaType = ''] = type.split(';');
    exchanges.push({
      method,
      target,
      status,
      mediaType,
      sent: await readSent(type, sent),
      answered: readJson(answered['content-type'], body) ?? {},
    });
    response.writeHead(status, answered).end(body);
  });
  return { url, exchanges, close };
};
