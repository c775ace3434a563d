import type { CommandContext } from './decider.ts';
import type { Writer } from './execute.ts';
import { messageDecider, type SentRecord, type StatusRecord, Unrecorded } from './message.ts';
import type { Refunds } from './refunds.ts';

/**
 * Records the provider's words of delivery. A status whose message has no record of its own brings
 * the pair back together: the charge it carries tells what was sent, and the record is written
 * then. The send that may still be under way finds it there and adds nothing.
 */
export const createStatuses = (deps: {
  writer: Writer;
  refunds: Refunds;
  /**
   * Told whose message an update was of, where that is not the account that has the number now;
   * undefined where the message has no record.
   */
  onOtherOwner: (accountId: string | undefined) => void;
  /** Called once for a message of which the provider names another category than was charged. */
  onOtherCategory: (charged: string, billed: string) => void;
}) => {
  const { writer, refunds, onOtherOwner } = deps;

  const recover = async (update: StatusRecord): Promise<SentRecord | undefined> => {
    const charge = update.chargeId === null ? undefined : await refunds.find(update.chargeId);
    // A charge of another account, or of another number, is not this message's.
    if (!charge || charge.data.accountId !== update.accountId) return undefined;
    const { accountId, chargeId, amount, price, intent, at } = charge.data;
    return {
      messageId: update.messageId,
      accountId,
      chargeId,
      chargeRevision: charge.revision,
      chargeAmount: amount,
      recipientWaId: update.recipientWaId ?? intent.to,
      price,
      intent: { ...intent, phoneNumberId: update.phoneNumberId },
      reservedAt: at,
      recovered: true,
    };
  };

  return {
    async record(update: StatusRecord, context: CommandContext): Promise<void> {
      const record = async (
        rest: { needsRecord: true } | { recovered: SentRecord | undefined },
      ) => {
        const command = { type: 'RecordStatus' as const, update, ...rest };
        const done = await writer.execute(messageDecider, update.messageId, command, context);
        const { sent, billed } = done.state;
        const isNews = done.facts.length > 0 && billed?.status === update.status;
        if (isNews && sent && sent.price.category !== billed.category) {
          deps.onOtherCategory(sent.price.category, billed.category);
        }
        const owner = sent?.accountId;
        if (owner !== update.accountId) onOtherOwner(owner);
      };
      try {
        await record({ needsRecord: true });
      } catch (error) {
        if (!(error instanceof Unrecorded)) throw error;
        await record({ recovered: await recover(update) });
      }
    },
  };
};

export type Statuses = ReturnType<typeof createStatuses>;
