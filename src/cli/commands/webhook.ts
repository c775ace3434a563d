import { randomBytes } from 'node:crypto';
import { route } from '../api/api.ts';
import { followDeliveries } from '../api/follow-deliveries.ts';
import { ask, NoAnswer } from '../doctor/ask.ts';
import { print } from '../output/file.ts';
import { type Row, readableTime, textOf } from '../output/format.ts';
import type { Context } from '../program/context.ts';
import { usageError } from '../program/failure.ts';
import { gathered, oneOf, readText, time } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { listVerb, postVerb, showVerb } from './verbs.ts';

/** No host has a name that ends so: the service keeps deliveries to it, and reaches no host. */
const NOWHERE = 'https://listen.invalid/';

interface Options {
  forwardTo?: string;
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
  const { forwardTo } = options;
  const url = forwardTo === undefined ? undefined : targetOf(forwardTo);
  const signal = io.interrupted();
  const since = new Date(io.now()).toISOString();
  const webhook = await openWebhook(context, id, options);
  try {
    const what = url ? `Forwards to ${url}, signed with ${webhook.secret}` : 'Prints each event';
    out.note(`${what}. Ctrl-C ends it.`);
    const following = { since, signal, note: out.note };
    for await (const delivery of followDeliveries(api, webhook.id, following)) {
      const { eventId, event, body } = delivery;
      const answer = url && (await forward(url, webhook.secret, delivery, io.now()));
      const row = url ? { eventId, event, answer } : { eventId, event, body };
      const line = out.isJson
        ? JSON.stringify(row)
        : `${readableTime(new Date(io.now()).toISOString())}  ${textOf(event)}  ${textOf(eventId)}  ${answer ?? textOf(body)}`;
      await print(io, `${line}\n`);
    }
  } finally {
    await webhook.close();
  }
};

/** `webhook listen`: brings the events of an account to a program on this machine. */
const listenVerb: Verb = (noun, act) =>
  noun
    .command('listen')
    .description('Print events, or forward them to a program here')
    .argument('[id]', 'The webhook to copy (default: one of its own, without a public URL)')
    .option('--forward-to <url>', 'Such as http://localhost:3000/hooks (default: prints them)')
    .option('--secret-file <file>', 'Sign with this secret of the webhook; - is standard input')
    .action(act(listen));

const states = ['waiting', 'delivered', 'failed'] as const;

const KEEP = 'Keep the secret now: it is not shown again.';

interface Settings {
  event?: string[];
  description?: string;
  url?: string;
  enable?: true;
}

const create: Verb = (noun, act) =>
  noun
    .command('create')
    .description('Create a webhook; its secret is printed once')
    .argument('<url>', 'An https URL')
    .option('--event <event>', 'What it receives; repeat for more (default: all)', gathered)
    .option('--description <text>', 'What it is for')
    .action(
      act(async ({ api, out }, url: string, { event, description }: Settings) => {
        const { WebhookTopic } = await import('../../events/webhook.ts');
        const body = { url, events: event ?? WebhookTopic.options, description };
        out.one(await api.send('POST', '/webhooks', body));
        out.note(KEEP);
      }),
    );

const update: Verb = (noun, act) =>
  noun
    .command('update')
    .description('Change a webhook, or enable it again')
    .argument('<id>')
    .option('--url <url>', 'Another https URL')
    .option('--event <event>', 'What it receives from now on; repeat for more', gathered)
    .option('--description <text>', 'What it is for')
    .option('--enable', 'Enable it after failures have disabled it')
    .action(
      act(async ({ api, out }, id: string, { event, enable, ...rest }: Settings) => {
        const body = { ...rest, events: event, state: enable && 'active' };
        if (Object.values(body).every((value) => value === undefined)) {
          throw usageError('Nothing to change: see waybill webhook update --help');
        }
        out.one(await api.send('PATCH', route`/webhooks/${id}`, body));
      }),
    );

