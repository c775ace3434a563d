import { accountsInDirectory, openLog } from '../src/audit/offline.ts';
import { readStatement } from '../src/audit/read-statement.ts';
import { createSealAfter } from '../src/audit/seals/read-seals.ts';
import { periodOf } from '../src/audit/statement.ts';
import { formatStatement } from '../src/audit/statement-formats.ts';
import { streamPages } from '../src/events/paging.ts';
import { writeBooksLog } from './books-log.ts';
import { spread, temporaryFolder } from './support.ts';

// The statement of a month of one account, against a bare read of the same events, in seconds of the
// processor: both run in one thread.

const option = (name: string, otherwise: number): number => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? otherwise : Number(process.argv[index + 1]);
};
const ROUNDS = option('rounds', 5);
const MOVEMENTS = option('movements', 1_000_000);
/** The heap is measured each time that this number of events was counted. */
const LOOK_EVERY = 100_000;

const say = (line = '') => process.stdout.write(`${line}\n`);
const collect = globalThis.gc as () => void;

const folder = temporaryFolder();
try {
  await writeBooksLog(folder.path, { movements: MOVEMENTS, accounts: 1, withMessages: false });
  const log = openLog(folder.path);
  const [accountId = ''] = accountsInDirectory(log, '2026-12-01T00:00:00.000Z');
  const period = periodOf({ month: '2026-11' });
  if ('problem' in period) throw new Error(period.problem);
  const sealAfter = createSealAfter(log);

  const bareRead = async (): Promise<number> => {
    let events = 0;
    for await (const page of streamPages(log, `account-${accountId}`)) events += page.length;
    return events;
  };
  const heaps: number[] = [];
  const count = async (): Promise<string> => {
    let looked = 0;
    const onProgress = (_: number, events: number) => {
      if (events - looked < LOOK_EVERY) return;
      looked = events;
      collect();
      heaps.push(process.memoryUsage().heapUsed / 1024 / 1024);
    };
    const statement = await readStatement(log, accountId, period, {
      sealAfter,
      ...(heaps.length === 0 && { onProgress }),
    });
    if (!statement) throw new Error('the account is unknown');
    return formatStatement(statement, 'text');
  };
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  };

  // The first round warms up, and measures the memory.
  const text = await count();
  const events = await bareRead();
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await timed(bareRead);
    const counted = await timed(count);
    ratios.push(counted / bare);
    rates.push(events / counted);
  }
  say(`${events} events, ${ROUNDS} alternating rounds; ${process.version}`);
  say(`  statement / bare read      ${spread(ratios)}`);
  say(`  statement, events/CPU-s    ${spread(rates, 0)}`);
  say(`  heap, first to last, MB    ${heaps.map((heap) => heap.toFixed(0)).join(' ')}`);
  say(`  text, bytes                ${Buffer.byteLength(text)}`);
  log.close();
} finally {
  folder.remove();
}
