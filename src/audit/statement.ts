import { type RefundWord, refundWordOf } from '../events/account.ts';
import type { Category } from '../events/category.ts';
import type { Billing, Price } from '../events/price.ts';
import type { Actor, Position } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import type { MoneyEvent } from './movement.ts';

/** From one time on and until before another, both ISO 8601 in UTC with milliseconds. */
export interface Period {
  from: string;
  to: string;
}

/** A period as a caller names it: a month, or its two ends as times. */
export interface NamedPeriod {
  /** Such as `2026-11`. */
  month?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const MONTH = /^(2[01]\d\d)-(0[1-9]|1[0-2])$/;
/** Times beyond these years have other forms as texts, which do not compare. */
const [EARLIEST, LATEST] = ['2000-01-01T00:00:00.000Z', '2201-01-01T00:00:00.000Z'];

/** The UTC month, or undefined for a text that names none. */
const periodOfMonth = (text: string): Period | undefined => {
  const [, year, month] = MONTH.exec(text) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const startOf = (months: number) =>
    new Date(Date.UTC(Number(year), Number(month) - 1 + months)).toISOString();
  return { from: startOf(0), to: startOf(1) };
};

/** The period, or what is wrong with it: the field and a sentence. */
export const periodOf = ({
  month,
  from,
  to,
}: NamedPeriod): Period | { field: keyof NamedPeriod; problem: string } => {
  if (month !== undefined) {
    if (from !== undefined || to !== undefined) {
      return { field: 'month', problem: 'excludes from and to: give a month, or both ends' };
    }
    const period = periodOfMonth(month);
    return period ?? { field: 'month', problem: 'must be a month such as 2026-11' };
  }
  if (from === undefined && to === undefined) {
    return { field: 'month', problem: 'is required, such as 2026-11, or from and to' };
  }
  if (from === undefined) return { field: 'from', problem: 'is required with to' };
  if (to === undefined) return { field: 'to', problem: 'is required with from' };
  if (from < EARLIEST) return { field: 'from', problem: 'must be in the year 2000 or later' };
  if (to > LATEST) return { field: 'to', problem: 'must be in the year 2200 or earlier' };
  if (from >= to) return { field: 'to', problem: 'must be later than from' };
  return { from, to };
};

// Amounts are integers: credits, or millionths of the currency. Costs and prices are always millionths.

/** What an account counts in. */
export interface Unit {
  billing: Billing;
  currency: string;
}

/** Credits or money that an administrator moved. */
interface GrantLine {
  at: string;
  type: 'GRANT' | 'REVOKE';
  /** Of a wallet; null for credits. */
  kind: 'top_up' | 'adjustment' | null;
  amount: number;
  reason: string | null;
  by: Actor | null;
}

interface Sum {
  count: number;
  amount: number;
}

/** Charges of one category and market at one price, free ones included. */
export interface ChargeLine extends Sum {
  category: Category;
  market: string;
  unitPrice: number;
  /** Credits of one message; null on a wallet. */
  creditsEach: number | null;
}

interface RefundLine extends Sum {
  cause: RefundWord;
}

/** What was sold of one category in one market. */
export interface SoldLine {
  category: Category;
  market: string;
  /** Charges, those given back included. */
  count: number;
  sold: number;
}

/** The part of a period in which the account counted in one unit. */
export interface Section extends Unit {
  opening: number;
  closing: number;
  grants: GrantLine[];
  charges: ChargeLine[];
  refunds: RefundLine[];
  /** The value of what was charged and not given back: on a credit plan of the credits, else the money. */
  sold: number;
  /** The same by category and market, which may have several lines. */
  soldBy: SoldLine[];
  /** The prices of the same messages. Credits are whole, so that their value is higher. */
  prices: number;
  /** What the provider takes for it by the rate cards of the charges. */
  providerCost: number;
}

/** A link of the account's hash chain. */
export interface LinkPlace {
  sequence: number;
  hash: string;
}

/** Who issues statements, as the log had it at the seal. */
export interface Issuer {
  name: string;
  address: string | null;
  taxId: string | null;
}

/** A version of a plan, which has one value of a credit. */
export type PlanVersion = Pick<Price, 'planId' | 'planVersion'>;

/** The value of one credit, in millionths of the currency. */
export type CreditValueOf = (plan: PlanVersion) => Promise<number>;

/** A seal of the heads of all chains, at one position of the log. */
export interface StatementSeal {
  number: number;
  at: string;
  position: Position;
  root: string;
}

export interface Statement {
  account: { id: string; name: string };
  organisation: { id: string; name: string };
  /** Null where the settings name no issuer. */
  issuer: Issuer | null;
  period: Period;
  /** In their order; one, unless the account changed its unit within the period. Never empty. */
  sections: readonly Section[];
  chain: { first: LinkPlace | null; last: LinkPlace | null; links: number };
  /** The first seal at or after the end of the period, which covers all of it; null without one. */
  seal: StatementSeal | null;
}

/** Most lines of a statement, so that its size is bounded. */
const LINES_MAX = 100_000;

const sectionOf = ({ billing, currency }: Unit, opening: number): Section => ({
  billing,
  currency,
  opening,
  closing: opening,
  grants: [],
  charges: [],
  refunds: [],
  sold: 0,
  soldBy: [],
  prices: 0,
  providerCost: 0,
});

/** Of a whole month the month, else both ends; days where they are whole. */
const nameOfPeriod = ({ from, to }: Period): string => {
  const month = from.slice(0, 7);
  const whole = periodOfMonth(month);
  if (whole?.from === from && whole.to === to) return month;
  return [from, to].map((end) => end.replace('T00:00:00.000Z', '')).join('/');
};

/** The number of a statement: the period, and the end of the account's id. */
export const numberOf = ({ account, period }: Pick<Statement, 'account' | 'period'>): string =>
  `${nameOfPeriod(period)}/${account.id.slice(-12)}`;

/** The UTC day on which the statement became final; null before. */
export const dateOf = ({ seal }: Pick<Statement, 'seal'>): string | null =>
  seal?.at.slice(0, 10) ?? null;

export const isSameUnit = (one: Unit, other: Unit): boolean =>
  one.billing === other.billing && one.currency === other.currency;

const compare = <T extends string | number>(one: T, other: T): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const isEmpty = ({ grants, charges, refunds, providerCost }: Section): boolean =>
  grants.length + charges.length + refunds.length === 0 && providerCost === 0;

const inOrder = (section: Section): Section => {
  section.charges.sort(
    (one, other) =>
      compare(one.category, other.category) ||
      compare(one.market, other.market) ||
      one.unitPrice - other.unitPrice ||
      (one.creditsEach ?? 0) - (other.creditsEach ?? 0),
  );
  section.refunds.sort((one, other) => compare(one.cause, other.cause));
  return section;
};

const grantOf = (event: Exclude<MoneyEvent, { data: { price: Price } }>): GrantLine => {
  const { at, amount, reason, grantedBy: by } = event.data;
  const type = event.type === 'CreditsRevoked' || amount < 0 ? 'REVOKE' : 'GRANT';
  const kind = event.type === 'WalletMoved' ? event.data.kind : null;
  return { at, type, kind, amount, reason, by };
};

type KeptBy = 'planId' | 'planVersion' | 'category' | 'market';

/** Counts one section. */
const createSection = (unit: Unit, opening: number) => {
  const section = sectionOf(unit, opening);
  /** What was charged and not given back, by what gives it its value: in the account's unit. */
  const kept = new Map<string, Pick<Price, KeptBy> & { count: number; units: number }>();
  const chargeLines = new Map<string, ChargeLine>();
  const refundLines = new Map<RefundWord, RefundLine>();

  const keep = (price: Price, units: number, count: 0 | 1): void => {
    const { planId, planVersion, category, market } = price;
    const key = `${planVersion} ${category} ${planId} ${market}`;
    const line = kept.get(key);
    if (!line) kept.set(key, { planId, planVersion, category, market, count, units });
    else {
      line.count += count;
      line.units += units;
    }
  };

  const charge = (price: Price, amount: number): void => {
    const { category, market, sellPrice: unitPrice, providerCost } = price;
    const creditsEach = unit.billing === 'credits' ? price.creditsRequired : null;
    const key = `${unitPrice} ${creditsEach} ${category} ${market}`;
    let line = chargeLines.get(key);
    if (!line) {
      line = { category, market, unitPrice, creditsEach, count: 0, amount: 0 };
      chargeLines.set(key, line);
      section.charges.push(line);
    }
    line.count += 1;
    line.amount += amount;
    keep(price, 0 - amount, 1);
    section.prices += unitPrice;
    section.providerCost += providerCost;
  };

  const refund = (word: RefundWord, price: Price, amount: number): void => {
    let line = refundLines.get(word);
    if (!line) {
      line = { cause: word, count: 0, amount: 0 };
      refundLines.set(word, line);
      section.refunds.push(line);
    }
    line.count += 1;
    line.amount += amount;
    // A charge of another unit is closed without a movement; its prices are in another currency.
    if (!isSameUnit(price, unit)) return;
    keep(price, 0 - amount, 0);
    section.prices -= price.sellPrice;
    // The provider takes its price although the caller hung up.
    if (word !== 'disconnected') section.providerCost -= price.providerCost;
  };

  return {
    section,
    link(event: MoneyEvent): void {
      const { amount } = event.data;
      section.closing += amount;
      if (event.type === 'ChargeReserved') charge(event.data.price, amount);
      else if (event.type === 'ChargeRefunded') {
        refund(refundWordOf(event.data.cause), event.data.price, amount);
      } else section.grants.push(grantOf(event));
      if (section.grants.length + section.charges.length > LINES_MAX) {
        const lines = LINES_MAX.toLocaleString('en');
        const what = `The statement has more than ${lines} lines: choose a shorter period`;
        throw new AppError('resource.conflict', what);
      }
    },
    /** The message of a refunded charge went out after all: the provider takes its price. */
    wentOut(price: Price): void {
      if (isSameUnit(price, unit)) section.providerCost += price.providerCost;
    },
    movedBefore(amount: number): void {
      section.opening += amount;
      section.closing += amount;
    },
    async end(creditValueOf: CreditValueOf): Promise<Section> {
      for (const { units, count, category, market, ...plan } of kept.values()) {
        const isValued = units !== 0 && unit.billing === 'credits';
        const sold = units * (isValued ? await creditValueOf(plan) : 1);
        section.sold += sold;
        section.soldBy.push({ category, market, count, sold });
      }
      return inOrder(section);
    },
  };
};

/** Counts the events of an account, in the order of its stream. */
export const createStatement = (unitBefore: Unit, opening: number) => {
  let unit = unitBefore;
  let current = createSection(unit, opening);
  const sections = [current];
  const chain: Statement['chain'] = { first: null, last: null, links: 0 };
  return {
    /** The account counts in this unit from here on. */
    setUnit(next: Unit): void {
      if (isSameUnit(next, unit)) return;
      unit = next;
      if (isEmpty(current.section)) sections.pop();
      current = createSection(unit, current.section.closing);
      sections.push(current);
    },
    /** A movement of an earlier period. */
    movedBefore: (amount: number) => current.movedBefore(amount),
    link(event: MoneyEvent): void {
      const { sequence, hash } = event.data;
      chain.first ??= { sequence, hash };
      chain.last = { sequence, hash };
      chain.links += 1;
      current.link(event);
    },
    wentOut: (price: Price) => current.wentOut(price),
    async end(creditValueOf: CreditValueOf) {
      const ended: Section[] = [];
      for (const section of sections) ended.push(await section.end(creditValueOf));
      return { sections: ended, chain };
    },
  };
};
