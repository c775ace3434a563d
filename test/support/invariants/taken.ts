import { takenFor } from '../../../src/http/v1/message-record.ts';
import type { LedgerDocument } from '../../../src/projections/ledger.ts';
import type { MessageDocument, ParkedStatus } from '../../../src/projections/message-document.ts';
import type { RefundDocument, RefundsKnown } from '../../../src/projections/refunds.ts';
import type { Charge } from './charges.ts';

type Units = Map<string, number>;

const add = (units: Units, accountId: string, unit: string, amount: number): void => {
  const key = `${accountId} in ${unit}`;
  units.set(key, (units.get(key) ?? 0) + amount);
};

/** I13: what the history shows as taken is what the ledger took, but for charges that are open. */
export const checkTaken = (
  documents: ReadonlyMap<string, readonly object[]>,
  charges: ReadonlyMap<string, Charge>,
): string[] => {
  const messages = documents.get('messages') as (MessageDocument | ParkedStatus)[] | undefined;
  const refunds = documents.get('refunds') as (RefundDocument | RefundsKnown)[] | undefined;
  const rows = documents.get('ledger') as LedgerDocument[] | undefined;
  if (!messages || !refunds || !rows) return [];
  const refundOf = new Map(refunds.flatMap((one) => (one.of === 'charge' ? [[one.id, one]] : [])));
  const [shown, took]: [Units, Units] = [new Map(), new Map()];
  for (const message of messages) {
    if (!message.recorded || message.price === null || message.chargeId === null) continue;
    const { price, creditsCharged } = takenFor(message, refundOf.get(message.chargeId));
    if (creditsCharged !== null) add(shown, message.accountId, 'credits', creditsCharged);
    else add(shown, message.accountId, 'wallet', Math.round(Number(price) * 1_000_000));
  }
  for (const { accountId, amount, billing, chargeId } of rows) {
    const charge = chargeId === null ? undefined : charges.get(chargeId);
    const isOpen = charge?.messages.length === 0 && charge.refunds.length === 0;
    if (charge && !isOpen) add(took, accountId, billing, -amount);
  }
  return [...new Set([...shown.keys(), ...took.keys()])]
    .filter((key) => (shown.get(key) ?? 0) !== (took.get(key) ?? 0))
    .map((key) => `I13 account ${key}: ${shown.get(key) ?? 0} shown, ${took.get(key) ?? 0} taken`);
};
