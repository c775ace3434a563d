import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Scenario, startWaybill } from '../bench.ts';
import { latencies, type Target } from '../loads.ts';
import { deliver, delivery, forwardTo, inbound } from '../provider-calls.ts';
import { ask, median, ratios, type Started } from '../support.ts';
import { openTenant, sendsOf, type Tenant } from '../tenant.ts';

const REQUESTS = 300;
/** Messages a second to the number whose target hangs, and for each measurement. */
const BACKGROUND_RATE = 50;
const BACKGROUND_AT_ONCE = 5;
/** More than may wait for one number. */
const PILED_UP = 600;
const PILE = 50;
const SETTLE_MS = 2_000;

interface Side {
  waybill: Started;
  tenant: Tenant;
  other: Tenant;
}

/** A service with two tenants: the first forwards to a quick target, the other to `way`. */
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

const messagesTo = ({ waybill, tenant }: Side, name: string): Target => ({
  name,
  url: waybill.url,
  headers: {},
  requests: (index) => delivery(tenant, [inbound('hello', index)]),
});

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
        await ask(receiver, 'ages');
        const answers = await latencies(
          ways.map((way) => messagesTo(sides[way], way)),
          REQUESTS,
        );
        const ages = await ask<Record<string, number[]>>(receiver, 'ages');
        const sends = await latencies(
          ways.map((way) => sendsOf(sides[way].waybill.url, sides[way].tenant)),
          REQUESTS,
        );
        for (const [turn, way] of ways.entries()) {
          times[way].answer.push(answers[turn]!);
          times[way].forward.push(median(ages[way] ?? []));
          times[way].send.push(sends[turn]!);
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
        id: 'W3',
        what: `${what[name]}: median while a target hangs relative to none`,
        values: ratios(times.hang[name], times.quick[name]),
        goal: { most: 1.05 },
      });
      bench.say(
        `  ${median(times.hang[name]).toFixed(2)} ms against ${median(times.quick[name]).toFixed(2)} ms`,
      );
    }
  },
};
