import type { Price } from '../events/price.ts';
import { type RefundWord, refundWordOf } from '../events/refund-word.ts';
import { AppError } from '../shared/errors.ts';
import type { MoneyEvent } from './movement.ts';
import type {
  ChargeLine,
  GrantLine,
  RefundLine,
  Section,
  Statement,
  Unit,
} from './statement-shape.ts';

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
  providerCost: 0,
});

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
      one.unitPrice - other.unitPrice,
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

/** Counts one section. */
const createSection = (unit: Unit, opening: number) => {
  const section = sectionOf(unit, opening);
  const chargeLines = new Map<string, ChargeLine>();
  const refundLines = new Map<RefundWord, RefundLine>();

  const charge = (price: Price, amount: number): void => {
    const { category, market, sellPrice: unitPrice, providerCost } = price;
    const key = `${unitPrice} ${category} ${market}`;
    let line = chargeLines.get(key);
    if (!line) {
      line = { category, market, unitPrice, count: 0, amount: 0 };
      chargeLines.set(key, line);
      section.charges.push(line);
    }
    line.count += 1;
    line.amount += amount;
    section.sold += unitPrice;
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
    section.sold -= price.sellPrice;
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
  };
};

/** Counts the events of an account, in the order of its stream. */
export const createStatement = (unitBefore: Unit, opening: number) => {
  let unit = unitBefore;
  let current = createSection(unit, opening);
  const sections = [current.section];
  const chain: Statement['chain'] = { first: null, last: null, links: 0 };
  return {
    /** The account counts in this unit from here on. */
    setUnit(next: Unit): void {
      if (isSameUnit(next, unit)) return;
      unit = next;
      if (isEmpty(current.section)) sections.pop();
      current = createSection(unit, current.section.closing);
      sections.push(current.section);
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
    end: () => ({ sections: sections.map(inOrder), chain }),
  };
};
