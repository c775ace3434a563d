import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { bucketOfAccount, NONE } from '../../src/events/bucket.ts';
import { type Bench, CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { settled } from '../history.ts';
import { bodyFor, call, latencies, type Target, throughput } from '../loads.ts';
import {
  ask,
  killProgram,
  measureOf,
  median,
  megabytesOf,
  ratios,
  type Started,
  timed,
} from '../support.ts';
import { ADMIN, openTenant, sendsOf, type Tenant } from '../tenant.ts';

const LONE_SENDS = 50;
const SHARED_POLL_MS = 200;
/** How many times as long as a live load one that makes a backlog takes. */
export const BACKLOG_TIMES = 4;
/** At least; the worker with the duties reads for the seals once a minute, so each measured time has its part of that. */
const LIVE_SECONDS = 60;
/** Far more than it takes to find one in each bucket. */
const TENANTS_MAX = 400;
/** Of all tenants, in turn. */
const REQUESTS = 512;
/**
 * Of several workers: the most that the busiest of them may cost relative to a lone one, and how many times
 * what a lone one folds they fold at least.
 */
const SHARES = new Map([
  [2, { most: 0.55, least: 1.8 }],
  [4, { most: 0.32, least: 3.2 }],
]);

/** The URL with this database instead of its own. */
const withDatabase = (url: string, database: string): string =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);

/** A database for read models, on the servers for benches; undefined without these. */
export const newDatabase = (bench: Bench) => {
  const { EVENTSTORE_URL, MONGODB_URL } = process.env;
  if (!EVENTSTORE_URL || !MONGODB_URL) {
    bench.say('  left out: it needs EVENTSTORE_URL and MONGODB_URL, of servers for benches');
    return undefined;
  }
  const mongoUrl = withDatabase(MONGODB_URL, `bench-${Date.now().toString(36)}`);
  return {
    eventStoreUrl: EVENTSTORE_URL,
    mongoUrl,
    env: { MONGODB_URL: mongoUrl },
    /** Removes the read models. The log keeps the events. */
    async clear(): Promise<void> {
      const mongo = await new MongoClient(mongoUrl).connect();
      await mongo.db().dropDatabase();
      await mongo.close();
    },
  };
};

interface Servers {
  api: Started;
  worker: Started;
  /** Between the workers and the log. */
  gate: Started;
  startWorker(): Promise<Started>;
  clear(): Promise<void>;
}

/** A worker and an `api`, with read models of their own. */
export const startServers = async (
  bench: Bench,
  provider: Started,
): Promise<Servers | undefined> => {
  const database = newDatabase(bench);
  if (!database) return undefined;
  const { eventStoreUrl, env, clear } = database;
  const { port } = new URL(eventStoreUrl);
  const gate = await bench.start('gate.ts', [port]);
  const through = eventStoreUrl.replace(`:${port}`, `:${new URL(gate.url).port}`);
  const start = (role: string, settings: Record<string, string>) =>
    bench.start('waybill.ts', [provider.url, bench.folder(), role], { env: settings });
  const startWorker = () => start('worker', { ...env, EVENTSTORE_URL: through });
  const worker = await startWorker();
  const api = await start('api', env);
  return { api, worker, gate, startWorker, clear };
};

/** Opens tenants until there is one in each bucket of accounts, for workers share the work by these. */
export const openOfEachBucket = async (url: string): Promise<Tenant[]> => {
  const first = Date.now() % 1e12;
  const found = new Map<number, Tenant>();
  for (let index = 0; found.size < NONE && index < TENANTS_MAX; index += 1) {
    const tenant = await openTenant(url, first + index);
    found.set(bucketOfAccount(tenant.accountId), tenant);
  }
  return [...found.values()];
};

/** The sends of these tenants, in turn. */
export const sendsOfAll = (url: string, tenants: readonly Tenant[]): Target => ({
  ...sendsOf(url, tenants[0]!, 'waybill on servers'),
  requests: Array.from({ length: REQUESTS }, (_, index) => ({
    method: 'POST' as const,
    headers: tenants[index % tenants.length]!.headers,
    body: bodyFor(index),
  })),
});

