import type { SentRecord } from '../../src/commands/sending/message-statuses.ts';
import type { Intent } from '../../src/events/content.ts';
import type { Price } from '../../src/events/price.ts';

/** A Saturday, half a day from any UTC boundary. */
export const NOW = Date.parse('2026-11-21T12:00:00.000Z');

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
