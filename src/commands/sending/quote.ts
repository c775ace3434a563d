import { z } from 'zod';
import type { Category } from '../../events/category.ts';
import { parseContact } from '../../events/contact.ts';
import { Billing, type Price } from '../../events/price.ts';
import { AppError, isRefusal } from '../../shared/errors.ts';
import { readSealedId, sealedIdOf } from '../../shared/sealed-id.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { AccountDecider } from '../account/account.ts';
import { costOf, mustBeValid, quoteChanged, quotedAs } from '../account/movements.ts';
import type { AccountState, QuotedPrices } from '../account/state.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Mirror } from '../templates/mirror.ts';
import { isVisibleTo } from '../templates/template-owner.ts';
import { findEvent } from './catalog.ts';
import { createDirectSends } from './direct.ts';
import { type Channel, createNotifications, type NotificationRequest } from './notification.ts';
import { bestRow, findConfiguredNumber, windowOf } from './outgoing.ts';
import { createPassThrough, type PassThroughRequest } from './pass-through.ts';
import { createPricing } from './reserve.ts';
import { type Draft, mustKeepToCodeRules, type SendContext, type Transmitter } from './send.ts';
import type { Timing } from './timing.ts';

// What a send would cost: the decision of the send itself, on the same state, without the append. Everything
// up to the transmitter is the send's own code; the transmitter's place is taken by one that reserves in
// memory. Nothing is written, charged or asked of the provider.

/** Items that a quote lists; of more it has totals only. */
export const QUOTE_ITEMS_MAX = 500;

const VALID_MS = 10 * 60_000;

/** One send that is asked about. */
export type Asked = { timing?: Timing } & (
  | { kind: 'notification'; request: NotificationRequest }
  | { kind: 'message'; request: PassThroughRequest }
);

export interface QuoteItem {
  to: string;
  /** Null where nothing was decided of it. */
  channel: Channel | null;
  /** As far as it was priced before it was refused. */
  price: Price | null;
  /** What would be taken for it, in the account's unit. */
  charged: number;
  /** Of the template that the send asks for; null without one. */
  templateStatus: 'APPROVED' | 'PENDING' | 'REJECTED' | 'NOT_CREATED' | null;
  /** When the open 24-hour window closes, in ms; null where it is closed. */
  windowClosesAt: number | null;
  /** The mirror of templates knows nothing of the template, so that the send would ask the provider. */
  isTemplateUnknown: boolean;
  missingVariables: readonly string[];
  refusal: AppError | null;
}

/** The messages of one price. */
export interface QuoteTotal {
  category: Category;
  market: string;
  count: number;
  /** Sell price of one, in millionths of the plan's currency. */
  unitPrice: number;
  amount: number;
}

export interface Quote {
  /** Null where the quote binds nothing. */
  quoteId: string | null;
  validUntil: number;
  billing: Billing;
  currency: string;
  balance: number;
  amount: number;
  /** Messages that would go out. */
  covered: number;
  items: readonly QuoteItem[];
  totals: readonly QuoteTotal[];
  /** The first one. */
  refusal: AppError | null;
}

type Sending = Parameters<typeof createNotifications>[0] & Parameters<typeof createPassThrough>[0];

interface Deps extends Omit<Sending, 'mirror' | 'transmitter' | 'directSends'> {
  writer: Pick<Writer, 'load'>;
  account: AccountDecider;
  bytesPerMb: number;
}

/** What a quote binds a send to: the cost of each of its messages, and of all. */
interface BoundQuote extends QuotedPrices {
  amount: number;
}

const Bound = z.object({
  billing: Billing,
  currency: z.string(),
  units: z.record(z.string(), z.int()),
  amount: z.int(),
  validUntil: z.int(),
});

const kindOf = (accountId: string) => ({ prefix: 'quote', context: `quote-${accountId}` });

/** A quote as a text that only this service can make, for one account: nothing of it is stored. */
const quoteIdOf = (
  secrets: Pick<Secrets, 'seal'>,
  accountId: string,
  { billing, currency, units, amount, validUntil }: BoundQuote,
): string =>
  sealedIdOf(secrets, kindOf(accountId), { billing, currency, units, amount, validUntil });