/** Resolves when the workers share the read models evenly. */
export const shared = async ({ url }: Started, workers: number): Promise<void> => {
  for (;;) {
    const { partitions } = await call<{ partitions: { worker: string | null }[] }>(
      `${url}/api/admin/v1/projections`,
      ADMIN,
    );
    const shares = Map.groupBy(partitions, ({ worker }) => worker);
    const counts = [...shares.values()].map(({ length }) => length);
    const isEven = Math.max(...counts) - Math.min(...counts) <= 1;
    if (shares.size === workers && isEven && !shares.has(null)) return;
    await pause(SHARED_POLL_MS);
  }
};

/** Makes requests for so long, and resolves to how many were answered. */
export const requestsIn = async (target: Target, seconds: number): Promise<number> =>
  (await throughput(target, CONNECTIONS, seconds)) * seconds;

/** Runs the work and gives the CPU microseconds that each program takes for each of its requests. */
export const costsOf = async (
  programs: readonly Started[],
  work: () => Promise<number>,
): Promise<number[]> => {
  const micros = () =>
    Promise.all(programs.map(async (one) => (await measureOf(one)).processMicros));
  const before = await micros();
  const requests = await work();
  const after = await micros();
  return after.map((now, index) => (now - before[index]!) / requests);
};

/**
 * The CPU microseconds that each worker takes for each of the requests that the load makes, while they fold
 * all of these at once: they are what the folding waits for. `load` ends with all of them in the log.
 */
export const backlogCosts = async (
  { api, gate }: Pick<Servers, 'api' | 'gate'>,
  workers: readonly Started[],
  load: () => Promise<number>,
): Promise<number[]> => {
  await ask(gate, 'hold');
  const requests = await load();
  return costsOf(workers, async () => {
    await ask(gate, 'release');
    await settled(api);
    return requests;
  });
};

/** CPU microseconds of a request: of all threads, and of the main thread. */
interface Cost {
  process: number;
  main: number;
}

/** The cost of the program for each of the requests that the work makes, and their rate. */
const costOf = async (program: Started, seconds: number, work: () => Promise<number>) => {
  const before = await measureOf(program);
  const rate = await work();
  const after = await measureOf(program);
  const of = (part: 'processMicros' | 'mainMicros') =>
    (after[part] - before[part]) / (rate * seconds);
  return { rate, process: of('processMicros'), main: of('mainMicros') };
};

const shown = (name: string, costs: readonly Cost[]): string => {
  const of = (part: keyof Cost) => Math.round(median(costs.map((cost) => cost[part])));
  return `${name} ${of('process')} (main thread ${of('main')})`;
};

/** One worker after another is killed and replaced. */
const failOver = async (
  bench: Bench,
  { api, startWorker }: Servers,
  workers: readonly Started[],
  sendOfEach: () => Promise<unknown>,
): Promise<void> => {
  const running = [...workers];
  const values: number[] = [];
  for (let index = 0; index < bench.rounds(7); index += 1) {
    const { ms } = await timed(async () => {
      await killProgram(running.shift()!);
      // Each bucket has something new, also those of the dead one.
      await sendOfEach();
      await settled(api);
    });
    values.push(ms / 1000);
    running.push(await startWorker());
    await shared(api, running.length);
  }
  const what = `one of ${running.length} workers dies: until the read models are up to date`;
  bench.row({ id: 'S17', what, values, unit: ' s', goal: { most: 5 } });
};

