import { ConnectionError, errorOf, TimeoutError, WaybillError } from './errors.ts';
import { delayMs, type Outcome, verdictOn, type wait } from './retry.ts';

/** How one call is made; absent: as the client says. */
export interface CallOptions {
  /** Ends the call, its retries and waits included. */
  signal?: AbortSignal;
  /** For each attempt, in ms. */
  timeoutMs?: number;
  /** Attempts after the first one. */
  maxRetries?: number;
}

/** How a POST under an `Idempotency-Key` is made. */
export interface SendOptions extends CallOptions {
  /**
   * Names the purpose of the request, such as `order-A-1042-shipped`: under the same key nothing is
   * sent, charged or made twice. Absent: a random one, which is kept over the retries of this call.
   */
  idempotencyKey?: string;
}

export interface Settings {
  apiKey: string;
  baseUrl: string;
  fetch: typeof fetch;
  timeoutMs: number;
  maxRetries: number;
  random: () => number;
  wait: typeof wait;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, unknown>>;
  json?: unknown;
  form?: FormData;
  /** A POST under an `Idempotency-Key`. */
  isKeyed?: boolean;
  /** Such a POST that sends. */
  isSend?: boolean;
  /** Of this call by default, in ms. */
  timeoutMs?: number;
  /** The answer is a file, which the caller reads. */
  isFile?: boolean;
  /** The answer is text, not JSON. */
  isText?: boolean;
}

/** An answer below 400. */
export interface Answered {
  response: Response;
  /** Undefined for a file. */
  body: unknown;
  idempotencyKey: string | undefined;
}

interface Refused {
  refused: Response;
  body: unknown;
}

type Attempt = { response: Response; body: unknown } | Refused | { failed: unknown };

const urlOf = ({ baseUrl }: Settings, { path, query = {} }: Call): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)] as [string, string]],
  );
  const search = new URLSearchParams(given).toString();
  return new URL(`${baseUrl}${path}${search && `?${search}`}`).href;
};

const secondsIn = (headers: Headers, name: string): number | undefined => {
  const seconds = Number(headers.get(name) ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    // A proxy on the way has answered.
    return { error: text.slice(0, 500) };
  }
};

const answerOf = async (response: Response, { isFile, isText }: Call): Promise<unknown> => {
  if (isFile) return undefined;
  return isText ? response.text() : response.json();
};

const outcomeOf = ({ refused: { status, headers }, body }: Refused): Outcome => ({
  status,
  body,
  retryAfterSeconds: secondsIn(headers, 'retry-after'),
  resetSeconds: secondsIn(headers, 'ratelimit-reset'),
});

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

const attempt = async (
  settings: Settings,
  call: Call,
  { signal, timeoutMs, key }: { signal: AbortSignal | undefined; timeoutMs: number; key?: string },
): Promise<Attempt> => {
  const { json, form, method } = call;
  const limit = AbortSignal.timeout(timeoutMs);
  // Outside the try: what cannot be asked at all is no lost answer.
  const url = urlOf(settings, call);
  const init: RequestInit = {
    method,
    headers: new Headers({
      accept: 'application/json',
      authorization: `Bearer ${settings.apiKey}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }),
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(form && { body: form }),
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  };
  try {
    const response = await settings.fetch(url, init);
    if (response.status >= 400) return { refused: response, body: await bodyOf(response) };
    // Here, so that an answer that breaks off is asked for again.
    return { response, body: await answerOf(response, call) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return { failed: error };
  }
};

/** A loop of causes ends. */
const CAUSES_MAX = 5;

/** What the words of the runtime do not say. */
const CAUSES: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks http, not https',
};

/** What is at the root of an error, such as `connect ECONNREFUSED 127.0.0.1:8080`: `fetch` wraps it. */
const rootCauseOf = (error: unknown): string => {
  let root = error;
  for (let depth = 0; depth < CAUSES_MAX && root instanceof Error && root.cause; depth += 1) {
    root = root.cause;
  }
  // Where each address of a name failed, the text is empty and the code says why.
  const { message, code } = (root ?? {}) as { message?: string; code?: string };
  return (code && CAUSES[code]) || message || code || String(root);
};

const errorIn = (
  { baseUrl }: Settings,
  call: Call,
  made: Refused | { failed: unknown },
  key: string | undefined,
): Error => {
  if ('refused' in made) {
    const { status, headers } = made.refused;
    return errorOf({ status, headers, body: made.body, idempotencyKey: key });
  }
  const { failed: cause } = made;
  const what = `${call.method} ${call.path}`;
  const { host } = new URL(baseUrl);
  const options = { cause, mayHaveBeenSent: call.isSend === true, idempotencyKey: key };
  return isTimeout(cause)
    ? new TimeoutError(`${what}: no answer from ${host} in time`, options)
    : new ConnectionError(`${what}: no answer from ${host}: ${rootCauseOf(cause)}`, options);
};

/** What the service takes as a key. */
const KEY = /^[ -~]{1,255}$/;

/** A send that the provider refused is tried once more: each attempt is a charge of its own. */
const FRESH_KEYS_MAX = 1;

/**
 * Makes a call, and makes it again after the retry table of the service. Throws an ApiError for a
 * refusal, a ConnectionError without an answer, and the signal's reason once it is aborted.
 */
export const request = async (
  settings: Settings,
  call: Call,
  options: SendOptions = {},
): Promise<Answered> => {
  const { signal, maxRetries = settings.maxRetries } = options;
  const timeoutMs = options.timeoutMs ?? call.timeoutMs ?? settings.timeoutMs;
  const isKeyed = call.isKeyed || call.isSend === true;
  const how = { isSend: call.isSend === true, isRepeatable: isKeyed || call.method === 'GET' };
  let key = isKeyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  if (key !== undefined && !KEY.test(key)) {
    throw new WaybillError('idempotencyKey must be 1 to 255 printable ASCII characters');
  }
  let freshKeys = 0;
  for (let retries = 0; ; retries += 1) {
    signal?.throwIfAborted();
    const made = await attempt(settings, call, {
      signal,
      timeoutMs,
      ...(key !== undefined && { key }),
    });
    if ('response' in made) return { ...made, idempotencyKey: key };
    const verdict = verdictOn('refused' in made ? outcomeOf(made) : undefined, how);
    if (!verdict.again || retries >= maxRetries) throw errorIn(settings, call, made, key);
    if (verdict.freshKey) {
      // A key of the caller's own stands for one purpose: what was refused under it stays refused.
      if (options.idempotencyKey !== undefined || freshKeys >= FRESH_KEYS_MAX) {
        throw errorIn(settings, call, made, key);
      }
      freshKeys += 1;
      key = crypto.randomUUID();
    }
    await settings.wait(verdict.afterMs ?? delayMs(retries, settings.random), signal);
  }
};
