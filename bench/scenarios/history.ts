import type { Scenario } from '../bench.ts';
import { latencies } from '../loads.ts';
import { median, ratios } from '../support.ts';
import { sendsOf } from '../tenant.ts';

const REQUESTS = 300;

export const history: Scenario = {
  name: 'history',
  ids: ['S11'],
  about: 'a send of an account with a long history, against one without',
  async run(bench) {
    const { directory, messages, busy, fresh } = await bench.history();
    const provider = await bench.start('provider.ts');
    const waybill = await bench.start('waybill.ts', [provider.url, directory]);
    const targets = { busy: sendsOf(waybill.url, busy), fresh: sendsOf(waybill.url, fresh) };
    const both = [targets.fresh, targets.busy];
    const [firstFresh = 0, firstBusy = 0] = await latencies(both, 1);
    const times = { busy: [] as number[], fresh: [] as number[] };
    await latencies(both, REQUESTS);
    for (let round = 0; round < bench.rounds(7); round += 1) {
      const [fresher = 0, busier = 0] = await latencies(both, REQUESTS);
      times.fresh.push(fresher);
      times.busy.push(busier);
    }
    bench.row({
      id: 'S11',
      what: `send after ${messages} messages: p50 relative to after none`,
      values: ratios(times.busy, times.fresh),
      goal: { most: 1.1 },
    });
    bench.say(
      `  ${median(times.busy).toFixed(2)} ms against ${median(times.fresh).toFixed(2)} ms; the first after the start ${firstBusy.toFixed(1)} ms, once another account's had taken ${firstFresh.toFixed(1)} ms`,
    );
  },
};
