import { type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, call } from '../loads.ts';
import { measureOf, median, ratios, timed } from '../support.ts';

const RECIPIENTS = 500;
/** Recipients that the service sends to at a time. */
const PARALLEL = 32;
const LATENCY_MS = 100;

const path = '/v25.0/100000000000001/messages';

export const batch: Scenario = {
  name: 'batch',
  ids: ['S9'],
  about: `a batch of ${RECIPIENTS}, with a provider that takes ${LATENCY_MS} ms for each message`,
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
    /** The same number of bare calls to the provider, the same number at a time. */
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
    bench.row({
      id: 'S9',
      what: `batch of ${RECIPIENTS}: time relative to bare calls of the provider`,
      values: ratios(batches, bare),
      goal: { most: 1.3 },
    });
    bench.row({
      id: 'S9',
      what: 'event loop: p99 of the delay during the batch',
      values: delays,
      goal: { most: 20 },
      unit: ' ms',
      digits: 1,
    });
    bench.say(`  ${Math.round(median(batches))} ms against ${Math.round(median(bare))} ms`);
  },
};
