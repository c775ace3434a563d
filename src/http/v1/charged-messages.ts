import type { LedgerDocument } from '../../projections/ledger.ts';
import type { MessageDocument, ParkedStatus } from '../../projections/message-document.ts';
import { messages } from '../../projections/messages.ts';
import type { ReadModels } from '../route/read-models.ts';

/** A message that a charge paid. */
export type ChargedMessage = MessageDocument & { chargeId: string };

export const chargedIn = (found: readonly (MessageDocument | ParkedStatus)[]): ChargedMessage[] =>
  found.filter((one): one is ChargedMessage => one.recorded && one.chargeId !== null);

/** The recorded messages of charges of one account: one query for all of them. */
export const messagesOf = async (
  models: ReadModels,
  accountId: string,
  charges: readonly string[],
): Promise<ChargedMessage[]> => {
  if (charges.length === 0) return [];
  const found = await models.find(messages, {
    where: { accountId, chargeId: { in: charges } },
    order: { field: 'order', direction: 'descending' },
    limit: charges.length,
  });
  return chargedIn(found);
};

/** The provider's ids of messages by the charges that paid them; null where an id is erased. */
export type MessageIds = ReadonlyMap<string, string | null>;

/** The messages of some rows of one account's ledger. */
export const messageIdsOf = async (
  models: ReadModels,
  accountId: string,
  rows: readonly Pick<LedgerDocument, 'chargeId'>[],
): Promise<MessageIds> => {
  const charges = [...new Set(rows.flatMap(({ chargeId }) => chargeId ?? []))];
  const found = await messagesOf(models, accountId, charges);
  return new Map(found.map((one) => [one.chargeId, one.metaMessageId]));
};
