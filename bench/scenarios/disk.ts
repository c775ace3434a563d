import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, CONNECTIONS, type Scenario } from '../bench.ts';
import { settled } from '../history.ts';
import { call, JSON_HEADERS } from '../loads.ts';
import { ask, type Started, stopProgram } from '../support.ts';
import { openTenant, sendsOf, type Tenant } from '../tenant.ts';

/** The four messages of an order, so every contact receives four. */
const EVENTS = ['order_confirmation', 'order_shipped', 'out_for_delivery', 'order_delivered'];
const NAMES = ['Asha', 'Miguel', 'Chen Wei', 'Fatima', 'Jonas', 'Priyanka', 'Olu', 'Zoë'];
const STATUSES = 3;
const LOOK_MS = 50;
const BYTES_MAX = 2_000;
/** Parts below this size are not shown, in bytes for each message. */
const SHOWN_BYTES_MIN = 5;

const sendOf = (index: number): string => {
  const order = Math.floor(index / EVENTS.length);
  const trackingLink = `https://shop.example/track/${(order * 7_919 + 1_000_003).toString(36)}`;
  return JSON.stringify({
    to: `+9198${String(10_000_000 + order)}`,
    event: EVENTS[index % EVENTS.length],
    variables: {
      ...{ customerName: NAMES[order % NAMES.length], orderId: `SO-2026-${100_000 + order}` },
      ...{ orderTotal: `₹${500 + (order % 4_500)}.00`, awbCode: `AWB${70_000_000 + order}` },
      trackingLink,
    },
  });
};

const approve = async (url: string, { headers }: Tenant): Promise<void> => {
  const body = JSON.stringify({ events: EVENTS });
  const path = `${url}/api/v1/notifications`;
  await call(`${path}/templates/submit`, headers, { method: 'POST', body });
  for (;;) {
    const { ready } = await call<{ ready: number }>(`${path}/events?refresh=true`, headers);
    if (ready >= EVENTS.length) return;
    await pause(LOOK_MS);
  }
};

/** Sends the messages in order of their numbers, over several connections. */
const sendAll = async (url: string, tenant: Tenant, count: number): Promise<void> => {
  const { url: path, headers } = sendsOf(url, tenant);
  let next = 0;
  const sender = async () => {
    while (next < count) {
      const body = sendOf(next++);
      await call(path, headers, { method: 'POST', body });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
};

const reported = async (simulator: Started): Promise<void> => {
  while ((await ask<number>(simulator, 'pending')) > 0) await pause(LOOK_MS);
  const lost = await ask<number>(simulator, 'lost');
  if (lost > 0) throw new Error(`${lost} webhooks were lost`);
};

const isViews = (file: string): boolean => file.startsWith('views.');

/** The bytes of the files of a service that has stopped, and of the tables and indexes in them. */
const sizesIn = (directory: string) => {
  const files = { log: 0, views: 0 };
  const parts = new Map<string, number>();
  for (const file of readdirSync(directory)) {
    files[isViews(file) ? 'views' : 'log'] += statSync(join(directory, file)).size;
    if (!file.endsWith('.db')) continue;
    const database = new DatabaseSync(join(directory, file), { readOnly: true });
    const pages = database.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name');
    for (const { name, bytes } of pages.all()) parts.set(`${file} ${name}`, Number(bytes));
    database.close();
  }
  return { files, parts };
};

const countOf = (directory: string, type: string): number => {
  const database = new DatabaseSync(join(directory, 'events.db'), { readOnly: true });
  const counted = database.prepare('SELECT count(*) AS count FROM events WHERE type = ?');
  const count = Number(counted.get(type)?.count);
  database.close();
  return count;
};

const setUp = async (bench: Bench, directory: string) => {
  const simulator = await bench.start('simulator.ts');
  const waybill = await bench.start('waybill.ts', [simulator.url, directory]);
  const body = JSON.stringify({ webhookUrl: `${waybill.url}/api/provider/webhook` });
  const configure = `${simulator.url}/_simulator/configure`;
  await call(configure, JSON_HEADERS, { method: 'POST', body });
  const tenant = await openTenant(waybill.url);
  await approve(waybill.url, tenant);
  await settled(waybill);
  return { simulator, waybill, tenant };
};

export const disk: Scenario = {
  name: 'disk',
  ids: ['S20'],
  about: 'bytes of the files for each paid message with three statuses',
  async run(bench) {
    const { sends } = bench.options;
    const directory = bench.folder();
    const first = await setUp(bench, directory);
    await stopProgram(first.waybill);
    const before = sizesIn(directory);

    const { simulator, tenant } = first;
    const waybill = await bench.start('waybill.ts', [simulator.url, directory]);
    const body = JSON.stringify({ webhookUrl: `${waybill.url}/api/provider/webhook` });
    const configure = `${simulator.url}/_simulator/configure`;
    await call(configure, JSON_HEADERS, { method: 'POST', body });
    await sendAll(waybill.url, tenant, sends);
    await reported(simulator);
    await settled(waybill);
    // The last connection that closes writes all of the log ahead into the file.
    await stopProgram(waybill);
    const statuses = countOf(directory, 'StatusUpdated');
    if (statuses !== STATUSES * sends) throw new Error(`${statuses} statuses of ${sends} sends`);

    const after = sizesIn(directory);
    const each = (bytes: number, earlier = 0) => (bytes - earlier) / sends;
    const parts = [...after.parts].map(
      ([name, bytes]) => [name, each(bytes, before.parts.get(name))] as const,
    );
    for (const [name, bytes] of parts.sort(([, one], [, other]) => other - one)) {
      if (bytes >= SHOWN_BYTES_MIN) bench.say(`  ${bytes.toFixed(0).padStart(5)}  ${name}`);
    }
    for (const [name, what] of [
      ['log', 'log and keys'],
      ['views', 'read models'],
    ] as const) {
      bench.row({
        ...{ id: 'S20', what: `${what}: bytes for each paid message with three statuses` },
        ...{ values: [each(after.files[name], before.files[name])], digits: 0 },
        goal: { most: BYTES_MAX },
      });
    }
  },
};
