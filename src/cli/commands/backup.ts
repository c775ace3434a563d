import type { Command } from 'commander';
import { createLocalAct } from '../program/context.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';
import { reported } from './books.ts';
import { describe } from './ledger-verify.ts';

/** `waybill backup`, of the embedded log: EventStoreDB and MongoDB have tools of their own. */
export const addBackup = (program: Command, io: Io): void => {
  const command = program
    .command('backup')
    .description('Copy the embedded log, also while the service writes to it, and verify the copy')
    .helpGroup('Operation:')
    .requiredOption('--data <dir>', 'Data directory of the service (WAYBILL_DATA)')
    .requiredOption('--out <dir>', 'Destination: a new or an empty directory')
    .action(
      createLocalAct(io)(async ({ out }, options: { data: string; out: string }) => {
        const { data, out: target } = options;
        const takenAt = new Date(io.now()).toISOString();
        const { backUp } = await import('../../audit/offline.ts');
        const { manifest, report } = await reported(() => backUp(data, target, takenAt));
        const events = manifest.events.toLocaleString('en');
        out.done({ ...manifest, report }, `Copied ${events} events to ${target}`);
        describe(report, out);
      }),
    );
  withExtra(command, { examples: ['backup --data ./data --out ./backup-2026-11-21'] });
};

/** `waybill restore`: a backup holds no read models; the service fills them when it starts. */
export const addRestore = (program: Command, io: Io): void => {
  const command = program
    .command('restore')
    .description('Put a backup into a new data directory, and verify the result')
    .helpGroup('Operation:')
    .requiredOption('--from <dir>', 'A directory that waybill backup wrote')
    .requiredOption('--data <dir>', 'Destination: a new or an empty directory')
    .action(
      createLocalAct(io)(async ({ out }, { data, from }: { data: string; from: string }) => {
        const { restore } = await import('../../audit/offline.ts');
        const { manifest, report } = await reported(() => restore(from, data));
        const events = manifest.events.toLocaleString('en');
        out.done({ ...manifest, report }, `Restored ${events} events to ${data}`);
        describe(report, out);
      }),
    );
  withExtra(command, { examples: ['restore --from ./backup-2026-11-21 --data ./data'] });
};
