import { hash } from 'node:crypto';
import type { ContactIds } from '../../events/contact.ts';
import { conversationIdOf, mediaIdIn } from '../../events/conversation.ts';
import { inAccount } from '../../events/streams.ts';
import type { MessageItem, PreferenceItem, StatusItem } from '../../provider/webhook/item.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { readInbound } from '../bots/inbound.ts';
import type { Contacts } from '../contacts/contacts.ts';
import { inHome } from '../contacts/homes.ts';
import { nameOthers } from '../contacts/named.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import type { NumberLinks } from '../numbers/number-links.ts';
import { messageDecider } from '../sending/message.ts';
import { digitsOf } from '../sending/recipient.ts';
import { conversationDecider } from './conversation.ts';
import { Rejected } from './rejected.ts';
import type { StatusUpdates } from './status-updates.ts';

/** How far the provider's clock, which counts in seconds, may be behind ours. */
const CLOCKS_APART_MS_MAX = 10_000;

interface NumberOwnersDeps {
  lookups: Pick<Lookups, 'number'>;
  links: NumberLinks;
  clock: Clock;
}

const notLinked = () => new Rejected('not_linked', 'the number is not linked');

/** Finds the owners of numbers. Throws Rejected where there is none. */
export const createNumberOwners = ({ lookups, links, clock }: NumberOwnersDeps) => {
  const linkedNumber = async (phoneNumberId: string): Promise<NumberRecord> => {
    const number = await lookups.number(phoneNumberId);
    if (!number) throw notLinked();
    return number;
  };

  return {
    linkedNumber,
    /**
     * The account that holds the number now. A contact's message belongs to that account, unless
     * the message is older than the link and another account has held the number.
     */
    async ownerOf(phoneNumberId: string, writtenAt: string | null): Promise<string> {
      const number = await linkedNumber(phoneNumberId);
      const link = await links.linkOf(phoneNumberId);
      if (!link) throw notLinked();
      const { accountId } = link;
      if (!link.moved || writtenAt === null) return accountId;
      // A look-up that does not show the link yet is moments behind it.
      const linkedAt = number.accountId === accountId ? Date.parse(number.linkedAt) : clock.now();
      if (Date.parse(writtenAt) >= linkedAt - CLOCKS_APART_MS_MAX) return accountId;
      throw new Rejected('before_link', 'from before the number was linked to this account');
    },
  };
};

export interface IngressItemsDeps extends NumberOwnersDeps {
  writer: Writer;
  statuses: StatusUpdates;
  contacts: Pick<Contacts, 'meet' | 'see' | 'change'>;
  subjects: Pick<Subjects, 'of' | 'refOf'>;
  secrets: Pick<Secrets, 'messageRef'>;
}

const unreadable = (reason: string) => new Rejected('unreadable', reason);

const asWord = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200).toWellFormed() : null;

const nameIn = (contact: Readonly<Record<string, unknown>> | null): string | null => {
  const profile = contact?.profile as { name?: unknown } | undefined;
  return asWord(profile?.name);
};

/** Of a contact's pseudonym, never its id: a hash of a number reveals the number. */
const hashed = (...words: readonly string[]) =>
  `pref_${hash('sha256', words.join(' ')).slice(0, 32)}`;

/** The sender's ids of today, after a notice that the sender has other ones was taken in. */
const takeSender = async (
  { contacts }: Pick<IngressItemsDeps, 'contacts'>,
  { change, from, userId }: MessageItem,
  context: CommandContext & { accountId: string },
): Promise<ContactIds> => {
  if (change === null) return { waId: from, userId };
  const { accountId } = context;
  const { previous, waId } = change;
  await contacts.see({ accountId, userId: change.userId, waId }, context);
  if (previous === null) return { waId: from, userId };
  await contacts.change({ accountId, previous, userId: change.userId }, context);
  // The number beside the notice may be the old one.
  return { waId: null, userId: change.userId };
};

/** The ids of a message's sender, and of one that has just changed also the one before it. */
const idsIn = ({ from, userId, change }: MessageItem): (string | null)[] =>
  change?.previous ? [from, userId, change.previous, change.userId] : [from, userId];

