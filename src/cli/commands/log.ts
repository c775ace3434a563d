import type { CopyOutcome, CopyProgress, CopyStage } from '../../audit/copy-log.ts';
import { LOG_FORMAT, StoreUnavailable } from '../../events/store.ts';
import { printable } from '../../shared/printable.ts';
import type { ProgressLine } from '../output/progress.ts';
import { createLocalAct } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import type { Io } from '../program/io.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { reported } from './books.ts';
import { counted, demandSound, describe } from './ledger-verify.ts';

const stages: Record<CopyStage, (done: string, of: string) => string> = {
  'verify source': (done) => `Verifying the source: ${done} movements`,
  examine: (done, of) => `Reading the source: ${done} of ${of} events`,
  look: (done) => `Reading the destination: ${done} events`,
  copy: (done, of) => `Copying: ${done} of ${of} events`,
  compare: (done, of) => `Comparing: ${done} of ${of} events`,
  verify: (done) => `Verifying the copy: ${done} movements`,
  keys: (done, of) => `Copying data keys: ${done} of ${of}`,
};

const onProgressOf =
  ({ show }: ProgressLine): CopyProgress =>
  (stage, done, of) =>
    show(
      stages[stage](done.toLocaleString('en'), (of ?? 0).toLocaleString('en')),
      of === undefined ? undefined : done / Math.max(of, 1),
    );

const listOf = ({ listed, count }: CopyOutcome['flaws']): string => {
  const lines = listed.map(({ stream, revision, detail }) =>
    printable(`  ${stream}  ${revision}  ${detail}`),
  );
  const more = count - listed.length;
  if (more > 0) lines.push(`  and ${more.toLocaleString('en')} more`);
  return lines.join('\n');
};

/** Ends the run with status 1 unless the copy is whole. */
const demandWhole = ({ source, flaws, destination }: CopyOutcome, io: Io): void => {
  if (flaws.count > 0) {
    const events = `${counted(flaws.count, 'event')} of the source`;
    throw new CliError(`${events} cannot be copied; nothing was written\n${listOf(flaws)}`);
  }
  if (!source.ok) io.stderr.write('The source is not sound; nothing was written.\n');
  demandSound(source);
  if (!destination) return;
  demandSound(destination);
  const [found, expected] = [destination, source].map(
    ({ accounts, movements }) =>
      `${counted(accounts, 'account')} with ${counted(movements, 'movement')}`,
  );
  if (found !== expected) {
    throw new CliError(`The destination has ${found}, the source ${expected}`);
  }
};

interface Options {
  from: string;
  to?: string;
  keys?: string;
}

const CHANGES =
  'Every stream of an account names it; events, charges and seals are as they were. Snapshots are made anew.';

const copy: Verb = (noun, _act, io) =>
  noun
    .command('copy')
    .description('Copy an embedded log, also of an older format, and verify the copy')
    .requiredOption('--from <dir>', 'Data directory of a stopped service, or a backup')
    .option('--to <place>', 'A data directory, or an EventStoreDB, esdb://... (or EVENTSTORE_URL)')
    .option('--keys <url>', 'The MongoDB for the data keys, mongodb://... (or MONGODB_URL)')
    .action(
      createLocalAct(io)(async ({ out }, { from, ...options }: Options) => {
        const { to = io.env.EVENTSTORE_URL, keys: keysTo = io.env.MONGODB_URL } = options;
        if (!to) throw usageError('No destination: add --to or set EVENTSTORE_URL');
        const { copyLog, hasKeys } = await import('../../audit/copy-log.ts');
        const outcome = await reported(() =>
          copyLog(from, to, onProgressOf(out.progress), keysTo).finally(out.progress.end),
        ).catch(({ message, cause }: CliError) => {
          const canGoOn = cause instanceof StoreUnavailable;
          const hint = canGoOn ? '\nThe same command again goes on where this one ended.' : '';
          // The message may hold names that others have given.
          throw new CliError(printable(message) + hint, 1, cause);
        });
        if (out.isJson) out.one(outcome);
        demandWhole(outcome, io);
        if (out.isJson) return;
        const { events, present, keys, destination, format } = outcome;
        const earlier = present.toLocaleString('en');
        const before = present > 0 ? `, ${earlier} of them by an earlier run` : '';
        const all = events.toLocaleString('en');
        out.done(outcome, `Copied ${all} events${before}. Each was compared.`);
        if (format !== LOG_FORMAT) {
          out.note(
            `The log was of format ${format} and is of format ${LOG_FORMAT} there. ${CHANGES}`,
          );
        }
        if (keys !== null) out.note(`Copied ${counted(keys, 'data key')}.`);
        else if (hasKeys(from)) {
          out.note(
            `The data keys stay in ${from}: copy them with --keys before a start on servers.`,
          );
        }
        describe(destination!, out);
      }),
    );

export const log: Noun = {
  name: 'log',
  group: 'Operation',
  summary: 'The event log: copy it to servers, or into the format of this program',
  verbs: [copy],
  examples: [
    'log copy --from ./data --to esdb://host:2113 --keys mongodb://host',
    'log copy --from ./data --to ./data-new',
  ],
};
