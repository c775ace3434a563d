import { accountDecider } from '../../src/commands/account/account.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import { placeOf } from '../../src/commands/pricing/market.ts';
import { priceMessage, standardPlan } from '../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../src/commands/pricing/rate-card.ts';
import { messageDecider } from '../../src/commands/sending/message.ts';
import type { Intent } from '../../src/events/content.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { inAccount } from '../../src/events/streams.ts';
import { createDataSubjects } from '../../src/keys/data-subjects.ts';
import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemClock, systemIds } from '../../src/shared/system.ts';
import { answerBench, tellBench } from './measure.ts';
import { SECRET } from './secret.ts';

// Writes the history of an account: messages that were reserved and sent; every tenth has all its
// statuses. Uses the deciders and the write path of the service.

const [directory = '', accountId = '', planId = '', ...rest] = process.argv.slice(2);
const [phoneNumberId = '', , count = '', contacts = ''] = rest;
const MESSAGES = Number(count);
const CONTACTS = Number(contacts);
/** Fewer than the contacts that may be new at one time. */
const AT_A_TIME = 512;
const TOLD_EVERY = 10;

const store = await openSqliteStore({ directory });
const keys = await openSqliteKeys({ directory });
const wrapping = createWrapping(SECRET);
const secrets = createSecrets(SECRET);
const subjects = createDataSubjects({ keys, wrapping, clock: systemClock });
const writer = createWriter({
  store,
  clock: systemClock,
  ids: systemIds,
  // As the service does, which would not trust the snapshots otherwise.
  seal: secrets.sealOf,
  keys: subjects.ring,
});
const context = () => ({ requestId: systemIds.uuid(), accountId });
const now = () => new Date(systemClock.now()).toISOString();

const intentOf = (index: number): Intent => {
  const link = `https://shop.example/t/${index}`;
  const parameters = [`A-${index}`, `AWB${index}`, link];
  const name = 'order_shipped';
  return {
    phoneNumberId,
    to: `9198${10_000_000 + (index % CONTACTS)}`,
    source: 'notification',
    event: name,
    contextMessageId: null,
    clientReference: null,
    content: { type: 'notification', name, language: 'en_US', authentication: false, parameters },
    text: `Your order A-${index} has been shipped with tracking number AWB${index}: ${link}`,
  };
};

const reserve = async (intent: Intent) => {
  const card = defaultRateCard;
  const plan = { ...standardPlan, planId };
  const price = priceMessage({ category: 'UTILITY', ...placeOf(intent.to), plan, card });
  const subject = await subjects.of(accountId, intent.to);
  const done = await writer.execute(
    accountDecider(accountId),
    accountId,
    {
      type: 'Reserve',
      contactRef: subject.ref,
      at: systemClock.now(),
      reason: 'order_shipped',
      price,
      intent,
    },
    { ...context(), subjects: [subject] },
  );
  const [fact] = done.facts;
  if (fact?.type !== 'ChargeReserved') throw new Error('nothing was reserved');
  return { ...fact.data, subject };
};

const send = async (index: number): Promise<void> => {
  const messageId = `wamid.seed.${index}`;
  const intent = intentOf(index);
  const messageRef = secrets.messageRef(messageId);
  const { chargeId, contactRef, price, subject } = await reserve(intent);
  const on = { ...context(), subjects: [subject] };
  const record = {
    messageRef,
    messageId,
    accountId,
    contactRef,
    phoneNumberId,
    chargeId,
    category: price.category,
    recipient: null,
  };
  const assumeNew = { assumeNew: true };
  const sent = { type: 'RecordSent' as const, record };
  await writer.execute(messageDecider, inAccount(accountId, messageRef), sent, on, assumeNew);
  if (index % TOLD_EVERY !== 0) return;
  for (const status of ['sent', 'delivered', 'read']) {
    const update = {
      messageRef,
      messageId,
      accountId,
      phoneNumberId,
      status,
      statusAt: now(),
      chargeId,
      recipientWaId: intent.to,
      errorCode: null,
      errorMessage: null,
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    };
    const told = { type: 'RecordStatus' as const, update };
    await writer.execute(messageDecider, inAccount(accountId, messageRef), told, context());
  }
};

for (let from = 0; from < MESSAGES; from += AT_A_TIME) {
  const size = Math.min(AT_A_TIME, MESSAGES - from);
  await Promise.all(Array.from({ length: size }, (_, index) => send(from + index)));
}
const events = Number(await store.head());
await store.close();
await keys.close();

answerBench();
tellBench({ events });
