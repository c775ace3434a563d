import { CONNECTIONS, type Scenario } from '../bench.ts';
import { call, type Target, throughput } from '../loads.ts';
import { measureOf, median, ratios, type Started } from '../support.ts';

const STATUSES = 500;
const PAGE = 50;
/** A list is refused when 32 others of its account wait. */
const LISTS = 32;

/** Each read, and a route that answers with a constant text of the same length. */
export const reads: Scenario = {
  name: 'reads',
  ids: ['S13'],
  about: 'status, credits and history of an account with a long history, against constants',
  async run(bench) {
    const { directory, messages, busy } = await bench.history();
    const provider = await bench.start('provider.ts');
    const waybill = await bench.start('waybill.ts', [provider.url, directory]);
    const plain = await bench.start('plain.ts');
    const step = Math.max(1, Math.floor(messages / STATUSES));
    const statuses = Array.from({ length: Math.min(messages, STATUSES) }, (_, index) => ({
      path: `/api/v1/notifications/status/wamid.seed.${index * step}`,
    }));
    const questions = [
      { what: 'status', goal: 0.35, connections: CONNECTIONS, requests: statuses },
      {
        what: 'credits',
        goal: 0.35,
        connections: CONNECTIONS,
        requests: [{ path: '/api/v1/credits' }],
      },
      {
        what: `messages, a page of ${PAGE}`,
        goal: 0.3,
        connections: LISTS,
        requests: [{ path: `/api/v1/messages?limit=${PAGE}` }],
      },
    ];
    for (const { what, goal, connections, requests } of questions) {
      const { headers } = busy;
      const answer = await call<object>(`${waybill.url}${requests[0]!.path}`, headers);
      const bytes = Buffer.byteLength(JSON.stringify(answer));
      const read: Target = { name: what, url: waybill.url, headers, requests };
      const path = `/constant/${bytes}`;
      const constant: Target = { ...read, url: plain.url, requests: [{ path }] };
      const rates = { constant: [] as number[], read: [] as number[] };
      const micros = { constant: [] as number[], read: [] as number[] };
      for (const one of [read, constant]) await throughput(one, connections, 1);
      const take = async (name: 'constant' | 'read', one: Target, program: Started) => {
        const { seconds } = bench.options;
        const { mainMicros } = await measureOf(program);
        const rate = await throughput(one, connections, seconds);
        const used = (await measureOf(program)).mainMicros - mainMicros;
        rates[name].push(rate);
        micros[name].push(used / (rate * seconds));
      };
      for (let round = 0; round < bench.rounds(5); round += 1) {
        await take('constant', constant, plain);
        await take('read', read, waybill);
      }
      bench.row({
        id: 'S13',
        what: `GET ${what}: rate relative to a constant of ${bytes} bytes`,
        values: ratios(rates.read, rates.constant),
        goal: { least: goal },
      });
      const shown = (values: typeof rates) =>
        `constant ${Math.round(median(values.constant))}, read ${Math.round(median(values.read))}`;
      bench.say(`  a second: ${shown(rates)}`);
      bench.say(`  CPU us of the main thread for a request: ${shown(micros)}`);
    }
  },
};
