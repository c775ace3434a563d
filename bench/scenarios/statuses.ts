import { CONNECTIONS, type Scenario } from '../bench.ts';
import { settled } from '../history.ts';
import { call, JSON_HEADERS, throughput } from '../loads.ts';
import { measureOf } from '../support.ts';
import { openTemplates, reported } from './disk.ts';
import { openOfEachBucket, sendsOfAll, shared, startServers } from './servers.ts';

/** Numbers of workers, and the messages that a second of the busiest one's CPU must do. */
const WORKERS = [
  [1, 1_500],
  [2, 3_000],
  [4, 4_800],
] as const;

/** Messages with three statuses, five events each, on the servers. */
export const statuses: Scenario = {
  name: 'statuses',
  ids: ['S19'],
  about: 'messages with three statuses over EventStoreDB and MongoDB: what workers take for them',
  async run(bench) {
    const simulator = await bench.start('simulator.ts');
    const started = await startServers(bench, simulator);
    if (!started) return;
    const { api, worker, startWorker, clear } = started;
    try {
      await settled(api);
      const body = JSON.stringify({ webhookUrl: `${api.url}/api/provider/webhook` });
      await call(`${simulator.url}/_simulator/configure`, JSON_HEADERS, { method: 'POST', body });
      const tenants = await openOfEachBucket(api.url);
      for (const tenant of tenants) await openTemplates(api.url, tenant, ['order_shipped']);
      const target = sendsOfAll(api.url, tenants);
      const workers = [worker];
      const micros = () =>
        Promise.all(workers.map(async (one) => (await measureOf(one)).processMicros));
      /** Messages of a load, and the CPU seconds of each worker until all is shown. */
      const load = async (seconds: number) => {
        const before = await micros();
        const messages = (await throughput(target, CONNECTIONS, seconds)) * seconds;
        await reported(simulator);
        await settled(api);
        const after = await micros();
        return { messages, taken: after.map((now, index) => (now - before[index]!) / 1e6) };
      };
      for (const [count, least] of WORKERS) {
        while (workers.length < count) workers.push(await startWorker());
        await shared(api, count);
        await load(2);
        const values: number[] = [];
        for (let index = 0; index < bench.rounds(7); index += 1) {
          const { messages, taken } = await load(bench.options.seconds);
          values.push(messages / Math.max(...taken));
        }
        bench.row({
          id: 'S19',
          what: `messages with three statuses for a CPU second of the busiest of ${count} workers`,
          values,
          digits: 0,
          goal: { least },
        });
      }
    } finally {
      await clear();
    }
  },
};
