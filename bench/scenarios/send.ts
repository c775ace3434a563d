import { join } from 'node:path';
import { CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { JSON_HEADERS, latencies, type Target, throughput } from '../loads.ts';
import { fsyncMs, measureOf, median, megabytesOf, ratios } from '../support.ts';
import { sendsOf } from '../tenant.ts';

const LONE_REQUESTS = 300;

/** The relays and the service, in turn in each round. */
export const send: Scenario = {
  name: 'send',
  ids: ['S1', 'S2', 'S4'],
  about: 'sends, against relays',
  async run(bench) {
    const { provider, waybill, directory, tenant } = await startWaybill(bench);
    const relay = await bench.start('relay.ts', [provider.url, 'undici']);
    const relayFetch = await bench.start('relay.ts', [provider.url, 'fetch']);
    const rows = join(bench.folder(), 'rows.db');
    const recorder = await bench.start('relay.ts', [provider.url, 'undici', rows]);
    const idle = await megabytesOf(waybill);

    const targets = {
      relay: { name: 'relay', url: relay.url, headers: JSON_HEADERS },
      fetch: { name: 'relay on fetch', url: relayFetch.url, headers: JSON_HEADERS },
      recorder: { name: 'relay that records', url: recorder.url, headers: JSON_HEADERS },
      waybill: sendsOf(waybill.url, tenant),
    } satisfies Record<string, Target>;
    type Name = keyof typeof targets;
    const names = Object.keys(targets) as Name[];
    const programOf = { relay, fetch: relayFetch, recorder, waybill };
    const empty = (): Record<Name, number[]> => ({
      relay: [],
      fetch: [],
      recorder: [],
      waybill: [],
    });
    const rates = empty();
    const lone = { relay: [] as number[], waybill: [] as number[] };
    const fsyncs: number[] = [];
    /** CPU microseconds for a request: of the whole process, and of its main thread. */
    const cpu = { process: empty(), main: empty() };
    const { seconds } = bench.options;
    const load = async (name: Name) => {
      const before = await measureOf(programOf[name]);
      const rate = await throughput(targets[name], CONNECTIONS, seconds);
      const after = await measureOf(programOf[name]);
      const requests = rate * seconds;
      rates[name].push(rate);
      cpu.process[name].push((after.processMicros - before.processMicros) / requests);
      cpu.main[name].push((after.mainMicros - before.mainMicros) / requests);
    };

    for (const name of names) await throughput(targets[name], CONNECTIONS, 1);
    for (let round = 1; round <= bench.rounds(7); round += 1) {
      for (const name of names) await load(name);
      const [relayed = 0, sent = 0] = await latencies(
        [targets.relay, targets.waybill],
        LONE_REQUESTS,
      );
      lone.relay.push(relayed);
      lone.waybill.push(sent);
      fsyncs.push(fsyncMs(directory));
      const shown = names.map((name) => `${name} ${Math.round(rates[name].at(-1)!)}/s`);
      bench.say(`  round ${round}: ${shown.join(', ')}`);
    }

    const extra = lone.waybill.map((time, index) => time - lone.relay[index]!);
    const disk = median(fsyncs);
    bench.row({
      id: 'S1',
      what: 'rate relative to the relay',
      values: ratios(rates.waybill, rates.relay),
    });
    bench.row({
      id: 'S2',
      what: 'rate relative to the relay on fetch',
      goal: { least: 1 },
      values: ratios(rates.waybill, rates.fetch),
    });
    bench.row({
      id: 'S1',
      what: 'recording relay: rate relative to the relay',
      values: ratios(rates.recorder, rates.relay),
    });
    bench.row({
      id: 'S1',
      what: 'rate relative to the recording relay',
      goal: { least: 0.75 },
      values: ratios(rates.waybill, rates.recorder),
    });
    bench.row({
      id: 'S4',
      what: `one caller: median minus the relay's (fsync ${disk.toFixed(2)} ms)`,
      values: extra,
      unit: ' ms',
      goal: { most: 2 * disk + 0.5 },
    });
    const rateOf = (name: Name) => `${name} ${Math.round(median(rates[name]))}/s`;
    bench.say(`  rates      ${names.map(rateOf).join(', ')}`);
    const micros = (name: Name) =>
      `${name} ${Math.round(median(cpu.process[name]))} (main thread ${Math.round(median(cpu.main[name]))})`;
    bench.say(`  CPU us for a request   ${names.map(micros).join(', ')}`);
    bench.say(
      `  lone p50   relay ${median(lone.relay).toFixed(2)} ms, waybill ${median(lone.waybill).toFixed(2)} ms`,
    );
    bench.say(
      `  start      ${Math.round(waybill.message.startMs ?? 0)} ms; idle memory ${Math.round(idle)} MB, after the load ${Math.round(await megabytesOf(waybill))} MB`,
    );
  },
};
