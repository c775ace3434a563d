import { CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { JSON_HEADERS, throughput } from '../loads.ts';
import { slowDisk } from '../slow-disk.ts';
import { median, ratios } from '../support.ts';
import { sendsOf } from '../tenant.ts';

const EXTRA_MS = 1;

export const slowDiskSends: Scenario = {
  name: 'slow-disk',
  ids: ['S3'],
  about: `sends with ${EXTRA_MS} ms added to each fsync, against the relay`,
  async run(bench) {
    const env = slowDisk(bench, EXTRA_MS);
    if (!env) return;
    const { provider, waybill, tenant } = await startWaybill(bench, { env });
    const relay = await bench.start('relay.ts', [provider.url, 'undici']);
    const targets = [
      { name: 'relay', url: relay.url, headers: JSON_HEADERS },
      sendsOf(waybill.url, tenant),
    ] as const;
    const rates: [number[], number[]] = [[], []];
    for (const target of targets) await throughput(target, CONNECTIONS, 1);
    for (let round = 0; round < bench.rounds(7); round += 1) {
      for (const [index, target] of targets.entries()) {
        rates[index]!.push(await throughput(target, CONNECTIONS, bench.options.seconds));
      }
    }
    const [relayed, sent] = rates;
    bench.row({
      id: 'S3',
      what: `${EXTRA_MS} ms added to each fsync: rate relative to the relay`,
      values: ratios(sent, relayed),
      goal: { least: 0.4 },
    });
    bench.say(`  ${Math.round(median(sent))}/s against ${Math.round(median(relayed))}/s`);
  },
};
