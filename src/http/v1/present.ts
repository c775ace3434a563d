import type { Charge } from '../../commands/sending/transmitted.ts';
import type { LedgerDocument } from '../../projections/ledger.ts';
import { formatMicros } from '../../shared/decimal.ts';
import type { MessageIds } from './charged-messages.ts';

/** The headers of a send that was charged (contract 4.3). */
export const billingHeadersOf = ({ price, balanceAfter }: Charge): Record<string, string> => {
  const headers: Record<string, string> = {
    'X-Message-Category': price.category,
    'X-Message-Price': formatMicros(price.sellPrice),
  };
  if (price.billing === 'credits') {
    headers['X-Credits-Charged'] = String(price.creditsRequired);
    headers['X-Credits-Remaining'] = String(balanceAfter);
  } else {
    headers['X-Wallet-Balance'] = formatMicros(balanceAfter);
  }
  return headers;
};

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
