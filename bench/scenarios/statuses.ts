import type { Scenario } from '../bench.ts';
import { settled } from '../history.ts';
import { call, JSON_HEADERS } from '../loads.ts';
import { openTemplates, reported } from './disk.ts';
import {
  BACKLOG_TIMES,
  backlogCosts,
  costsOf,
  openOfEachBucket,
  requestsIn,
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
      const ofApi: number[] = [];
      const load = async (seconds: number) => {
        let messages = 0;
        const costs = await costsOf([api], async () => {
          messages = await requestsIn(target, seconds);
          await reported(simulator);
          return messages;
        });
        ofApi.push(...costs.map((micros) => micros / 1_000));
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
      bench.row({
        id: 'S19',
        what: 'CPU of an api for a message with three statuses',
        values: ofApi.slice(1),
        unit: ' ms',
      });
    } finally {
      await clear();
    }
  },
};
