import type { Command } from 'commander';
import { createOutput } from '../output/output.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';
import type { GlobalOptions } from '../program/settings.ts';
import { reported } from './books.ts';
import { describe } from './ledger-verify.ts';

interface Options extends GlobalOptions {
  data: string;
  out: string;
}

/** `waybill backup`: of the embedded log; servers have tools of their own for that. */
export const addBackup = (program: Command, io: Io): void => {
  const command = program
    .command('backup')
    .description('Copy the embedded log, also while the service writes to it, and verify the copy')
    .helpGroup('Operation:')
    .requiredOption('--data <dir>', 'Data directory of the service (WAYBILL_DATA)')
    .requiredOption('--out <dir>', 'Where to: a directory that is new or empty')
    .action(async (_options: unknown, self: Command) => {
      const { data, out: target, json = false } = self.optsWithGlobals<Options>();
      const out = createOutput(io, { json });
      const takenAt = new Date(io.now()).toISOString();
      const { backUp } = await import('../../audit/offline.ts');
      const { manifest, report } = await reported(() => backUp(data, target, takenAt));
      const events = manifest.events.toLocaleString('en');
      out.done({ ...manifest, report }, `Copied ${events} events to ${target}`);
      describe(report, out);
    });
  withExtra(command, { examples: ['backup --data ./data --out ./backup-2026-11-21'] });
};
