import { z } from 'zod';
import {
  type Asked,
  QUOTE_ITEMS_MAX,
  type Quote,
  type QuoteItem,
  type Quotes,
} from '../../commands/sending/quote.ts';
import { BY_STRICT, refusalCodeOf } from '../../commands/sending/refusals.ts';
import type { StrictProblem } from '../../commands/sending/strict.ts';
import { type AccountHours, planSend } from '../../commands/sending/timing.ts';
import { Category } from '../../events/category.ts';
import { parseContact } from '../../events/contact.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { formatMicros, inUnit } from '../../shared/decimal.ts';
import type { AppError } from '../../shared/errors.ts';
import type { KeyContext } from '../edge/context.ts';
import { reply, responseOf } from '../edge/respond.ts';
import { invalid } from '../route/validation.ts';
import { iso } from './schemas.ts';

// What a send would cost, as /v1/quotes and `dryRun` answer it.

/** The field by which a send keeps to a quote. */
export const quoteId = z
  .string()
  .max(20_000)
  .optional()
  .describe(
    'Of a quote: the send costs what it said, or is refused (409 `QUOTE_CHANGED`). Valid for 10 minutes, and as often as you like.',
  );

/** The field by which a send is only asked about. */
export const dryRun = z
  .boolean()
  .optional()
  .describe(
    'Sends and charges nothing: the 200 is then the answer of `POST /v1/quotes`, and no `Idempotency-Key` is claimed.',
  );

export const amountIn = (about: string) =>
  z
    .union([z.int(), z.string()])
    .describe(`${about}: credits, or a decimal string on a wallet plan.`);

const Item = z.object({
  to: z.string().describe('The recipient as the request named it.'),
  channel: z
    .enum(['template', 'direct', 'text'])
    .nullable()
    .describe('How it would go out; `text` is every message without a template. Null: undecided.'),
  category: Category.nullable().describe('Category of the price; null where there is no price.'),
  market: z.string().nullable().describe('Market of the recipient; null where there is no price.'),
  price: z.string().nullable().describe('Sell price, a decimal string in `currency`.'),
  creditsCharged: z
    .int()
    .nullable()
    .describe('Credits that would be charged, 0 for a refused one; null on a wallet plan.'),
  templateStatus: z
    .enum(['APPROVED', 'PENDING', 'REJECTED', 'NOT_CREATED'])
    .nullable()
    .describe('State of its template as the service last heard; null without a template.'),
  windowClosesAt: iso
    .nullable()
    .describe('End of the open 24-hour window of the recipient; null where it is closed.'),
  dueAt: iso.nullable().describe('When it would go out; null for at once.'),
  problems: z
    .array(z.string())
    .describe(
      'The code that refuses it; `missing_variable:<name>` of a message that would go with a gap; `template_unknown` where only the provider knows the template.',
    ),
});

export const QuoteTotal = z.object({
  category: Category.describe('Category of the price.'),
  market: z.string().describe('Market of the recipients.'),
  count: z.int().describe('Messages that would go out.'),
  unitPrice: z.string().describe('Sell price of one, a decimal string in `currency`.'),
  amount: amountIn('Of all of them'),
});

export const QuoteAnswer = z
  .object({
    quoteId: z
      .string()
      .nullable()
      .describe('For `quoteId` of the send; null where the quote binds nothing.'),
    validUntil: iso.nullable().describe('10 minutes from now; null without a `quoteId`.'),
    would: z
      .enum(['send', 'partly', 'refuse'])
      .describe('`partly`: some recipients would get the message, others be refused.'),
    covered: z.int().describe('Messages that would go out.'),
    refusal: z
      .object({
        status: z.int().describe('HTTP status.'),
        code: z.string().nullable().describe('The code to branch on, or the `reason` of a 402.'),
        error: z
          .union([z.string(), z.record(z.string(), z.unknown())])
          .describe('As in the refusal of the send.'),
        hint: z.string().nullable().describe('What to do.'),
      })
      .nullable()
      .describe('The first refusal that the send would meet; null for none.'),
    amount: amountIn('What the send would take'),
    currency: z.string().describe('ISO 4217 code of the prices.'),
    balance: amountIn('The balance now'),
    balanceAfter: amountIn('`balance` − `amount`'),
    items: z
      .array(Item)
      .max(QUOTE_ITEMS_MAX)
      .describe('The recipients, in the order of the request: the first 500.'),
    totals: z.array(QuoteTotal).describe('The messages that would go out, by category and market.'),
  })
  .meta({ id: 'Quote' });

