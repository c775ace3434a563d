import { MICROS_PER_UNIT } from '../commands/pricing/money.ts';
import { costOf } from '../commands/pricing/rate-card.ts';
import type { RateCard } from '../events/pricing.ts';
import { formatMicros } from '../shared/decimal.ts';
import { type ChargeRow, isWithin, type MessageRow } from './billed-messages.ts';
import {
  billOf,
  type DifferenceKind,
  differenceKinds,
  differenceOf,
  isByPlan,
  recordedCost,
  untold,
  volumeOf,
} from './billing.ts';
import type { Period } from './statement.ts';
import {
  type Comparison,
  countryWord,
  createVolumes,
  type Volume,
  volumeCategory,
} from './volumes.ts';

// An operator's own account of volumes, as CSV: an export of the provider's, or of a spreadsheet.

/** What each column may be called, in small letters with `_` between words. */
const names = {
  country: ['country', 'country_code'],
  category: ['category', 'pricing_category'],
  type: ['type', 'pricing_type'],
  volume: ['volume', 'quantity', 'messages', 'count'],
  cost: ['cost', 'amount'],
} as const;
type Column = keyof typeof names;
const required = ['country', 'category', 'volume'] as const;

const separators = [',', ';', '\t'];

/** The cells of a line; a cell in quotes may hold the separator, and two quotes for one. */
const cellsOf = (line: string, separator: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
};

const columnsIn = (header: readonly string[]): Map<Column, number> => {
  const words = header.map((name) => name.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  const found = (Object.keys(names) as Column[]).map((column) => {
    const at = words.findIndex((word) => (names[column] as readonly string[]).includes(word));
    return [column, at] as const;
  });
  return new Map(found.filter(([, at]) => at >= 0));
};

/** The volumes of a file, by category and country. Throws with the line that cannot be read. */
export const readBill = async (lines: AsyncIterable<string>): Promise<Volume[]> => {
  const volumes = createVolumes();
  let columns: Map<Column, number> | undefined;
  let separator = ',';
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = text.replace(/^\ufeff/, '');
    if (line.trim() === '') continue;
    if (!columns) {
      separator = separators.find((one) => line.includes(one)) ?? ',';
      columns = columnsIn(cellsOf(line, separator));
      const missing = required.filter((column) => !columns?.has(column));
      if (missing.length > 0) {
        const known = missing.map((column) => names[column].join(' or '));
        throw new Error(`the first line must name the columns; missing: ${known.join(', ')}`);
      }
      continue;
    }
    const cells = cellsOf(line, separator);
    const cell = (column: Column) => cells[columns?.get(column) ?? -1] ?? '';
    const volume = /^\d{1,15}$/.test(cell('volume')) ? Number(cell('volume')) : Number.NaN;
    if (Number.isNaN(volume)) throw new Error(`line ${number}: the volume must be a whole number`);
    if (cell('category') === '') throw new Error(`line ${number}: the category is missing`);
    const isFree = cell('type').toUpperCase().startsWith('FREE');
    const cost = cell('cost') === '' ? Number.NaN : Number(cell('cost'));
    volumes.add(
      volumeCategory(cell('category').replaceAll(' ', '_')),
      countryWord(cell('country')),
      {
        ...(isFree ? { free: volume } : { billed: volume }),
        cost: Number.isNaN(cost) ? null : cost,
      },
    );
  }
  if (!columns) throw new Error('the file is empty');
  return volumes.list();
};

// What a comparison of charges with the provider's bill found.

