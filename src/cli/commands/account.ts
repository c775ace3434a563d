import { route } from '../api/api.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { usageError } from '../program/failure.ts';
import { type Cap, cap, capOf, oneOf } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { hours } from './scheduled.ts';
import { listVerb, showVerb } from './verbs.ts';

const sentOf = (sent: unknown, most: unknown): string =>
  typeof most === 'number' ? `${sent} of ${most}` : `${sent} (no cap)`;

const money = ({ balance, billing, currency }: Row): string =>
  `${balance} ${billing === 'wallet' ? currency : 'credits'}`;

const keptFor = (months: unknown): string =>
  typeof months === 'number' ? `kept for ${months} months after their month` : 'kept for ever';

const quietText = (quiet: unknown): string =>
  Object.entries(rowOf(quiet ?? {}))
    .map(([category, of]) => `${category} ${rowOf(of).from}-${rowOf(of).until}`)
    .join(', ') || 'none';

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
    ['strict', limits.strict],
    ['without a template', limits.directSend],
    ['time zone', limits.timeZone],
    ['quiet hours', quietText(limits.quietHours)],
    ['paused because', account.pausedReason],
    ['personal data', keptFor(account.contentRetentionMonths)],
    ['created at', account.createdAt],
  ];
};

interface Created {
  organisation: string;
  plan?: string;
  lenient?: true;
}

const create: Verb = (noun, act) =>
  noun
    .command('create')
    .description('Open an account of an organisation')
    .argument('<name>')
    .requiredOption('--organisation <id>', 'The organisation that owns it')
    .option('--plan <id>', 'The plan that prices its sends (default: standard)')
    .option('--lenient', 'Send blank and unknown variables as they are; else the account is strict')
    .action(
      act(async ({ api, out }, name: string, { organisation, plan: planId, lenient }: Created) => {
        const path = route`/organisations/${organisation}/accounts`;
        const opened = await api.send<Row>('POST', path, { name, planId });
        const limits = route`/accounts/${String(opened.id)}/limits`;
        out.one(lenient ? opened : await api.send('PATCH', limits, { strict: true }), factsOf);
      }),
    );

const plan: Verb = (noun, act) =>
  noun
    .command('plan')
    .description('Put an account on another plan')
    .argument('<id>')
    .argument('<plan>')
    .action(
      act(async ({ api, out }, id: string, planId: string) =>
        out.one(await api.send('PUT', route`/accounts/${id}/plan`, { planId }), factsOf),
      ),
    );

interface Limits {
  perMinute?: Cap;
  daily?: Cap;
  monthly?: Cap;
  paused?: boolean;
  strict?: boolean;
  directSend?: string;
  timeZone?: string;
  quietMarketing?: QuietHours;
  quietUtility?: QuietHours;
}

type QuietHours = ReturnType<typeof hours> | 'none';

/** Hours of the day, or `none`. */
const quietHours = (text: string): QuietHours =>
  text.toLowerCase() === 'none' ? 'none' : hours(text);

const limits: Verb = (noun, act) =>
  noun
    .command('limits')
    .description('Set sending caps, pause or resume; other settings stay')
    .argument('<id>')
    .option('--per-minute <n>', 'Messages in any 60 seconds; none removes the cap', cap)
    .option('--daily <n>', 'Messages of a day (UTC); none removes the cap', cap)
    .option('--monthly <n>', 'Messages of a month (UTC); none removes the cap', cap)
    .option('--paused', 'Refuse all sends of the account')
    .option('--no-paused', 'Resume sending')
    .option('--strict', 'Refuse sends with wrong variables or an impossible number')
    .option('--no-strict', 'Send them as they are')
    .option(
      '--direct-send <when>',
      'Events without an approved template: off, or fallback (they go out without one)',
      oneOf(['off', 'fallback']),
    )
    .option('--time-zone <name>', 'Of recipients whose own is not known, such as Asia/Kolkata')
    .option(
      '--quiet-marketing <hours>',
      'Hold marketing in these hours, such as 20:00-09:00; none ends it',
      quietHours,
    )
    .option(
      '--quiet-utility <hours>',
      'Hold utility messages in these hours; none ends it',
      quietHours,
    )
    .action(
      act(async ({ api, out }, id: string, options: Limits) => {
        const { perMinute, daily, monthly, paused, strict, directSend, timeZone } = options;
        const caps = {
          perMinute: capOf(perMinute),
          daily: capOf(daily),
          monthly: capOf(monthly),
        };
        const changes: Record<string, unknown> = { ...caps, paused, strict, directSend, timeZone };
        const { quietMarketing, quietUtility } = options;
        if (quietMarketing ?? quietUtility) {
          // The API takes the hours of all categories at once.
          const before = rowOf(
            rowOf((await api.get<Row>(route`/accounts/${id}`)).limits).quietHours ?? {},
          );
          const named = {
            MARKETING: quietMarketing ?? before.MARKETING,
            UTILITY: quietUtility ?? before.UTILITY,
          };
          const left = Object.entries(named).filter(([, one]) => one && one !== 'none');
          changes.quietHours = left.length > 0 ? Object.fromEntries(left) : null;
        }
        if (Object.values(changes).every((value) => value === undefined)) {
          throw usageError(
            'Nothing to change: name a cap, --direct-send, --paused or --strict (or --no-…)',
          );
        }
        out.one(await api.send('PATCH', route`/accounts/${id}/limits`, changes), factsOf);
      }),
    );

const retention: Verb = (noun, act) =>
  noun
    .command('retention')
    .description('Set for how long personal data are kept')
    .argument('<id>')
    .requiredOption(
      '--months <n>',
      'Months, 1 to 120, after the end of a month; none: for ever',
      cap,
    )
    .action(
      act(async ({ api, out }, id: string, { months }: { months: Cap }) => {
        const body = { contentRetentionMonths: capOf(months) };
        out.one(await api.send('PATCH', route`/accounts/${id}/retention`, body), factsOf);
      }),
    );

export const account: Noun = {
  name: 'account',
  group: 'Customers',
  summary: 'Accounts of organisations: plan, balance, sending caps',
  verbs: [
    create,
    listVerb<{ organisation?: string }>({
      description: 'List accounts, newest first',
      from: '/accounts',
      field: 'accounts',
      selection: (list) => list.option('--organisation <id>', 'Only those of one organisation'),
      query: ({ organisation }) => ({ organisationId: organisation }),
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'PLAN', of: 'planId', narrow: 'drop' },
        { header: 'BALANCE', of: money, align: 'right' },
        { header: 'PAUSED', of: ({ limits }) => rowOf(limits).paused },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
        { header: 'ORGANISATION', of: 'organisationId', narrow: 'drop' },
      ],
    }),
    showVerb('/accounts', 'Show one account: balance, plan, caps, messages sent', factsOf),
    plan,
    limits,
    retention,
  ],
  examples: [
    'account create "Web shop" --organisation <id>',
    'account list --organisation <id>',
    'account show <id>',
    'account plan <id> <plan>',
    'account limits <id> --per-minute 600 --daily none',
    'account limits <id> --paused',
    'account limits <id> --strict',
    'account retention <id> --months 24',
  ],
};