const refusalOf = (error: AppError) => {
  const { status, body } = responseOf(error);
  const code = (body.code ?? body.reason) as string | undefined;
  return {
    status,
    code: code ?? null,
    error: body.error as string | Record<string, unknown>,
    hint: (body.hint as string | undefined) ?? null,
  };
};

const problemsOf = ({ refusal, missingVariables, isTemplateUnknown }: QuoteItem): string[] => [
  ...(refusal ? [refusalOf(refusal).code ?? refusalCodeOf(refusal) ?? refusal.code] : []),
  ...missingVariables.map((name) => `missing_variable:${name}`),
  ...(isTemplateUnknown ? ['template_unknown'] : []),
];

const present = (quote: Quote, dueAts: readonly (string | null)[]): z.input<typeof QuoteAnswer> => {
  const { billing, balance, amount, covered, items, refusal } = quote;
  const credits = billing === 'credits';
  // What goes out later costs what it costs then.
  const quoteId = dueAts.every((dueAt) => dueAt === null) ? quote.quoteId : null;
  return {
    quoteId,
    validUntil: quoteId === null ? null : isoTime(quote.validUntil),
    would: covered === 0 ? 'refuse' : refusal ? 'partly' : 'send',
    covered,
    refusal: refusal && refusalOf(refusal),
    amount: inUnit(billing, amount),
    currency: quote.currency,
    balance: inUnit(billing, balance),
    balanceAfter: inUnit(billing, balance - amount),
    items: items.slice(0, QUOTE_ITEMS_MAX).map((item, index) => ({
      to: item.to,
      channel: item.channel,
      category: item.price?.category ?? null,
      market: item.price?.market ?? null,
      price: item.price && formatMicros(item.price.sellPrice),
      creditsCharged: credits ? item.charged : null,
      templateStatus: item.templateStatus,
      windowClosesAt: item.windowClosesAt === null ? null : isoTime(item.windowClosesAt),
      dueAt: dueAts[index] ?? null,
      problems: problemsOf(item),
    })),
    totals: quote.totals.map((total) => ({
      category: total.category,
      market: total.market,
      count: total.count,
      unitPrice: formatMicros(total.unitPrice),
      amount: inUnit(billing, total.amount),
    })),
  };
};

/** What an account sets for all of its sends. */
interface AccountSends extends AccountHours {
  /** Whether they are strict where their body does not say it. */
  strict: boolean;
}

export interface SendDefaults {
  /** At once where the account is in memory, so that a send awaits nothing for it. */
  defaultsOf: (accountId: string) => AccountSends | Promise<AccountSends>;
}

export interface QuoteDeps extends SendDefaults {
  quotes: Quotes;
  clock: Clock;
}

/** What sends would cost; `problems` are what a strict account refuses them all for. */
export const answerQuote = async (
  { quotes, defaultsOf, clock }: QuoteDeps,
  asked: readonly Asked[],
  { key, requestId }: Pick<KeyContext, 'key' | 'requestId'>,
  problems: readonly StrictProblem[],
) => {
  const refusal = problems.length > 0 ? invalid(problems, BY_STRICT) : null;
  const { accountId } = key;
  const quote = await quotes.quote(asked, { requestId, accountId }, refusal);
  const account = await defaultsOf(accountId);
  const now = clock.now();
  const dueAts = quote.items.map(({ to, price }, index) => {
    // What was not priced is refused, whenever it would go out.
    const { category = 'SERVICE' } = price ?? {};
    const { timing = {} } = asked[index]!;
    return planSend({ timing, to: parseContact(to), category, account, now })?.dueAt ?? null;
  });
  return present(quote, dueAts);
};

/** The answer of a send that is only asked about. */
export const answerDryRun = async (...given: Parameters<typeof answerQuote>) =>
  reply(200, (await answerQuote(...given)) as never);
