import { randomBytes } from 'node:crypto';
import { route } from '../api/api.ts';
import { followDeliveries } from '../api/follow-deliveries.ts';
import { ask, NoAnswer } from '../doctor/ask.ts';
import { print } from '../output/file.ts';
import { type Row, readableTime, textOf } from '../output/format.ts';
import type { Context } from '../program/context.ts';
import { usageError } from '../program/failure.ts';
import { readText } from '../program/input.ts';
import type { Verb } from '../program/noun.ts';

/** No host has a name that ends so: the service keeps deliveries to it, and reaches nobody. */
const NOWHERE = 'https://listen.invalid/';

interface Options {
  forwardTo: string;
  secretFile?: string;
}

/** The headers of Standard Webhooks for a body, at a time in milliseconds. */
const signedHeaders = async (secret: string, id: string, body: string, nowMs: number) => {
  const { Webhook } = await import('standardwebhooks');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(nowMs), body),
  };
};

const targetOf = (text: string): string => {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw usageError('--forward-to must be an http URL such as http://localhost:3000/hooks');
};

/** The status of the answer, or why there is none. */
const forward = async (url: string, secret: string, delivery: Row, nowMs: number) => {
  const body = JSON.stringify(delivery.body);
  const headers = await signedHeaders(secret, String(delivery.eventId), body, nowMs);
  try {
    return (await ask(url, { method: 'POST', headers, body })).status;
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
};

/** The webhook to follow: the named one, or one of our own, which the end removes. */
const openWebhook = async ({ api, io }: Context, id: string | undefined, options: Options) => {
  const { secretFile } = options;
  const given = secretFile === undefined ? undefined : (await readText(io, secretFile)).trim();
  if (id !== undefined) {
    await api.get(route`/webhooks/${id}`);
    const secret = given ?? `whsec_${randomBytes(24).toString('base64')}`;
    return { id, secret, close: async () => undefined };
  }
  if (given !== undefined) throw usageError('--secret-file goes with the id of a webhook');
  const { WebhookTopic } = await import('../../events/webhook.ts');
  const body = { url: NOWHERE, events: WebhookTopic.options, description: 'waybill listen' };
  const made = await api.send<{ id: string; secret: string }>('POST', '/webhooks', body);
  const close = () => api.send('DELETE', route`/webhooks/${made.id}`);
  return { id: made.id, secret: made.secret, close };
};

const listen = async (context: Context, id: string | undefined, options: Options) => {
  const { api, io, out } = context;
  const url = targetOf(options.forwardTo);
  const signal = io.interrupted();
  const since = new Date(io.now()).toISOString();
  const webhook = await openWebhook(context, id, options);
  try {
    out.note(`Forwards to ${url}. Ctrl-C ends it. Signed with ${webhook.secret}`);
    const following = { since, signal, note: out.note };
    for await (const delivery of followDeliveries(api, webhook.id, following)) {
      const answer = await forward(url, webhook.secret, delivery, io.now());
      const { eventId, event } = delivery;
      const line = out.isJson
        ? JSON.stringify({ eventId, event, answer })
        : `${readableTime(new Date(io.now()).toISOString())}  ${textOf(event)}  ${textOf(eventId)}  ${answer}`;
      await print(io, `${line}\n`);
    }
  } finally {
    await webhook.close();
  }
};

/** `webhook listen`: brings the events of an account to a program on this machine. */
export const listenVerb: Verb = (noun, act) =>
  noun
    .command('listen')
    .description('Forward events to a program of this machine')
    .argument('[id]', 'The webhook to copy (default: one of its own, without a public URL)')
    .requiredOption('--forward-to <url>', 'Such as http://localhost:3000/hooks')
    .option('--secret-file <file>', 'Sign with this secret of the webhook; - is standard input')
    .action(act(listen));
