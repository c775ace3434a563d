import { setTimeout as pause } from 'node:timers/promises';
import { CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { steady, throughput } from '../loads.ts';
import { median, megabytesOf } from '../support.ts';
import { sendsOf } from '../tenant.ts';

const TOP_RATE_SECONDS = 5;
const LOOKS = 200;

/** Caches fill at first, so the comparison starts after a tenth of the time. */
export const memory: Scenario = {
  name: 'memory',
  ids: ['S12'],
  about: 'memory under a long load at half the highest rate',
  async run(bench) {
    const { waybill, tenant } = await startWaybill(bench);
    const target = sendsOf(waybill.url, tenant);
    const top = await throughput(target, CONNECTIONS, TOP_RATE_SECONDS);
    const rate = Math.round(top / 2);
    const seconds = Math.round(bench.options.minutes * 60);
    const loading = steady(target, { connections: CONNECTIONS, rate, seconds });
    const looks: number[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      await pause((seconds * 1000) / LOOKS);
      looks.push(await megabytesOf(waybill));
    }
    const { answered: sent } = await loading;
    const tenth = LOOKS / 10;
    const before = median(looks.slice(tenth, 2 * tenth));
    const after = median(looks.slice(-tenth));
    bench.row({
      id: 'S12',
      what: `memory after ${bench.options.minutes} min relative to after a tenth of it`,
      values: [after / before],
      goal: { most: 1.1 },
    });
    const every = looks.filter((_, look) => look % tenth === tenth - 1);
    bench.say(
      `  ${sent} messages at ${rate}/s; MB: ${every.map((megabytes) => Math.round(megabytes)).join(', ')}`,
    );
  },
};
