import type { Clock } from '../../shared/clock.ts';
import { parseJsonExact } from '../../shared/json.ts';
import type { ProviderRefusal, Slot } from '../provider.ts';
import { asInteger, asRecord, asText, excerpt, isRecord, type Json, shorten } from '../shape.ts';
import type { NumberThrottle } from './number-throttle.ts';
import type { Exchange, HttpCall, Transport } from './transport.ts';

const MESSAGE_LENGTH_MAX = 500;
/** A token shorter than this could be part of any word. */
const TOKEN_LENGTH_MIN = 8;

/** Removes the token: the provider repeats a malformed one in its answer. */
const withoutToken = (text: string, token: string): string =>
  token.length < TOKEN_LENGTH_MIN ? text : text.replaceAll(token, '[access token]');

/** The body of an answer as an object; undefined when it is not one. */
export const readBody = (text: string): Json | undefined => {
  try {
    const body = parseJsonExact(text);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
};

/** The most specific text of an error object. Calls differ in the fields that they fill. */
const wordsOf = (error: Json): string | null =>
  asText(asRecord(error.error_data).details) ??
  asText(error.error_user_msg) ??
  asText(error.message) ??
  asText(error.error_data);

/** Fields of an error object that have no code of ours. */
const TOLD = 'message type is_transient error_user_title error_user_msg fbtrace_id'.split(' ');

const toldIn = (error: Json, clean: (text: string) => string): ProviderRefusal['told'] => {
  const told: Record<string, string | boolean> = {};
  for (const name of TOLD) {
    const value = error[name];
    if (typeof value === 'boolean') told[name] = value;
    else if (typeof value === 'string') told[name] = clean(value);
  }
  return Object.keys(told).length > 0 ? told : undefined;
};

/** The refusal that an answer holds; also of an answer that cannot be read. */
export const readRefusal = (
  httpStatus: number,
  body: Json | undefined,
  token: string,
): ProviderRefusal => {
  const error = asRecord(body?.error);
  const clean = (text: string) => shorten(withoutToken(text, token), MESSAGE_LENGTH_MAX);
  const told = toldIn(error, clean);
  const words =
    wordsOf(error) ??
    (body === undefined
      ? `the provider answered HTTP ${httpStatus} with something unreadable`
      : `the provider answered HTTP ${httpStatus} without saying what became of the request`);
  return {
    code: asInteger(error.code),
    subcode: asInteger(error.error_subcode),
    message: clean(words),
    httpStatus,
    ...(told && { told }),
  };
};

const throttleCodes: ReadonlySet<number | null> = new Set([130429, 80007]);

/** The provider asks for fewer requests; it did not act on this one. */
export const isThrottle = ({ code, httpStatus }: ProviderRefusal): boolean =>
  throttleCodes.has(code) || httpStatus === 429;

/** Token dead, permission missing or account locked: no call with this token can succeed. */
export const isCredentialTrouble = ({ code, httpStatus }: ProviderRefusal): boolean =>
  httpStatus === 401 ||
  httpStatus === 403 ||
  (code !== null &&
    ([0, 3, 10, 190, 368, 131005, 131031].includes(code) || (code >= 200 && code <= 299)));

/** The object in the path does not exist, or the token cannot see it. */
export const isUnknownObject = ({ code, subcode, httpStatus }: ProviderRefusal): boolean =>
  code === 33 || code === 803 || (code === 100 && subcode === 33) || httpStatus === 404;

/** A template of that name and language exists already. */
export const isDuplicateTemplate = ({ subcode }: ProviderRefusal): boolean => subcode === 2388024;

/** The provider may have created the template in spite of this answer. */
export const isMaybeDone = ({ code, subcode, httpStatus }: ProviderRefusal): boolean =>
  (code === 1 && subcode === 99) || (httpStatus !== null && httpStatus >= 500);

/** The logger; those of pino fit. */
export interface ProviderLog {
  debug(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

/** The final outcome of a call, after its retries. */
export type Reply =
  | { kind: 'ok'; status: number; body: Json }
  | { kind: 'refused'; refusal: ProviderRefusal }
  /** No connection could be made, so nothing was sent. */
  | { kind: 'unreachable'; reason: string }
  /** The call was sent, and no answer shows its outcome. */
  | { kind: 'unknown'; reason: string };

export interface Client {
  call(
    number: { key: string; perSecond: number; slot?: Slot | undefined },
    call: HttpCall,
  ): Promise<Reply>;
  close(): Promise<void>;
}

/** For how long one call retries while the provider throttles it. */
const THROTTLED_MAX_MS = 2000;
const ATTEMPTS_MAX = 8;
const CONNECTS_MAX = 2;
/** The provider's code for throttling; also used when the throttle here refuses a call. */
const THROTTLED = 130429;

const pathWithoutIds = (path: string): string =>
  path.split('?')[0]!.replaceAll(/\/\d+(?=\/|$)/g, '/:id');

const readAnswer = (
  { status, text }: Extract<Exchange, { kind: 'answer' }>,
  { token, path }: HttpCall,
  log: ProviderLog | undefined,
): Reply => {
  const body = readBody(text);
  if (body && status >= 200 && status < 300 && !isRecord(body.error)) {
    return { kind: 'ok', status, body };
  }
  const refusal = readRefusal(status, body, token);
  if (refusal.code === null) {
    // An answer to a message may repeat the message.
    const named = pathWithoutIds(path);
    const words = named.endsWith('/messages') ? {} : { excerpt: excerpt(text) };
    const fields = { status, path: named, length: text.length };
    log?.warn({ ...fields, ...words }, 'the provider gave an unreadable answer');
  }
  return { kind: 'refused', refusal };
};

const readExchange = (exchange: Exchange, call: HttpCall, log: ProviderLog | undefined): Reply => {
  if (exchange.kind === 'answer') return readAnswer(exchange, call, log);
  const kind = exchange.kind === 'broken' ? 'unknown' : 'unreachable';
  return { kind, reason: exchange.reason };
};

const isStrained = (reply: Reply) =>
  reply.kind === 'refused' && (isThrottle(reply.refusal) || (reply.refusal.httpStatus ?? 0) >= 500);

const noSlot = (perSecond: number): Reply => ({
  kind: 'refused',
  refusal: {
    code: THROTTLED,
    subcode: null,
    message: `Nothing was sent: no slot came free in time at ${perSecond} a second`,
    httpStatus: null,
  },
});

/** Calls the provider at the number's rate and within one deadline. Repeats only what is safe to repeat. */
export const createClient = (options: {
  transport: Transport;
  throttle: NumberThrottle;
  clock: Clock;
  timeoutMs: number;
  log: ProviderLog | undefined;
}): Client => {
  const { transport, throttle, clock, timeoutMs, log } = options;

  const attempt = async (key: string, call: HttpCall, deadlineAt: number): Promise<Reply> => {
    const enteredAt = clock.now();
    const reply = readExchange(await transport.exchange(call, deadlineAt), call, log);
    throttle.leave(key, { enteredAt, strained: isStrained(reply) });
    return reply;
  };

  return {
    async call({ key, perSecond, slot }, call) {
      const deadlineAt = clock.now() + timeoutMs;
      // Waiting may take half of the time, so that the provider has the other half to answer.
      let latestAt = clock.now() + timeoutMs / 2;
      let connects = 0;
      let reply: Reply | undefined;
      for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
        if (!(await throttle.enter(key, perSecond, latestAt, slot))) break;
        reply = await attempt(key, call, deadlineAt);
        if (reply.kind === 'refused' && isThrottle(reply.refusal)) {
          if (call.once) return reply;
          latestAt = Math.min(latestAt, clock.now() + THROTTLED_MAX_MS);
        } else {
          if (reply.kind !== 'unreachable') return reply;
          connects += 1;
          if (connects >= CONNECTS_MAX) return reply;
        }
        log?.debug({ path: pathWithoutIds(call.path), attempts: attempts + 1 }, 'trying again');
      }
      return reply ?? noSlot(perSecond);
    },
    close: () => transport.close(),
  };
};
