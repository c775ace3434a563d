import type { Command } from 'commander';
import { createLocalAct } from '../program/context.ts';
import { usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';
import { reported } from './books.ts';
import { counted, describe } from './ledger-verify.ts';

interface BackupOptions {
  data: string;
  out: string;
  keys?: string;
}

interface RestoreOptions {
  data: string;
  from?: string;
  keys?: string;
}

const wordsOf = ({ keys }: { keys: number }): string => counted(keys, 'data key');

/** `waybill backup`, of the embedded stores: EventStoreDB and MongoDB have tools of their own. */
export const addBackup = (program: Command, io: Io): void => {
  const command = program
    .command('backup')
    .description('Copy the embedded log, also while the service writes to it, and verify the copy')
    .helpGroup('Operation:')
    .requiredOption('--data <dir>', 'Data directory of the service (WAYBILL_DATA)')
    .requiredOption('--out <dir>', 'Destination: a new or an empty directory')
    .option(
      '--keys <file>',
      'Copy the data keys too, into this new file outside of both directories',
    )
    .action(
      createLocalAct(io)(async ({ out }, { data, out: target, keys: keysTo }: BackupOptions) => {
        const takenAt = new Date(io.now()).toISOString();
        const { backUp } = await import('../../audit/offline.ts');
        const copied = await reported(() => backUp(data, target, takenAt, keysTo));
        const { manifest, report, keys } = copied;
        const events = `${manifest.events.toLocaleString('en')} events to ${target}`;
        const sentence = keys
          ? `Copied ${events}, ${wordsOf(keys)} to ${keys.file}`
          : `Copied ${events}`;
        out.done({ ...manifest, report, keys }, sentence);
        if (!keys) {
          out.note(
            'Without the data keys: nobody can read the contents of contacts from this backup. --keys <file> copies them.',
          );
        }
        describe(report, out);
      }),
    );
  const examples = ['backup --data ./data --out ./log-2026-11 --keys ./keys/2026-11.db'];
  withExtra(command, { examples });
};

/** `waybill restore`: a backup holds no read models; the service fills them when it starts. */
export const addRestore = (program: Command, io: Io): void => {
  const command = program
    .command('restore')
    .description('Put a backup into a new data directory, and verify the result')
    .helpGroup('Operation:')
    .option('--from <dir>', 'A directory that waybill backup wrote')
    .option(
      '--keys <file>',
      'The data keys that it wrote; without --from into a directory without keys',
    )
    .requiredOption('--data <dir>', 'Destination: with --from a new or an empty directory')
    .action(
      createLocalAct(io)(async ({ out }, { data, from, keys: keysFrom }: RestoreOptions) => {
        const { restore, restoreKeysAlone } = await import('../../audit/offline.ts');
        if (from === undefined) {
          if (keysFrom === undefined) throw usageError('Nothing to restore: add --from or --keys');
          const keys = await reported(() => restoreKeysAlone(keysFrom, data));
          return out.done({ keys }, `Restored ${wordsOf(keys)} to ${data}`);
        }
        const { manifest, report, keys } = await reported(() => restore(from, data, keysFrom));
        const events = `${manifest.events.toLocaleString('en')} events`;
        const what = keys ? `${events}, ${wordsOf(keys)}` : events;
        out.done({ ...manifest, report, keys }, `Restored ${what} to ${data}`);
        if (!keys) {
          out.note(
            `Without the data keys, which the service needs: waybill restore --keys <file> --data ${data}`,
          );
        }
        describe(report, out);
      }),
    );
  const examples = [
    'restore --from ./log-2026-11 --keys ./keys/2026-11.db --data ./data',
    'restore --keys ./keys/2026-11.db --data ./data',
  ];
  withExtra(command, { examples });
};
