import { Agent, request as send } from 'undici';
import type { Outbound, OutboundOutcome, OutboundRequest } from '../commands/core/outbound.ts';
import { createAddressRules } from './addresses.ts';
import { ForbiddenAddress, guardedConnector, usableAddresses } from './guard.ts';
import { exceptionFor, type Place, type PlainHttp } from './places.ts';
import { createResolve, type Resolve } from './resolve.ts';

const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_MS = 4000;
const URL_LENGTH_MAX = 2048;
/** Bytes of an unwanted answer that are read, to keep the connection. */
const IGNORED_BYTES_MAX = 4096;

export interface OutboundOptions {
  /** Private addresses and networks that may be called, also over plain http. */
  exceptions: readonly string[];
  plainHttp: PlainHttp;
  /** For tests. */
  resolve?: Resolve;
}

const PRIVATE = 'must not lead to a private, loopback, link-local or metadata address';

/** The reason of a failure for the owner of the URL: no address, no path, no words of a library. */
export const reasonOf = (error: unknown): string => {
  const { name, code } = (error ?? {}) as { name?: string; code?: string };
  if (error instanceof ForbiddenAddress) return error.message;
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time';
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'ETIMEDOUT':
    case 'ETIMEOUT':
      return 'no answer in time';
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ENOTFOUND':
      return 'the host name has no address';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return 'the connection was closed';
    default:
      return `failed: ${code ?? name ?? 'unknown error'}`;
  }
};

/**
 * Reads up to `bytesMax` bytes; an unread rest closes the connection. With `keepsPart` a body that breaks
 * off is what came of it.
 */
export const readUpTo = async (
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  { keepsPart = false } = {},
): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, bytesMax - bytes));
      bytes += chunk.length;
      if (bytes >= bytesMax) break;
    }
  } catch (error) {
    if (!keepsPart) throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** The problem that the URL itself shows. */
export const formProblem = (text: string): string | null => {
  const url = text.length <= URL_LENGTH_MAX ? URL.parse(text) : null;
  if (!url) return 'must be a URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return null;
};

/** Cookies are of no use to anybody who reads what was answered. */
const headOf = (headers: Record<string, string | string[] | undefined>, lengthMax: number) =>
  Object.entries(headers)
    .filter(([name]) => name !== 'set-cookie')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
    .slice(0, lengthMax);

const exchange = async (dispatcher: Agent, call: OutboundRequest, signal: AbortSignal) => {
  const response = await send(call.url, {
    dispatcher,
    method: call.method as 'POST',
    headers: { 'user-agent': 'Waybill', ...call.headers },
    body: call.body,
    // Bounds the whole call, before the agent's own limits of 300 s for headers and body.
    signal,
  });
  const { statusCode: status, headers, body } = response;
  const told = headers['retry-after'];
  const answer = { status, ...(typeof told === 'string' && { retryAfter: told }) };
  if (call.bodyMs !== undefined) {
    const late = setTimeout(() => body.destroy(), call.bodyMs);
    const read = await readUpTo(body, call.bytesMax, { keepsPart: true });
    clearTimeout(late);
    return { ...answer, head: headOf(headers, call.bytesMax), body: read };
  }
  if (call.bytesMax > 0) return { ...answer, body: await readUpTo(body, call.bytesMax) };
  body.dump({ limit: IGNORED_BYTES_MAX, signal }).catch(() => undefined);
  return { ...answer, body: '' };
};

/**
 * Calls the URLs of tenants. The callers bound the calls of each account; a host has no bound of its own,
 * because accounts that share a host would then hold up each other.
 */
export const createOutbound = (options: OutboundOptions): Outbound & { close(): Promise<void> } => {
  const rules = createAddressRules(options.exceptions);
  const resolve = options.resolve ?? createResolve({ askSystem: rules.hasExceptions });
  const deps = { rules, resolve };
  const { plainHttp } = options;
  /** The problem of a place whose address the operator does not list. */
  const unlistedProblem = (place: Place) => exceptionFor(place, { rules, plainHttp });
  const agent = new Agent({
    connections: null,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: guardedConnector(deps, {
      timeoutMs: CONNECT_TIMEOUT_MS,
      needsException: (place) => unlistedProblem(place) !== null,
    }),
  });

  const problemOf = async (text: string): Promise<string | null> => {
    const problem = formProblem(text);
    if (problem !== null) return problem;
    const url = new URL(text);
    const unlisted = unlistedProblem(url);
    if (url.protocol === 'http:' && plainHttp === 'listed' && !rules.hasExceptions) return unlisted;
    try {
      const usable = await usableAddresses(url.hostname, deps);
      // All of them are of one kind.
      return usable[0]?.kind === 'listed' ? null : unlisted;
    } catch (error) {
      if (error instanceof ForbiddenAddress) return PRIVATE;
      // A name that cannot be resolved now may be resolved later: each call looks again.
      return unlisted;
    }
  };

  return {
    problemOf,
    async request(call): Promise<OutboundOutcome> {
      const startedAt = performance.now();
      const latencyMs = () => Math.round(performance.now() - startedAt);
      const signal = AbortSignal.timeout(call.timeoutMs);
      try {
        const url = URL.parse(call.url);
        const needsLook = url !== null && unlistedProblem(url) !== null;
        const problem = needsLook ? await problemOf(call.url) : formProblem(call.url);
        if (problem !== null) {
          return { kind: 'failed', reason: `the URL ${problem}`, latencyMs: latencyMs() };
        }
        const answer = await exchange(agent, call, signal);
        return { kind: 'answered', ...answer, latencyMs: latencyMs() };
      } catch (error) {
        return { kind: 'failed', reason: reasonOf(error), latencyMs: latencyMs() };
      }
    },
    close: () => agent.destroy(),
  };
};
