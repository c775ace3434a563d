import { Agent, request } from 'undici';
import { retry } from '../../shared/retry.ts';
import { signatureOf } from '../webhook/webhook.ts';
import type { Settings } from './settings.ts';

export interface Hooks {
  /** Signs and sends. Resolves to the status of the first attempt; null without an answer. */
  post(payload: unknown): Promise<number | null>;
  /** Webhooks under way or waiting for another attempt. */
  size(): number;
  /** Webhooks that were given up, or never sent because too many were waiting. */
  lost(): number;
  close(): Promise<void>;
}

const CONNECTIONS = 64;
const UNSETTLED_MAX = 10_000;
const ANSWER_TIMEOUT_MS = 10_000;

/** JSON as the provider writes it: non-ASCII characters and slashes escaped. */
const escapedJson = (payload: unknown): Buffer =>
  Buffer.from(
    JSON.stringify(payload)
      .replaceAll(
        /[\u007f-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      .replaceAll('/', '\\/'),
  );

/** Sends once; null without an answer. */
const sendOnce = async (
  dispatcher: Agent,
  { webhookUrl, appSecret }: Settings,
  body: Buffer,
): Promise<number | null> => {
  if (webhookUrl === null) return null;
  try {
    const answer = await request(webhookUrl, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': signatureOf(body, appSecret),
      },
      body,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return null;
  }
};

/** Sends webhooks, 64 at a time, and repeats refused ones after growing pauses. */
export const createHooks = (settings: Settings): Hooks => {
  const dispatcher = new Agent({ connections: CONNECTIONS });
  const closing = new AbortController();
  let unsettled = 0;
  let lost = 0;

  return {
    async post(payload) {
      if (settings.webhookUrl === null) return null;
      if (unsettled >= UNSETTLED_MAX) {
        lost += 1;
        return null;
      }
      unsettled += 1;
      const body = escapedJson(payload);
      const first = Promise.withResolvers<number | null>();
      const attempt = async () => {
        const status = await sendOnce(dispatcher, settings, body);
        first.resolve(status);
        if (status === null || status < 200 || status > 299) throw new Error(`status ${status}`);
      };
      const giveUp = () => {
        lost += 1;
      };
      const settle = () => {
        unsettled -= 1;
      };
      const { retryMs: delays } = settings.timings;
      void retry(attempt, { delays, signal: closing.signal }).catch(giveUp).finally(settle);
      return first.promise;
    },
    size: () => unsettled,
    lost: () => lost,
    close() {
      closing.abort();
      return dispatcher.destroy();
    },
  };
};
