import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Place } from '../../audit/backups/place.ts';
import { EVERY_MIN_MS, KEEP, retryMs } from '../../audit/backups/schedule.ts';
import { pause } from '../../shared/timing.ts';
import { createLocalAct, type LocalContext } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { duration, wholeNumber } from '../program/input.ts';
import { errorPrefix, type Io } from '../program/io.ts';
import { reported } from './books.ts';
import { counted, describe } from './ledger-verify.ts';

interface Places {
  from?: string;
  to?: string;
  keysFrom?: string;
  keysTo?: string;
}

interface BackupOptions extends Places {
  data?: string;
  out?: string;
  keys?: string;
  every?: number;
  keep?: number;
}

interface RestoreOptions extends Places {
  data?: string;
  keys?: string;
  check?: boolean;
  backup?: string;
}

const wordsOf = ({ keys }: { keys: number }): string => counted(keys, 'data key');
const eventsOf = ({ events }: { events: number }): string =>
  `${events.toLocaleString('en')} events`;

const ON_SERVERS =
  'The log is on EventStoreDB and the data keys are in MongoDB: copy the log as the manual of EventStoreDB says, ' +
  'and the keys after it with mongodump, elsewhere: docs/backups.md#on-servers has the commands';

/** Works with the places of the log and of the keys, which may be one. */
const withPlaces = async <T>(
  log: string,
  keys: string | undefined,
  work: (places: { log: Place; keys: Place }) => Promise<T>,
): Promise<T> => {
  const { openPlace } = await import('../../audit/backups/open.ts');
  const places = { log: await openPlace(log), keys: await openPlace(keys ?? log) };
  try {
    return await work(places);
  } finally {
    await places.log.close();
    await places.keys.close();
  }
};

/** One copy into a new directory. */
const copyOnce = async ({ out, io }: LocalContext, data: string, target: string, to?: string) => {
  const takenAt = new Date(io.now()).toISOString();
  const { backUp } = await import('../../audit/offline.ts');
  const { manifest, report, keys } = await reported(() => backUp(data, target, takenAt, to));
  const events = `${eventsOf(manifest)} to ${target}`;
  const sentence = keys ? `Copied ${events}, ${wordsOf(keys)} to ${keys.file}` : `Copied ${events}`;
  out.done({ ...manifest, report, keys }, sentence);
  if (!keys) {
    out.note(
      'Without the data keys: nobody can read the contents of contacts from this backup. --keys <file> copies them.',
    );
  }
  describe(report, out);
};

/** A backup in a place that keeps several, once or again and again until it is interrupted. */
const copyInto = async (
  { out, io }: LocalContext,
  data: string,
  to: string,
  options: BackupOptions,
) => {
  const { keysTo, every, keep = KEEP } = options;
  const { takeBackup } = await import('../../audit/offline-backups.ts');
  const take = () =>
    withPlaces(to, keysTo, async (places) => {
      const { name, manifest, keys } = await takeBackup(data, places, { keep, at: io.now() });
      const what = `${eventsOf(manifest)}, ${wordsOf(keys)}`;
      out.done({ name, ...manifest, keys: keys.keys }, `Backup ${name} in ${to}: ${what}`);
    });
  if (every === undefined) return reported(take);
  const stopping = io.interrupted();
  while (!stopping.aborted) {
    const failure = await take().then(
      () => undefined,
      (error: Error) => error,
    );
    if (failure) io.stderr.write(`${errorPrefix(io)} no backup was made: ${failure.message}\n`);
    await pause(failure ? retryMs(every) : every, stopping);
  }
};

/** `waybill backup`, of the embedded stores: EventStoreDB and MongoDB have tools of their own. */
export const addBackup = (program: Command, io: Io): void => {
  const command = program
    .command('backup')
    .description('Copy the embedded log, also while the service writes to it, and verify the copy')
    .helpGroup('Operation:')
    .option('--data <dir>', 'Required: data directory of the service (WAYBILL_DATA)')
    .option('--out <dir>', 'One copy, in a new or an empty directory')
    .option('--keys <file>', 'With --out: the data keys too, into this new file outside of both')
    .option('--to <place>', 'Log and data keys, in a directory or s3://<bucket>/<folder>')
    .option('--keys-to <place>', 'With --to: another place for the data keys')
    .option(
      '--every <time>',
      'With --to: again after this time, such as 6h',
      duration(EVERY_MIN_MS),
    )
    .option(
      '--keep <n>',
      `With --to: removes older backups there (default: ${KEEP})`,
      wholeNumber(1),
    )
    .action(
      createLocalAct(io)(async (context, options: BackupOptions) => {
        const { data, out: target, keys, to, keysTo, every, keep } = options;
        if (data === undefined) {
          if (io.env.EVENTSTORE_URL) throw new CliError(ON_SERVERS);
          throw usageError('Which data directory? Add --data');
        }
        if ((target === undefined) === (to === undefined)) throw usageError('Give --out or --to');
        if (to !== undefined) {
          if (keys !== undefined) throw usageError('--keys goes with --out; --to takes --keys-to');
          return copyInto(context, data, to, options);
        }
        if ([keysTo, every, keep].some((one) => one !== undefined)) {
          throw usageError('--keys-to, --every and --keep go with --to');
        }
        await copyOnce(context, data, target!, keys);
      }),
    );
  const examples = [
    'backup --data ./data --out ./log-2026-11 --keys ./keys/2026-11.db',
    'backup --data ./data --to ./backups --every 6h --keep 30',
    'backup --data ./data --to s3://logs --keys-to s3://keys --every 6h',
  ];
  withExtra(command, { examples });
};

