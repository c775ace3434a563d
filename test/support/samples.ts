import type { TemplateRow } from '../../src/commands/core/lookups.ts';
import type { ReceivedMessage } from '../../src/commands/inbound/conversation.ts';
import type { JobTerms } from '../../src/commands/jobs/job.ts';
import type {
  SentRecord,
  StatusRecord,
  StatusUpdate,
} from '../../src/commands/sending/message-statuses.ts';
import type { BotDefinition } from '../../src/events/bot.ts';
import type { Intent } from '../../src/events/content.ts';
import { BotRunStarted, BotRunWaiting } from '../../src/events/conversation.ts';
import type { FactOf } from '../../src/events/define.ts';
import type { JobPlan } from '../../src/events/job.ts';
import type { PhoneProfile } from '../../src/events/phone.ts';
import type { Price } from '../../src/events/price.ts';
import { isoTime } from '../../src/shared/clock.ts';

/** A Saturday, half a day from any UTC boundary. */
export const NOW = Date.parse('2026-11-21T12:00:00.000Z');

/** What a caller says of a job. */
export const jobSpec = {
  name: null,
  event: 'order_shipped',
  languageCode: null,
  phoneNumberId: null,
  maxAmount: null,
  perSecond: null,
  failedShare: 0.2,
  quality: true,
  sendAt: null,
  deliverBetween: null,
};
export const jobPlan: JobPlan = {
  rows: 4,
  good: 4,
  bad: 0,
  duplicates: 0,
  billing: 'credits',
  currency: 'USD',
  amount: 4,
  totals: [],
};
export const jobTerms: JobTerms = { ...jobSpec, retryOf: null, fileRef: 'file', bytesMax: 1000 };

export const price = (change: Partial<Price> = {}): Price => ({
  category: 'UTILITY',
  market: 'India',
  countryCode: 'IN',
  billing: 'credits',
  currency: 'USD',
  planId: 'standard',
  planVersion: 1,
  rateCardId: 'default-usd-2026-10',
  providerCost: 1400,
  sellPrice: 1680,
  creditsRequired: 1,
  refundOnFailure: true,
  ...change,
});

export const freePrice = price({
  category: 'SERVICE',
  providerCost: 0,
  sellPrice: 0,
  creditsRequired: 0,
  rateCardId: null,
});

export const intent = (change: Partial<Intent> = {}): Intent => ({
  phoneNumberId: '100000000000001',
  to: '919812345678',
  source: 'notification',
  event: 'order_shipped',
  content: {
    type: 'notification',
    name: 'order_shipped',
    language: 'en_US',
    authentication: false,
    parameters: ['A-77', 'AWB1', 'https://shop.example/t/1'],
  },
  text: 'Your order A-77 has been shipped.',
  contextMessageId: null,
  clientReference: null,
  ...change,
});

/** What the recipient of `intent` writes to the number, as the log takes it. */
export const inboundMessage = (change: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  phoneNumberId: '100000000000001',
  contactRef: 'ref_919812345678',
  waId: '919812345678',
  userId: null,
  accountId: 'acc_1',
  wabaId: '2',
  displayPhoneNumber: '15550100001',
  mediaId: null,
  contact: null,
  contactName: null,
  messageRef: 'wamid.1',
  messageType: 'text',
  message: { type: 'text' },
  receivedAt: isoTime(NOW),
  text: null,
  ...change,
});

export const statusUpdate = (change: Partial<StatusUpdate> = {}): StatusUpdate => ({
  messageRef: 'wamid.1',
  messageId: 'wamid.1',
  accountId: 'acc_1',
  phoneNumberId: '100000000000001',
  status: 'delivered',
  statusAt: isoTime(NOW),
  recipientWaId: null,
  chargeId: null,
  errorCode: null,
  errorMessage: null,
  pricing: null,
  ...change,
});

/** A status of the message that was sent, as its stream has it. */
export const statusRecord = (change: Partial<StatusRecord> = {}): StatusRecord => ({
  messageRef: 'wamid.1',
  accountId: 'acc_1',
  phoneNumberId: '100000000000001',
  contactRef: 'ref_919812345678',
  status: 'delivered',
  statusAt: isoTime(NOW),
  messageId: null,
  recipient: null,
  errorMessage: null,
  ...change,
});

/** What the provider says of a number. */
export const profile = (change: Partial<PhoneProfile> = {}): PhoneProfile => ({
  displayPhoneNumber: '1',
  verifiedName: 'Shop',
  qualityRating: null,
  registered: null,
  blockers: [],
  limits: [],
  ...change,
});

export const botDefinition = (change: Partial<BotDefinition> = {}): BotDefinition => ({
  name: 'Bot',
  description: null,
  phoneNumberId: null,
  isActive: true,
  trigger: 'KEYWORD',
  triggerKeywords: ['hi'],
  triggerMatchType: 'EXACT',
  nodes: [],
  edges: [],
  ...change,
});

/** A run of a bot has begun, by no message that is known. */
export const botRunStarted = (change: Partial<FactOf<typeof BotRunStarted>['data']> = {}) =>
  BotRunStarted.of({
    runId: 'run_1',
    botId: 'bot_1',
    accountId: 'acc_1',
    phoneNumberId: '10',
    contactRef: 'ref_1',
    waId: null,
    userId: null,
    contactName: null,
    botRevision: 0,
    link: 1,
    messageId: null,
    messageRevision: 0,
    text: null,
    takenAt: null,
    ...change,
  });

/** It waits for a reply. */
export const botRunWaiting = (change: Partial<FactOf<typeof BotRunWaiting>['data']> = {}) =>
  BotRunWaiting.of({
    runId: 'run_1',
    botId: 'bot_1',
    contactRef: 'ref_1',
    nodeId: 'q',
    kind: 'reply',
    until: isoTime(NOW),
    attempts: 0,
    messageId: null,
    steps: null,
    stepCount: 0,
    ...change,
  });

/** An account as the look-ups have it. */
export const accountRecord = (id: string, planId = 'standard') => ({
  id,
  organisationId: 'org_1',
  planId,
  directSend: 'off' as const,
});

export const templateRow = (change: Partial<TemplateRow> = {}): TemplateRow => ({
  wabaId: '20',
  name: 'order_shipped',
  language: 'en_US',
  metaTemplateId: '30',
  category: 'UTILITY',
  status: 'APPROVED',
  statusReason: null,
  components: [],
  accountId: null,
  ...change,
});

/** The record of a message that was sent to the recipient of `intent`. */
export const sentRecord = (change: Partial<SentRecord> = {}): SentRecord => ({
  messageRef: 'wamid.1',
  messageId: null,
  accountId: 'acc_1',
  contactRef: 'ref_919812345678',
  phoneNumberId: '100000000000001',
  chargeId: 'chg_1_2',
  category: 'UTILITY',
  recipient: null,
  ...change,
});
