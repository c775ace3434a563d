import { buffer } from 'node:stream/consumers';
import type { WebhookItem } from '../../src/provider/webhook/item.ts';
import { decodeWebhook, verifySignature } from '../../src/provider/webhook/webhook.ts';
import { startServer } from './server.ts';

export interface Receiver {
  url: string;
  /** Items of all payloads that were signed well, in the order of their coming. */
  items: WebhookItem[];
  /** Items of each payload. */
  payloads: WebhookItem[][];
  bodies: string[];
  badSignatures(): number;
  /** Answers the next webhooks with these statuses, and everything after them with 200. */
  answer(...statuses: number[]): void;
  close(): Promise<void>;
}

/** Where webhooks can be sent to in a test. */
export const startReceiver = async (appSecret: string): Promise<Receiver> => {
  const items: WebhookItem[] = [];
  const payloads: WebhookItem[][] = [];
  const bodies: string[] = [];
  const statuses: number[] = [];
  let bad = 0;
  const { url, close } = await startServer(async (request, response) => {
    const body = await buffer(request);
    const status = statuses.shift() ?? 200;
    if (!verifySignature(body, String(request.headers['x-hub-signature-256']), appSecret)) bad += 1;
    else if (status < 300) {
      const decoding = decodeWebhook(body);
      const decoded = decoding.ok ? [...decoding.items] : [];
      items.push(...decoded);
      payloads.push(decoded);
      bodies.push(body.toString());
    }
    response.writeHead(status).end();
  });
  return {
    url: `${url}/hook`,
    items,
    payloads,
    bodies,
    badSignatures: () => bad,
    answer: (...next) => void statuses.push(...next),
    close,
  };
};
