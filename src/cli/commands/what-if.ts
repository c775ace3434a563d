import type { Command } from 'commander';
import type { NamedPeriod } from '../../audit/statement.ts';
import type { WhatIfAnswer } from '../../audit/what-if-report.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { printable } from '../../shared/printable.ts';
import type { Row } from '../output/format.ts';
import { type Column, tableLines } from '../output/table.ts';
import { createAct } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { type Cap, cap, capOf, oneOf, readText } from '../program/input.ts';
import { type Io, widthOf } from '../program/io.ts';
import {
  actOnBooks,
  type BooksContext,
  type BooksOptions,
  periodIn,
  withPeriod,
  withSource,
} from './books.ts';
import { counted } from './ledger-verify.ts';
import type { GivenRules } from './remote-books.ts';

const PRESETS = ['2026-10'] as const;

interface Options extends BooksOptions, NamedPeriod {
  preset?: (typeof PRESETS)[number];
  plan?: string;
  markupPercent?: string;
  creditValue?: string;
  rateCard?: string;
  rateCardFile?: string;
  chargeService?: boolean;
  perMinute?: Cap;
  daily?: Cap;
  monthly?: Cap;
}

/** Without what is undefined; undefined where nothing is left. */
const given = (fields: Record<string, unknown>): GivenRules | undefined => {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return named.length === 0 ? undefined : Object.fromEntries(named);
};

