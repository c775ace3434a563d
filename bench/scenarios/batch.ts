import { type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, call } from '../loads.ts';
import { measureOf, median, timed } from '../support.ts';

const RECIPIENTS = 500;
/** Recipients that the service works on at a time. */
const PARALLEL = 32;
const LATENCY_MS = 100;

const path = '/v25.0/100000000000001/messages';

export const batch: Scenario = {
  name: 'batch',
  ids: ['S9'],
  about: `a batch of ${RECIPIENTS} where the provider takes ${LATENCY_MS} ms for each message`,
  async run(bench) {
    const { provider, waybill, tenant } = await startWaybill(bench, { latencyMs: LATENCY_MS });
    const url = `${waybill.url}/api/v1/notifications/send/batch`;
    let sent = 0;
    const recipients = () =>
      Array.from({ length: RECIPIENTS }, () => {
        sent += 1;
        const { to, variables } = JSON.parse(bodyFor(sent));
        return { to, variables };
      });
    const sendBatch = async () => {
      const body = JSON.stringify({ event: 'order_shipped', recipients: recipients() });
      const answer = await call<{ sent: number }>(url, tenant.headers, { method: 'POST', body });
      if (answer.sent !== RECIPIENTS) throw new Error(`${answer.sent} were sent`);
    };
    /** As many calls to the provider, as many at a time, and nothing else. */
    const bareCalls = async () => {
      let next = 0;
      const lane = async () => {
        for (; next < RECIPIENTS; ) {
          next += 1;
          await call(`${provider.url}${path}`, {}, { method: 'POST', body: '{"to":"1"}' });
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, lane));
    };

    const ideal = (RECIPIENTS / PARALLEL) * LATENCY_MS;
    const batches: number[] = [];
    const bare: number[] = [];
    const delays: number[] = [];
    await sendBatch();
    for (let round = 0; round < bench.rounds(7); round += 1) {
      bare.push((await timed(bareCalls)).ms);
      await measureOf(waybill);
      batches.push((await timed(sendBatch)).ms);
      delays.push((await measureOf(waybill)).loopP99Ms);
    }
    const share = (times: readonly number[]) => times.map((ms) => ms / ideal);
    bench.row({
      ...{
        id: 'S9',
        what: `batch of ${RECIPIENTS}: time, of the provider's for ${PARALLEL} at a time`,
      },
      ...{ values: share(batches), goal: { most: 1.3 } },
    });
    bench.row({ id: 'S9', what: 'the same for bare calls to the provider', values: share(bare) });
    bench.row({
      ...{ id: 'S9', what: 'p99 of the delay of its event loop meanwhile' },
      ...{ values: delays, goal: { most: 20 }, unit: ' ms', digits: 1 },
    });
    bench.say(`  ${Math.round(median(batches))} ms against ${Math.round(median(bare))} ms`);
  },
};
