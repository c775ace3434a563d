import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { usageError } from '../program/failure.ts';
import { refusalOf, transportFailure } from './api-error.ts';

export interface Call {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  idempotencyKey?: string;
  /** For the whole call, until the end of the answer. */
  timeoutMs?: number;
}

export interface Answer<Body = unknown> {
  /** Parsed JSON; null for an empty body. */
  body: Body;
  headers: IncomingHttpHeaders;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One API of the service. Every call throws a CliError unless the answer is a 2xx. */
export interface Api {
  call<Body>(method: Method, path: string, call?: Call): Promise<Answer<Body>>;
  /** The body of the answer to a GET. */
  get<Body>(path: string, query?: Call['query']): Promise<Body>;
  /** The body of the answer to a request with this body. */
  send<Body>(method: Method, path: string, body?: unknown): Promise<Body>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A page of an account's events may carry long texts. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

const queryText = (query: Call['query'] = {}): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size > 0 ? `?${given}` : '';
};

/** A path with text that a user typed: each part stays one segment. */
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

interface ApiOptions {
  /** Root of the service. */
  url: string;
  /** Path of the API below the root. */
  below: '/admin/v1' | '/v1';
  token: string;
  clientName: string;
}

export const createApi = ({ url: root, below, token, clientName }: ApiOptions): Api => {
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
        authorization: `Bearer ${token}`,
        'user-agent': clientName,
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

  const call = async <Body>(method: Method, path: string, call: Call = {}) => {
    const url = `${root}${below}${path}${queryText(call.query)}`;
    const { response, text } = await exchange(method, url, call).catch((error: unknown) => {
      throw transportFailure(error, { ...call, url: root });
    });
    const { statusCode: status, headers } = response;
    const body = parse(text);
    if (status < 200 || status > 299 || body === undefined) {
      throw refusalOf({ status, headers, body }, { ...call, url: root });
    }
    return { body: body as Body, headers };
  };

  return {
    call,
    get: async <Body>(path: string, query: Call['query'] = {}) =>
      (await call<Body>('GET', path, { query })).body,
    send: async <Body>(method: Method, path: string, body?: unknown) =>
      (await call<Body>(method, path, { body })).body,
    close: async () => agent?.close(),
  };
};
