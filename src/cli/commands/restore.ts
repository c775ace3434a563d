import type { Command } from 'commander';
import { createOutput } from '../output/output.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';
import type { GlobalOptions } from '../program/settings.ts';
import { reported } from './books.ts';
import { describe } from './ledger-verify.ts';

interface Options extends GlobalOptions {
  data: string;
  from: string;
}

/** `waybill restore`: read models are not in a backup; the service fills them when it starts. */
export const addRestore = (program: Command, io: Io): void => {
  const command = program
    .command('restore')
    .description('Put a backup into a new data directory, and verify what is there then')
    .helpGroup('Operation:')
    .requiredOption('--from <dir>', 'A directory that waybill backup wrote')
    .requiredOption('--data <dir>', 'Where to: a directory that is new or empty')
    .action(async (_options: unknown, self: Command) => {
      const { data, from, json = false } = self.optsWithGlobals<Options>();
      const out = createOutput(io, { json });
      const { restore } = await import('../../audit/offline.ts');
      const { manifest, report } = await reported(() => restore(from, data));
      const events = manifest.events.toLocaleString('en');
      out.done({ ...manifest, report }, `Restored ${events} events to ${data}`);
      describe(report, out);
    });
  withExtra(command, { examples: ['restore --from ./backup-2026-11-21 --data ./data'] });
};
