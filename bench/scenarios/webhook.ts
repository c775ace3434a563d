import { type Scenario, startWaybill } from '../bench.ts';
import { latencies } from '../loads.ts';
import { addBot, deliver, delivery, forwardTo, inbound } from '../provider-calls.ts';
import { fsyncMs, median, type Started } from '../support.ts';

const REQUESTS = 300;
const CONTACTS = 1000;

/** One message after the other. Each is forwarded; a bot reads each and answers none. */
export const webhook: Scenario = {
  name: 'webhook',
  ids: ['W1'],
  about: "the provider's webhook, against an empty route that checks the signature",
  async run(bench) {
    const { waybill, directory, tenant } = await startWaybill(bench);
    const plain = await bench.start('plain.ts');
    const receiver = await bench.start('receiver.ts');
    await forwardTo(waybill.url, tenant, `${receiver.url}/quick/all`);
    await addBot(waybill.url, tenant, 'order');
    const requests = (index: number) => delivery(tenant, [inbound('hello', index % CONTACTS)]);
    const targetOf = ({ url }: Started, name: string) => ({ name, url, headers: {}, requests });
    const both = [targetOf(plain, 'empty route'), targetOf(waybill, 'webhook')];
    await deliver(waybill.url, delivery(tenant, [inbound('hello', 0)]));
    const times = { waybill: [] as number[], plain: [] as number[] };
    const fsyncs: number[] = [];
    for (let round = 0; round < bench.rounds(7); round += 1) {
      const [empty = 0, taken = 0] = await latencies(both, REQUESTS);
      times.plain.push(empty);
      times.waybill.push(taken);
      fsyncs.push(fsyncMs(directory));
    }
    const disk = median(fsyncs);
    bench.row({
      id: 'W1',
      what: `webhook: median minus an empty route's (fsync ${disk.toFixed(2)} ms)`,
      values: times.waybill.map((time, index) => time - times.plain[index]!),
      unit: ' ms',
      goal: { most: disk + 1 },
    });
    bench.say(
      `  ${median(times.waybill).toFixed(2)} ms against ${median(times.plain).toFixed(2)} ms`,
    );
  },
};
