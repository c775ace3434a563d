import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { Pool } from 'undici';
import { z } from 'zod';
import { answerBench, tellPort } from './measure.ts';
import { openRows } from './rows.ts';

// The baseline of sends: the simplest service in place of Waybill. It checks the body, calls the
// provider once and answers; it stores nothing, charges nothing and checks no key. With a file it
// also stores, durably, a row before the call and a row with its outcome.

const [providerUrl = '', client = 'undici', file = ''] = process.argv.slice(2);

const Body = z.object({
  to: z.string().min(5),
  event: z.string(),
  variables: z.record(z.string(), z.string()).default({}),
});

const path = '/v25.0/100000000000001/messages';
const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
const pool = new Pool(providerUrl, { connections: 256, pipelining: 1 });

interface Accepted {
  messages: { id: string }[];
}

const callPool = async (body: string): Promise<Accepted> => {
  const response = await pool.request({ method: 'POST', path, headers, body });
  return (await response.body.json()) as Accepted;
};

const callFetch = async (body: string): Promise<Accepted> => {
  const response = await fetch(`${providerUrl}${path}`, { method: 'POST', headers, body });
  return (await response.json()) as Accepted;
};

const call = client === 'fetch' ? callFetch : callPool;

const keep = file === '' ? undefined : openRows(file);
let sends = 0;

const app = new Koa();
app.use(bodyParser({ jsonLimit: '1mb' }));
app.use(async (ctx) => {
  const { to, event, variables } = Body.parse(ctx.request.body);
  const parameters = Object.values(variables).map((text) => ({ type: 'text', text }));
  const message = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: `+${to.replace(/\D/g, '')}`,
    type: 'template',
    template: {
      name: event,
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters }],
    },
  };
  sends += 1;
  const send = sends;
  await keep?.('account-1', send, { send, to, event, variables, at: new Date().toISOString() });
  const answer = await call(JSON.stringify(message));
  await keep?.(`message-${send}`, 0, { answer, message, at: new Date().toISOString() });
  ctx.body = {
    success: true,
    messageId: answer.messages[0]?.id,
    channel: 'template',
    event,
    template: event,
  };
});

const server = app.listen(0, '127.0.0.1', () => {
  server.keepAliveTimeout = 120_000;
  tellPort(server.address());
});

answerBench();