/** The quote of a text. Throws where it was changed, or was made for another account. */
const readQuoteId = (
  secrets: Pick<Secrets, 'open'>,
  accountId: string,
  quoteId: string,
): BoundQuote => {
  try {
    return Bound.parse(readSealedId(secrets, kindOf(accountId), quoteId));
  } catch (cause) {
    const details = { cause: cause as Error };
    throw new AppError('quote.invalid', '`quoteId` is no quote of this account', details);
  }
};

/** The provider is not asked: the mirror is all that a quote knows of templates. */
const silentMirror: Pick<Mirror, 'readName'> = { readName: async () => undefined };

const writesNothing = {
  execute: () => {
    throw new Error('a quote writes nothing');
  },
};

/** How far a draft came. */
interface Seen {
  draft?: Draft;
  price?: Price;
}

interface Decided extends Seen {
  missingVariables: readonly string[];
  refusal: AppError | null;
}

/** Takes drafts like the transmitter of sends, and reserves each on the state that the others leave. */
const createRehearsal = (deps: Deps, start: AccountState) => {
  const underTerms = createPricing(deps);
  let state = start;
  let seen: Seen = {};

  const reserve = (draft: Draft, accountId: string) =>
    underTerms(draft, accountId, async (terms) => {
      seen = { draft, price: terms.price };
      const { reason, intent } = draft;
      const command = { type: 'Reserve' as const, ...terms, reason, intent, contactRef: '' };
      return deps.account(accountId).decide(command, state);
    });

  const transmitter: Transmitter = {
    async transmit(draft, { accountId }) {
      seen = { draft };
      mustKeepToCodeRules(draft);
      const facts = await reserve(draft, accountId);
      if (draft.outgoing instanceof AppError) throw draft.outgoing;
      state = facts.reduce(deps.account(accountId).evolve, state);
      const [fact] = facts;
      if (fact?.type !== 'ChargeReserved') throw new Error('a reservation came without its fact');
      const { chargeId, price, balanceAfter, outline } = fact.data;
      return { messageId: '', charge: { chargeId, price, balanceAfter }, outline };
    },
  };
  const { lookups, clock } = deps;
  const writer = writesNothing as never;
  const directSends = createDirectSends({ lookups, writer, transmitter, clock });
  const sending = { ...deps, mirror: silentMirror as Mirror, transmitter, directSends };
  const notifications = createNotifications(sending);
  const passThrough = createPassThrough(sending);
  return {
    /** Decides one send, and answers how far its draft came. */
    async decide(asked: Asked, context: SendContext): Promise<Decided> {
      seen = {};
      let missingVariables: readonly string[] = [];
      let refusal: AppError | null = null;
      try {
        if (asked.kind === 'notification') {
          const sent = await notifications.send(asked.request, context);
          missingVariables = sent.missingVariables;
        } else await passThrough.send(asked.request, context);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = error;
      }
      return { ...seen, missingVariables, refusal };
    },
  };
};

/** The state of the template that a send asks for, in the mirror. */
const templateOf = async (
  lookups: Pick<Lookups, 'numbers' | 'templates'>,
  { kind, request }: Asked,
  accountId: string,
): Promise<Pick<QuoteItem, 'templateStatus' | 'isTemplateUnknown'>> => {
  const none = { templateStatus: null, isTemplateUnknown: false };
  const entry = kind === 'notification' ? findEvent(request.event) : undefined;
  const own = kind === 'message' && request.content.type === 'template' ? request.content : null;
  const name = entry?.templateName ?? own?.name;
  const number = await findConfiguredNumber(lookups, accountId, request.phoneNumberId);
  if (name === undefined || !number) return none;
  const rows = await lookups.templates(number.wabaId, name);
  const visible = rows.filter((row) => isVisibleTo(accountId, row));
  const asked = kind === 'notification' ? request.languageCode : undefined;
  const row = own
    ? visible.find(({ language }) => language === own.language)
    : bestRow(rows, asked ?? entry!.language, accountId);
  return { templateStatus: row?.status ?? 'NOT_CREATED', isTemplateUnknown: rows.length === 0 };
};

