import type { LedgerDocument } from '../../projections/ledger.ts';
import { formatMicros } from '../../shared/decimal.ts';
import type { MessageIds } from './charged-messages.ts';

/** JSON text of a charge's price. */
const metadataOf = ({
  category,
  countryCode,
  providerCost,
  sellPrice,
  chargeId,
}: LedgerDocument) =>
  providerCost === null || sellPrice === null
    ? null
    : JSON.stringify({
        category,
        countryCode,
        providerCost: formatMicros(providerCost),
        sellPrice: formatMicros(sellPrice),
        chargeId,
      });

/** A row in the account's own unit: whole credits, or decimal strings on a wallet. */
export const ledgerEntryOf = <Unit extends 'credits' | 'wallet'>(
  row: LedgerDocument,
  unit: Unit,
  messageIds: MessageIds,
) => {
  const amountOf = (amount: number) => (unit === 'wallet' ? formatMicros(amount) : amount);
  const messageId = messageIds.get(row.chargeId ?? '');
  type Amount = Unit extends 'wallet' ? string : number;
  return {
    id: row.id,
    amount: amountOf(row.amount) as Amount,
    balanceAfter: amountOf(row.balanceAfter) as Amount,
    type: row.type,
    reason: row.reason,
    metadata: metadataOf(row),
    ...(messageId !== undefined && { messageId }),
    createdAt: row.createdAt,
    grantedBy: row.grantedBy,
    ...(row.cause !== null && { cause: row.cause }),
  };
};
