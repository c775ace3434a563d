import type { LedgerDocument } from '../../projections/ledger.ts';
import { messages } from '../../projections/messages.ts';
import type { ReadModels } from '../route/read-models.ts';

/** The provider's ids of messages by the charges that paid them; null where an id is erased. */
export type MessageIds = ReadonlyMap<string, string | null>;

/** The messages of some rows of one account's ledger: one query for all of them. */
export const messageIdsOf = async (
  models: ReadModels,
  accountId: string,
  rows: readonly Pick<LedgerDocument, 'chargeId'>[],
): Promise<MessageIds> => {
  const charges = [...new Set(rows.flatMap(({ chargeId }) => chargeId ?? []))];
  if (charges.length === 0) return new Map();
  const found = await models.find(messages, {
    where: { accountId, chargeId: { in: charges } },
    order: { field: 'order', direction: 'descending' },
    limit: charges.length,
  });
  return new Map(
    found.flatMap((one) =>
      one.recorded && one.chargeId !== null ? [[one.chargeId, one.metaMessageId] as const] : [],
    ),
  );
};
