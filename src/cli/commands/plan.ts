import type { Command } from 'commander';
import { type Api, route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import type { Row } from '../output/format.ts';
import { CliError, usageError } from '../program/failure.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { cap, oneOf } from '../program/parse.ts';
import { type MoneyOptions, postMoney, withIdempotencyKey } from './money.ts';

const billings = ['credits', 'wallet'] as const;

interface Terms {
  name?: unknown;
  billing?: unknown;
  currency?: unknown;
  markupPercent?: unknown;
  creditValue?: unknown;
  refundFailedDeliveries?: unknown;
  disconnectRefundsPerDay?: unknown;
  freeWritesMbPerDay?: unknown;
}

const withTerms = (command: Command, option: 'option' | 'requiredOption'): Command =>
  command[option]('--billing <kind>', 'What it bills: credits or wallet', oneOf(billings))
    [option]('--currency <code>', 'ISO 4217, such as USD')
    [option]('--markup-percent <n>', 'Added to what the provider takes, such as 20')
    .option('--credit-value <amount>', 'Worth of a credit, such as 0.01 (credit plans)')
    .option('--refund-failed-deliveries', 'Give back what was accepted and failed later')
    .option('--no-refund-failed-deliveries', 'Keep the charge of what failed later')
    .option(
      '--disconnect-refunds-per-day <n>',
      'Refunds of messages that went out to callers who hung up, before a pause, or none',
      cap,
    )
    .option(
      '--free-writes-mb-per-day <n>',
      'Megabytes that an account may write to the log for free, or none',
      cap,
    );

const boundOf = (given: unknown): unknown => (given === 'none' ? null : given);

const termsOf = (given: Terms): Terms => {
  const { name, billing, currency, markupPercent, creditValue, refundFailedDeliveries } = given;
  const { disconnectRefundsPerDay, freeWritesMbPerDay } = given;
  return {
    ...{ name, billing, currency, markupPercent, creditValue, refundFailedDeliveries },
    disconnectRefundsPerDay: boundOf(disconnectRefundsPerDay),
    freeWritesMbPerDay: boundOf(freeWritesMbPerDay),
  };
};

const create: Verb = (noun, act) =>
  withIdempotencyKey(
    withTerms(
      noun
        .command('create')
        .description('Create a plan')
        .argument('<name>')
        .option('--id <id>', 'How others name it (default: one is made)'),
      'requiredOption',
    ),
  ).action(
    act(async (context, name: string, options: Terms & MoneyOptions & { id?: string }) => {
      const body = { id: options.id, ...termsOf({ ...options, name }) };
      context.out.one(await postMoney(context, '/plans', body, options));
    }),
  );

const listing = { from: '/plans', field: 'plans' };

const findPlan = async (api: Api, id: string): Promise<Row> => {
  const { rows } = await readRows(api, listing, { all: true });
  const plan = rows.find((row) => row.id === id);
  if (!plan) throw new CliError('Plan not found');
  return plan;
};

/** The API takes a plan as a whole; what is not named here is sent back as it stands. */
const update: Verb = (noun, act) =>
  withTerms(
    noun
      .command('update')
      .description('Change a plan; charges made keep the terms they were made under')
      .argument('<id>')
      .option('--name <name>', 'Its new name'),
    'option',
  ).action(
    act(async ({ api, out }, id: string, options: Terms) => {
      const given = Object.entries(termsOf(options)).filter(([, value]) => value !== undefined);
      if (given.length === 0) throw usageError('Nothing to change: name what is to change');
      const body = { ...termsOf(await findPlan(api, id)), ...Object.fromEntries(given) };
      out.one(await api.send('PUT', route`/plans/${id}`, body));
    }),
  );

const list: Verb = (noun, act) =>
  withPages(noun.command('list').description('List plans, newest first')).action(
    act(async ({ api, out }, options: PageOptions) => {
      out.list(await readRows(api, listing, options), [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'VERSION', of: 'version', align: 'right' },
        { header: 'BILLING', of: 'billing' },
        { header: 'CURRENCY', of: 'currency' },
        { header: 'MARKUP %', of: 'markupPercent', align: 'right' },
        { header: 'CREDIT VALUE', of: 'creditValue', align: 'right', narrow: 'drop' },
        { header: 'REFUNDS FAILED', of: 'refundFailedDeliveries', narrow: 'drop' },
      ]);
    }),
  );

export const plan: Noun = {
  name: 'plan',
  group: 'Money',
  summary: 'How accounts are billed: credits or wallet, markup',
  verbs: [create, update, list],
  examples: [
    'plan create Basic --billing wallet --currency EUR --markup-percent 20',
    'plan update <id> --markup-percent 25',
    'plan list',
  ],
};