/** Starts on a copy with the settings of the service, as far as that has no effect outside. */
const startOn = async (directory: string, io: Io): Promise<number> => {
  const { loadConfig } = await import('../../config.ts');
  const { rehearse } = await import('../../run.ts');
  const { createLogger } = await import('../../shared/logger.ts');
  const embedded = { EVENTSTORE_URL: '', MONGODB_URL: '', WAYBILL_ROLE: '' };
  const config = loadConfig({ ...io.env, ...embedded, WAYBILL_DATA: directory });
  let fatal: unknown;
  const readModels = await rehearse(config, {
    logger: createLogger({ level: 'silent' }),
    onFatal(error) {
      fatal ??= error;
    },
  });
  if (fatal) throw fatal;
  return readModels;
};

/** Restores into a directory that is removed again, and starts on that. */
const check = async ({ out, io }: LocalContext, from: string, options: RestoreOptions) => {
  const { fetchBackup } = await import('../../audit/offline-backups.ts');
  const { restore } = await import('../../audit/offline.ts');
  const { demandSound } = await import('./ledger-verify.ts');
  const below = mkdtempSync(join(options.data ?? tmpdir(), 'waybill-check-'));
  try {
    const name = await reported(() =>
      withPlaces(from, options.keysFrom, async (places) => {
        const fetched = await fetchBackup(places, below, options.backup);
        const { report } = await restore(fetched.log, join(below, 'data'), fetched.keys);
        fetched.remove();
        demandSound(report);
        return fetched.name;
      }),
    );
    const readModels = await reported(() => startOn(join(below, 'data'), io));
    const sentence = `Backup ${name} is sound: it was restored, verified, and a service starts on it (${counted(readModels, 'read model')})`;
    out.done({ name, readModels }, sentence);
  } finally {
    rmSync(below, { recursive: true, force: true });
  }
};

const restoreFrom = async ({ out }: LocalContext, from: string, options: RestoreOptions) => {
  const { data, keys: keysFile, keysFrom, backup } = options;
  if (data === undefined) throw usageError('Where to? Add --data');
  const { fetchBackup, isPlace } = await import('../../audit/offline-backups.ts');
  const { restore } = await import('../../audit/offline.ts');
  const restored = await reported(() =>
    withPlaces(from, keysFrom, async (places) => {
      if (!(await isPlace(places.log))) return restore(from, data, keysFile);
      const fetched = await fetchBackup(places, join(data, '..'), backup);
      try {
        return await restore(fetched.log, data, fetched.keys);
      } finally {
        fetched.remove();
      }
    }),
  );
  const { manifest, report, keys } = restored;
  const what = keys ? `${eventsOf(manifest)}, ${wordsOf(keys)}` : eventsOf(manifest);
  out.done({ ...manifest, report, keys }, `Restored ${what} to ${data}`);
  if (!keys) {
    out.note(
      `Without the data keys, which the service needs: waybill restore --keys <file> --data ${data}`,
    );
  }
  describe(report, out);
};

/** `waybill restore`: a backup holds no read models; the service fills them when it starts. */
export const addRestore = (program: Command, io: Io): void => {
  const command = program
    .command('restore')
    .description('Put a backup into a new data directory, and verify the result')
    .helpGroup('Operation:')
    .option('--from <place>', 'A directory of --out, or the place of --to: the newest there')
    .option('--backup <name>', 'Of --to: another one than the newest, such as 2026-11-26T18-00-00Z')
    .option('--keys-from <place>', 'Where the data keys are, if they have another place')
    .option(
      '--keys <file>',
      'The data keys that --out wrote; without --from into a directory without keys',
    )
    .option('--data <dir>', 'Destination: with --from a new or an empty directory')
    .option('--check', 'Restore into a directory that is removed again, verify, and start on it')
    .action(
      createLocalAct(io)(async (context, options: RestoreOptions) => {
        const { data, from, keys: keysFrom, check: isCheck } = options;
        if (from !== undefined && isCheck) return check(context, from, options);
        if (isCheck) throw usageError('Which backup? Add --from');
        if (from !== undefined) return restoreFrom(context, from, options);
        if (keysFrom === undefined) throw usageError('Nothing to restore: add --from or --keys');
        if (data === undefined) throw usageError('Where to? Add --data');
        const { restoreKeysAlone } = await import('../../audit/offline.ts');
        const keys = await reported(() => restoreKeysAlone(keysFrom, data));
        context.out.done({ keys }, `Restored ${wordsOf(keys)} to ${data}`);
      }),
    );
  const examples = [
    'restore --from ./log-2026-11 --keys ./keys/2026-11.db --data ./data',
    'restore --from s3://logs --keys-from s3://keys --data ./data',
    'restore --check --from ./backups',
    'restore --keys ./keys/2026-11.db --data ./data',
  ];
  withExtra(command, { examples });
};
