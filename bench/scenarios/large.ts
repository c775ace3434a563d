import type { Bench, History, Scenario } from '../bench.ts';
import { call, latencies } from '../loads.ts';
import { megabytesOf, ratios, type Started, stopProgram, timed } from '../support.ts';
import { sendsOf } from '../tenant.ts';
import { rebuild } from './rebuild.ts';

const SENDS = 200;
const TIMES = 10;

/** What one log costs; each figure once a round. */
interface Costs {
  startMs: number[];
  startMegabytes: number[];
  rebuildMicros: number[];
  rebuildCpuMicros: number[];
  rebuildMegabytes: number[];
  /** A send of the account with the history, relative to one of an account without. */
  send: number[];
}

const measure = async (bench: Bench, provider: Started, history: History, costs: Costs) => {
  let waybill: Started | undefined;
  const { ms } = await timed(async () => {
    waybill = await bench.start('waybill.ts', [provider.url, history.directory]);
    await call(`${waybill.url}/api/v1/credits`, history.busy.headers);
  });
  const { url } = waybill!;
  costs.startMs.push(ms);
  costs.startMegabytes.push(await megabytesOf(waybill!));
  const both = [sendsOf(url, history.fresh), sendsOf(url, history.busy)];
  await latencies(both, SENDS);
  const [fresh = 0, busy = 0] = await latencies(both, SENDS);
  costs.send.push(busy / fresh);
  const { rate, cpuMicros, megabytes } = await rebuild(waybill!, history);
  costs.rebuildMicros.push(1e6 / rate);
  costs.rebuildCpuMicros.push(cpuMicros);
  costs.rebuildMegabytes.push(megabytes);
  await stopProgram(waybill!);
};

/** Whether the cost of one event, of a start and of a send depends on the length of the log. */
export const large: Scenario = {
  name: 'large',
  ids: ['L1'],
  about: 'a log of --messages against one of a tenth: costs and memory must not grow',
  isLong: true,
  async run(bench) {
    const short = await bench.history(Math.ceil(bench.options.messages / TIMES));
    const long = await bench.history();
    const provider = await bench.start('provider.ts');
    const none = (): Costs => ({
      startMs: [],
      startMegabytes: [],
      send: [],
      rebuildMicros: [],
      rebuildCpuMicros: [],
      rebuildMegabytes: [],
    });
    const costs = { short: none(), long: none() };
    for (let round = 1; round <= bench.rounds(3); round += 1) {
      await measure(bench, provider, short, costs.short);
      await measure(bench, provider, long, costs.long);
      const shown = [costs.short, costs.long].map(
        (one) =>
          `start ${Math.round(one.startMs.at(-1)!)} ms, ${Math.round(one.startMegabytes.at(-1)!)} MB; rebuild ${one.rebuildMicros.at(-1)!.toFixed(1)} us an event, ${Math.round(one.rebuildMegabytes.at(-1)!)} MB`,
      );
      bench.say(`  round ${round}: ${shown.join(' | ')}`);
    }
    const against = (what: string, of: keyof Costs, most: number) =>
      bench.row({
        id: 'L1',
        what: `${what}: ${long.events} events relative to ${short.events}`,
        values: ratios(costs.long[of], costs.short[of]),
        goal: { most },
      });
    for (const [what, part] of [
      ['time', 'foldMs'],
      ['CPU', 'foldCpuMs'],
    ] as const) {
      const perEvent = (history: History) => history[part] / history.events;
      bench.row({
        id: 'L1',
        what: `filling all read models: ${what} of an event, relative`,
        values: [perEvent(long) / perEvent(short)],
        goal: { most: 1.1 },
      });
    }
    against('rebuild of a read model: time of an event', 'rebuildMicros', 1.1);
    against('rebuild of a read model: CPU of an event', 'rebuildCpuMicros', 1.1);
    against('memory of a rebuild', 'rebuildMegabytes', 1.1);
    against('start to the first answer', 'startMs', 1.5);
    against('memory after the start', 'startMegabytes', 1.1);
    bench.row({
      id: 'L1',
      what: `send after ${long.messages} messages: p50 relative to after none`,
      values: costs.long.send,
      goal: { most: 1.1 },
    });
  },
};