const remove: Verb = (noun, act) =>
  noun
    .command('delete')
    .description('Delete a webhook and its deliveries, for good')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) =>
        out.done(await api.send('DELETE', route`/webhooks/${id}`), `Deleted ${id}`),
      ),
    );

const rotate: Verb = (noun, act) =>
  noun
    .command('rotate')
    .description('Replace the secret; the old one holds for 24 hours')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.send('POST', route`/webhooks/${id}/rotate`));
        out.note(KEEP);
      }),
    );

const replay: Verb = (noun, act, io) =>
  noun
    .command('replay')
    .description('Deliver all events since a time once more')
    .argument('<id>')
    .requiredOption('--since <time>', 'A time, a day, or a span such as 24h', time(io.now))
    .action(
      act(async ({ api, out }, id: string, { since }: { since: string }) => {
        const answer = await api.send('POST', route`/webhooks/${id}/replay`, { since });
        out.done(answer, `Events since ${since} are delivered once more`);
      }),
    );

const resend: Verb = (noun, act) =>
  noun
    .command('resend')
    .description('Deliver the event of one delivery once more')
    .argument('<id>')
    .argument('<delivery>')
    .action(
      act(async ({ api, out }, id: string, delivery: string) => {
        const path = route`/webhooks/${id}/deliveries/${delivery}/resend`;
        out.done(await api.send('POST', path), 'It is delivered once more');
      }),
    );

export const webhook: Noun = {
  name: 'webhook',
  group: 'Messages',
  access: 'key',
  summary: 'Webhooks of an account: create, deliveries, replay, listen',
  verbs: [
    create,
    listVerb({
      description: 'List the webhooks, newest first',
      from: '/webhooks',
      field: 'webhooks',
      pages: false,
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'URL', of: 'url', narrow: 'cut' },
        { header: 'STATE', of: 'state' },
        { header: 'DISABLED BECAUSE', of: 'disabledReason', narrow: 'drop' },
        { header: 'EVENTS', of: 'events', narrow: 'drop' },
      ],
    }),
    showVerb('/webhooks', 'Show one'),
    update,
    remove,
    rotate,
    postVerb('/webhooks', 'test', 'Deliver an event webhook.test', {
      done: (id) => `A test is on its way: waybill webhook deliveries ${id}`,
    }),
    listVerb<{ state?: string; since?: string }>({
      name: 'deliveries',
      description: 'List the deliveries, newest first',
      from: (_, id) => route`/webhooks/${id}/deliveries`,
      field: 'deliveries',
      selection: (list) =>
        list
          .argument('<id>')
          .option('--state <state>', states.join(', '), oneOf(states))
          .option('--since <time>', 'Begun from this time on, ISO 8601'),
      query: ({ state, since }) => ({ state, since }),
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'EVENT', of: 'event' },
        { header: 'STATE', of: 'state' },
        { header: 'CALLS', of: 'attempts', align: 'right' },
        { header: 'STATUS', of: 'statusCode', align: 'right' },
        { header: 'ERROR', of: 'error', narrow: 'cut' },
        { header: 'NEXT (UTC)', of: 'nextAttemptAt', narrow: 'drop' },
        { header: 'BEGUN (UTC)', of: 'createdAt', narrow: 'drop' },
      ],
    }),
    resend,
    replay,
    listenVerb,
  ],
  examples: [
    'webhook create https://shop.example/hooks --event message.failed',
    'webhook list',
    'webhook show <id>',
    'webhook update <id> --enable',
    'webhook delete <id>',
    'webhook rotate <id>',
    'webhook test <id>',
    'webhook deliveries <id> --state failed',
    'webhook resend <id> <delivery>',
    'webhook replay <id> --since 24h',
    'webhook listen',
    'webhook listen --forward-to http://localhost:3000/hooks',
    'webhook listen <id> --forward-to localhost:3000 --secret-file secret',
  ],
};
