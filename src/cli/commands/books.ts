import type { Command } from 'commander';
import type { Reconciliation } from '../../audit/billing-report.ts';
import type { OfflineReconcileOptions } from '../../audit/offline-reconcile.ts';
import type { SealAfter } from '../../audit/read-statement.ts';
import type { NamedPeriod, Period } from '../../audit/statement.ts';
import type { Progress, Report, VerifyOptions } from '../../audit/verify.ts';
import type { EventReader } from '../../events/store.ts';
import { printable } from '../../shared/printable.ts';
import type { ProgressLine } from '../output/progress.ts';
import { type Act, createLocalAct, type LocalContext } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { time } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import { type Books, remoteBooks } from './remote-books.ts';

// Modules that read events are imported late: help and usage errors are quicker without them.

/** What a verb that reads the books works with. */
export interface BooksContext extends LocalContext {
  readonly books: Books;
}

export interface BooksOptions {
  data?: string;
  eventstore?: string;
}

/** The options that name a log to read without a service. */
export const withSource = (command: Command): Command =>
  command
    .option('--data <dir>', 'Read the files of this data directory, no service needed')
    .option('--eventstore <url>', 'Read this EventStoreDB, no service needed');

const fractionOf = ({ position, head }: Progress): number | undefined => {
  const [at, end] = [Number(position || Number.NaN), Number(head || Number.NaN)];
  return at >= 0 && end > 0 ? at / end : undefined;
};

interface OpenLog extends Pick<EventReader, 'read' | 'readAll' | 'head'> {
  accounts(before: string): Promise<readonly string[]>;
  close(): unknown;
}

/** A log that this process reads itself. */
interface Source {
  open(): Promise<OpenLog>;
  verify(options: VerifyOptions): Promise<Report>;
  reconcile(options: OfflineReconcileOptions): Promise<Reconciliation>;
}

const sourceOf = async ({ data, eventstore }: BooksOptions): Promise<Source | undefined> => {
  if (data === undefined && eventstore === undefined) return undefined;
  if (data !== undefined && eventstore !== undefined) {
    throw usageError('--data and --eventstore exclude each other');
  }
  const offline = await import('../../audit/offline.ts');
  return data === undefined
    ? {
        async open() {
          const log = await offline.openServerLog(eventstore!);
          const accounts = (before: string) => offline.accountsOnServer(log, before);
          const { read, readAll, head, close } = log;
          return { read, readAll, head, accounts, close };
        },
        verify: (options) => offline.verifyServer(eventstore!, options),
        async reconcile(options) {
          const { reconcileServer } = await import('../../audit/offline-reconcile.ts');
          return reconcileServer(eventstore!, options);
        },
      }
    : {
        async open() {
          const log = offline.openLog(data);
          const accounts = async (before: string) => offline.accountsInDirectory(log, before);
          const { read, readAll, head, close } = log;
          return { read, readAll, head, accounts, close };
        },
        verify: (options) => offline.verifyDirectory(data, options),
        async reconcile(options) {
          const { reconcileDirectory } = await import('../../audit/offline-reconcile.ts');
          return reconcileDirectory(data, options);
        },
      };
};

/** Proofs from a log, which holds all that its seals cover. */
const localProofs = (
  open: () => Promise<OpenLog>,
): Pick<Books, 'proof' | 'headProof' | 'transparency'> => ({
  async proof(chargeId) {
    const { createProver } = await import('../../audit/seals/prover.ts');
    const found = await createProver(await open()).charge(chargeId);
    if (!found) throw new CliError(`There is no charge ${printable(chargeId)}`);
    if (!found.proof) throw new CliError('The charge is not sealed yet');
    return found.proof;
  },
  async headProof(accountId) {
    const { createProver } = await import('../../audit/seals/prover.ts');
    const found = await createProver(await open()).head(accountId);
    if (!found) throw new CliError(`No seal covers ${printable(accountId)} yet`);
    return found.proof;
  },
  transparency: {
    async checkpoint() {
      const { createTransparency } = await import('../../audit/seals/tiles.ts');
      return (await createTransparency(await open()).checkpoint())?.seal.note;
    },
    async tile(path) {
      const { createTransparency } = await import('../../audit/seals/tiles.ts');
      return createTransparency(await open()).tile(path);
    },
  },
});

const issueText = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  `${path.join('.')}: ${message}`;

