import { CONNECTIONS, type Scenario } from '../bench.ts';
import { call, type Target, throughput } from '../loads.ts';
import { measureOf, median, ratios, type Started } from '../support.ts';

const STATUSES = 500;
const PAGE = 50;

/** Each read, and the thinnest route that answers with as many bytes. */
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
    const questions = {
      status: statuses,
      credits: [{ path: '/api/v1/credits' }],
      [`messages, a page of ${PAGE}`]: [{ path: `/api/v1/messages?limit=${PAGE}` }],
    };
    for (const [what, requests] of Object.entries(questions)) {
      const { headers } = busy;
      const answer = await call<object>(`${waybill.url}${requests[0]!.path}`, headers);
      const bytes = Buffer.byteLength(JSON.stringify(answer));
      const target: Target = { name: what, url: waybill.url, headers, requests };
      const path = `/constant/${bytes}`;
      const constant: Target = { ...target, url: plain.url, requests: [{ path }] };
      const rates = { waybill: [] as number[], constant: [] as number[] };
      const micros = { waybill: [] as number[], constant: [] as number[] };
      for (const one of [target, constant]) await throughput(one, CONNECTIONS, 1);
      const take = async (name: 'waybill' | 'constant', one: Target, program: Started) => {
        const { seconds } = bench.options;
        const { mainMicros } = await measureOf(program);
        const rate = await throughput(one, CONNECTIONS, seconds);
        const used = (await measureOf(program)).mainMicros - mainMicros;
        rates[name].push(rate);
        micros[name].push(used / (rate * seconds));
      };
      for (let round = 0; round < bench.rounds(5); round += 1) {
        await take('constant', constant, plain);
        await take('waybill', target, waybill);
      }
      bench.row({
        ...{ id: 'S13', what: `GET ${what}: rate, of a constant's of ${bytes} bytes` },
        ...{ values: ratios(rates.waybill, rates.constant), goal: { least: 0.5 } },
      });
      bench.say(
        `  ${Math.round(median(rates.waybill))}/s against ${Math.round(median(rates.constant))}/s; CPU us of the main thread a request ${Math.round(median(micros.waybill))} against ${Math.round(median(micros.constant))}`,
      );
    }
  },
};