const channelOf = ({ intent }: Draft): Channel => {
  if (intent.direct) return 'direct';
  return ['notification', 'template'].includes(intent.content.type) ? 'template' : 'text';
};

/** Adds up the messages that would go out, by category and market. */
const totalsOf = (items: readonly QuoteItem[]): readonly QuoteTotal[] => {
  const totals = new Map<string, QuoteTotal>();
  for (const { price, charged, refusal } of items) {
    if (!price || refusal) continue;
    const { category, market, sellPrice: unitPrice } = price;
    const known = totals.get(quotedAs(price)) ?? {
      category,
      market,
      count: 0,
      unitPrice,
      amount: 0,
    };
    const { count, amount } = known;
    totals.set(quotedAs(price), { ...known, count: count + 1, amount: amount + charged });
  }
  return [...totals.values()];
};

export const createQuotes = (deps: Deps) => {
  const { lookups, clock, secrets, writer, account } = deps;

  const windowClosesAt = async ({ request }: Asked, context: SendContext) => {
    const { accountId } = context;
    const number = await findConfiguredNumber(lookups, accountId, request.phoneNumberId);
    const closesAt = number
      ? await windowOf(deps, number, parseContact(request.to), context)
      : null;
    return closesAt !== null && closesAt > clock.now() ? closesAt : null;
  };

  const itemsOf = async (
    asked: readonly Asked[],
    state: AccountState,
    context: SendContext,
    refusal: AppError | null,
  ): Promise<QuoteItem[]> => {
    const rehearsal = createRehearsal(deps, state);
    const items: QuoteItem[] = [];
    for (const one of asked) {
      const decided: Decided = refusal
        ? { refusal, missingVariables: [] }
        : await rehearsal.decide(one, context);
      const { draft, price } = decided;
      items.push({
        to: one.request.to,
        channel: draft ? channelOf(draft) : null,
        price: price ?? null,
        charged: decided.refusal || !price ? 0 : costOf(price),
        ...(await templateOf(lookups, one, context.accountId)),
        windowClosesAt: await windowClosesAt(one, context),
        missingVariables: decided.missingVariables,
        refusal: decided.refusal,
      });
    }
    return items;
  };

  /**
   * What sends would cost that were made one after the other now. `refusal` is what refuses them all before
   * anything is decided.
   */
  const quote = async (
    asked: readonly Asked[],
    context: SendContext,
    refusal: AppError | null = null,
  ): Promise<Quote> => {
    const { accountId } = context;
    const { state } = await writer.load(account(accountId), accountId);
    const { billing, currency, balance } = state;
    const items = await itemsOf(asked, state, context, refusal);
    const going = items.filter((item) => !item.refusal);
    const amount = going.reduce((sum, { charged }) => sum + charged, 0);
    const units = Object.fromEntries(
      going.map(({ price, charged }) => [quotedAs(price!), charged]),
    );
    const validUntil = clock.now() + VALID_MS;
    const bound: BoundQuote = { billing, currency, units, amount, validUntil };
    const binds = items.every((item) => !item.isTemplateUnknown);
    return {
      quoteId: binds ? quoteIdOf(secrets, accountId, bound) : null,
      validUntil,
      billing,
      currency,
      balance,
      amount,
      covered: going.length,
      items,
      totals: totalsOf(items),
      refusal: items.find((item) => item.refusal)?.refusal ?? null,
    };
  };

  return {
    quote,
    read: (accountId: string, quoteId: string) => readQuoteId(secrets, accountId, quoteId),

    /** Throws where sends would not cost together what was quoted. */
    async mustHold(
      quoted: BoundQuote,
      asked: readonly Asked[],
      context: SendContext,
    ): Promise<void> {
      mustBeValid(quoted, clock.now());
      const { billing, currency, amount } = await quote(asked, context);
      const isSame =
        billing === quoted.billing && currency === quoted.currency && amount === quoted.amount;
      if (!isSame) throw quoteChanged(quoted, { billing, currency, amount });
    },
  };
};

export type Quotes = ReturnType<typeof createQuotes>;
