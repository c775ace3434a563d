import { CONNECTIONS, type Scenario } from '../bench.ts';
import { call, type Target, throughput } from '../loads.ts';
import { measureOf, median, ratios, type Started } from '../support.ts';

const STATUSES = 500;
const PAGE = 50;

const names = ['constant', 'again', 'first'] as const;
type Name = (typeof names)[number];

let asked = 0;

/** One of these under an address that was never asked: its answer is made of the read models. */
const unasked = (requests: readonly { path: string }[]) => {
  asked += 1;
  const { path } = requests[asked % requests.length]!;
  return { path: `${path}${path.includes('?') ? '&' : '?'}unasked=${asked}` };
};

/** Each read, and the thinnest route that answers with as many bytes of a ready text. */
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
      const again: Target = { name: what, url: waybill.url, headers, requests };
      const first: Target = { ...again, requests: () => unasked(requests) };
      const path = `/constant/${bytes}`;
      const constant: Target = { ...again, url: plain.url, requests: [{ path }] };
      const empty = () => ({ again: [], first: [], constant: [] }) as Record<Name, number[]>;
      const rates = empty();
      const micros = empty();
      for (const one of [again, first, constant]) await throughput(one, CONNECTIONS, 1);
      const take = async (name: Name, one: Target, program: Started) => {
        const { seconds } = bench.options;
        const { mainMicros } = await measureOf(program);
        const rate = await throughput(one, CONNECTIONS, seconds);
        const used = (await measureOf(program)).mainMicros - mainMicros;
        rates[name].push(rate);
        micros[name].push(used / (rate * seconds));
      };
      for (let round = 0; round < bench.rounds(5); round += 1) {
        await take('constant', constant, plain);
        await take('again', again, waybill);
        await take('first', first, waybill);
      }
      bench.row({
        ...{ id: 'S13', what: `GET ${what}: rate, of a constant's of ${bytes} bytes` },
        ...{ values: ratios(rates.again, rates.constant), goal: { least: 0.5 } },
      });
      bench.row({
        ...{ id: 'S13', what: `GET ${what}, never asked before: likewise` },
        values: ratios(rates.first, rates.constant),
      });
      const shown = (values: Record<Name, number[]>) =>
        names.map((name) => `${name} ${Math.round(median(values[name]))}`).join(', ');
      bench.say(`  a second: ${shown(rates)}`);
      bench.say(`  CPU us of the main thread a request: ${shown(micros)}`);
    }
  },
};
