import { Agent, request } from 'undici';
import { signatureOf } from '../webhook/webhook.ts';
import type { Timers } from './timers.ts';
import type { Settings } from './world.ts';

export interface Hooks {
  /** Signs and sends; the status of the first try, null when there was no answer to it. */
  post(payload: unknown): Promise<number | null>;
  /** Webhooks on their way or waiting to be sent again. */
  size(): number;
  /** Webhooks that were given up, or never tried because too many were waiting. */
  lost(): number;
  close(): Promise<void>;
}

const CONCURRENT_MAX = 64;
const WAITING_MAX = 10_000;
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

const isTaken = (status: number | null) => status !== null && status >= 200 && status < 300;

/** Tries once; null when there was no answer. */
const tryOnce = async (
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

/** Sends webhooks, a bounded number at once, and again with growing pauses when refused. */
export const createHooks = (settings: Settings, timers: Timers): Hooks => {
  const dispatcher = new Agent({ connections: CONCURRENT_MAX });
  const waiting: (() => void)[] = [];
  let running = 0;
  let unsettled = 0;
  let lost = 0;

  const send = async (body: Buffer): Promise<number | null> => {
    if (running >= CONCURRENT_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await tryOnce(dispatcher, settings, body);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };

  const retry = (body: Buffer, tries: number) => {
    const pauseMs = settings.timings.retryMs[tries - 1];
    if (pauseMs === undefined) {
      lost += 1;
      unsettled -= 1;
      return;
    }
    timers.after(pauseMs, async () => {
      if (isTaken(await send(body))) unsettled -= 1;
      else retry(body, tries + 1);
    });
  };

  return {
    async post(payload) {
      if (settings.webhookUrl === null) return null;
      if (waiting.length >= WAITING_MAX) {
        lost += 1;
        return null;
      }
      unsettled += 1;
      const body = escapedJson(payload);
      const status = await send(body);
      if (isTaken(status)) unsettled -= 1;
      else retry(body, 1);
      return status;
    },
    size: () => unsettled,
    lost: () => lost,
    close: () => dispatcher.destroy(),
  };
};
