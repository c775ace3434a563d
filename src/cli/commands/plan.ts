import type { Command } from 'commander';
import { type Api, route } from '../api/api.ts';
import { readRows } from '../api/paging.ts';
import type { Row } from '../output/format.ts';
import { CliError, usageError } from '../program/failure.ts';
import { type Cap, cap, capOf, oneOf } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { type MoneyOptions, postMoney, withIdempotencyKey } from './money.ts';
import { listVerb } from './verbs.ts';

const billings = ['credits', 'wallet'] as const;

interface Terms {
  name?: string;
  billing?: (typeof billings)[number];
  currency?: string;
  markupPercent?: string;
  creditValue?: string;
  refundFailedDeliveries?: boolean;
  disconnectRefundsPerDay?: Cap;
  freeWritesMbPerDay?: Cap;
  chargeService?: boolean;
}

const withTerms = (command: Command, option: 'option' | 'requiredOption'): Command =>
  command[option]('--billing <kind>', 'What it bills: credits or wallet', oneOf(billings))
    [option]('--currency <code>', 'ISO 4217, such as USD')
    [option]('--markup-percent <n>', "Percent added to the provider's price, such as 20")
    .option('--credit-value <amount>', 'Value of one credit, such as 0.01 (credit plans)')
    .option('--refund-failed-deliveries', 'Refund a message that fails after its acceptance')
    .option('--no-refund-failed-deliveries', 'Do not refund it')
    .option(
      '--disconnect-refunds-per-day <n>',
      'Refunds a day for callers who hang up, before the account is paused, or none',
      cap,
    )
    .option(
      '--free-writes-mb-per-day <n>',
      'MB a day that an account may write to the log without a send, or none',
      cap,
    )
    .option('--charge-service', 'Charge free-form replies as well')
    .option('--no-charge-service', 'Send them for free');

/** What the command line says of the terms; undefined is what it does not name. */
const givenTerms = (options: Terms): object => {
  const { name, billing, currency, markupPercent, creditValue, refundFailedDeliveries } = options;
  return {
    name,
    billing,
    currency,
    markupPercent,
    creditValue,
    refundFailedDeliveries,
    disconnectRefundsPerDay: capOf(options.disconnectRefundsPerDay),
    freeWritesMbPerDay: capOf(options.freeWritesMbPerDay),
    chargeService: options.chargeService,
  };
};

const create: Verb = (noun, act) =>
  withIdempotencyKey(
    withTerms(
      noun
        .command('create')
        .description('Create a plan')
        .argument('<name>')
        .option('--id <id>', 'Id that accounts name (default: a new one)'),
      'requiredOption',
    ),
  ).action(
    act(async (context, name: string, options: Terms & MoneyOptions & { id?: string }) => {
      const body = { id: options.id, ...givenTerms({ ...options, name }) };
      context.out.one(await postMoney(context, '/plans', body, options));
    }),
  );

const plans = { from: '/plans', field: 'plans' };

/** The terms of a plan that exists, as the API gives and takes them. */
const findTerms = async (api: Api, id: string): Promise<object> => {
  const { rows } = await readRows(api, plans, { all: true });
  const plan: Row | undefined = rows.find((row) => row.id === id);
  if (!plan) throw new CliError('Plan not found');
  return Object.fromEntries(Object.keys(givenTerms({})).map((term) => [term, plan[term]]));
};

/** The API takes a plan as a whole, so the terms that the command line does not name go with it. */
const update: Verb = (noun, act) =>
  withTerms(
    noun
      .command('update')
      .description('Change a plan; charges already made keep their terms')
      .argument('<id>')
      .option('--name <name>', 'Its new name'),
    'option',
  ).action(
    act(async ({ api, out }, id: string, options: Terms) => {
      const given = Object.entries(givenTerms(options)).filter(([, value]) => value !== undefined);
      if (given.length === 0) throw usageError('Nothing to change: name at least one option');
      const body = { ...(await findTerms(api, id)), ...Object.fromEntries(given) };
      out.one(await api.send('PUT', route`/plans/${id}`, body));
    }),
  );

export const plan: Noun = {
  name: 'plan',
  group: 'Money',
  summary: 'How accounts are billed: credits or wallet, markup',
  verbs: [
    create,
    update,
    listVerb({
      description: 'List plans, newest first',
      ...plans,
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'VERSION', of: 'version', align: 'right' },
        { header: 'BILLING', of: 'billing' },
        { header: 'CURRENCY', of: 'currency' },
        { header: 'MARKUP %', of: 'markupPercent', align: 'right' },
        { header: 'CREDIT VALUE', of: 'creditValue', align: 'right', narrow: 'drop' },
        { header: 'REFUNDS FAILED', of: 'refundFailedDeliveries', narrow: 'drop' },
        { header: 'CHARGES SERVICE', of: 'chargeService', narrow: 'drop' },
      ],
    }),
  ],
  examples: [
    'plan create Basic --billing wallet --currency EUR --markup-percent 20',
    'plan update <id> --markup-percent 25',
    'plan list',
  ],
};
