import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { settled } from '../history.ts';
import { steady, throughput } from '../loads.ts';
import { watchProgress } from '../progress.ts';
import { median, percentile, ratios, stopProgram } from '../support.ts';
import { sendsOf } from '../tenant.ts';

const EVENTS_PER_SEND = 2;
const BEGIN_MS = 500;
/** All events but those of a batch under way. */
const KEPT_LEAST = 0.97;
const LAG_RATE = 2_000;
const BATCH = 1_000;
const BATCHED_EVENTS = 10_000;

/** The folds alone, with a number of events in a commit. */
const fold = async (bench: Bench, directory: string, batch: number): Promise<number> => {
  const ended = await bench.start('project.ts', [directory, bench.folder(), batch, BATCHED_EVENTS]);
  await stopProgram(ended);
  return ended.message.perSecond!;
};

export const projections: Scenario = {
  name: 'projections',
  ids: ['S7'],
  about: 'read models: rate, lag, and the effect of batches',
  async run(bench) {
    const { waybill, directory, tenant } = await startWaybill(bench);
    const target = sendsOf(waybill.url, tenant);
    const seconds = Math.max(bench.options.seconds, 3);
    const kept: number[] = [];
    const behind: number[] = [];
    const caughtUp: number[] = [];
    const appendRates: number[] = [];
    const late: number[] = [];
    const lagRates: number[] = [];
    await throughput(target, CONNECTIONS, 1);
    for (let round = 0; round < bench.rounds(5); round += 1) {
      await settled(waybill);
      const progress = watchProgress(directory);
      const load = throughput(target, CONNECTIONS, seconds + BEGIN_MS / 1000);
      // Compares two times of the load: at both a batch under way does not count.
      await pause(BEGIN_MS);
      const before = progress.now();
      await pause((seconds - 1) * 1000);
      const after = progress.now();
      await load;
      caughtUp.push(await progress.caughtUp());
      behind.push(percentile(progress.behind(), 99));
      const appended = after.appended - before.appended;
      appendRates.push(appended / (seconds - 1));
      kept.push((after.seen - before.seen) / appended);
      progress.stop();

      await settled(waybill);
      const calm = watchProgress(directory);
      const rate = LAG_RATE / EVENTS_PER_SEND;
      const done = await steady(target, { connections: CONNECTIONS, rate, seconds });
      lagRates.push(done.rate * EVENTS_PER_SEND);
      // What is not seen yet has the longest lags.
      await calm.caughtUp();
      late.push(percentile(calm.lags(), 99));
      calm.stop();
    }
    await stopProgram(waybill);
    bench.row({
      id: 'S7',
      what: 'read models: folded relative to appended, highest rate',
      values: kept,
      goal: { least: KEPT_LEAST },
    });
    bench.say(`  ${Math.round(median(appendRates))} events a second were appended`);
    bench.row({
      id: 'S7',
      what: 'read models: p99 of the events behind, highest rate',
      values: behind,
      digits: 0,
    });
    bench.row({
      id: 'S7',
      what: 'read models: time to catch up after the highest rate',
      values: caughtUp,
      unit: ' ms',
      digits: 0,
      goal: { most: 1000 },
    });
    bench.row({
      id: 'S7',
      what: `read models: p99 of the lag at ${Math.round(median(lagRates))} events/s`,
      values: late,
      unit: ' ms',
      digits: 0,
      goal: { most: 250 },
    });

    const rates = { batched: [] as number[], single: [] as number[] };
    for (let round = 0; round < bench.rounds(5); round += 1) {
      rates.batched.push(await fold(bench, directory, BATCH));
      rates.single.push(await fold(bench, directory, 1));
    }
    bench.row({
      id: 'S7',
      what: `read models: rate in batches of ${BATCH} relative to one by one`,
      values: ratios(rates.batched, rates.single),
      digits: 1,
      goal: { least: 6 },
    });
    bench.say(
      `  ${Math.round(median(rates.batched))} events a second against ${Math.round(median(rates.single))}`,
    );
  },
};
