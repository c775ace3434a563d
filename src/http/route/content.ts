import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createOnce } from '../../shared/concurrency.ts';
import { type Response, reply } from '../edge/respond.ts';

// Pages and files that this service gives to browsers.

/** No script and no style but ours, and no other address. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** For a file whose address has a hash of its content. */
export const A_YEAR = 'public, max-age=31536000, immutable';
/** For a page: the browser asks each time whether it has changed. */
export const ASK_AGAIN = 'no-cache';

/** What is kept of content in one encoding. */
interface Cachable {
  body: string | Buffer;
  etag: string;
  headers: Record<string, string>;
}

const unchanged = (given: string | undefined, etag: string): boolean =>
  (given ?? '').split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));

/** Answers 304 to a reader that has the content. */
export const answerCached = (
  ifNoneMatch: string | undefined,
  { body, etag, headers }: Cachable,
): Response => {
  const shown = { 'Cache-Control': ASK_AGAIN, ...headers, ETag: etag };
  if (!unchanged(ifNoneMatch, etag)) return reply(200, body, shown);
  // The reader keeps the type that it received with the content.
  const { 'Content-Type': _, ...rest } = shown as Record<string, string>;
  return reply(304, undefined, rest);
};

/** The ETag of the content, in quotes. */
export const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

export type Encoding = 'br' | 'gzip';

export interface Content {
  type: string;
  cacheControl: string;
  /** What the page may load and run; `POLICY` when absent. */
  policy?: string;
  /** The encodings that `read` can give, the best first. */
  encodings: readonly Encoding[];
  read(encoding: Encoding | undefined): Promise<Buffer>;
}

const headersOf = (
  { type, cacheControl, policy = POLICY }: Content,
  encoding: Encoding | undefined,
): Record<string, string> => ({
  'Content-Type': type,
  'Cache-Control': cacheControl,
  Vary: 'Accept-Encoding',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...(encoding && { 'Content-Encoding': encoding }),
});

export type ContentServer = (headers: IncomingHttpHeaders) => Promise<Response>;

/** Answers with the content, which it reads once for each encoding. */
export const createContentServer = (content: Content): ContentServer => {
  const kept = new Map<Encoding | undefined, () => Promise<Cachable>>();
  const load = async (encoding: Encoding | undefined): Promise<Cachable> => {
    const body = await content.read(encoding);
    return { body, etag: etagOf(body), headers: headersOf(content, encoding) };
  };
  return async (headers) => {
    const accepted = String(headers['accept-encoding'] ?? '');
    const encoding = content.encodings.find((one) => accepted.includes(one));
    const loaded = kept.get(encoding) ?? createOnce(() => load(encoding));
    kept.set(encoding, loaded);
    return answerCached(headers['if-none-match'], await loaded());
  };
};