/** One message of which charge and bill do not agree. */
export interface Difference {
  kind: DifferenceKind;
  /** The account's plan wants it so. */
  byPlan: boolean;
  accountId: string;
  /** Null for a message that was not sent from here. */
  chargeId: string | null;
  /** Null while there is none, and where it cannot be opened. */
  messageId: string | null;
  /** Time of the charge, or of the first status of a message without one. */
  at: string;
  category: string | null;
  countryCode: string | null;
  /** What the account paid, and its unit: `credits` or a currency. */
  amount: number;
  unit: string | null;
  /** Why it was given back; null where it was not. */
  refundCause: string | null;
  status: string | null;
  /** How the provider bills it, in its words. */
  billedAs: { type: string | null; category: string | null };
  /**
   * What the provider bills less what was recorded as its cost: a decimal string in `currency`; null
   * where the provider has not said how it bills the message, or no rate card has its rate.
   */
  difference: string | null;
  currency: string | null;
  /** Whether the message's id was erased; null where that cannot be seen. */
  erased: boolean | null;
}

/** Charges of one category and country. */
interface BillingCount {
  category: string;
  countryCode: string;
  charges: number;
  /** Kept charges of which the account paid something. */
  charged: number;
  givenBack: number;
  /** Kept charges that cost the account nothing. */
  free: number;
  delivered: number;
  differences: number;
}

export interface Reconciliation {
  ok: boolean;
  period: Period;
  accountId: string | null;
  /** Charges of the period, free ones included. */
  charges: number;
  /** Of each kind, and those of them that the plan wants. */
  found: Record<DifferenceKind, { count: number; byPlan: number }>;
  differenceCount: number;
  byPlanCount: number;
  /** The money of all differences by currency, decimal strings: what was billed less the recorded cost. */
  difference: Record<string, string>;
  /** Differences whose money is not known. */
  unpriced: number;
  /** The first 10,000. */
  differences: Difference[];
  counts: BillingCount[];
  /** Charged and priced, and not delivered so far: the provider bills them on delivery. */
  undelivered: number;
  /** Delivered in the period, by the number that sent. */
  volumes: (Volume & { phoneNumberId: string })[];
  /** The comparison with the volumes of the provider or a file; null where none was asked for. */
  compared: Comparison | null;
  /** Accounts of the log up to now. */
  accounts: string[];
  /** Events that could not be read. */
  unreadable: number;
}

/** Differences that a report lists. */
const LISTED_MAX = 10_000;

/** With the stream of its message. */
export type Listed = Difference & { stream: string | null };

const differenceRow = (
  what: Pick<Difference, 'kind' | 'byPlan' | 'difference'>,
  charge: ChargeRow | null,
  message: MessageRow | undefined,
): Listed => {
  const { status, type, category: billed } = message?.told ?? untold;
  const { accountId, at } = (charge ?? message)!;
  return {
    ...what,
    accountId,
    chargeId: charge?.chargeId ?? null,
    messageId: null,
    at,
    category: charge?.category ?? null,
    countryCode: charge?.countryCode ?? null,
    amount: charge?.amount ?? 0,
    unit: charge?.unit ?? null,
    refundCause: charge?.refundCause ?? null,
    status,
    billedAs: { type, category: billed },
    currency: charge?.currency ?? null,
    erased: null,
    stream: message?.stream ?? null,
  };
};

/** By time, and always in the same order. */
const placeOf = ({ at, chargeId, stream }: Listed): string => `${at} ${chargeId ?? stream}`;

