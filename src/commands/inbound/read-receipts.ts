import { inAccount } from '../../events/streams.ts';
import type { Provider } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { providerFailed } from '../numbers/numbers.ts';
import { messageDecider } from '../sending/message.ts';
import { findConfiguredNumber, missingNumberMessage, senderOf } from '../sending/outgoing.ts';

interface Receipt {
  messageId: string;
  /** Shows the customer that a reply is being written. */
  typing: boolean;
}

/** Read receipts for messages of customers. */
export const createReadReceipts = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'numbers'>;
  provider: Pick<Provider, 'markRead'>;
  secrets: Secrets;
}) => ({
  /**
   * Marks a message as read at the provider each time, because the typing indicator ends, and records
   * it once. The stream of the message's id shows whose message it is.
   */
  async send(receipt: Receipt, context: { accountId: string; requestId: string }): Promise<void> {
    const { writer, lookups, provider, secrets } = deps;
    const { accountId } = context;
    const id = inAccount(accountId, secrets.messageRef(receipt.messageId));
    const { inbound: owner } = (await writer.load(messageDecider, id)).state;
    if (!owner) throw new AppError('message.unknown', 'Message not found');
    const { phoneNumberId } = owner;
    const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
    if (!number) throw new AppError('number.none', missingNumberMessage(phoneNumberId));
    await provider.markRead(senderOf(number, secrets), receipt).catch(providerFailed);
    await writer.execute(messageDecider, id, { type: 'NoteRead', owner }, context);
  },
});

export type ReadReceipts = ReturnType<typeof createReadReceipts>;
