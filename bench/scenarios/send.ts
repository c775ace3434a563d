import { join } from 'node:path';
import { CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, call, JSON_HEADERS, latencies, type Target, throughput } from '../loads.ts';
import { fsyncMs, measureOf, median, megabytesOf, ratios, type Started } from '../support.ts';
import { openTenant, sendsOf } from '../tenant.ts';

const LONE_REQUESTS = 300;
const FIRST_READS = 10;

/** CPU microseconds of the main thread for the first GET of a status, right after its send. */
const firstRead = async (program: Started, { url, headers }: Target): Promise<number> => {
  const all = Array.from({ length: CONNECTIONS }, (_, index) => index);
  const read = (id: string) => call(`${program.url}/api/v1/notifications/status/${id}`, headers);
  let micros = 0;
  for (let turn = 0; turn < FIRST_READS; turn += 1) {
    const sent = await Promise.all(
      all.map((index) =>
        call<{ messageId: string }>(url, headers, { method: 'POST', body: bodyFor(index) }),
      ),
    );
    const before = await measureOf(program);
    await Promise.all(sent.map(({ messageId }) => read(messageId)));
    micros += (await measureOf(program)).mainMicros - before.mainMicros;
  }
  return micros / (FIRST_READS * CONNECTIONS);
};

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

    const { against: checkout } = bench.options;
    const earlier = checkout
      ? await bench.start('waybill.ts', [provider.url, bench.folder()], { checkout })
      : undefined;
    const targets = {
      relay: { name: 'relay', url: relay.url, headers: JSON_HEADERS },
      fetch: { name: 'relay on fetch', url: relayFetch.url, headers: JSON_HEADERS },
      recorder: { name: 'relay that records', url: recorder.url, headers: JSON_HEADERS },
      waybill: sendsOf(waybill.url, tenant),
      ...(earlier && { earlier: sendsOf(earlier.url, await openTenant(earlier.url)) }),
    };
    type Name = 'relay' | 'fetch' | 'recorder' | 'waybill' | 'earlier';
    const names = Object.keys(targets) as Name[];
    const targetOf = targets as Record<Name, Target>;
    const programOf = { relay, fetch: relayFetch, recorder, waybill, earlier: earlier! };
    const empty = (): Record<Name, number[]> => ({
      relay: [],
      fetch: [],
      recorder: [],
      waybill: [],
      earlier: [],
    });
    const rates = empty();
    const lone = { relay: [] as number[], waybill: [] as number[] };
    const fsyncs: number[] = [];
    /** CPU microseconds for a request: of the whole process, and of its main thread. */
    const cpu = { process: empty(), main: empty(), read: empty() };
    const { seconds } = bench.options;
    const load = async (name: Name) => {
      const before = await measureOf(programOf[name]);
      const rate = await throughput(targetOf[name], CONNECTIONS, seconds);
      const after = await measureOf(programOf[name]);
      const requests = rate * seconds;
      rates[name].push(rate);
      cpu.process[name].push((after.processMicros - before.processMicros) / requests);
      cpu.main[name].push((after.mainMicros - before.mainMicros) / requests);
    };

    for (const name of names) await throughput(targetOf[name], CONNECTIONS, 1);
    for (let round = 1; round <= bench.rounds(7); round += 1) {
      for (const name of names) await load(name);
      const [relayed = 0, sent = 0] = await latencies(
        [targets.relay, targets.waybill],
        LONE_REQUESTS,
      );
      for (const name of ['waybill', 'earlier'] as const) {
        if (earlier) cpu.read[name].push(await firstRead(programOf[name], targetOf[name]));
      }
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
    if (earlier) {
      for (const [what, of, most] of [
        ['CPU of the main thread', cpu.main, 1.1],
        ['CPU of the process', cpu.process, 1.2],
        ['first GET of a status: CPU of the main thread', cpu.read, 1.2],
      ] as const) {
        bench.row({
          id: 'S1',
          what: `${what} relative to the earlier commit`,
          values: ratios(of.waybill, of.earlier),
          goal: { most },
        });
      }
      bench.row({
        id: 'S1',
        what: 'rate relative to the earlier commit',
        values: ratios(rates.waybill, rates.earlier),
        goal: { least: 0.95 },
      });
    }
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
