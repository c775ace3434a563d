import type { LedgerDocument } from '../../../src/projections/ledger.ts';
import type { MessageDocument, ParkedStatus } from '../../../src/projections/message-document.ts';
import type { Charge } from './charges.ts';

/** I13: the message of a ledger row is the one whose charge the row is, both ways. */
export const checkJoins = (
  documents: ReadonlyMap<string, readonly object[]>,
  charges: ReadonlyMap<string, Charge>,
): string[] => {
  const messages = documents.get('messages') as (MessageDocument | ParkedStatus)[] | undefined;
  const rows = documents.get('ledger') as LedgerDocument[] | undefined;
  if (!messages || !rows) return [];
  const paid = messages.flatMap((one) => (one.recorded && one.chargeId !== null ? [one] : []));
  const byCharge = Map.groupBy(paid, ({ chargeId }) => chargeId);
  const deductions = new Map(
    rows.flatMap((row) => (row.type === 'DEDUCT' ? [[row.chargeId, row]] : [])),
  );
  const problems: string[] = [];
  for (const [chargeId, { accountId }] of deductions) {
    const sent = charges.get(chargeId ?? '')?.messages.length ?? 0;
    const shown = byCharge.get(chargeId) ?? [];
    if (shown.length !== sent || shown.some((one) => one.accountId !== accountId)) {
      const whose = shown.map((one) => `${one.accountId}'s`).join(', ');
      problems.push(`I13 charge ${chargeId} of ${accountId}: ${sent} messages, shown: ${whose}`);
    }
  }
  for (const { messageRef, accountId, chargeId } of paid) {
    const row = deductions.get(chargeId);
    const isFree = charges.get(chargeId ?? '')?.reserved?.data.amount === 0;
    if (isFree ? row !== undefined : row?.accountId !== accountId) {
      problems.push(
        `I13 message ${messageRef} of ${accountId}: the row of ${chargeId} is ${row?.accountId}'s`,
      );
    }
  }
  return problems;
};
