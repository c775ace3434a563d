import type { MoneyFact } from '../events/account.ts';
import { type RefundWord, refundWordOf } from '../events/account.ts';
import type { Category } from '../events/category.ts';
import type { Billing, Price } from '../events/price.ts';
import type { Actor, Position, Recorded } from '../events/store.ts';
import { defineProjection, made } from './define.ts';

/** A row of an account's ledger (contract 2.7). */
export interface LedgerDocument {
  id: string;
  accountId: string;
  /** Credits, or millionths of the currency on a wallet plan; never zero. */
  amount: number;
  balanceAfter: number;
  type: 'DEDUCT' | 'REFUND' | 'GRANT' | 'REVOKE';
  reason: string | null;
  /** The price of a charge, costs in millionths of the currency; null for other rows. */
  category: Category | null;
  countryCode: string | null;
  providerCost: number | null;
  sellPrice: number | null;
  billing: Billing;
  chargeId: string | null;
  /** Why a charge was refunded; null for other rows. */
  cause: RefundWord | null;
  createdAt: string;
  grantedBy: Actor | null;
  position: Position;
  revision: number;
  hash: string;
  order: Position;
}

type Priced = Pick<LedgerDocument, 'category' | 'countryCode' | 'providerCost' | 'sellPrice'>;
type Rest = Priced & Pick<LedgerDocument, 'type' | 'billing' | 'chargeId' | 'grantedBy'>;

const unpriced: Priced = {
  category: null,
  countryCode: null,
  providerCost: null,
  sellPrice: null,
};

const row = (
  event: Recorded<MoneyFact>,
  rest: Rest,
  cause: RefundWord | null = null,
): LedgerDocument | undefined => {
  const { data, position, revision } = event;
  // A free message moves no money and has no row.
  if (data.amount === 0) return undefined;
  return {
    id: data.entryId,
    accountId: data.accountId,
    amount: data.amount,
    balanceAfter: data.balanceAfter,
    type: rest.type,
    reason: data.reason,
    category: rest.category,
    countryCode: rest.countryCode,
    providerCost: rest.providerCost,
    sellPrice: rest.sellPrice,
    billing: rest.billing,
    chargeId: rest.chargeId,
    cause,
    createdAt: data.at,
    grantedBy: rest.grantedBy,
    position,
    revision,
    hash: data.hash,
    order: position,
  };
};

const charge = (
  type: 'DEDUCT' | 'REFUND',
  { price, chargeId }: { price: Price; chargeId: string },
): Rest => ({
  type,
  category: price.category,
  countryCode: price.countryCode,
  providerCost: price.providerCost,
  sellPrice: price.sellPrice,
  billing: price.billing,
  chargeId,
  grantedBy: null,
});

const grant = (
  type: 'GRANT' | 'REVOKE',
  billing: Billing,
  { grantedBy }: { grantedBy: Actor | null },
): Rest => ({ ...unpriced, type, billing, chargeId: null, grantedBy });

const entryId = (event: { data: { entryId: string } }) => event.data.entryId;

/** One document for each movement of an account. */
export const ledger = defineProjection<LedgerDocument>({
  name: 'ledger',
  version: 4,
  indexes: [
    ['accountId', 'chargeId', '-order'],
    ['accountId', 'type', '-order'],
    ['accountId', '-order'],
  ],
  filters: ['createdAt'],
  words: ['accountId', 'type'],
  on: {
    CreditsGranted: made(entryId, (event) => row(event, grant('GRANT', 'credits', event.data))),
    CreditsRevoked: made(entryId, (event) => row(event, grant('REVOKE', 'credits', event.data))),
    WalletMoved: made(entryId, (event) =>
      row(event, grant(event.data.amount < 0 ? 'REVOKE' : 'GRANT', 'wallet', event.data)),
    ),
    ChargeReserved: made(entryId, (event) => row(event, charge('DEDUCT', event.data))),
    ChargeRefunded: made(entryId, (event) =>
      row(event, charge('REFUND', event.data), refundWordOf(event.data.cause)),
    ),
  },
});