/** Counts what the charges of a period, and messages without a charge, come to. */
export const createTally = (
  period: Period,
  accountId: string | undefined,
  cards: ReadonlyMap<string, RateCard>,
) => {
  const found = Object.fromEntries(
    differenceKinds.map((kind) => [kind, { count: 0, byPlan: 0 }]),
  ) as Reconciliation['found'];
  const listed: Listed[] = [];
  const counts = new Map<string, BillingCount>();
  const volumes = new Map<string, ReturnType<typeof createVolumes>>();
  /** Millionths by currency. */
  const money = new Map<string, number>();
  const currencies = new Set<string>();
  let [charges, undelivered, unpriced] = [0, 0, 0];

  /** What the provider bills less what was recorded as its cost, in millionths. */
  const moneyOf = (charge: ChargeRow | null, message: MessageRow | undefined): number | null => {
    const card = cards.get(charge?.rateCardId ?? '');
    const bill = billOf(charge, message?.told ?? untold, (category) =>
      charge && card ? costOf(card, charge.market, category) : null,
    );
    return bill === null ? null : bill - recordedCost(charge);
  };

  const differ = (charge: ChargeRow | null, message: MessageRow | undefined): boolean => {
    const kind = differenceOf(charge, message?.told ?? untold);
    if (kind === null) return false;
    const byPlan = isByPlan(kind, charge);
    found[kind].count += 1;
    if (byPlan) found[kind].byPlan += 1;
    const micros = moneyOf(charge, message);
    if (micros === null || !charge) unpriced += 1;
    else money.set(charge.currency, (money.get(charge.currency) ?? 0) + micros);
    const difference = micros === null ? null : formatMicros(micros);
    if (listed.length < LISTED_MAX) {
      listed.push(differenceRow({ kind, byPlan, difference }, charge, message));
    }
    return true;
  };

  const count = (charge: ChargeRow, message: MessageRow | undefined): void => {
    const { category, countryCode, refundCause, amount } = charge;
    const key = `${category} ${countryCode}`;
    const row = counts.get(key) ?? {
      category,
      countryCode,
      charges: 0,
      charged: 0,
      givenBack: 0,
      free: 0,
      delivered: 0,
      differences: 0,
    };
    counts.set(key, row);
    charges += 1;
    row.charges += 1;
    if (refundCause !== null) row.givenBack += 1;
    else if (amount === 0) row.free += 1;
    else row.charged += 1;
    const isDelivered = (message?.told.deliveredAt ?? null) !== null;
    const isPriced = (message?.told.type ?? null) !== null && message?.told.status !== 'failed';
    if (isDelivered) row.delivered += 1;
    else if (refundCause === null && isPriced) undelivered += 1;
    if (differ(charge, message)) row.differences += 1;
  };

  return {
    take(charge: ChargeRow | null, message: MessageRow | undefined): void {
      const { accountId: owner, at } = (charge ?? message)!;
      if (accountId !== undefined && owner !== accountId) return;
      const volume = message && volumeOf(message.told, charge);
      if (message && volume && isWithin(period, volume.at)) {
        const own = volumes.get(message.phoneNumberId) ?? createVolumes();
        volumes.set(message.phoneNumberId, own);
        const counted = volume.isFree ? { free: 1 } : { billed: 1 };
        if (charge) currencies.add(charge.currency);
        const cost = recordedCost(charge) / MICROS_PER_UNIT;
        own.add(volume.category, charge?.countryCode ?? 'ZZ', { ...counted, cost });
      }
      if (!isWithin(period, at)) return;
      if (charge) count(charge, message);
      else differ(null, message);
    },
    result: () => ({
      charges,
      found,
      undelivered,
      unpriced,
      difference: Object.fromEntries(
        [...money].sort().map(([currency, micros]) => [currency, formatMicros(micros)]),
      ),
      counts: [...counts.keys()].sort().map((key) => counts.get(key)!),
      volumes: [...volumes].flatMap(([phoneNumberId, { list }]) =>
        list().map((volume) => {
          // A sum of several currencies says nothing.
          const cost = currencies.size > 1 ? null : volume.cost;
          return { phoneNumberId, ...volume, cost };
        }),
      ),
      listed: listed.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
    }),
  };
};

/** Whether nothing is left over; with `allowByPlan`, apart from what the plans of accounts want. */
export const isSettled = (
  { differenceCount, byPlanCount, unreadable, compared }: Omit<Reconciliation, 'ok'>,
  { allowByPlan = false }: { allowByPlan?: boolean } = {},
): boolean =>
  unreadable === 0 &&
  differenceCount === (allowByPlan ? byPlanCount : 0) &&
  (compared?.missing ?? []).length === 0 &&
  (compared?.rows ?? []).every(({ isSame }) => isSame);

/** The report with this comparison of volumes. */
export const withComparison = (report: Reconciliation, compared: Comparison): Reconciliation => {
  const whole = { ...report, compared };
  return { ...whole, ok: isSettled(whole) };
};
