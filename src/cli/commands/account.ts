import { route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { usageError } from '../program/failure.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { type Cap, cap } from '../program/parse.ts';

const sentOf = (sent: unknown, most: unknown): string =>
  typeof most === 'number' ? `${sent} of ${most}` : `${sent} (no cap)`;

const money = ({ balance, billing, currency }: Row): string =>
  `${balance} ${billing === 'wallet' ? currency : 'credits'}`;

const factsOf = (account: Row): Facts => {
  const limits = rowOf(account.limits);
  const usage = rowOf(account.usage);
  return [
    ['id', account.id],
    ['name', account.name],
    ['organisation', account.organisationId],
    ['plan', `${account.planId} (${account.billing}, ${account.currency})`],
    ['balance', money(account)],
    ['sent in the last minute', sentOf(usage.minute, limits.perMinute)],
    ['sent today', sentOf(usage.day, limits.daily)],
    ['sent this month', sentOf(usage.month, limits.monthly)],
    ['paused', limits.paused],
    ['paused because', account.pausedReason],
    ['created at', account.createdAt],
  ];
};

const create: Verb = (noun, act) =>
  noun
    .command('create')
    .description('Open an account of an organisation')
    .argument('<name>')
    .requiredOption('--organisation <id>', 'The organisation that owns it')
    .option('--plan <id>', 'How it is billed (default: standard)')
    .action(
      act(async (context, name: string, options: { organisation: string; plan?: string }) => {
        const { organisation, plan: planId } = options;
        const path = route`/organisations/${organisation}/accounts`;
        context.out.one(await context.api.send('POST', path, { name, planId }), factsOf);
      }),
    );

const list: Verb = (noun, act) =>
  withPages(
    noun
      .command('list')
      .description('List accounts, newest first')
      .option('--organisation <id>', 'Only those of one organisation'),
  ).action(
    act(async ({ api, out }, options: PageOptions & { organisation?: string }) => {
      const query = { organisationId: options.organisation };
      const page = await readRows(api, { from: '/accounts', field: 'accounts', query }, options);
      out.list(page, [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'PLAN', of: 'planId', narrow: 'drop' },
        { header: 'BALANCE', of: money, align: 'right' },
        { header: 'PAUSED', of: ({ limits }) => rowOf(limits).paused },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
        { header: 'ORGANISATION', of: 'organisationId', narrow: 'drop' },
      ]);
    }),
  );

const show: Verb = (noun, act) =>
  noun
    .command('show')
    .description('Show one account: balance, plan, caps, what it sent')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.get(route`/accounts/${id}`), factsOf);
      }),
    );

const plan: Verb = (noun, act) =>
  noun
    .command('plan')
    .description('Put an account on another plan')
    .argument('<id>')
    .argument('<plan>')
    .action(
      act(async ({ api, out }, id: string, planId: string) => {
        out.one(await api.send('PUT', route`/accounts/${id}/plan`, { planId }), factsOf);
      }),
    );

const capOf = (given: Cap | undefined): number | null | undefined =>
  given === 'none' ? null : given;

interface Limits {
  perMinute?: Cap;
  daily?: Cap;
  monthly?: Cap;
  paused?: boolean;
}

const limits: Verb = (noun, act) =>
  noun
    .command('limits')
    .description('Set sending caps, pause or resume; what is not named stays')
    .argument('<id>')
    .option('--per-minute <n>', 'Messages in any 60 seconds; none uncaps', cap)
    .option('--daily <n>', 'Messages of a day (UTC); none uncaps', cap)
    .option('--monthly <n>', 'Messages of a month (UTC); none uncaps', cap)
    .option('--paused', 'Send nothing for this account')
    .option('--no-paused', 'Send again')
    .action(
      act(async ({ api, out }, id: string, { paused, ...caps }: Limits) => {
        const perMinute = capOf(caps.perMinute);
        const daily = capOf(caps.daily);
        const monthly = capOf(caps.monthly);
        const changes = { perMinute, daily, monthly, paused };
        if (Object.values(changes).every((value) => value === undefined)) {
          throw usageError('Nothing to change: name a cap, --paused or --no-paused');
        }
        out.one(await api.send('PATCH', route`/accounts/${id}/limits`, changes), factsOf);
      }),
    );

export const account: Noun = {
  name: 'account',
  group: 'Customers',
  summary: 'Accounts of organisations: plan, balance, sending caps',
  verbs: [create, list, show, plan, limits],
  examples: [
    'account create "Web shop" --organisation <id>',
    'account list --organisation <id>',
    'account limits <id> --per-minute 600 --daily none',
    'account limits <id> --paused',
  ],
};
