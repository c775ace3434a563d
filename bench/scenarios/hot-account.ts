import { CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, throughput } from '../loads.ts';
import { median, ratios } from '../support.ts';
import { openTenant, sendsOf, type Tenant } from '../tenant.ts';

const BODIES_EACH = 100;

const requestsFor = ({ headers }: Tenant, connection: number) =>
  Array.from({ length: BODIES_EACH }, (_, index) => ({
    method: 'POST' as const,
    headers,
    body: bodyFor(connection * BODIES_EACH + index),
  }));

/** The same load from the same number of callers, of one account or of one account each. */
export const hotAccount: Scenario = {
  name: 'hot-account',
  ids: ['S5'],
  about: `one account with ${CONNECTIONS} callers, against ${CONNECTIONS} accounts with one each`,
  async run(bench) {
    const { waybill, tenant } = await startWaybill(bench);
    const others: Tenant[] = [];
    for (let index = 2; index < CONNECTIONS + 2; index += 1) {
      others.push(await openTenant(waybill.url, index));
    }
    const target = sendsOf(waybill.url, tenant);
    const hot = { requestsOf: (connection: number) => requestsFor(tenant, connection) };
    const spread = {
      requestsOf: (connection: number) =>
        requestsFor(others[connection % others.length]!, connection),
    };
    const rates = { hot: [] as number[], spread: [] as number[] };
    for (const options of [hot, spread]) await throughput(target, CONNECTIONS, 1, options);
    for (let round = 0; round < bench.rounds(7); round += 1) {
      const { seconds } = bench.options;
      rates.spread.push(await throughput(target, CONNECTIONS, seconds, spread));
      rates.hot.push(await throughput(target, CONNECTIONS, seconds, hot));
    }
    bench.row({
      id: 'S5',
      what: 'one hot account: rate relative to many accounts',
      values: ratios(rates.hot, rates.spread),
      goal: { least: 0.9 },
    });
    bench.say(`  ${Math.round(median(rates.hot))}/s against ${Math.round(median(rates.spread))}/s`);
  },
};
