import { CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, type Target, throughput } from '../loads.ts';
import { measureOf, median, ratios } from '../support.ts';
import { sendsOf } from '../tenant.ts';

const RECIPIENTS = 500;

/** The body of the provider's API that says what `bodyFor` says to `/v1`. */
const graphBodyFor = (index: number): string => {
  const { to, event, variables } = JSON.parse(bodyFor(index));
  const parameters = [variables.orderId, variables.awbCode, variables.trackingLink].map((text) => ({
    type: 'text',
    text,
  }));
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: {
      name: event,
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters }],
    },
  });
};

/** The same templates to the same recipients through both edges of one service, in turn. */
export const gateway: Scenario = {
  name: 'gateway',
  ids: ['S1'],
  about: 'sends through /graph, against the same ones through /v1',
  async run(bench) {
    const { waybill, tenant } = await startWaybill(bench);
    const path = `/api/graph/v25.0/${tenant.phoneNumberId}/messages`;
    const targets: readonly Target[] = [
      sendsOf(waybill.url, tenant, '/v1'),
      {
        name: '/graph',
        url: waybill.url,
        headers: tenant.headers,
        requests: Array.from({ length: RECIPIENTS }, (_, index) => ({
          method: 'POST' as const,
          path,
          body: graphBodyFor(index),
        })),
      },
    ];
    const { seconds } = bench.options;
    const micros = { main: targets.map((): number[] => []), all: targets.map((): number[] => []) };
    for (const target of targets) await throughput(target, CONNECTIONS, 1);
    for (let round = 1; round <= bench.rounds(7); round += 1) {
      const rates: string[] = [];
      for (const [edge, target] of targets.entries()) {
        const before = await measureOf(waybill);
        const rate = await throughput(target, CONNECTIONS, seconds);
        const after = await measureOf(waybill);
        const requests = rate * seconds;
        micros.main[edge]!.push((after.mainMicros - before.mainMicros) / requests);
        micros.all[edge]!.push((after.processMicros - before.processMicros) / requests);
        rates.push(`${target.name} ${Math.round(rate)}/s`);
      }
      bench.say(`  round ${round}: ${rates.join(', ')}`);
    }
    for (const [what, [v1, graph]] of [
      ['CPU of the process', micros.all],
      ['CPU of the main thread', micros.main],
    ] as const) {
      bench.row({
        id: 'S1',
        what: `a send through /graph: ${what} relative to /v1`,
        values: ratios(graph!, v1!),
        goal: { most: 1.1 },
      });
      bench.say(
        `  ${what}   /v1 ${Math.round(median(v1!))} us, /graph ${Math.round(median(graph!))} us`,
      );
    }
  },
};
