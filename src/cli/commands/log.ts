import type { Command } from 'commander';
import type { CopyOutcome, CopyProgress, CopyStage } from '../../audit/copy-log.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { printable } from '../output/format.ts';
import { createOutput } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import { CliError, usageError } from '../program/failure.ts';
import type { Io } from '../program/io.ts';
import type { Noun, Verb } from '../program/noun.ts';
import type { GlobalOptions } from '../program/settings.ts';
import { reported } from './books.ts';
import { describe } from './ledger-verify.ts';

interface Options extends GlobalOptions {
  from: string;
  to?: string;
}

const counted = (count: number): string => count.toLocaleString('en');

const stages: Record<CopyStage, (done: string, of: string) => string> = {
  'verify source': (done) => `Verifying the source: ${done} movements`,
  examine: (done, of) => `Reading the source: ${done} of ${of} events`,
  look: (done) => `Looking what is there: ${done} events`,
  copy: (done, of) => `Copying: ${done} of ${of} events`,
  compare: (done, of) => `Comparing: ${done} of ${of} events`,
  verify: (done) => `Verifying the copy: ${done} movements`,
};

const showing = (io: Io, json: boolean): { onProgress: CopyProgress; end(): void } => {
  const { show, end } = createProgress(io, { quiet: json });
  return {
    onProgress: (stage, done, of) =>
      show(
        stages[stage](counted(done), counted(of ?? 0)),
        of === undefined ? undefined : done / Math.max(of, 1),
      ),
    end,
  };
};

/** Ends the run with status 1 unless the copy is whole. */
const demandWhole = ({ source, flaws, destination }: CopyOutcome, io: Io): void => {
  const quiet = createOutput(io, { json: true });
  if (flaws.count > 0) {
    const lines = flaws.listed.map(({ stream, revision, detail }) =>
      printable(`  ${stream}  ${revision}  ${detail}`),
    );
    const more = flaws.count - flaws.listed.length;
    if (more > 0) lines.push(`  and ${counted(more)} more`);
    const told = `${counted(flaws.count)} event${flaws.count === 1 ? '' : 's'} of the source`;
    throw new CliError(`${told} cannot be copied; nothing was written\n${lines.join('\n')}`);
  }
  if (!source.ok) {
    io.stderr.write('The source is not sound; nothing was written.\n');
    describe(source, quiet);
  }
  if (!destination) return;
  describe(destination, quiet);
  const { accounts, movements } = source;
  if (destination.accounts === accounts && destination.movements === movements) return;
  const [found, expected] = [destination, source].map(
    (report) => `${counted(report.accounts)} accounts with ${counted(report.movements)} movements`,
  );
  throw new CliError(`The destination has ${found}, the source ${expected}`);
};

const copy: Verb = (noun, _act, io) =>
  noun
    .command('copy')
    .description('Copy the embedded log into an empty EventStoreDB, and verify')
    .requiredOption('--from <dir>', 'Data directory of a stopped service, or a backup')
    .option('--to <url>', 'The EventStoreDB, esdb://... (or EVENTSTORE_URL)')
    .action(async (_options: unknown, self: Command) => {
      const { from, to = io.env.EVENTSTORE_URL, json = false } = self.optsWithGlobals<Options>();
      if (!to) throw usageError('No destination: add --to or set EVENTSTORE_URL');
      const out = createOutput(io, { json });
      const progress = showing(io, json);
      const { copyLog } = await import('../../audit/copy-log.ts');
      const outcome = await reported(() =>
        copyLog(from, to, progress.onProgress).finally(progress.end),
      ).catch(({ message, cause }: CliError) => {
        // Names in it may be of others' making.
        const told = printable(message);
        if (!(cause instanceof StoreUnavailable)) throw new CliError(told, 1, cause);
        throw new CliError(
          `${told}\nThe same command again goes on where this one ended.`,
          1,
          cause,
        );
      });
      if (json) out.one(outcome);
      demandWhole(outcome, io);
      if (json) return;
      const { events, present, destination } = outcome;
      const before = present > 0 ? `, ${counted(present)} of them by an earlier run` : '';
      out.done(outcome, `Copied ${counted(events)} events${before}. Each was compared.`);
      describe(destination!, out);
    });

export const log: Noun = {
  name: 'log',
  group: 'Operation',
  summary: 'The event log: from one machine to servers',
  verbs: [copy],
  examples: ['log copy --from ./data --to esdb://user:password@host:2113'],
};
