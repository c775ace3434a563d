import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileIn } from '../../src/projections/sqlite/views-reader.ts';
import type { Bench, History, Scenario } from '../bench.ts';
import { projectionsOf } from '../history.ts';
import { call, latencies } from '../loads.ts';
import { measureOf, median, megabytesOf, ratios, type Started, stopProgram } from '../support.ts';
import { ADMIN } from '../tenant.ts';

/** The read model with the most documents and indexes. */
const NAME = 'messages';
const LOOK_MS = 50;
const READS = 20;

const withFile = <T>(file: string, use: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return use(database);
  } finally {
    database.close();
  }
};

/**
 * The size of the documents of a collection, to compare two collections: without the number of a
 * document's form, which stands first and depends on what was stored before.
 */
const sizeOf = (file: string, collection: string): string =>
  withFile(file, (database) => {
    const length = "length(document) - instr(document, ',')";
    const sums = `count(*) AS count, sum(${length}) AS length`;
    const row = database.prepare(`SELECT ${sums} FROM ${collection}`).get();
    return `${row?.count} documents of ${row?.length} characters`;
  });

const servingIn = (file: string): string =>
  withFile(file, (database) => {
    const live = database.prepare('SELECT collection FROM _live WHERE projection = ?');
    return String(live.get(NAME)?.collection);
  });

const bareLoop = async (bench: Bench, { directory }: History) => {
  const target = bench.folder();
  const ended = await bench.start('loop.ts', [directory, target, NAME]);
  await stopProgram(ended);
  const { events = 0, ms = 0 } = ended.message;
  return { rate: (events / ms) * 1000, size: sizeOf(join(target, 'loop.db'), 'documents') };
};

/** Resolves when the new read model serves; all reads meanwhile must succeed. */
export const rebuild = async (waybill: Started, { events, directory, busy }: History) => {
  const read = {
    name: 'reads during a rebuild',
    url: waybill.url,
    headers: busy.headers,
    requests: [{ path: '/api/v1/notifications/status/wamid.seed.0' }],
  };
  const [calm = 0] = await latencies([read], READS * 10);
  const path = `${waybill.url}/api/admin/v1/projections/${NAME}/rebuild`;
  const before = await measureOf(waybill);
  const startedAt = performance.now();
  await call(path, ADMIN, { method: 'POST' });
  const meanwhile: number[] = [];
  let megabytes = 0;
  for (;;) {
    const all = await projectionsOf(waybill);
    const one = all.find(({ name }) => name === NAME);
    if (one?.error) throw new Error(`${NAME}: ${one.error.message}`);
    if (one?.rebuild === null) break;
    meanwhile.push(...(await latencies([read], READS)));
    megabytes = Math.max(megabytes, await megabytesOf(waybill));
    await pause(LOOK_MS);
  }
  const rate = (events / (performance.now() - startedAt)) * 1000;
  const cpuMicros = ((await measureOf(waybill)).processMicros - before.processMicros) / events;
  const reads = median(meanwhile) / calm;
  const file = fileIn(directory);
  return {
    rate,
    cpuMicros,
    reads,
    megabytes,
    size: sizeOf(file, servingIn(file)),
  };
};

export const rebuilds: Scenario = {
  name: 'rebuild',
  ids: ['S8'],
  about: 'a rebuild of a read model during reads, against a bare loop',
  async run(bench) {
    const history = await bench.history();
    const provider = await bench.start('provider.ts');
    const waybill = await bench.start('waybill.ts', [provider.url, history.directory]);
    const rates = { loop: [] as number[], rebuild: [] as number[] };
    const reads: number[] = [];
    for (let round = 1; round <= bench.rounds(3); round += 1) {
      const loop = await bareLoop(bench, history);
      const built = await rebuild(waybill, history);
      if (loop.size !== built.size) throw new Error(`${built.size}, but ${loop.size} in the loop`);
      rates.loop.push(loop.rate);
      rates.rebuild.push(built.rate);
      reads.push(built.reads);
      bench.say(
        `  round ${round}: ${Math.round(built.rate)} events a second against ${Math.round(loop.rate)}; ${built.size}`,
      );
    }
    bench.row({
      id: 'S8',
      what: `rebuild of ${NAME}, ${history.events} events: rate relative to a bare loop`,
      values: ratios(rates.rebuild, rates.loop),
      goal: { least: 0.6 },
    });
    bench.row({
      id: 'S8',
      what: 'status read during a rebuild: p50 relative to without',
      values: reads,
    });
  },
};
