import type { Agent, Dispatcher } from 'undici';
import { usageError } from '../program/failure.ts';
import { refusalOf, transportFailure } from './api-error.ts';

export interface Call {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  idempotencyKey?: string;
  /** For the whole call, answer included. */
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  /** Parsed JSON; null for an empty body. */
  body: unknown;
  /** The answer of an earlier request with the same idempotency key. */
  replayed: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The administration API. Every verb throws a CliError unless the answer is a 2xx. */
export interface Api {
  call(method: Method, path: string, call?: Call): Promise<Answer>;
  /** As `call`, for those who need only the body of the answer. */
  get(path: string, query?: Call['query']): Promise<unknown>;
  send(method: Method, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** An export of an account's events may carry long texts. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

const queryText = (query: Call['query'] = {}): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size > 0 ? `?${given}` : '';
};

/** A path whose parts may be anything that a caller types: each stays one segment. */
export const route = (texts: TemplateStringsArray, ...parts: readonly string[]): string =>
  texts.reduce((sofar, text, index) => {
    const part = parts[index - 1] ?? '';
    if (/^\.{0,2}$/.test(part)) throw usageError(`"${part}" cannot be an id`);
    return sofar + encodeURIComponent(part) + text;
  });

const parse = (text: string): unknown => {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const createApi = (to: { url: string; token: string; clientName: string }): Api => {
  const root = `${to.url}/admin/v1`;
  let agent: Agent | undefined;

  const exchange = async (method: Method, url: string, call: Call) => {
    // Loaded late: help and usage errors are quicker without it.
    const undici = await import('undici');
    agent ??= new undici.Agent({
      connect: { timeout: CONNECT_TIMEOUT_MS },
      maxResponseSize: ANSWER_BYTES_MAX,
    });
    const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
    const hasBody = call.body !== undefined;
    const response: Dispatcher.ResponseData = await undici.request(url, {
      method,
      dispatcher: agent,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${to.token}`,
        'user-agent': to.clientName,
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
      },
      ...(hasBody && { body: JSON.stringify(call.body) }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { response, text: await response.body.text() };
  };

  const call = async (method: Method, path: string, call: Call = {}): Promise<Answer> => {
    const url = `${root}${path}${queryText(call.query)}`;
    const { response, text } = await exchange(method, url, call).catch((error: unknown) => {
      throw transportFailure(error, { ...call, url: to.url });
    });
    const { statusCode: status, headers } = response;
    const body = parse(text);
    if (status < 200 || status > 299 || body === undefined) {
      throw refusalOf({ status, headers, body }, { ...call, url: to.url });
    }
    return { status, body, replayed: headers['idempotency-replayed'] === 'true' };
  };

  return {
    call,
    get: async (path, query = {}) => (await call('GET', path, { query })).body,
    send: async (method, path, body) => (await call(method, path, { body })).body,
    close: async () => agent?.close(),
  };
};
