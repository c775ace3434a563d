import { accountDecider } from '../../src/commands/account/account.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import { conversationDecider } from '../../src/commands/inbound/conversation.ts';
import { messageDecider } from '../../src/commands/sending/message.ts';
import { conversationIdOf } from '../../src/events/conversation.ts';
import { type EventStore, NO_STREAM } from '../../src/events/store.ts';
import { inAccount } from '../../src/events/streams.ts';
import { systemIds } from '../../src/shared/system.ts';
import { created, freshStream } from '../contract/store-events.ts';
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
    const on = accountDecider(accountId);
    const phoneNumberId = `number-of-${accountId}`;
    const reserve = { at: NOW, reason: 'order_shipped', price: price() };
    const reserved = await writer.execute(
      on,
      accountId,
      { type: 'Reserve', contactRef: customer.ref, ...reserve, intent: intent({ phoneNumberId }) },
      context,
    );
    const fact = reserved.facts[0];
    if (fact?.type !== 'ChargeReserved') throw new Error('nothing was reserved');
    const { chargeId, amount, at, reason } = fact.data;
    const unrefundedRevision = reserved.revision;
    if (number % REFUSED === 0) {
      const reservation = { chargeId, amount, reason, price: price(), reservedAt: at };
      const refund = { type: 'Refund' as const, at: NOW, cause: 'not_sent' as const };
      await writer.execute(
        on,
        accountId,
        { ...refund, reservation: { ...reservation, unrefundedRevision } },
        context,
      );
      return;
    }
    const messageRef = `wamid.${accountId}.${number}`;
    const recipientWaId = `91981234${number % 40}`;
    const record = sentRecord({ messageRef, accountId, phoneNumberId, chargeId });
    await writer.execute(
      messageDecider,
      inAccount(accountId, messageRef),
      { type: 'RecordSent', record },
      context,
    );
    if (number % REPORTED === 0) {
      const message = { messageRef, messageId: messageRef, accountId, phoneNumberId, chargeId };
      const update = statusUpdate({ ...message, statusAt: at, recipientWaId });
      await writer.execute(
        messageDecider,
        inAccount(accountId, messageRef),
        { type: 'RecordStatus', update },
        context,
      );
    }
    if (number % ANSWERED !== 0) return;
    const message = inboundMessage({
      phoneNumberId,
      accountId,
      waId: recipientWaId,
      messageRef: `${messageRef}.in`,
      message: { text: { body: 'Grüße 👋' } },
      receivedAt: at,
      text: 'Grüße 👋',
    });
    const id = conversationIdOf(message);
    const sealing = { ...context, subjects: [customer] };
    await writer.execute(conversationDecider, id, { type: 'Receive', message }, sealing);
  };

  const open = async (index: number): Promise<void> => {
    const accountId = `acc_${String(index).padStart(32, '0')}`;
    const context = { requestId: 'setup', accountId };
    const on = accountDecider(accountId);
    const terms = { planId: 'standard', billing: 'credits' as const, currency: 'USD' };
    const named = { accountId, organisationId: 'org', name: `Shop ${index}` };
    await writer.execute(on, accountId, { type: 'Open', ...named, terms }, context);
    const grant = { at: NOW, amount: 2 * sends + 1, reason: null, by: null };
    await writer.execute(on, accountId, { type: 'GrantCredits', ...grant }, context);
    const minute = new Date(NOW).toISOString();
    const requests = { firstRequestId: 'request-x', lastRequestId: 'request-y' };
    const refused = { code: 'STRICT', minute, count: 2, ...requests, contactRef: null, to: null };
    await writer.execute(on, accountId, { type: 'CountRefusals', ...refused }, context);
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
