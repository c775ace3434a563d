import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench.ts';
import { startWaybill } from '../bench.ts';
import { call } from '../loads.ts';
import { deliver, delivery, inbound } from '../provider-calls.ts';
import { ask, median, percentile, type Started, timed } from '../support.ts';
import type { Tenant } from '../tenant.ts';

const REPLAYED = 100_000;
const CONTACTS = 5_000;
/** Items of one call of the provider, and calls at a time. */
const ITEMS = 100;
const CALLS = 4;
/** Between two live events. */
const LIVE_EVERY_MS = 100;
/** Length of the load without a replay. */
const ALONE_MS = 5_000;
const TOPICS = ['message.received'];

const fill = async (url: string, tenant: Tenant, count: number): Promise<void> => {
  let left = count;
  const write = async () => {
    while (left > 0) {
      const items = Array.from({ length: Math.min(ITEMS, left) }, (_, index) =>
        inbound('old', (left - index) % CONTACTS),
      );
      left -= items.length;
      await deliver(url, delivery(tenant, items));
    }
  };
  await Promise.all(Array.from({ length: CALLS }, write));
};

const webhookFor = async (url: string, { headers }: Tenant, target: string): Promise<string> => {
  const body = JSON.stringify({ url: target, events: TOPICS });
  const made = await call<{ id: string }>(`${url}/api/v1/webhooks`, headers, {
    method: 'POST',
    body,
  });
  return `${url}/api/v1/webhooks/${made.id}`;
};

/** Live events until a signal, named by a word; how many. */
const tell = async (
  url: string,
  tenant: Tenant,
  { word, signal }: { word: string; signal: AbortSignal },
): Promise<number> => {
  let count = 0;
  while (!signal.aborted) {
    await deliver(url, delivery(tenant, [inbound(word, count % CONTACTS)]));
    count += 1;
    await pause(LIVE_EVERY_MS);
  }
  return count;
};

const measure = async (bench: Bench, count: number) => {
  const { waybill, tenant } = await startWaybill(bench);
  const receiver: Started = await bench.start('receiver.ts');
  const filling = await timed(() => fill(waybill.url, tenant, count));
  bench.say(`  ${count} events written in ${Math.round(filling.ms / 1000)} s`);
  const webhook = await webhookFor(waybill.url, tenant, `${receiver.url}/quick/events`);
  const agesOf = async (word: string) =>
    (await ask<Record<string, number[]>>(receiver, 'ages'))[word] ?? [];
  const beside = async <T>(word: string, work: () => Promise<T>) => {
    const end = new AbortController();
    const telling = tell(waybill.url, tenant, { word, signal: end.signal });
    const done = await timed(work);
    end.abort();
    return { ...done, told: await telling };
  };
  const alone = await beside('alone', () => pause(ALONE_MS));
  const agesAlone = await agesOf('alone');
  const before = await ask<number>(receiver, 'received');
  const replay = await beside('live', async () => {
    const body = JSON.stringify({ since: '2026-01-01T00:00:00Z' });
    await call(`${webhook}/replay`, tenant.headers, { method: 'POST', body });
    const isOver = async () =>
      (await call<{ replay: unknown }>(webhook, tenant.headers)).replay === null;
    while (!(await isOver())) await pause(100);
  });
  const received = (await ask<number>(receiver, 'received')) - before;
  const ages = await agesOf('live');
  bench.say(`  ${received} calls, of ${count} old, ${alone.told} and ${replay.told} live events`);
  return { rate: (received - replay.told) / (replay.ms / 1000), agesAlone, ages };
};

export const webhookReplay: Scenario = {
  name: 'webhook-replay',
  ids: ['W4'],
  about: `a replay of ${REPLAYED} events to a webhook, beside live ones`,
  isLong: true,
  async run(bench) {
    const count = Math.min(REPLAYED, bench.options.messages);
    const { rate, agesAlone, ages } = await measure(bench, count);
    bench.row({ id: 'W4', what: 'replayed events a second', values: [rate], unit: '/s' });
    const shown = (all: readonly number[]) =>
      `${Math.round(median(all))} ms, p99 ${Math.round(percentile(all, 99))} ms`;
    bench.say(`  live events: ${shown(ages)} beside the replay; ${shown(agesAlone)} without`);
  },
};
