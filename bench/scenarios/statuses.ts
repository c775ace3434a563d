import { CONNECTIONS, type Scenario } from '../bench.ts';
import { settled } from '../history.ts';
import { call, JSON_HEADERS, throughput } from '../loads.ts';
import { openTemplates, reported } from './disk.ts';
import {
  BACKLOG_TIMES,
  backlogCosts,
  openOfEachBucket,
  sendsOfAll,
  shared,
  startServers,
} from './servers.ts';

/** Numbers of workers, and the messages that a second of the busiest one's CPU must fold, of a backlog. */
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
      const load = async (seconds: number) => {
        const messages = (await throughput(target, CONNECTIONS, seconds)) * seconds;
        await reported(simulator);
        return messages;
      };
      for (const [count, least] of WORKERS) {
        while (workers.length < count) workers.push(await startWorker());
        await shared(api, count);
        await load(2);
        await settled(api);
        const values: number[] = [];
        for (let index = 0; index < bench.rounds(7); index += 1) {
          const each = await backlogCosts(started, workers, () =>
            load(BACKLOG_TIMES * bench.options.seconds),
          );
          bench.say(`  ${each.map(Math.round).join(', ')} us of workers for a message`);
          values.push(1e6 / Math.max(...each));
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
