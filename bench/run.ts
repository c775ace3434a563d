import { measureOf } from './measure.ts';
import {
  fsyncMs,
  latencyMs,
  median,
  type Started,
  spread,
  startProgram,
  type Target,
  temporaryFolder,
  throughput,
} from './support.ts';
import { openTenant } from './tenant.ts';

// Ratios against the relay, interleaved in one run: this machine's mood hits all alike.

const option = (name: string, otherwise: number): number => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? otherwise : Number(process.argv[index + 1]);
};
const ROUNDS = option('rounds', 7);
const SECONDS = option('seconds', 3);
const CONNECTIONS = 64;
const LONE_REQUESTS = 300;

const say = (line = '') => process.stdout.write(`${line}\n`);
const json = { 'content-type': 'application/json' };
const folder = temporaryFolder();
const programs: Started[] = [];
const start = async (file: string, ...parameters: string[]) => {
  const started = await startProgram(file, ...parameters);
  programs.push(started);
  return started;
};

try {
  const provider = await start('provider.ts');
  const relay = await start('relay.ts', provider.url, 'undici');
  const relayFetch = await start('relay.ts', provider.url, 'fetch');
  const waybill = await start('waybill.ts', provider.url, folder.path);
  const { apiKey } = await openTenant(waybill.url);
  const megabytesOf = async (one: Started) => (await measureOf(one)).rssBytes / 1024 / 1024;
  const idle = await megabytesOf(waybill);

  const targets = {
    relay: { name: 'relay', url: relay.url, headers: json },
    fetch: { name: 'relay on fetch', url: relayFetch.url, headers: json },
    waybill: {
      name: 'waybill',
      url: `${waybill.url}/api/v1/notifications/send`,
      headers: { ...json, authorization: `Bearer ${apiKey}` },
    },
  } satisfies Record<string, Target>;
  type Name = keyof typeof targets;
  const names = Object.keys(targets) as Name[];
  const empty = (): Record<Name, number[]> => ({ relay: [], fetch: [], waybill: [] });
  const rates = empty();
  const lone = empty();
  const programOf = { relay, fetch: relayFetch, waybill };
  /** CPU microseconds for each request: of the whole process, and of its main thread. */
  const cpu = { process: empty(), main: empty() };
  const load = async (name: Name) => {
    const before = await measureOf(programOf[name]);
    const rate = await throughput(targets[name], CONNECTIONS, SECONDS);
    const after = await measureOf(programOf[name]);
    const requests = rate * SECONDS;
    rates[name].push(rate);
    cpu.process[name].push((after.processMicros - before.processMicros) / requests);
    cpu.main[name].push((after.mainMicros - before.mainMicros) / requests);
  };

  say(
    `${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, interleaved; ${process.version}`,
  );
  for (const name of names) await throughput(targets[name], CONNECTIONS, 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) await load(name);
    for (const name of names) lone[name].push(await latencyMs(targets[name], LONE_REQUESTS));
    const shown = names.map((name) => `${name} ${Math.round(rates[name].at(-1)!)}/s`);
    say(`  round ${round + 1}: ${shown.join(', ')}`);
  }

  const ratio = (over: Name) => rates.waybill.map((rate, index) => rate / rates[over][index]!);
  const extra = lone.waybill.map((time, index) => time - lone.relay[index]!);
  const disk = fsyncMs(folder.path);
  say();
  say(`S1  rate, of the relay's             ${spread(ratio('relay'))}   target 0.60`);
  say(`S2  rate, of the relay on fetch's    ${spread(ratio('fetch'))}   target 2.50`);
  say(
    `S4  p50 over the relay's, ms         ${spread(extra)}   target ${(2 * disk + 0.5).toFixed(2)} (two fsyncs of ${disk.toFixed(2)} and 0.5)`,
  );
  say();
  say(
    `rates      relay ${Math.round(median(rates.relay))}/s, relay on fetch ${Math.round(median(rates.fetch))}/s, waybill ${Math.round(median(rates.waybill))}/s`,
  );
  const micros = (name: Name) =>
    `${name} ${Math.round(median(cpu.process[name]))} (main thread ${Math.round(median(cpu.main[name]))})`;
  say(`CPU us a request   ${names.map(micros).join(', ')}`);
  say(
    `lone p50   relay ${median(lone.relay).toFixed(2)} ms, waybill ${median(lone.waybill).toFixed(2)} ms`,
  );
  say(
    `start      ${Math.round(waybill.message.startMs ?? 0)} ms; idle memory ${Math.round(idle)} MB, after the load ${Math.round(await megabytesOf(waybill))} MB`,
  );
} finally {
  for (const { child } of programs) child.kill();
  folder.remove();
}
