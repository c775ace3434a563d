import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher, request as send } from 'undici';
import type { Download } from '../commands/core/outbound.ts';
import { createAddressRules } from './addresses.ts';
import { guardedConnector } from './guard.ts';
import { formProblem, reasonOf } from './outbound.ts';
import { exceptionFor } from './places.ts';
import { createResolve, type Resolve } from './resolve.ts';

const CONNECTIONS_MAX = 64;
const CONNECT_TIMEOUT_MS = 5000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Time without a byte, in milliseconds. */
const IDLE_TIMEOUT_MS = 30_000;
/** For a whole file, in milliseconds. */
const FILE_TIMEOUT_MS = 300_000;
/** Bytes of an unwanted answer that are read, to keep the connection. */
const IGNORED_BYTES_MAX = 4096;

const larger = (bytesMax: number) => `the file is larger than ${bytesMax} bytes`;

/** Passes the chunks on, and throws beyond the limit. */
async function* upTo(body: AsyncIterable<Buffer>, bytesMax: number) {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(larger(bytesMax));
    yield chunk;
  }
}

const lengthIn = (value: IncomingHttpHeaders[string]): number | null =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null;

/** The reason not to pass an answer on; undefined for the file itself. */
const problemOf = (
  { statusCode, headers }: Dispatcher.ResponseData,
  bytesMax: number,
): string | undefined => {
  if (statusCode !== 200) return `the provider answered HTTP ${statusCode}`;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return 'the provider compressed the file';
  return (lengthIn(headers['content-length']) ?? 0) > bytesMax ? larger(bytesMax) : undefined;
};

interface DownloadOptions {
  exceptions: readonly string[];
  /** The origin of the provider's API, which the operator set. */
  trustedOrigin?: string;
  /** For tests. */
  resolve?: Resolve;
  idleTimeoutMs?: number;
  fileTimeoutMs?: number;
}

/**
 * Reads files at public https addresses, and at the provider's own address. The stream reads no faster
 * than its reader does. No redirect is followed, so a token stays where it was sent.
 */
export const createDownloads = (
  options: DownloadOptions,
): { download: Download; close(): Promise<void> } => {
  const { exceptions, trustedOrigin } = options;
  const { idleTimeoutMs = IDLE_TIMEOUT_MS, fileTimeoutMs = FILE_TIMEOUT_MS } = options;
  const rules = createAddressRules(exceptions);
  const resolve = options.resolve ?? createResolve({ askSystem: rules.hasExceptions });
  const limits = {
    connections: CONNECTIONS_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: idleTimeoutMs,
  };
  const guarded = new Agent({
    ...limits,
    connect: guardedConnector(
      { rules, resolve },
      {
        timeoutMs: CONNECT_TIMEOUT_MS,
        needsException: (place) => exceptionFor(place, { rules, plainHttp: 'listed' }) !== null,
      },
    ),
  });
  const trusted = new Agent({ ...limits, connect: { timeout: CONNECT_TIMEOUT_MS } });

  return {
    async download({ url: text, headers, bytesMax, signal }) {
      if (formProblem(text) !== null) {
        return { kind: 'failed', reason: 'the provider named no web address' };
      }
      const url = new URL(text);
      try {
        const answer = await send(url, {
          dispatcher: url.origin === trustedOrigin ? trusted : guarded,
          headers: { 'user-agent': 'Waybill', ...headers },
          signal: AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]),
        });
        const problem = problemOf(answer, bytesMax);
        if (problem !== undefined) {
          answer.body.dump({ limit: IGNORED_BYTES_MAX }).catch(() => undefined);
          return { kind: 'failed', reason: problem };
        }
        const content = Readable.from(upTo(answer.body, bytesMax));
        // Content that is never read would leave the connection open.
        content.once('close', () => answer.body.on('error', () => undefined).destroy());
        return { kind: 'opened', content, bytes: lengthIn(answer.headers['content-length']) };
      } catch (error) {
        return { kind: 'failed', reason: reasonOf(error) };
      }
    },
    async close() {
      await Promise.all([guarded.destroy(), trusted.destroy()]);
    },
  };
};
