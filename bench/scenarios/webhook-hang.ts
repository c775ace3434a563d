import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Scenario, startWaybill } from '../bench.ts';
import { deliver, delivery, forwardTo, inbound } from '../provider-calls.ts';
import { ask, latencyMs, median, ratios, type Started } from '../support.ts';
import { openTenant, sendsOf, type Tenant } from '../tenant.ts';

const REQUESTS = 300;
/** Messages a second to the number whose target hangs, and of each delivery. */
const BACKGROUND_RATE = 50;
const BACKGROUND_AT_ONCE = 5;
/** As many as may wait for one number, and some more. */
const PILED_UP = 600;
const PILE = 50;
const SETTLE_MS = 2_000;

interface Side {
  waybill: Started;
  tenant: Tenant;
  other: Tenant;
}

/** A service with two tenants: messages of the first go to a quick target, of the other to `way`. */
const startSide = async (bench: Bench, receiver: Started, way: string): Promise<Side> => {
  const { waybill, tenant } = await startWaybill(bench);
  const other = await openTenant(waybill.url, 2);
  await forwardTo(waybill.url, tenant, `${receiver.url}/quick/${way}`);
  await forwardTo(waybill.url, other, `${receiver.url}/${way}`);
  return { waybill, tenant, other };
};

const deliverMany = ({ waybill, other }: Side, count: number): Promise<void> =>
  deliver(
    waybill.url,
    delivery(
      other,
      Array.from({ length: count }, (_, index) => inbound('hello', index)),
    ),
  );

const latencies = async ({ waybill, tenant }: Side, receiver: Started, way: string) => {
  await ask(receiver, 'ages');
  const answer: number[] = [];
  for (let contact = 0; contact < REQUESTS; contact += 1) {
    // Made just before it is sent: its age counts from then on.
    const requests = [delivery(tenant, [inbound('hello', contact)])];
    answer.push(await latencyMs({ name: way, url: waybill.url, headers: {}, requests }, 1));
  }
  const send = await latencyMs(sendsOf(waybill.url, tenant), REQUESTS);
  const ages = await ask<Record<string, number[]>>(receiver, 'ages');
  return { answer: median(answer), forward: median(ages[way] ?? []), send };
};

export const webhookHang: Scenario = {
  name: 'webhook-hang',
  ids: ['W3'],
  about: "others' latencies while one forward target hangs, against one that answers",
  async run(bench) {
    const receiver = await bench.start('receiver.ts');
    const sides = {
      hang: await startSide(bench, receiver, 'hang'),
      quick: await startSide(bench, receiver, 'quick'),
    };
    const ways = ['quick', 'hang'] as const;
    for (const way of ways) {
      for (let piled = 0; piled < PILED_UP; piled += PILE) await deliverMany(sides[way], PILE);
    }
    await pause(SETTLE_MS);
    const deliverBoth = () =>
      Promise.all(ways.map((way) => deliverMany(sides[way], BACKGROUND_AT_ONCE)));
    let failure: unknown;
    const background = setInterval(
      () => deliverBoth().catch((error) => (failure = error)),
      (1000 * BACKGROUND_AT_ONCE) / BACKGROUND_RATE,
    );
    const empty = () => ({ answer: [] as number[], forward: [] as number[], send: [] as number[] });
    const times = { quick: empty(), hang: empty() };
    try {
      for (let round = 0; round < bench.rounds(7); round += 1) {
        for (const way of ways) {
          const { answer, forward, send } = await latencies(sides[way], receiver, way);
          times[way].answer.push(answer);
          times[way].forward.push(forward);
          times[way].send.push(send);
        }
      }
    } finally {
      clearInterval(background);
    }
    if (failure) throw failure;
    const what = {
      answer: 'answers to the provider',
      forward: 'forwards of another number',
      send: 'sends',
    };
    for (const name of ['answer', 'forward', 'send'] as const) {
      bench.row({
        ...{ id: 'W3', what: `median of ${what[name]} while a target hangs, of that while none` },
        ...{ values: ratios(times.hang[name], times.quick[name]), goal: { most: 1.05 } },
      });
      bench.say(
        `  ${median(times.hang[name]).toFixed(2)} ms against ${median(times.quick[name]).toFixed(2)} ms`,
      );
    }
  },
};
