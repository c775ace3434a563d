import { type MoneyFact, moneyEventTypes } from '../events/account.ts';
import type { KnownEvent } from '../events/index.ts';
import type { Billing } from '../events/price.ts';

/** An event of the hash chain, as the log holds it. */
export type MoneyEvent = Extract<KnownEvent, { type: MoneyFact['type'] }>;

/** A movement of an account's balance: one row of its ledger. */
export interface Movement {
  position: string;
  revision: number;
  entryId: string;
  type: 'DEDUCT' | 'REFUND' | 'GRANT' | 'REVOKE';
  /** Credits, or millionths of the currency on a wallet plan; never zero. */
  amount: number;
  balanceAfter: number;
  billing: Billing;
  reason: string | null;
  chargeId: string | null;
  at: string;
  sequence: number;
  hash: string;
}

const types: ReadonlySet<string> = new Set(moneyEventTypes);

export const isMoneyEvent = (event: { type: string }): event is MoneyEvent => types.has(event.type);

const typeOf = (event: MoneyEvent): Movement['type'] => {
  switch (event.type) {
    case 'ChargeReserved':
      return 'DEDUCT';
    case 'ChargeRefunded':
      return 'REFUND';
    case 'CreditsGranted':
      return 'GRANT';
    case 'CreditsRevoked':
      return 'REVOKE';
    case 'WalletMoved':
      return event.data.amount < 0 ? 'REVOKE' : 'GRANT';
  }
};

const billingOf = (event: MoneyEvent): Billing => {
  if (event.type === 'WalletMoved') return 'wallet';
  return 'price' in event.data ? event.data.price.billing : 'credits';
};

/** Undefined for an event that did not move the balance, such as a setting or a free message. */
export const movementOf = (event: { type: string }): Movement | undefined => {
  if (!isMoneyEvent(event) || event.data.amount === 0) return undefined;
  const { position, revision, data } = event;
  const { entryId, amount, balanceAfter, reason, at, sequence, hash } = data;
  return {
    position,
    revision,
    entryId,
    type: typeOf(event),
    amount,
    balanceAfter,
    billing: billingOf(event),
    reason,
    chargeId: 'chargeId' in data ? data.chargeId : null,
    at,
    sequence,
    hash,
  };
};
