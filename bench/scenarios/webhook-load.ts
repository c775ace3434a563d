import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { settled } from '../history.ts';
import { bodyFor, call, steady } from '../loads.ts';
import { addBot, delivery, forwardTo, type Item, inbound, status } from '../provider-calls.ts';
import { ask, median, type Started, timed } from '../support.ts';
import type { Tenant } from '../tenant.ts';

const RATE = 2_000;
/** Two of ten items are messages of customers, the others statuses of sent messages. */
const ITEMS = 10;
const INBOUND = 2;
/** A bot answers one of this number of customers' messages; all are forwarded. */
const BOT_EVERY = 10;
const CONTACTS = 5_000;
const WORDS = ['sent', 'delivered', 'read'];
const BATCH = 500;
const DRAINED_MS_MAX = 5_000;
const LOOK_MS = 20;

interface Sent {
  id: string;
  to: string;
}

const send = async (url: string, { headers }: Tenant, count: number): Promise<Sent[]> => {
  const sent: Sent[] = [];
  while (sent.length < count) {
    const recipients = Array.from({ length: BATCH }, (_, index) => {
      const { to, variables } = JSON.parse(bodyFor(sent.length + index));
      return { to, variables };
    });
    const body = JSON.stringify({ event: 'order_shipped', recipients });
    const answer = await call<{ results: { messageId: string; to: string }[] }>(
      `${url}/api/v1/notifications/send/batch`,
      headers,
      { method: 'POST', body },
    );
    sent.push(...answer.results.map(({ messageId: id, to }) => ({ id, to: to.slice(1) })));
  }
  return sent;
};

/** Items in order, all different. */
const createItems = (sent: readonly Sent[]) => {
  const counts = { items: 0, inbound: 0, replies: 0, statuses: 0 };
  const nextStatus = (): Item => {
    const { id, to } = sent[counts.statuses % sent.length]!;
    const word = WORDS[Math.floor(counts.statuses / sent.length)]!;
    counts.statuses += 1;
    return status(id, word, to);
  };
  const nextInbound = (): Item => {
    counts.inbound += 1;
    const isForBot = counts.inbound % BOT_EVERY === 0;
    if (isForBot) counts.replies += 1;
    return inbound(isForBot ? 'order' : 'hello', counts.inbound % CONTACTS);
  };
  return {
    counts,
    next: (): Item => {
      counts.items += 1;
      return counts.items % ITEMS < INBOUND ? nextInbound() : nextStatus();
    },
  };
};

/** Resolves when all accepted items are forwarded, answered and in the read models. */
const drained = async (
  { receiver, provider, waybill }: Record<'receiver' | 'provider' | 'waybill', Started>,
  due: { forwards: number; messages: number },
): Promise<void> => {
  const isDone = async () =>
    (await ask<number>(receiver, 'received')) >= due.forwards &&
    (await ask<number>(provider, 'messages')) >= due.messages;
  const latest = performance.now() + 12 * DRAINED_MS_MAX;
  while (!(await isDone())) {
    if (performance.now() > latest) throw new Error('not everything was forwarded and answered');
    await pause(LOOK_MS);
  }
  await settled(waybill);
};

const measure = async (bench: Bench) => {
  const { provider, waybill, tenant } = await startWaybill(bench);
  const receiver = await bench.start('receiver.ts');
  await forwardTo(waybill.url, tenant, `${receiver.url}/quick/all`);
  await addBot(waybill.url, tenant, 'order');
  const { seconds } = bench.options;
  const rounds = bench.rounds(3);
  const statuses = RATE * seconds * (rounds + 1) * (1 - INBOUND / ITEMS);
  const sent = await send(waybill.url, tenant, Math.ceil(statuses / WORDS.length) * 1.2);
  const sentBefore = await ask<number>(provider, 'messages');
  const items = createItems(sent);
  const requests = () => delivery(tenant, [items.next()]);
  const target = { name: 'webhook', url: waybill.url, headers: {}, requests };
  const rates: number[] = [];
  const late: number[] = [];
  const drains: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const done = await steady(target, { connections: CONNECTIONS, rate: RATE, seconds });
    const { inbound: forwards, replies } = items.counts;
    const due = { forwards, messages: sentBefore + replies };
    const { ms } = await timed(() => drained({ receiver, provider, waybill }, due));
    // The first round warms up.
    if (round === 0) continue;
    rates.push(done.rate / RATE);
    late.push(done.p99Ms);
    drains.push(ms / 1000);
  }
  return { rates, late, drains };
};

export const webhookLoad: Scenario = {
  name: 'webhook-load',
  ids: ['W2'],
  about: `${RATE} items a second from the provider, with forwards and bots`,
  async run(bench) {
    const { rates, late, drains } = await measure(bench);
    bench.row({
      id: 'W2',
      what: `items answered a second relative to ${RATE} sent a second`,
      values: rates,
      goal: { least: 0.98 },
    });
    bench.row({
      id: 'W2',
      what: 'from the last item until all are forwarded and answered',
      values: drains,
      unit: ' s',
      goal: { most: DRAINED_MS_MAX / 1000 },
    });
    bench.say(`  p99 of the answers ${Math.round(median(late))} ms`);
  },
};
