import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, CONNECTIONS, type Scenario } from '../bench.ts';
import { settled } from '../history.ts';
import { call, JSON_HEADERS } from '../loads.ts';
import { ask, type Started, stopProgram } from '../support.ts';
import { openTenant, sendsOf, type Tenant } from '../tenant.ts';
import { type Held, headOf, heldOnServers } from './disk-servers.ts';
import { newDatabase } from './servers.ts';

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
      customerName: NAMES[order % NAMES.length],
      orderId: `SO-2026-${100_000 + order}`,
      orderTotal: `₹${500 + (order % 4_500)}.00`,
      awbCode: `AWB${70_000_000 + order}`,
      trackingLink,
    },
  });
};

/** Resolves when the templates of these events are approved. */
export const openTemplates = async (
  url: string,
  { headers }: Tenant,
  events: readonly string[],
): Promise<void> => {
  const body = JSON.stringify({ events });
  const path = `${url}/api/v1/notifications`;
  await call(`${path}/templates/submit`, headers, { method: 'POST', body });
  for (;;) {
    const { ready } = await call<{ ready: number }>(`${path}/events?refresh=true`, headers);
    if (ready >= events.length) return;
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

/** Resolves when the simulator has reported all statuses. */
export const reported = async (simulator: Started): Promise<void> => {
  while ((await ask<number>(simulator, 'pending')) > 0) await pause(LOOK_MS);
  const lost = await ask<number>(simulator, 'lost');
  if (lost > 0) throw new Error(`${lost} webhooks were lost`);
};

const isViews = (file: string): boolean => file.startsWith('views.');

/** The bytes of the files of a service that has stopped, and of the tables and indexes in them. */
const heldIn = (directory: string): Held => {
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
  return { ...files, parts };
};

const countOf = (directory: string, type: string): number => {
  const database = new DatabaseSync(join(directory, 'events.db'), { readOnly: true });
  const counted = database.prepare('SELECT count(*) AS count FROM log WHERE type = ?');
  const count = Number(counted.get(type)?.count);
  database.close();
  return count;
};

/** Where the service keeps its data: in files of this directory, or with a role on the servers. */
interface Place {
  directory: string;
  role?: string;
  env?: Record<string, string>;
}

const startService = async (
  bench: Bench,
  simulator: Started,
  { directory, role, env = {} }: Place,
): Promise<Started> => {
  const parameters = [simulator.url, directory, ...(role === undefined ? [] : [role])];
  const waybill = await bench.start('waybill.ts', parameters, { env });
  const body = JSON.stringify({ webhookUrl: `${waybill.url}/api/provider/webhook` });
  await call(`${simulator.url}/_simulator/configure`, JSON_HEADERS, { method: 'POST', body });
  return waybill;
};

const openApproved = async (waybill: Started): Promise<Tenant> => {
  // Earlier runs may have left their numbers in a log on a server.
  const tenant = await openTenant(waybill.url, Date.now() % 1e12);
  await openTemplates(waybill.url, tenant, EVENTS);
  await settled(waybill);
  return tenant;
};

const load = async (bench: Bench, waybill: Started, simulator: Started, tenant: Tenant) => {
  await sendAll(waybill.url, tenant, bench.options.sends);
  await reported(simulator);
  await settled(waybill);
};

/** Reports the growth of each part and of all, for each message. */
const report = (bench: Bench, where: string, before: Held, after: Held): void => {
  const each = (bytes: number, earlier = 0) => (bytes - earlier) / bench.options.sends;
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
      id: 'S20',
      what: `${what}${where}: bytes for each paid message with three statuses`,
      values: [each(after[name], before[name])],
      digits: 0,
      goal: { most: BYTES_MAX },
    });
  }
};

const measureFiles = async (bench: Bench): Promise<void> => {
  const directory = bench.folder();
  const simulator = await bench.start('simulator.ts');
  const first = await startService(bench, simulator, { directory });
  const tenant = await openApproved(first);
  await stopProgram(first);
  const before = heldIn(directory);
  const waybill = await startService(bench, simulator, { directory });
  await load(bench, waybill, simulator, tenant);
  // The last connection that closes writes all of the log ahead into the file.
  await stopProgram(waybill);
  const statuses = countOf(directory, 'StatusUpdated');
  const { sends } = bench.options;
  if (statuses !== STATUSES * sends) throw new Error(`${statuses} statuses of ${sends} sends`);
  report(bench, '', before, heldIn(directory));
};

const measureServers = async (bench: Bench): Promise<void> => {
  const database = newDatabase(bench);
  if (!database) return;
  try {
    const { env } = database;
    const place = { directory: bench.folder(), role: 'all', env };
    const simulator = await bench.start('simulator.ts');
    const waybill = await startService(bench, simulator, place);
    const tenant = await openApproved(waybill);
    const start = await headOf(database.eventStoreUrl);
    const before = await heldOnServers(database, tenant.accountId, start);
    await load(bench, waybill, simulator, tenant);
    await stopProgram(waybill);
    const after = await heldOnServers(database, tenant.accountId, start);
    report(bench, ' on servers', before, after);
  } finally {
    await database.clear();
  }
};

export const disk: Scenario = {
  name: 'disk',
  ids: ['S20'],
  about: 'bytes that each paid message with three statuses takes',
  async run(bench) {
    await measureFiles(bench);
    await measureServers(bench);
  },
};
