import type { Clock } from '../../shared/clock.ts';
import type { ProviderRefusal, Slot } from '../provider.ts';
import { excerpt, isRecord, type Json } from '../shape.ts';
import type { NumberThrottle } from './number-throttle.ts';
import { isThrottle, readBody, readRefusal } from './refusal.ts';
import type { Exchange, HttpCall, Transport } from './transport.ts';

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
  /** The call was sent, and no answer tells its outcome. */
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
      let reply = noSlot(perSecond);
      for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
        if (!(await throttle.enter(key, perSecond, latestAt, slot))) return reply;
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
      return reply;
    },
    close: () => transport.close(),
  };
};
