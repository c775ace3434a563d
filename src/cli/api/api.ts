import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher, FormData } from 'undici';
import { CliError, usageError } from '../program/failure.ts';
import { refusalOf, transportFailure } from './api-error.ts';

export interface Call {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Instead of a body in JSON. */
  form?: FormData;
  idempotencyKey?: string;
  /** For the whole call, until the end of the answer; of a stream, for each part. */
  timeoutMs?: number;
  isStream?: boolean;
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
  /** The same as it comes, for a body of any size. Throws when it ends early. */
  stream(path: string, query?: Call['query'], timeoutMs?: number): AsyncIterable<Buffer>;
  /** A file that the service gives to anybody, by its whole path; undefined where there is none. */
  file(path: string): Promise<Buffer | undefined>;
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
  /** What to call the token when the service refuses it. */
  tokenName?: string;
}

/** Sends requests to the service over connections of its own. */
const createRequests = ({ token, clientName }: Pick<ApiOptions, 'token' | 'clientName'>) => {
  let agent: Agent | undefined;
  let streaming: Agent | undefined;

  const request = async (method: Method, url: string, call: Call) => {
    // Loaded late: help and usage errors are quicker without it.
    const undici = await import('undici');
    const connect = { timeout: CONNECT_TIMEOUT_MS };
    agent ??= new undici.Agent({ connect, maxResponseSize: ANSWER_BYTES_MAX });
    if (call.isStream) streaming ??= new undici.Agent({ connect });
    const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
    const hasBody = call.body !== undefined;
    return undici.request(url, {
      method,
      dispatcher: call.isStream ? streaming! : agent,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': clientName,
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
      },
      ...(hasBody && { body: JSON.stringify(call.body) }),
      ...(call.form && { body: call.form }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(!call.isStream && { signal: AbortSignal.timeout(timeoutMs) }),
    });
  };

  return {
    request,
    async close() {
      await agent?.close();
      await streaming?.close();
    },
  };
};

export const createApi = (options: ApiOptions): Api => {
  const { url: root, below, token, clientName, tokenName } = options;
  const asked = { url: root, tokenName };
  const { request, close } = createRequests({ token, clientName });

  const exchange = async (method: Method, url: string, call: Call) => {
    const response: Dispatcher.ResponseData = await request(method, url, call);
    return { response, text: await response.body.text() };
  };

  const call = async <Body>(method: Method, path: string, call: Call = {}) => {
    const url = `${root}${below}${path}${queryText(call.query)}`;
    const { response, text } = await exchange(method, url, call).catch((error: unknown) => {
      throw transportFailure(error, { ...call, ...asked });
    });
    const { statusCode: status, headers } = response;
    const body = parse(text);
    if (status < 200 || status > 299 || body === undefined) {
      throw refusalOf({ status, headers, body }, { ...call, ...asked });
    }
    return { body: body as Body, headers };
  };

  async function* stream(path: string, query: Call['query'] = {}, timeoutMs = TIMEOUT_MS) {
    const url = `${root}${below}${path}${queryText(query)}`;
    try {
      const response = await request('GET', url, { isStream: true, timeoutMs });
      const { statusCode: status, headers, body } = response;
      if (status > 299) {
        throw refusalOf({ status, headers, body: parse(await body.text()) }, asked);
      }
      yield* body as AsyncIterable<Buffer>;
    } catch (error) {
      throw error instanceof CliError ? error : transportFailure(error, asked);
    }
  }

  const file = async (path: string): Promise<Buffer | undefined> => {
    const url = `${root.replace(/\/api$/, '')}${path}`;
    try {
      const { statusCode: status, headers, body } = await request('GET', url, {});
      if (status === 404) return void (await body.dump());
      if (status <= 299) return Buffer.from(await body.arrayBuffer());
      throw refusalOf({ status, headers, body: parse(await body.text()) }, asked);
    } catch (error) {
      throw error instanceof CliError ? error : transportFailure(error, asked);
    }
  };

  return {
    call,
    stream,
    file,
    get: async <Body>(path: string, query: Call['query'] = {}) =>
      (await call<Body>('GET', path, { query })).body,
    send: async <Body>(method: Method, path: string, body?: unknown) =>
      (await call<Body>(method, path, { body })).body,
    close,
  };
};
