import { accountDecider } from '../src/commands/account/account.ts';
import type { AccountCommand, AccountState } from '../src/commands/account/state.ts';
import type { ChargeReserved } from '../src/events/account.ts';
import { CHAIN_START } from '../src/events/chain.ts';
import type { Intent } from '../src/events/content.ts';
import type { Fact, FactOf } from '../src/events/define.ts';
import { MessageSent, StatusUpdated } from '../src/events/message.ts';
import type { Price } from '../src/events/price.ts';
import { openSqliteStore } from '../src/events/sqlite/store.ts';
import { type NewEvent, NO_STREAM } from '../src/events/store.ts';
import { messageStream } from '../src/events/streams.ts';
import { isoTime } from '../src/shared/clock.ts';
import { systemIds } from '../src/shared/system.ts';
import { stamped } from '../test/support/stamped.ts';
import { customer } from '../test/support/subjects.ts';

/** One of this number of charges is refunded; the others are sent. */
const REFUND_EVERY = 10;
/** Events of one append. */
const CHUNK = 200;
const START_AT = Date.parse('2026-11-01T00:00:00.000Z');

const terms = { planId: 'standard', billing: 'credits', currency: 'USD' } as const;
const price: Price = {
  category: 'UTILITY',
  market: 'India',
  countryCode: 'IN',
  ...terms,
  planVersion: 1,
  rateCardId: 'default-usd-2026-10',
  providerCost: 1400,
  sellPrice: 1680,
  creditsRequired: 1,
  refundOnFailure: true,
};
const intentFor = (index: number): Intent => ({
  phoneNumberId: '106540352242922',
  to: `9198${String(10_000_000 + index).slice(-8)}`,
  source: 'notification',
  event: 'order_shipped',
  content: {
    type: 'notification',
    name: 'order_shipped',
    language: 'en_US',
    authentication: false,
    parameters: [`ORD-${index}`, `AWB${index}`, `https://shop.example/t/ORD-${index}`],
  },
  text: `Your order ORD-${index} has been shipped with tracking number AWB${index}. Track it here: https://shop.example/t/ORD-${index} . Thank you.`,
  contextMessageId: null,
  clientReference: `order-${index}`,
});

type Charge = FactOf<typeof ChargeReserved>['data'];

const messageFacts = (messageRef: string, { data }: { data: Charge }) => {
  const { accountId, chargeId, contactRef, price: paid, outline, at } = data;
  const { phoneNumberId } = outline;
  const sent = MessageSent.of({
    messageRef,
    messageId: `wamid.${messageRef}`,
    accountId,
    contactRef,
    phoneNumberId,
    chargeId,
    category: paid.category,
    recipient: null,
  });
  const statuses = ['sent', 'delivered', 'read'].map((status) =>
    StatusUpdated.of({
      messageRef,
      accountId,
      contactRef,
      status,
      statusAt: at,
      recipient: null,
      messageId: null,
      phoneNumberId: phoneNumberId ?? '',
      errorMessage: null,
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    }),
  );
  return [sent, ...statuses];
};

/** Writes through the real deciders and the real store, in November 2026. */
export const writeBooksLog = async (
  directory: string,
  {
    movements,
    accounts,
    withMessages,
  }: { movements: number; accounts: number; withMessages: boolean },
): Promise<void> => {
  const store = await openSqliteStore({ directory });
  let at = START_AT;
  let chain = CHAIN_START;
  const eventsOf = (facts: readonly Fact[], accountId: string): readonly NewEvent[] => {
    const meta = () => ({ at: isoTime(at), requestId: systemIds.uuid(), accountId });
    const made = stamped(facts, chain, meta);
    chain = made.chain;
    return made.events;
  };

  for (let account = 0; account < accounts; account += 1) {
    const accountId = `acc_${systemIds.uuid().replaceAll('-', '')}`;
    const decider = accountDecider(accountId);
    let state: AccountState = decider.initial;
    let facts: Fact[] = [];
    chain = CHAIN_START;
    let charges: { data: Charge; revision: number }[] = [];
    const decide = (command: AccountCommand): void => {
      at += 250;
      for (const fact of decider.decide(command, state)) {
        state = decider.evolve(state, fact);
        facts.push(fact);
        if (fact.type === 'ChargeReserved') {
          charges.push({ data: fact.data, revision: state.revision });
        }
      }
    };
    const flush = async (): Promise<void> => {
      const expected = state.revision - facts.length;
      await store.append(`account-${accountId}`, expected, eventsOf(facts, accountId));
      const sent = charges.filter(({ revision }) => revision % REFUND_EVERY !== 0);
      const messages = withMessages ? sent : [];
      await Promise.all(
        messages.map((charge) => {
          const messageRef = systemIds.uuid();
          const events = eventsOf(messageFacts(messageRef, charge), accountId);
          return store.append(messageStream(accountId, messageRef), NO_STREAM, events);
        }),
      );
      facts = [];
      charges = [];
    };
    decide({ type: 'Open', accountId, organisationId: 'org_1', name: 'Bench', terms });
    decide({ type: 'GrantCredits', at, amount: 1_000_000_000, reason: null, by: null });
    const due = Math.ceil(movements / accounts);
    while (state.sequence < due) {
      const index = state.sequence;
      decide({
        type: 'Reserve',
        contactRef: customer.ref,
        at,
        reason: 'order_shipped',
        price,
        intent: intentFor(index),
      });
      const { data, revision } = charges.at(-1)!;
      if (revision % REFUND_EVERY === 0) {
        const reservation = { ...data, reservedAt: data.at, unrefundedRevision: revision };
        decide({ type: 'Refund', at, cause: 'not_sent', reservation });
      }
      if (facts.length >= CHUNK) await flush();
    }
    if (facts.length > 0) await flush();
  }
  await store.close();
};
