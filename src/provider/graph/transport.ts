import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../shared/clock.ts';
import type { Heard } from '../provider.ts';

/** The outcome of one HTTP request. Only `broken` leaves open whether the provider acted on it. */
export type Exchange =
  | { kind: 'answer'; status: number; text: string }
  /** No byte of the request was sent. */
  | { kind: 'not_sent'; reason: string }
  /** The request began, and no whole answer came. */
  | { kind: 'broken'; reason: string };

export interface HttpCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  token: string;
  body?: string | Readable;
  /** `application/json` when absent. */
  contentType?: string;
  /** Gives the call up. */
  signal?: AbortSignal;
  /** Forbids a retry after throttling, because the provider counts attempts. */
  once?: boolean;
}

/** What the last calls showed. Times are of a clock that never goes back. */
interface Last {
  /** As the last answer has it. */
  date: string;
  answeredAtMs: number;
  /** Calls without an answer since then. */
  missed: number;
  reason: string;
  missedAtMs: number;
}

export interface Transport {
  /** Tries once. Settles by `deadlineAt`, and never throws. */
  exchange(call: HttpCall, deadlineAt: number): Promise<Exchange>;
  heard(): Heard;
  close(): Promise<void>;
}

const ANSWER_BYTES_MAX = 1024 * 1024;
const CONNECT_TIMEOUT_MAX_MS = 5000;
const IDLE_CONNECTION_MS = 30_000;
/** What was heard longer ago says nothing of now; a machine that sleeps may stop the clock, too. */
const KEPT_MS = 15 * 60_000;
/** A caller did not wait. */
const GIVEN_UP = 'given up';

/** Errors that occur only before there is a connection. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const reasonOf = (error: Error & { code?: unknown }): string =>
  typeof error.code === 'string' ? error.code : error.name;

/** Turns the pool's events of one request into one Exchange. */
const listen = (last: Last, settle: (exchange: Exchange) => void) => {
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;
  let status = 0;
  let size = 0;
  const chunks: Buffer[] = [];

  const finish = (exchange: Exchange) => {
    if (settled) return;
    settled = true;
    settle(exchange);
  };
  const answer = () => {
    const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8');
    finish({ kind: 'answer', status, text });
  };
  const fail = (reason: string) => {
    if (!settled && reason !== GIVEN_UP) {
      last.missed += 1;
      last.reason = reason;
      last.missedAtMs = performance.now();
    }
    const isBegun = controller !== undefined && !neverConnected.has(reason);
    finish({ kind: isBegun ? 'broken' : 'not_sent', reason });
  };

  const handler: Dispatcher.DispatchHandler = {
    // The pool calls this right before it writes the first byte: an earlier failure is `not_sent`.
    onRequestStart(started) {
      if (settled) started.abort(new Error(GIVEN_UP));
      else controller = started;
    },
    onResponseStart(_controller, statusCode, { date }) {
      status = statusCode;
      last.date = String(date);
      last.answeredAtMs = performance.now();
      last.missed = 0;
    },
    onResponseData(_controller, chunk) {
      if (settled) return;
      size += chunk.length;
      if (size <= ANSWER_BYTES_MAX) {
        chunks.push(chunk);
        return;
      }
      // The status is known, and the rest is not needed.
      chunks.length = 0;
      answer();
      controller?.abort(new Error('answer too large'));
    },
    onResponseEnd: answer,
    onResponseError(_controller, error) {
      fail(reasonOf(error));
    },
  };
  const giveUp = (reason: string) => {
    fail(reason);
    controller?.abort(new Error(reason));
  };
  return { handler, giveUp };
};

/** The connections to the provider. The caller keeps the number of calls within `connections`. */
export const createTransport = (options: {
  origin: string;
  timeoutMs: number;
  connections: number;
  clock: Clock;
}): Transport => {
  const { clock, timeoutMs } = options;
  const pool = new Pool(options.origin, {
    connections: options.connections,
    pipelining: 1,
    allowH2: false,
    connectTimeout: Math.min(CONNECT_TIMEOUT_MAX_MS, Math.ceil(timeoutMs / 3)),
    keepAliveTimeout: IDLE_CONNECTION_MS,
    // One timer for each call bounds headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const last: Last = { date: '', answeredAtMs: 0, missed: 0, reason: '', missedAtMs: 0 };
  return {
    heard() {
      const now = performance.now();
      const time = Date.parse(last.date) + now - last.answeredAtMs;
      const isKnown = now - last.answeredAtMs < KEPT_MS && !Number.isNaN(time);
      const isMissing = last.missed > 0 && now - last.missedAtMs < KEPT_MS;
      return {
        time: isKnown ? time : undefined,
        missed: isMissing ? { count: last.missed, reason: last.reason } : undefined,
      };
    },
    exchange: ({ method, path, token, body, contentType, signal }, deadlineAt) =>
      new Promise((resolve) => {
        const { handler, giveUp } = listen(last, (exchange) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          resolve(exchange);
        });
        const timer = setTimeout(
          giveUp,
          Math.max(0, deadlineAt - clock.now()),
          'no answer in time',
        );
        const onAbort = () => giveUp(GIVEN_UP);
        signal?.addEventListener('abort', onAbort, { once: true });
        if (signal?.aborted) onAbort();
        const headers: Record<string, string> = { authorization: `Bearer ${token}` };
        if (body !== undefined) headers['content-type'] = contentType ?? 'application/json';
        pool.dispatch({ method, path, headers, body: body ?? null }, handler);
      }),
    async close() {
      await pool.close();
    },
  };
};
