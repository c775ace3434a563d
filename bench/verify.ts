import { DatabaseSync } from 'node:sqlite';
import { accountEvents, replay } from '../src/audit/movement.ts';
import { openLog, verifyDirectory } from '../src/audit/offline.ts';
import { eventsFile } from '../src/events/sqlite/archive.ts';
import { selectRows } from '../src/events/sqlite/older.ts';
import { writeBooksLog } from './books-log.ts';
import { median, spread, temporaryFolder } from './support.ts';

// The rate of a verification, against a bare loop that reads and parses the same rows and against a
// replay of the same accounts. Two logs: movements alone, and with messages and statuses.

const option = (name: string, otherwise: number): number => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? otherwise : Number(process.argv[index + 1]);
};
const ROUNDS = option('rounds', 5);
const MOVEMENTS = option('movements', 200_000);
const ACCOUNTS = option('accounts', 20);
const say = (line = '') => process.stdout.write(`${line}\n`);

/** Reads and parses the same rows. */
const bareLoop = (directory: string): number => {
  const database = new DatabaseSync(eventsFile(directory), { readOnly: true });
  const page = selectRows(database, 'position > ? ORDER BY position LIMIT ?');
  let events = 0;
  for (let position = 0; ; ) {
    const rows = page.all(position, 1000);
    for (const { data, meta } of rows) {
      JSON.parse(data);
      JSON.parse(meta);
    }
    events += rows.length;
    if (rows.length === 0) break;
    position = rows.at(-1)!.position;
  }
  database.close();
  return events;
};

const replayAll = async (directory: string): Promise<number> => {
  const log = openLog(directory);
  const names = new DatabaseSync(eventsFile(directory), { readOnly: true });
  const opened = names.prepare("SELECT stream FROM log WHERE type = 'AccountOpened'").all();
  names.close();
  let movements = 0;
  for (const { stream } of opened) {
    const events = accountEvents(log, String(stream).slice('account-'.length));
    for await (const _ of replay(events)) movements += 1;
  }
  log.close();
  return movements;
};

const timed = async <T>(work: () => T | Promise<T>): Promise<{ seconds: number; result: T }> => {
  const startedAt = performance.now();
  const result = await work();
  return { seconds: (performance.now() - startedAt) / 1000, result };
};

const measure = async (what: string, withMessages: boolean): Promise<void> => {
  const folder = temporaryFolder();
  try {
    await writeBooksLog(folder.path, {
      movements: MOVEMENTS,
      accounts: ACCOUNTS,
      withMessages,
    });
    const rates = { bare: [] as number[], replay: [] as number[], verify: [] as number[] };
    let events = 0;
    let movements = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await timed(() => bareLoop(folder.path));
      const replayed = await timed(() => replayAll(folder.path));
      const verified = await timed(() => verifyDirectory(folder.path));
      if (!verified.result.ok) throw new Error(JSON.stringify(verified.result.problems[0]));
      if (verified.result.movements !== replayed.result) throw new Error('the counts differ');
      // The first round warms up.
      if (round === 0) continue;
      events = bare.result;
      movements = replayed.result;
      rates.bare.push(events / bare.seconds);
      rates.replay.push(movements / replayed.seconds);
      rates.verify.push(movements / verified.seconds);
    }
    const toBare = rates.verify.map((rate, i) => (rate * events) / movements / rates.bare[i]!);
    const toReplay = rates.verify.map((rate, i) => rate / rates.replay[i]!);
    say(`${what}: ${movements} movements of ${ACCOUNTS} accounts in ${events} events`);
    say(`  verify, movements/s        ${spread(rates.verify, 0)}`);
    say(`  verify, events/s           ${Math.round((median(rates.verify) * events) / movements)}`);
    say(`  verify / bare loop         ${spread(toBare)}`);
    say(`  verify / replay            ${spread(toReplay)}`);
    say(`  replay, movements/s        ${spread(rates.replay, 0)}`);
    say(`  memory afterwards          ${Math.round(process.memoryUsage.rss() / 1024 / 1024)} MB`);
  } finally {
    folder.remove();
  }
};

say(`${ROUNDS} alternating rounds; ${process.version}`);
await measure('movements alone', false);
await measure('with messages and their statuses', true);