/** Ingests messages. */
const createMessages = (deps: IngressItemsDeps) => {
  const { writer, contacts, subjects } = deps;
  const { linkedNumber, ownerOf } = createNumberOwners(deps);

  return async (item: MessageItem, context: CommandContext): Promise<void> => {
    const number = await linkedNumber(item.phoneNumberId);
    const accountId = await ownerOf(item.phoneNumberId, item.at);
    const { phoneNumberId, messageId, message, contact } = item;
    const messageRef = deps.secrets.messageRef(messageId);
    if (item.at === null) throw unreadable('a message without a usable time');
    const on = { ...context, accountId };
    const ids = await takeSender(deps, item, on);
    const { userId } = ids;
    const sender = await contacts.meet({ accountId, phoneNumberId, ...ids }, on);
    if (sender === null) throw unreadable('a message without its sender');
    const { ref: contactRef } = sender;
    const displayPhoneNumber = digitsOf(item.displayPhoneNumber ?? number.displayPhoneNumber);
    const own = new Set([...idsIn(item), sender.id, displayPhoneNumber]);
    const whole = { message, contact };
    const others = await nameOthers(subjects, { accountId, subject: sender, ids: own }, whole, []);
    const received = {
      phoneNumberId,
      contactRef,
      accountId,
      messageRef,
      ...others.kept,
      ...others.fields,
      waId: sender.id ?? userId,
      userId,
      wabaId: item.wabaId ?? number.wabaId,
      displayPhoneNumber,
      contactName: nameIn(contact),
      messageType: item.type,
      mediaId: mediaIdIn({ messageType: item.type, message }),
      receivedAt: item.at,
      text: readInbound(message, { messageId, revision: 0 })?.text || null,
    };
    // The id first, for one number and conversation: the same message under another id of its sender
    // must not be a second one.
    const owner = { messageRef, accountId, phoneNumberId, contactRef };
    const claim = { type: 'ClaimInboundId' as const, owner };
    const id = inAccount(accountId, messageRef);
    const { state } = await writer.execute(messageDecider, id, claim, on, { assumeNew: true });
    const claimed = { ...received, contactRef: state.inbound?.contactRef ?? contactRef };
    await inHome(conversationIdOf(claimed), (id, anyway) => {
      const command = { type: 'Receive' as const, message: received, anyway };
      const sealedFor = [sender, ...others.subjects];
      return writer.execute(conversationDecider, id, command, { ...on, subjects: sealedFor });
    });
  };
};

/** Ingests preferences. */
const createPreferences = (deps: IngressItemsDeps) => {
  const { writer, contacts, subjects } = deps;
  const { ownerOf } = createNumberOwners(deps);

  return async (item: PreferenceItem, context: CommandContext): Promise<void> => {
    const accountId = await ownerOf(item.phoneNumberId, item.at);
    const { phoneNumberId, category, value, detail, at, userId } = item;
    if (at === null) throw unreadable('a preference without a usable time');
    const on = { ...context, accountId };
    const ids = { accountId, phoneNumberId, waId: item.waId, userId };
    const contact = await contacts.meet(ids, on);
    if (contact === null) throw unreadable('a preference without its contact');
    const { ref: contactRef } = contact;
    // The same preference may come with either id, and with both.
    const refs = [item.userId, item.waId].map((id) => id && subjects.refOf(accountId, id));
    const preferenceIds = [...(await Promise.all(refs)), contactRef]
      .filter((ref) => typeof ref === 'string')
      .map((ref) => hashed(ref, category, value, at));
    const preference = {
      phoneNumberId,
      contactRef,
      accountId,
      category,
      value,
      detail,
      waId: contact.id ?? userId,
      userId,
      wabaId: item.wabaId ?? '',
      contactName: null,
      preferenceId: preferenceIds[0]!,
      receivedAt: at,
    };
    await inHome(conversationIdOf(preference), (id, anyway) => {
      const otherIds = preferenceIds;
      const command = { type: 'NotePreference' as const, preference, otherIds, anyway };
      return writer.execute(conversationDecider, id, command, { ...on, subjects: [contact] });
    });
  };
};

/** Ingests statuses, messages and preferences. Throws Rejected where that is impossible. */
export const createIngressItems = (deps: IngressItemsDeps) => {
  const { linkedNumber } = createNumberOwners(deps);

  return {
    async ingestStatus(item: StatusItem, context: CommandContext): Promise<void> {
      const { accountId } = await linkedNumber(item.phoneNumberId);
      if (item.at === null) throw unreadable('a status without a usable time');
      const { recipientUserId: userId, at: statusAt, ...update } = item;
      const recipient = userId === null ? {} : { recipientUserId: userId };
      const messageRef = deps.secrets.messageRef(item.messageId);
      const named = { ...update, ...recipient, messageRef };
      await deps.statuses.record({ ...named, accountId, statusAt }, context);
    },
    ingestMessage: createMessages(deps),
    ingestPreference: createPreferences(deps),
  };
};