const localBooks = (source: Source, progress: ProgressLine, now: () => number): Books => {
  let opened: Promise<OpenLog> | undefined;
  const open = (): Promise<OpenLog> => {
    opened ??= source.open();
    return opened;
  };
  const onProgress = (at: Progress) => {
    const { movements, accounts } = at;
    const text = `${movements.toLocaleString('en')} movements of ${accounts} accounts`;
    progress.show(text, fractionOf(at));
  };
  let seals: Promise<SealAfter> | undefined;
  const sealAfter = async (): Promise<SealAfter> => {
    const { createSealAfter } = await import('../../audit/seals/read-seals.ts');
    seals ??= open().then(createSealAfter);
    return seals;
  };
  return {
    async *events(accountId, from = 0) {
      const { accountEvents } = await import('../../audit/movement.ts');
      yield* accountEvents(await open(), accountId, { from });
    },
    async *withMessages(accountId, from = 0) {
      const { accountEvents } = await import('../../audit/movement.ts');
      for await (const event of accountEvents(await open(), accountId, { from })) {
        yield { event, messageIds: {} };
      }
    },
    async start(accountId, since) {
      const { startAt } = await import('../../audit/account-start.ts');
      return startAt(await open(), accountId, since);
    },
    async *history(accountId) {
      const { history } = await import('../../audit/history.ts');
      yield* history(await open(), accountId);
    },
    async told(accountId, terms) {
      const { readExportBooks } = await import('../../audit/export-books.ts');
      return readExportBooks(await open(), accountId, terms);
    },
    async balance(accountId, asOf) {
      const { createBalanceAt } = await import('../../commands/account/funds.ts');
      const { amountOf } = await import('../../audit/statement-formats.ts');
      const found = await createBalanceAt(await open())(accountId, asOf);
      if (!found) throw new CliError(`There is no account ${printable(accountId)}`);
      const { billing, balance, entryId } = found;
      const at = asOf ?? new Date(now()).toISOString();
      return { balance: amountOf(billing, balance), asOf: at, entryId };
    },
    async verify(accountId, given) {
      const { sealsOf } = await import('../../audit/seals/given-seals.ts');
      const options = { accountId, seals: sealsOf(given), onProgress };
      return source.verify(options).finally(progress.end);
    },
    ...localProofs(open),
    // Without data keys there are no ids of messages.
    async reconcile({ provider, ids: _, ...asked }) {
      if (provider) throw usageError('--provider asks the running service, which has the tokens');
      return source.reconcile({ ...asked, onProgress }).finally(progress.end);
    },
    async whatIf({ period, accountIds, rules }) {
      const [{ whatIf }, { whatIfJson }, { readRules, WhatIfRules }] = await Promise.all([
        import('../../audit/what-if.ts'),
        import('../../audit/what-if-report.ts'),
        import('../../audit/what-if-rules.ts'),
      ]);
      const log = await open();
      const parsed = WhatIfRules.safeParse(rules);
      if (!parsed.success) throw usageError(parsed.error.issues.map(issueText).join('; '));
      const result = await whatIf(log, {
        period,
        rules: await readRules(log, parsed.data),
        accountIds: accountIds ?? (await log.accounts(period.to)),
        sealAfter: await sealAfter(),
        onProgress: ({ events, accounts: done, ofAccounts }) =>
          progress.show(`${events.toLocaleString('en')} events`, done / ofAccounts),
      });
      if (accountIds?.length === 1 && result.accounts === 0) {
        throw new CliError(`There is no account ${printable(accountIds[0]!)}`);
      }
      return whatIfJson(result);
    },
    accounts: async (before) => (await open()).accounts(before),
    async statement(accountId, { period, format, withCost }) {
      const { readStatement } = await import('../../audit/read-statement.ts');
      const { formatStatement } = await import('../../audit/statement-formats.ts');
      const statement = await readStatement(await open(), accountId, period, {
        sealAfter: await sealAfter(),
        onProgress: (fraction, events) =>
          progress.show(`${events.toLocaleString('en')} events of ${accountId}`, fraction),
      });
      if (!statement) throw new CliError(`There is no account ${printable(accountId)}`);
      return formatStatement(statement, format, withCost);
    },
    async close() {
      const log = await opened?.catch(() => undefined);
      await log?.close();
    },
  };
};

/** Adds the options of a period: a month, or two times. */
export const withPeriod = (command: Command, io: Io): Command =>
  command
    .option('--month <month>', 'A UTC month such as 2026-11')
    .option('--from <time>', 'Instead of a month: from a time or day on', time(io.now))
    .option('--to <time>', 'Before a time or day', time(io.now));

/** The period that these options name. */
export const periodIn = async ({ month, from, to }: NamedPeriod): Promise<Period> => {
  const { periodOf } = await import('../../audit/statement.ts');
  const period = periodOf({ month, from, to });
  if ('problem' in period) throw usageError(`--${period.field} ${period.problem}`);
  return period;
};

/** Reports an error of reading or writing files, or a server's, by its message alone. */
export const reported = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError || !(error instanceof Error)) throw error;
    throw new CliError(error.message, 1, error);
  }
};

/** Gives a verb the books that its options name. */
export const actOnBooks =
  (act: Act, io: Io): Act<BooksContext> =>
  <Args extends readonly unknown[]>(work: (given: BooksContext, ...args: Args) => Promise<void>) =>
  async (...args) => {
    const source = await sourceOf((args.at(-1) as Command).opts<BooksOptions>());
    if (source === undefined) {
      return act(({ api, ...given }, ...rest: Args) =>
        work({ ...given, books: remoteBooks(api, given.out.progress) }, ...rest),
      )(...args);
    }
    return createLocalAct(io)((given, ...rest: Args) => {
      const books = localBooks(source, given.out.progress, io.now);
      return reported(() => work({ ...given, books }, ...rest)).finally(books.close);
    })(...args);
  };
