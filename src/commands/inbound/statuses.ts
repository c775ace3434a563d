import { numberIn } from '../../events/contact.ts';
import { isOfNumber } from '../../events/message.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import {
  type MessageCommand,
  type MessageState,
  messageDecider,
  type SentRecord,
  type StatusRecord,
} from '../sending/message.ts';
import { HiddenRecipient, Unrecorded } from '../sending/message-errors.ts';
import type { Recoveries } from '../sending/recoveries.ts';

interface StatusesDeps {
  writer: Writer;
  recoveries: Pick<Recoveries, 'find' | 'settle'>;
  contacts: Pick<Contacts, 'see' | 'find'>;
  /** Called once for a message that the provider bills in another category than the charge. */
  onOtherCategory: (charged: string, billed: string) => void;
}

/** Appends statuses, and joins the ids of the recipients that they show. */
const createRecording = ({ writer, contacts }: Pick<StatusesDeps, 'writer' | 'contacts'>) => {
  /** Joins the ids of the recipient, in the account of the message, and resolves to its contact. */
  const recipientOf = async (
    { accountId, recipientWaId, recipientUserId }: SentRecord,
    update: StatusRecord,
    context: CommandContext,
  ): Promise<string> => {
    const waId = update.recipientWaId ?? numberIn(recipientWaId);
    const userId = update.recipientUserId ?? recipientUserId ?? null;
    const seen = await contacts.see({ accountId, waId, userId }, context);
    return seen ?? contacts.find(accountId, recipientWaId, context);
  };

  /** Records the status of a message; of a hidden recipient once its contact is known. */
  return async (
    command: Extract<MessageCommand, { type: 'RecordStatus' }>,
    context: CommandContext,
  ) => {
    const { update } = command;
    const run = (more: { contact?: string }) =>
      writer.execute(messageDecider, update.messageId, { ...command, ...more }, context);
    try {
      const done = await run({});
      const { sent } = done.state;
      if (sent && isOfNumber(sent, update)) await recipientOf(sent, update, context);
      return done;
    } catch (error) {
      if (!(error instanceof HiddenRecipient)) throw error;
      return run({ contact: await recipientOf(error.sent, update, context) });
    }
  };
};

/**
 * Records the provider's delivery statuses. A status whose message has no record recovers the record
 * from the charge that the status carries. While the send may still be running, the status waits for
 * its record instead.
 */
export const createStatuses = (deps: StatusesDeps) => {
  const { writer, recoveries } = deps;

  const compareCategory = ({ status }: StatusRecord, { sent, billed }: MessageState): void => {
    if (!sent || billed?.status !== status || sent.price.category === billed.category) return;
    deps.onOtherCategory(sent.price.category, billed.category);
  };

  const execute = createRecording(deps);

  return {
    /** Throws Rejected where the status or its charge belongs to another message. */
    async record(update: StatusRecord, context: CommandContext): Promise<void> {
      // The number may have moved: only the message's stream or its charge knows the owner.
      let own = update;
      const record = async (rest: object, on = context) => {
        const done = await execute({ type: 'RecordStatus', update: own, ...rest }, on);
        if (done.facts.length > 0) compareCategory(update, done.state);
      };
      try {
        return await record({ needsRecord: true });
      } catch (error) {
        if (!(error instanceof Unrecorded)) throw error;
      }
      const found = await recoveries.find(update, context);
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
