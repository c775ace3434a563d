import { accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand } from '../../src/commands/account/state.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import { conversationDecider } from '../../src/commands/inbound/conversation.ts';
import { messageDecider } from '../../src/commands/sending/message.ts';
import { conversationIdOf } from '../../src/events/conversation.ts';
import { type EventStore, NO_STREAM } from '../../src/events/store.ts';
import { inAccount } from '../../src/events/streams.ts';
import { systemIds } from '../../src/shared/system.ts';
import { created, freshStream } from '../contract/store-events.ts';
import { credits } from './books.ts';
import { inboundMessage, intent, NOW, price, sentRecord, statusUpdate } from './samples.ts';
import { customer } from './subjects.ts';

export interface BooksPlan {
  accounts: number;
  /** Of each account. */
  sends: number;
  /** Number of the first account: 0 unless told. */
  first?: number;
}

/** Every so many-th send is refused by the provider, is reported on, or is answered. */
const REFUSED = 7;
const REPORTED = 3;
const ANSWERED = 5;

/** Fills a log as a service would: accounts that send side by side, and what comes of it. */
export const writeBooks = async (
  store: EventStore,
  { accounts, sends, first = 0 }: BooksPlan,
): Promise<void> => {
  const clock = { now: () => NOW };
  const writer = createWriter({ store, clock, ids: systemIds });
  await store.append(freshStream(), NO_STREAM, [created()]);

  const send = async (accountId: string, number: number): Promise<void> => {
    const context = { requestId: `request-${number}`, accountId, subjects: [customer] };
    const charge = (command: AccountCommand) =>
      writer.execute(accountDecider(accountId), accountId, command, context);
    const phoneNumberId = `number-of-${accountId}`;
    const paid = { at: NOW, reason: 'order_shipped', price: price(), contactRef: customer.ref };
    const reserved = await charge({ type: 'Reserve', ...paid, intent: intent({ phoneNumberId }) });
    const fact = reserved.facts[0];
    if (fact?.type !== 'ChargeReserved') throw new Error('nothing was reserved');
    const { chargeId, amount, at, reason } = fact.data;
    const unrefundedRevision = reserved.revision;
    if (number % REFUSED === 0) {
      const of = { chargeId, amount, reason, price: price(), reservedAt: at, unrefundedRevision };
      await charge({ type: 'Refund', at: NOW, cause: 'not_sent', reservation: of });
      return;
    }
    const messageRef = `wamid.${accountId}.${number}`;
    const recipientWaId = `91981234${number % 40}`;
    const message = { messageRef, accountId, phoneNumberId, chargeId };
    const note = (command: Parameters<typeof messageDecider.decide>[0]) =>
      writer.execute(messageDecider, inAccount(accountId, messageRef), command, context);
    await note({ type: 'RecordSent', record: sentRecord(message) });
    if (number % REPORTED === 0) {
      const told = { ...message, messageId: messageRef, statusAt: at, recipientWaId };
      await note({ type: 'RecordStatus', update: statusUpdate(told) });
    }
    if (number % ANSWERED !== 0) return;
    const inbound = inboundMessage({
      phoneNumberId,
      accountId,
      waId: recipientWaId,
      messageRef: `${messageRef}.in`,
      message: { text: { body: 'Grüße 👋' } },
      receivedAt: at,
      text: 'Grüße 👋',
    });
    const receive = { type: 'Receive' as const, message: inbound };
    await writer.execute(conversationDecider, conversationIdOf(inbound), receive, context);
  };

  const open = async (index: number): Promise<void> => {
    const accountId = `acc_${String(index).padStart(32, '0')}`;
    const context = { requestId: 'setup', accountId };
    const decide = (command: AccountCommand) =>
      writer.execute(accountDecider(accountId), accountId, command, context);
    const named = { accountId, organisationId: 'org', name: `Shop ${index}` };
    await decide({ type: 'Open', ...named, terms: credits });
    const grant = { at: NOW, amount: 2 * sends + 1, reason: null, by: null };
    await decide({ type: 'GrantCredits', ...grant });
    const minute = new Date(NOW).toISOString();
    const requests = { firstRequestId: 'request-x', lastRequestId: 'request-y' };
    const refused = { code: 'STRICT', minute, count: 2, ...requests, contactRef: null, to: null };
    await decide({ type: 'CountRefusals', ...refused });
    // Whatever is not an account's stands between, as in a log of years.
    await store.append(freshStream(), NO_STREAM, [created()]);
    const numbers = Array.from({ length: sends }, (_, number) => number);
    const workers = Array.from({ length: 4 }, async () => {
      for (let next = numbers.shift(); next !== undefined; next = numbers.shift()) {
        await send(accountId, next);
      }
    });
    await Promise.all(workers);
  };

  await Promise.all(Array.from({ length: accounts }, (_, index) => open(first + index)));
  await writer.drain();
};
