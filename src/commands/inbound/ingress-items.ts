import { hash } from 'node:crypto';
import { conversationIdOf } from '../../events/conversation.ts';
import { asId } from '../../provider/shape.ts';
import type { MessageItem, PreferenceItem, StatusItem } from '../../provider/webhook/item.ts';
import { readInbound } from '../bots/inbound.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { messageDecider } from '../sending/message.ts';
import { digitsOf } from '../sending/recipient.ts';
import { conversationDecider } from './conversation.ts';
import { createNumberOwners, type NumberOwnersDeps } from './number-owners.ts';
import { Rejected } from './rejected.ts';
import type { Statuses } from './statuses.ts';

export interface IngressItemsDeps extends NumberOwnersDeps {
  writer: Writer;
  statuses: Statuses;
}

const unreadable = (reason: string) => new Rejected('unreadable', reason);

const asWord = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200).toWellFormed() : null;

const nameIn = (contact: Readonly<Record<string, unknown>> | null): string | null => {
  const profile = contact?.profile as { name?: unknown } | undefined;
  return asWord(profile?.name);
};

/** Ingests statuses, messages and preferences. Throws Rejected where that is impossible. */
export const createIngressItems = (deps: IngressItemsDeps) => {
  const { writer, statuses } = deps;
  const { linkedNumber, ownerOf } = createNumberOwners(deps);

  return {
    async ingestStatus(item: StatusItem, context: CommandContext): Promise<void> {
      const { accountId } = await linkedNumber(item.phoneNumberId);
      if (item.at === null) throw unreadable('a status without a usable time');
      await statuses.record({ ...item, accountId, statusAt: item.at }, context);
    },
    async ingestMessage(item: MessageItem, context: CommandContext): Promise<void> {
      const number = await linkedNumber(item.phoneNumberId);
      const accountId = await ownerOf(item.phoneNumberId, item.at);
      const { phoneNumberId, messageId, message, contact } = item;
      // A contact who hides the number is known by the provider's own id.
      const waId = item.from ?? asId(message.from_user_id);
      if (waId === null) throw unreadable('a message without its sender');
      if (item.at === null) throw unreadable('a message without a usable time');
      const received = {
        ...{ phoneNumberId, waId, accountId, messageId, message, contact },
        wabaId: item.wabaId ?? number.wabaId,
        displayPhoneNumber: digitsOf(item.displayPhoneNumber ?? number.displayPhoneNumber),
        contactName: nameIn(contact),
        messageType: item.type,
        receivedAt: item.at,
        text: readInbound(message, { messageId, revision: 0 })?.text || null,
      };
      const on = { ...context, accountId };
      // The id first, for one account and number: it must not reach another account's message.
      const owner = { messageId, accountId, phoneNumberId };
      const claim = { type: 'ClaimInboundId' as const, owner };
      await writer.execute(messageDecider, messageId, claim, on, { assumeNew: true });
      const id = conversationIdOf(received);
      const command = { type: 'Receive' as const, message: received };
      await writer.execute(conversationDecider, id, command, on);
    },
    async ingestPreference(item: PreferenceItem, context: CommandContext): Promise<void> {
      const accountId = await ownerOf(item.phoneNumberId, item.at);
      const { phoneNumberId, waId, category, value, detail, at } = item;
      if (waId === null) throw unreadable('a preference without its contact');
      if (at === null) throw unreadable('a preference without a usable time');
      const preference = {
        ...{ phoneNumberId, waId, accountId, category, value, detail },
        wabaId: item.wabaId ?? '',
        contactName: null,
        preferenceId: `pref_${hash('sha256', `${waId} ${category} ${value} ${at}`).slice(0, 32)}`,
        receivedAt: at,
      };
      const command = { type: 'NotePreference' as const, preference };
      const on = { ...context, accountId };
      await writer.execute(conversationDecider, conversationIdOf(preference), command, on);
    },
  };
};
