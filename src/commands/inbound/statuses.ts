import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import {
  type MessageState,
  messageDecider,
  type StatusRecord,
  Unrecorded,
} from '../sending/message.ts';
import type { Recoveries } from '../sending/recoveries.ts';

/**
 * Records the provider's delivery statuses. A status whose message has no record recovers the record
 * from the charge that the status carries. While the send may still be running, the status waits for
 * its record instead.
 */
export const createStatuses = (deps: {
  writer: Writer;
  recoveries: Pick<Recoveries, 'find' | 'settle'>;
  /** Called once for a message that the provider bills in another category than the charge. */
  onOtherCategory: (charged: string, billed: string) => void;
}) => {
  const { writer, recoveries } = deps;

  const compareCategory = ({ status }: StatusRecord, { sent, billed }: MessageState): void => {
    if (!sent || billed?.status !== status || sent.price.category === billed.category) return;
    deps.onOtherCategory(sent.price.category, billed.category);
  };

  return {
    /** Throws Rejected where the status or its charge belongs to another message. */
    async record(update: StatusRecord, context: CommandContext): Promise<void> {
      // The number may have moved: only the message's stream or its charge knows the owner.
      let own = update;
      const record = async (rest: object, on = context) => {
        const command = { type: 'RecordStatus' as const, update: own, ...rest };
        const done = await writer.execute(messageDecider, update.messageId, command, on);
        if (done.facts.length > 0) compareCategory(update, done.state);
      };
      try {
        return await record({ needsRecord: true });
      } catch (error) {
        if (!(error instanceof Unrecorded)) throw error;
      }
      const found = await recoveries.find(update);
      if (found.kind === 'none') return record({});
      const { accountId } = found.claim;
      own = { ...update, accountId };
      await record({ claim: found.claim }, { ...context, accountId });
      if (found.kind !== 'free') return;
      await recoveries.settle(found.claim, context);
      compareCategory(update, (await writer.load(messageDecider, update.messageId)).state);
    },
  };
};

export type Statuses = ReturnType<typeof createStatuses>;