const cardIn = async (io: Io, file: string): Promise<unknown> => {
  const text = await readText(io, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
};

const rulesOf = async (io: Io, options: Options): Promise<GivenRules> => {
  const { preset, plan, markupPercent, creditValue, rateCard, rateCardFile } = options;
  const { chargeService, perMinute, daily, monthly } = options;
  const terms = given({ markupPercent, creditValue });
  if (plan !== undefined && terms) {
    throw usageError('--plan excludes --markup-percent and --credit-value');
  }
  if (rateCard !== undefined && rateCardFile !== undefined) {
    throw usageError('--rate-card and --rate-card-file exclude each other');
  }
  const { presets } = await import('../../audit/what-if-rules.ts');
  const caps = { perMinute: capOf(perMinute), daily: capOf(daily), monthly: capOf(monthly) };
  return {
    ...(preset && presets[preset]),
    ...given({
      plan: plan ?? terms,
      rateCard: rateCardFile === undefined ? rateCard : await cardIn(io, rateCardFile),
      chargeService,
      caps: given(caps),
    }),
  };
};

type Side = NonNullable<WhatIfAnswer['real']>;

const MICROS = 1_000_000;
const microsOf = (text: string): number => Math.round(Number(text) * MICROS);

/** In the unit of both: whole credits, or a decimal string. */
const minus = (one: number | string, other: number | string): number | string =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : formatMicros(microsOf(String(one)) - microsOf(String(other)));

const sum = (lines: readonly { amount: number | string }[], billing: string): number | string => {
  if (billing === 'credits') return lines.reduce((all, { amount }) => all + Number(amount), 0);
  return formatMicros(lines.reduce((all, { amount }) => all + microsOf(String(amount)), 0));
};

/** The lines of one unit, each as it was and as it would have been. */
const sumsOf = (real: Side, then: Side): Row[] => {
  const { billing, currency } = real;
  const line = (what: string, of: (side: Side) => number | string) => ({
    what,
    real: of(real),
    other: of(then),
    difference: minus(of(then), of(real)),
  });
  return [
    line('balance before', ({ opening }) => opening),
    line('granted', ({ granted }) => granted),
    line('charged', ({ charges }) => sum(charges, billing)),
    line('given back', ({ refunds }) => sum(refunds, billing)),
    line('balance after', ({ closing }) => closing),
    line(`sold, ${currency}`, ({ cost }) => cost.sold),
    line(`provider's cost, ${currency}`, ({ cost }) => cost.providerCost),
    line(`margin, ${currency}`, ({ cost }) => cost.margin),
  ];
};

const right = (header: string, of: string): Column => ({ header, of, align: 'right' });
const sides = (other: 'other' | 'then') => [
  right('WAS', 'real'),
  right('WOULD BE', other),
  right('DIFFERENCE', 'difference'),
];

const columns = {
  sums: [{ header: '', of: 'what' }, ...sides('other')],
  differences: [
    { header: 'CATEGORY', of: 'category' },
    { header: 'MARKET', of: 'market', narrow: 'cut' },
    right('MESSAGES', 'count'),
    ...sides('then'),
    { header: 'CURRENCY', of: 'currency', narrow: 'drop' },
  ],
  refused: [
    { header: 'WOULD BE REFUSED', of: 'code' },
    right('COUNT', 'count'),
    right('AMOUNT', 'amount'),
    { header: 'UNIT', of: ({ billing, currency }) => (billing === 'wallet' ? currency : billing) },
  ],
} as const satisfies Record<string, readonly Column[]>;

const unitsOf = (side: WhatIfAnswer['real']): Side[] =>
  side ? [side, ...(side.others ?? [])] : [];

const answerLines = (answer: WhatIfAnswer, width?: number): string[] => {
  const { accounts, skipped, differences, refused } = answer;
  const thens = unitsOf(answer.then);
  const table = (rows: readonly object[], of: readonly Column[]): string[] =>
    rows.length === 0 ? [] : [...tableLines(rows as readonly Row[], of, width), ''];
  return [
    ...unitsOf(answer.real).flatMap((real) => {
      const then = thens.find(
        ({ billing, currency }) => billing === real.billing && currency === real.currency,
      );
      if (!then) return [];
      const unit = real.billing === 'credits' ? 'credits' : real.currency;
      return [
        `${counted(accounts, 'account')}, in ${unit}`,
        ...table(sumsOf(real, then), columns.sums),
      ];
    }),
    ...table(differences, columns.differences),
    ...table(refused, columns.refused),
    ...skipped.map(({ accountId, reason }) => printable(`Left out: ${accountId}: ${reason}`)),
  ];
};

const show = async (
  { books, out, io }: BooksContext,
  accounts: readonly string[],
  options: Options,
): Promise<void> => {
  const period = await periodIn(options);
  const rules = await rulesOf(io, options);
  const accountIds = accounts.length > 0 ? accounts : undefined;
  const answer = await books.whatIf({ period, accountIds, rules }).finally(out.progress.end);
  out.done(answer, answerLines(answer, widthOf(io.stdout)).join('\n').trimEnd());
};

/** `waybill what-if`: the same history under other rules. */
export const addWhatIf = (program: Command, io: Io): void => {
  const command = withSource(
    withPeriod(
      program
        .command('what-if')
        .description('What the sends of a time would have cost under other rules; changes nothing')
        .helpGroup('Money:')
        .argument('[accounts...]', 'All when absent'),
      io,
    )
      .option(
        '--preset <date>',
        '2026-10: prices of the provider from 1 October 2026 on, free-form replies included',
        oneOf(PRESETS),
      )
      .option('--plan <id>', 'Another plan')
      .option('--markup-percent <percent>', "Another markup on the provider's price")
      .option('--credit-value <amount>', 'Another value of a credit')
      .option('--rate-card <id>', 'Another rate card')
      .option('--rate-card-file <file>', 'The same as JSON: currency and rates')
      .option('--charge-service', 'Charge free-form replies as well')
      .option('--no-charge-service', 'Send them for free')
      .option('--per-minute <n>', 'Sending cap per minute', cap)
      .option('--daily <n>', 'Sending cap per UTC day', cap)
      .option('--monthly <n>', 'Sending cap per UTC month', cap),
  ).action(actOnBooks(createAct(io), io)(show));
  const examples = [
    'what-if --month 2026-09 --preset 2026-10',
    'what-if <account> --month 2026-11 --markup-percent 25',
    'what-if <account> --month 2026-11 --daily 1000 --data ./backup-2026-12-01',
  ];
  withExtra(command, { examples });
};
