import type { Category } from '../events/content.ts';
import type { Billing } from '../events/price.ts';
import type { RefundWord } from '../events/refund-word.ts';
import type { Actor, Position } from '../events/store.ts';
import type { Period } from './period.ts';

// Amounts are integers: credits, or millionths of the currency. Costs and prices are always millionths.

/** What an account counts in. */
export interface Unit {
  billing: Billing;
  currency: string;
}

/** Credits or money that an administrator moved. */
export interface GrantLine {
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
}

export interface RefundLine extends Sum {
  cause: RefundWord;
}

/** The part of a period in which the account counted in one unit. */
export interface Section extends Unit {
  opening: number;
  closing: number;
  grants: GrantLine[];
  charges: ChargeLine[];
  refunds: RefundLine[];
  /** The prices of what was charged and not given back. */
  sold: number;
  /** What the provider takes for it by the rate cards of the charges. */
  providerCost: number;
}

/** A link of the account's hash chain. */
export interface LinkPlace {
  sequence: number;
  hash: string;
}

/** A seal of the heads of all chains, at one position of the log. */
export interface StatementSeal {
  number: number;
  at: string;
  position: Position;
  root: string;
}

export interface Statement {
  accountId: string;
  period: Period;
  /** In their order; one, unless the account changed its unit within the period. Never empty. */
  sections: readonly Section[];
  chain: { first: LinkPlace | null; last: LinkPlace | null; links: number };
  /** The first seal at or after the end of the period, which covers all of it; null without one. */
  seal: StatementSeal | null;
}
