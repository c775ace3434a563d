import type { Scenario } from '../bench.ts';
import { slowDisk } from '../slow-disk.ts';
import { median, stopProgram } from '../support.ts';

const RATE = 2_000;
const EXTRA_MS = 5;

/** The share of the main thread that storage takes. */
export const logThread: Scenario = {
  name: 'log-thread',
  ids: ['S6'],
  about: `the main thread at ${RATE} appends a second, ${EXTRA_MS} ms added to each fsync`,
  async run(bench) {
    const env = slowDisk(bench, EXTRA_MS);
    if (!env) return;
    const busy = { log: [] as number[], bare: [] as number[], none: [] as number[] };
    const rates = { log: [] as number[], bare: [] as number[], none: [] as number[] };
    for (let round = 0; round < bench.rounds(5); round += 1) {
      for (const way of ['none', 'bare', 'log'] as const) {
        const parameters = [way, bench.folder(), RATE, bench.options.seconds];
        const ended = await bench.start('log.ts', parameters, { env });
        busy[way].push(ended.message.utilization! * 100);
        rates[way].push(ended.message.perSecond!);
        await stopProgram(ended);
      }
    }
    const lost = (way: 'log' | 'bare') => busy[way].map((share, i) => share - busy.none[i]!);
    const percent = { unit: ' %', digits: 1 };
    bench.row({
      id: 'S6',
      what: 'main thread: share of time busy with appends',
      ...percent,
      values: lost('log'),
      goal: { most: 5 },
    });
    const bare = Math.round(median(rates.bare));
    bench.row({
      id: 'S6',
      what: `bare loop on that thread (${bare}/s): share of time`,
      ...percent,
      values: lost('bare'),
    });
    bench.say(`  ${Math.round(median(rates.log))} appends a second were durable`);
  },
};
