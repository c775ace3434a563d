import type { Scenario } from '../bench.ts';
import { openHistoryless } from '../history.ts';
import { call } from '../loads.ts';
import { ratios, type Started, stopProgram, timed } from '../support.ts';
import type { Tenant } from '../tenant.ts';

/** From the start of the process to the first answer that needs the read models. */
export const start: Scenario = {
  name: 'start',
  ids: ['S10'],
  about: 'start to the first answer, with a long log and with an empty one',
  async run(bench) {
    const { directory, events, busy } = await bench.history();
    const provider = await bench.start('provider.ts');
    const empty = await openHistoryless(bench, provider);
    const once = async (data: string, { headers }: Tenant): Promise<number> => {
      let waybill: Started | undefined;
      const { ms } = await timed(async () => {
        waybill = await bench.start('waybill.ts', [provider.url, data]);
        await call(`${waybill.url}/api/v1/credits`, headers);
      });
      await stopProgram(waybill!);
      return ms;
    };
    const times = { long: [] as number[], empty: [] as number[] };
    for (let round = 0; round < bench.rounds(7); round += 1) {
      times.empty.push(await once(empty.directory, empty.tenant));
      times.long.push(await once(directory, busy));
    }
    bench.row({
      id: 'S10',
      what: `start to the first answer with ${events} events in the log`,
      values: times.long,
      unit: ' ms',
      digits: 0,
      goal: { most: 2000 },
    });
    bench.row({
      id: 'S10',
      what: 'the same relative to an empty log',
      values: ratios(times.long, times.empty),
      goal: { most: 1.5 },
    });
  },
};