/** The form on servers, beside the embedded one. */
export const servers: Scenario = {
  name: 'servers',
  ids: ['S15', 'S16', 'S17', 'S18'],
  about: 'sends over EventStoreDB and MongoDB, against the embedded stores',
  async run(bench) {
    const { provider, waybill, tenant } = await startWaybill(bench);
    const started = await startServers(bench, provider);
    if (!started) return;
    const { api, worker, startWorker, clear } = started;
    try {
      await settled(api);
      // Earlier runs may have left their numbers in the log.
      const tenants = await openOfEachBucket(api.url);
      const embedded = sendsOf(waybill.url, tenant);
      const onServers = sendsOfAll(api.url, tenants);
      const costs = { embedded: [] as Cost[], api: [] as Cost[], worker: [] as Cost[] };
      const rates: number[] = [];
      const round = async (seconds: number) => {
        const load = (target: Target) => throughput(target, CONNECTIONS, seconds);
        const alone = await costOf(waybill, seconds, () => load(embedded));
        let asked = alone;
        // The worker folds and reacts for longer than the load takes.
        const worked = await costOf(worker, seconds, async () => {
          asked = await costOf(api, seconds, () => load(onServers));
          await settled(api);
          return asked.rate;
        });
        return { alone, asked, worked };
      };

      await round(2);
      for (let index = 1; index <= bench.rounds(7); index += 1) {
        const { alone, asked, worked } = await round(bench.options.seconds);
        costs.embedded.push(alone);
        costs.api.push(asked);
        costs.worker.push(worked);
        rates.push(asked.rate);
        bench.say(
          `  round ${index}: ${Math.round(asked.rate)}/s; main thread: api ${Math.round(asked.main)} us, embedded ${Math.round(alone.main)} us; worker ${Math.round(worked.process)} us`,
        );
      }
      const workers = [worker];
      const { seconds } = bench.options;
      /** What the `api` takes for a send in this round, by which the speed of the cores is known. */
      let yardstick = 0;
      const load = async (length: number): Promise<number> => {
        let requests = 0;
        const work = async () => {
          requests = await requestsIn(onServers, length);
          return requests;
        };
        [yardstick = 0] = await costsOf([api], work);
        return requests;
      };
      const live = (length: number) =>
        costsOf(workers, async () => {
          const requests = await load(length);
          await settled(api);
          return requests;
        });
      const backlog = () => backlogCosts(started, workers, () => load(BACKLOG_TIMES * seconds));
      const lone: Record<string, number> = {};
      for (const count of [1, ...SHARES.keys()]) {
        while (workers.length < count) workers.push(await startWorker());
        await shared(api, count);
        // The new ones warm up, as the lone one did.
        await live(2);
        const works = [
          ['a backlog', backlog],
          ['live sends', () => live(Math.max(seconds, LIVE_SECONDS))],
        ] as const;
        for (const [name, work] of works) {
          const values: number[] = [];
          for (let index = 0; index < bench.rounds(7); index += 1) {
            const each = await work();
            bench.say(
              `  ${name}: ${each.map(Math.round).join(', ')} us of workers for a send, ${Math.round(yardstick)} of the api`,
            );
            values.push(Math.max(...each) / yardstick);
          }
          const goals = SHARES.get(count);
          if (!goals) {
            lone[name] = median(values);
            continue;
          }
          const relative = values.map((value) => value / lone[name]!);
          bench.row({
            id: 'S17',
            what: `busiest of ${count} workers on servers, ${name}: CPU relative to a lone one`,
            values: relative,
            goal: { most: goals.most },
          });
          bench.row({
            id: 'S17',
            what: `what ${count} workers fold of ${name}, by CPU, in times of a lone one`,
            values: relative.map((value) => 1 / value),
            goal: { least: goals.least },
          });
        }
      }
      const programs = { 'an api': api, 'a worker': worker };
      for (const [name, program] of Object.entries(programs)) {
        bench.row({
          id: 'S18b',
          what: `memory of ${name} after the load`,
          values: [await megabytesOf(program)],
          unit: ' MB',
          digits: 0,
          goal: { most: 450 },
        });
      }
      await failOver(bench, started, workers, () => latencies([onServers], tenants.length));
      const before = await ask<{ appends: number; reads: number }>(api, 'calls');
      const [loneMs = 0] = await latencies([onServers], LONE_SENDS);
      const after = await ask<{ appends: number; reads: number }>(api, 'calls');

      const of = (name: keyof typeof costs, part: keyof Cost) =>
        costs[name].map((cost) => cost[part]);
      bench.row({
        id: 'S15',
        what: 'api on servers: main-thread CPU relative to embedded',
        values: ratios(of('api', 'main'), of('embedded', 'main')),
        goal: { most: 2 },
      });
      bench.row({
        id: 'S16',
        what: 'worker on servers: CPU relative to the api',
        values: ratios(of('worker', 'process'), of('api', 'process')),
        goal: { most: 0.5 },
      });
      bench.row({
        id: 'S18',
        what: 'appends of a warm send on servers',
        goal: { most: 2 },
        values: [(after.appends - before.appends) / LONE_SENDS],
      });
      bench.row({
        id: 'S18',
        what: 'reads of a warm send on servers',
        goal: { most: 0 },
        values: [(after.reads - before.reads) / LONE_SENDS],
      });
      const names = ['embedded', 'api', 'worker'] as const;
      bench.say(
        `  CPU us for a send   ${names.map((name) => shown(name, costs[name])).join(', ')}`,
      );
      bench.say(
        `  rate on servers ${Math.round(median(rates))}/s, lone p50 ${loneMs.toFixed(2)} ms`,
      );
    } finally {
      await clear();
    }
  },
};
