import type { Proof } from '../src/audit/seals/proof.ts';
import { conversationIdOf } from '../src/events/conversation.ts';
import { messageTypes } from '../src/provider/rules/message-types.ts';
import { administrationExamples } from './administration-examples.ts';
import { botExamples } from './bot-examples.ts';
import type { Examples } from './example.ts';
import { notificationExamples } from './notification-examples.ts';
import { webhookExamples } from './webhook-examples.ts';

const ownAccount = {
  id: 'acc_01a2f3',
  name: 'Nordwind Outdoor',
  billing: 'credits',
  currency: 'USD',
  pausedReason: null,
  topUp: 'https://messaging.example/top-up',
  limits: {
    perMinute: null,
    daily: 10_000,
    monthly: null,
    paused: false,
    strict: false,
    directSend: 'off',
    timeZone: 'Asia/Kolkata',
    quietHours: { MARKETING: { from: '21:00', until: '09:00' } },
    balanceLow: 100,
  },
};

/** A whole proof; a test checks that it holds. */
export const proofExample: Proof = {
  link: {
    type: 'ChargeReserved',
    version: 5,
    accountId: 'acc_00000000000000000000000000000000',
    revision: 2,
    data: {
      amount: -1,
      balanceAfter: 10,
      sequence: 2,
      contactRef: 'ref_919812345678',
      outline: ['number-of-acc_00000000000000000000000000000000', 'order_shipped', 'en_US'],
      at: 1795262400000,
      chargeId: '2',
      price: [
        'UTILITY',
        'India',
        'IN',
        'credits',
        'USD',
        'standard',
        1,
        'default-usd-2026-10',
        1400,
        1680,
        1,
        true,
      ],
      sealed:
        '2026-11.xOlFaRA7dXtNma3r-sjIQFfC0brhO5kWp-GNk3u23CoHoWutmi6cvwxgbA6qV5zpVOe5dfvDkJNXthHZ2lqWt146e7pJLALHr8sD6hCr7zn-aim-eT0gb9XURoVc_ORImtpVnx7f391b5u7rjp9gIFi9lnk5uSuPmtkXwsl40x8z0nNy_MeS9fPiKPigkSWb2TlRi5HKZzLFJu_OVNkf62jVg2qqLfmgQQ',
    },
    previousHash: '571680a6e2b43adc3d867803805c4f4465eded079f094576776b77d95e7678dd',
    hash: 'b759c7d74c3f4e1ec71bae623468262ad2e641b0d91626809974646e0a60484d',
  },
  index: 2,
  path: [
    '2Dj4qzt2avzpiJUtR7XPOZDv7TgEqqX/mwi58c6FZEc=',
    'ASRzH199PRGDXB7jGTtln2Tor2E4swwLP6A6EVdJ4hs=',
    'E/KNFFuTD+3NtTcHAhInyzuJm+k3UJ/kpk8rmRndVgE=',
  ],
  size: 8,
  note: 'waybill/01a219c4-7422-72d4-b7d8-070821fca87a\n8\n2ubfEvktzgHUlJTwzhTu7Om2bgFcA3zv9fLe2qTklX0=\n\n— waybill/01a219c4-7422-72d4-b7d8-070821fca87a sBKCkkkr/Yxns9urc4tKBF6yYTgjfyneckWCgy+K/RXViyTnnPIquWc8CMoKaMqHBzYADdHrvIGlpzQJgj1KDJCiDww=\n',
};

const WAMID = 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSOUI1RjE2';
const NUMBER = '106540352242922';
const ACCOUNT = 'acc_0192f6a47c1e7b529d3e5a1f0c2b8e11';
const CONVERSATION = conversationIdOf({
  accountId: ACCOUNT,
  phoneNumberId: NUMBER,
  contactRef: 'u5KQm1x0T3yB7nXwE2aZpQ',
});

const overview = {
  since: '2026-11-21T09:00:00.000Z',
  hours: [
    { hour: '2026-11-21T09:00:00.000Z', sends: 412, refunds: 2, failures: 1, refused: 3 },
    { hour: '2026-11-21T10:00:00.000Z', sends: 96, refunds: 0, failures: 0, refused: 0 },
  ],
  totals: { sends: 508, refunds: 2, failures: 1, refused: 3 },
  money: [{ unit: 'credits', charged: '508', refunded: '2' }],
  refunds: [
    { cause: 'delivery_failed' as const, count: 1 },
    { cause: 'not_sent' as const, count: 1 },
  ],
  failures: [{ code: '131026', count: 1 }],
  refused: [{ code: 'CAP_DAILY', count: 3 }],
  reservations: { open: 0, oldestAt: null },
};

const live = {
  events: [
    {
      type: 'MessageSent',
      position: '00000000000004d2',
      at: '2026-11-21T10:15:07.412Z',
      accountId: ACCOUNT,
      chargeId: 'chg_0192f6a47c1e7b529d3e5a1f0c2b8e11_2a',
    },
  ],
  more: 0,
};

const phones = [
  {
    phoneNumberId: NUMBER,
    displayPhoneNumber: '+1 555-010-0001',
    verifiedName: 'Corner Shop',
    qualityRating: 'GREEN',
    subscribed: true,
    messagingLimit: 'TIER_2K',
    messagingAccountId: null,
  },
];

const timeline = [
  {
    type: 'MessageSent',
    at: '2026-11-21T10:15:07.412Z',
    data: { messageId: WAMID, recipientWaId: '919812345678' },
  },
  {
    type: 'StatusUpdated',
    at: '2026-11-21T10:15:09.630Z',
    data: { messageId: WAMID, status: 'delivered' },
  },
];

const message = {
  id: WAMID,
  metaMessageId: WAMID,
  conversationId: CONVERSATION,
  phoneNumberId: NUMBER,
  direction: 'outbound',
  recipientWaId: '919812345678',
  senderWaId: null,
  contactUserId: 'IN.13491208655302741918',
  contactName: 'Asha',
  messageType: 'template',
  status: 'delivered',
  statusTimestamp: '2026-11-21T10:15:09.000Z',
  event: 'order_shipped',
  templateName: 'order_shipped',
  text: 'Your order A-1042 has been shipped with tracking number AWB7788990011.',
  content: { type: 'template', name: 'order_shipped', language: 'en_US' },
  contextMessageId: null,
  category: 'UTILITY',
  price: '0.00168',
  currency: 'USD',
  creditsCharged: 1,
  clientReference: null,
  source: 'notification',
  chargeId: 'chg_0192f6a47c1e7b529d3e5a1f0c2b8e11_2',
  refunded: false,
  errorCode: null,
  errorMessage: null,
  createdAt: '2026-11-21T10:15:07.412Z',
};

const charge = {
  id: 'chg_0192f6a47c1e7b529d3e5a1f0c2b8e11_2',
  state: 'kept' as const,
  at: '2026-11-21T10:15:07.120Z',
  reason: 'order_shipped',
  recipient: '919812345678',
  phoneNumberId: NUMBER,
  amount: '1',
  unit: 'credits',
  price: {
    category: 'UTILITY',
    market: 'India',
    countryCode: 'IN',
    sellPrice: '0.00168',
    currency: 'USD',
    planId: 'standard',
    planVersion: 1,
  },
  refund: null,
  message,
  requestId: '0192f6a4-7c1e-7b52-9d3e-5a1f0c2b8e11',
  position: '00000000000004d1',
  sequence: 3,
  hash: '3f0c8a1d5b7e9f2a4c6d8e0b1a3f5c7d9e2b4a6c8d0f1e3a5b7c9d2e4f6a8b0c',
};

const mia = {
  id: 'per_u2Vt6nQz1kX0wR4tJ8bCfA',
  name: 'Mia Rao',
  email: 'mia@shop.example',
};

const conversation = {
  id: CONVERSATION,
  phoneNumberId: NUMBER,
  contact: { waId: '919812345678', userId: 'IN.13491208655302741918', name: 'Asha' },
  lastMessage: {
    id: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUM0E5',
    direction: 'inbound',
    messageType: 'text',
    text: 'Can you deliver after six?',
    status: null,
    createdAt: '2026-11-21T10:20:31.000Z',
  },
  lastInboundAt: '2026-11-21T10:20:31.000Z',
  lastOutboundAt: '2026-11-21T10:15:07.412Z',
  windowOpen: true,
  windowExpiresAt: '2026-11-22T10:20:31.000Z',
  handoff: {
    by: 'bot',
    botId: 'bot_0192f6c07d1e7a409c2b3d4e5f6a7b88',
    person: null,
    since: '2026-11-21T10:20:33.000Z',
    until: '2026-11-21T11:20:33.000Z',
  },
  assigned: mia,
  assignedBy: null,
  labels: ['VIP'],
  messageCount: 2,
  unreadCount: 1,
  createdAt: '2026-11-21T10:15:07.412Z',
  updatedAt: '2026-11-21T10:20:31.000Z',
};

const note = {
  id: 'note_0192f6c18e2f7b51ad3c4e5f6a7b8c99',
  text: 'Called back: the parcel is at the neighbour.',
  by: mia,
  createdAt: '2026-11-21T10:31:00.000Z',
};

const quickReply = {
  id: 'qr_0192f6c18e2f7b51ad3c4e5f6a7b8c99',
  name: 'Hours',
  text: 'We are here from 9 to 18.',
  createdAt: '2026-11-21T10:31:00.000Z',
};

const deduction = {
  id: 'acc_7Hq2.1042',
  amount: -1,
  balanceAfter: 998,
  type: 'DEDUCT',
  reason: 'order_shipped',
  metadata:
    '{"category":"UTILITY","countryCode":"IN","providerCost":"0.0014","sellPrice":"0.00168","chargeId":"chg_0199e0a1"}',
  createdAt: '2026-11-21T10:15:07.120Z',
  grantedBy: null,
};

const template = {
  id: '594425479261596',
  name: 'spring_sale',
  language: 'en_US',
  category: 'MARKETING',
  status: 'PENDING',
};

const components = [
  {
    type: 'BODY',
    text: 'Hi {{1}}, our spring sale begins on {{2}}. Reply STOP to opt out.',
    example: { body_text: [['Asha', '1 March']] },
  },
];

const refused = {
  details: {
    type: 'text',
    template: null,
    providerCode: 131026,
    providerMessage: '(#131026) Message undeliverable',
  },
};

const scheduledSend = {
  id: 'sch_0199e0a1-7c1e-7b60-9a55-2f4b8f1f0c11',
  state: 'waiting',
  kind: 'notification',
  dueAt: '2026-11-27T03:30:00.000Z',
  notAfter: '2026-11-28T03:30:00.000Z',
  timeZone: 'Asia/Kolkata',
  rule: {
    by: 'deliverBetween',
    text: 'the window 09:00 to 20:00 in Asia/Kolkata is open',
  },
  to: '919812345678',
  event: 'order_shipped',
  createdAt: '2026-11-26T18:04:11.508Z',
  metaMessageId: null,
  chargeId: null,
  error: null,
  problems: [],
};

const JOB = 'job_0192f6c07d1e7a409c2b3d4e5f6a7b88';
const CHARGE = 'chg_0192f6a47c1e7b529d3e5a1f0c2b8e11_7';

const job = {
  id: JOB,
  name: 'Shipped on Saturday',
  event: 'order_shipped',
  state: 'running',
  reason: null,
  retryOf: null,
  plan: {
    rows: 3,
    good: 2,
    bad: 0,
    duplicates: 1,
    totals: [{ category: 'UTILITY', market: 'India', count: 2, unitPrice: '0.00168', amount: 2 }],
    amount: 2,
    finishesAt: '2026-11-21T10:15:08.000Z',
  },
  counts: { waiting: 1, sent: 0, delivered: 1, read: 0, failed: 0, refused: 0 },
  amount: 1,
  sendAt: null,
  maxAmount: 100,
  createdAt: '2026-11-21T10:14:58.000Z',
  startedAt: '2026-11-21T10:15:07.000Z',
  endedAt: null,
};

const own: Record<string, Examples> = {
  'POST /v1/messages/send': {
    requests: Object.fromEntries(
      Object.entries(messageTypes).map(([type, { example }]) => [
        example.title,
        { to: '919812345678', type, [type]: example.value },
      ]),
    ),
    answer: {
      success: true,
      messageId: WAMID,
      type: 'text',
      to: '919812345678',
      phoneNumberId: NUMBER,
    },
    problems: { 'provider.refused': refused },
  },
  'POST /v1/quotes': {
    requests: {
      'An order is on its way': {
        kind: 'notification',
        request: {
          to: '+919812345678',
          event: 'order_shipped',
          variables: {
            orderId: 'A-1042',
            awbCode: 'AWB7788990011',
            trackingLink: 'https://shop.example/track/A-1042',
          },
        },
      },
    },
    answer: {
      quoteId: 'quote_v1.pX0c4vY1t3W6Qm2rK8aZ7s',
      validUntil: '2026-11-21T10:25:07.000Z',
      would: 'send',
      covered: 1,
      refusal: null,
      amount: 1,
      currency: 'USD',
      balance: 999,
      balanceAfter: 998,
      items: [
        {
          to: '+919812345678',
          channel: 'template',
          category: 'UTILITY',
          market: 'India',
          price: '0.00168',
          creditsCharged: 1,
          templateStatus: 'APPROVED',
          windowClosesAt: null,
          dueAt: null,
          problems: [],
        },
      ],
      totals: [{ category: 'UTILITY', market: 'India', count: 1, unitPrice: '0.00168', amount: 1 }],
    },
  },
  'GET /v1/messages': { answer: { messages: [message], nextCursor: 'cDowMDAwMDAwMDAwMDAwNDI' } },
  'GET /v1/scheduled': { answer: { scheduled: [scheduledSend], nextCursor: null } },
  'GET /v1/scheduled/:scheduleId': { answer: scheduledSend },
  'PATCH /v1/scheduled/:scheduleId': {
    requests: {
      'Another time': { sendAt: '2026-12-01T09:30:00+05:30' },
      'Another content': { variables: { orderId: 'A-1043' } },
    },
    answer: { ...scheduledSend, dueAt: '2026-12-01T04:00:00.000Z' },
  },
  'POST /v1/scheduled/:scheduleId/send-now': {
    answer: { ...scheduledSend, dueAt: '2026-11-26T12:00:00.000Z' },
  },
  'DELETE /v1/scheduled/:scheduleId': { answer: { ...scheduledSend, state: 'cancelled' } },
  'GET /v1/sends': {
    answer: {
      sends: [
        {
          id: 'chg_0192f6a47c1e7b529d3e5a1f0c2b8e11_7',
          requestId: '019ab2f0-4c1e-7b52-9d3e-5a1f0c2b8e11',
          at: '2026-11-21T10:15:07.120Z',
          to: '919812345678',
          contactUserId: null,
          phoneNumberId: NUMBER,
          source: 'notification',
          event: 'otp_verification',
          templateName: 'otp_verification',
          channel: 'template',
          category: 'AUTHENTICATION',
          price: '0.00168',
          currency: 'USD',
          state: 'refused',
          metaMessageId: null,
          error: {
            code: 'SEND_FAILED',
            providerCode: 131026,
            title: 'Message undeliverable',
            hint: 'The number is not on WhatsApp, or its app is too old: check the number, or use another channel.',
            docUrl: '/docs/errors#131026',
          },
          charged: 1,
          refunded: 1,
          tookMs: 84,
        },
      ],
      nextCursor: null,
    },
  },
  'GET /v1/sends/refusals': {
    answer: {
      refusals: [
        {
          code: 'INSUFFICIENT_CREDITS',
          minute: '2026-11-21T10:15:00.000Z',
          count: 12,
          firstRequestId: '019ab2f0-4c1e-7b52-9d3e-5a1f0c2b8e11',
          lastRequestId: '019ab2f0-b7d2-7f00-8a3e-0c6f3d1a9b24',
          to: '919812345678',
        },
      ],
      nextCursor: null,
    },
  },
  'GET /v1/messages/:messageId/explain': {
    answer: {
      messageId: WAMID,
      outcome: 'delivered',
      rules: [
        {
          rule: 'price',
          value: '0.00168 USD',
          why: 'The row India, UTILITY of rate card default-usd-2026-10 is 0.0014 USD; with the markup of the plan 0.00168, which takes 1 credits',
          event: null,
        },
        {
          rule: 'caps',
          value: 'per minute without a cap, per day 500, per month without a cap',
          why: 'The last limits of the account before the send; it did not pass them',
          event: {
            type: 'LimitsSet',
            position: '0000000000000031',
            at: '2026-11-20T09:00:00.000Z',
          },
        },
      ],
    },
  },
  'GET /v1/messages/:messageId/timeline': { answer: { messageId: WAMID, timeline } },
  'POST /v1/messages/:messageId/read': {
    requests: { Read: {}, 'Read, and a reply is being written': { typing: true } },
    answer: { success: true, messageId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUM0E5' },
  },
  'POST /v1/jobs': {
    requests: {
      'Two orders': {
        name: 'Shipped on Saturday',
        event: 'order_shipped',
        columns: {
          to: 'phone',
          variables: { orderId: 'order', awbCode: 'awb', trackingLink: 'link' },
        },
        maxAmount: 100,
        rows: [
          {
            phone: '+919812345678',
            order: 'A-1042',
            awb: 'AWB7788990011',
            link: 'https://shop.example/track/A-1042',
          },
          {
            phone: '+447700900123',
            order: 'A-1043',
            awb: 'AWB7788990012',
            link: 'https://shop.example/track/A-1043',
          },
        ],
      },
    },
    answer: { id: JOB, state: 'checking' },
  },
  'GET /v1/jobs': { answer: { jobs: [job], nextCursor: null } },
  'GET /v1/jobs/:jobId': { answer: job },
  'POST /v1/jobs/:jobId/start': { answer: job },
  'POST /v1/jobs/:jobId/pause': { answer: job },
  'POST /v1/jobs/:jobId/resume': { answer: job },
  'POST /v1/jobs/:jobId/cancel': { answer: job },
  'GET /v1/jobs/:jobId/rows': {
    answer: {
      rows: [
        { row: 1, state: 'delivered', error: null, metaMessageId: WAMID, chargeId: CHARGE },
        {
          row: 3,
          state: 'duplicate',
          error: 'has the recipient of row 1',
          metaMessageId: null,
          chargeId: null,
        },
      ],
      nextCursor: null,
    },
  },
  'GET /v1/jobs/:jobId/result': { answer: 'The lines.' },
  'POST /v1/jobs/:jobId/retry': { answer: { id: JOB, state: 'checking' } },
  'POST /v1/media': {
    answer: {
      id: '1166846181421424',
      phoneNumberId: NUMBER,
      kind: 'image',
      mimeType: 'image/jpeg',
      bytes: 48_213,
    },
  },
  'GET /v1/media/:id': { answer: 'The bytes of the file.' },
  'GET /v1/conversations': { answer: { conversations: [conversation], nextCursor: null } },
  'GET /v1/conversations/:conversationId': { answer: conversation },
  'POST /v1/conversations/:conversationId/handoff': {
    requests: {
      'For a day': {},
      'For an hour': { minutes: 60 },
      'Until a time': { until: '2026-11-21T18:00:00+05:30' },
    },
    answer: { success: true, until: '2026-11-21T12:30:00.000Z' },
  },
  'DELETE /v1/conversations/:conversationId/handoff': { answer: { success: true } },
  'POST /v1/conversations/:conversationId/assign': {
    requests: { Assign: { personId: mia.id }, 'Leave it': { personId: null } },
    answer: { success: true },
  },
  'POST /v1/conversations/:conversationId/labels': {
    requests: { Label: { labels: ['VIP', 'refund'] } },
    answer: { success: true },
  },
  'POST /v1/conversations/:conversationId/notes': {
    requests: { Note: { text: note.text } },
    answer: note,
  },
  'GET /v1/conversations/:conversationId/notes': { answer: { notes: [note], nextCursor: null } },
  'GET /v1/assignees': {
    answer: { assignees: [{ id: mia.id, name: mia.name }], nextCursor: null },
  },
  'GET /v1/quick-replies': { answer: { quickReplies: [quickReply], nextCursor: null } },
  'POST /v1/quick-replies': {
    requests: { Add: { name: quickReply.name, text: quickReply.text } },
    answer: quickReply,
  },
  'PATCH /v1/quick-replies/:replyId': {
    requests: { Change: { text: quickReply.text } },
    answer: quickReply,
  },
  'DELETE /v1/quick-replies/:replyId': { answer: { success: true } },
  'GET /v1/phones': { answer: phones },
  'PATCH /v1/phones/:phoneNumberId/webhook': {
    requests: {
      Forward: { webhookUrl: 'https://shop.example/hooks/9f2c7e51b0d84a6f' },
      'Stop forwarding': { webhookUrl: null },
    },
    answer: { success: true },
  },
  'GET /v1/templates': { answer: [template] },
  'GET /v1/templates/:id': { answer: { ...template, components } },
  'POST /v1/templates': {
    requests: {
      'With a sample for each placeholder': {
        phoneNumberId: NUMBER,
        name: 'spring_sale',
        category: 'MARKETING',
        components,
      },
    },
    answer: template,
  },
  'GET /v1/find': {
    answer: {
      results: [
        {
          kind: 'charge',
          id: 'chg_0192f6a47c1e7b529d3e5a1f0c2b8e11_2',
          accountId: ACCOUNT,
          title: 'order_shipped',
        },
      ],
    },
  },
  'GET /v1/charges/:id': { answer: charge },
  'GET /v1/overview': { answer: overview },
  'GET /v1/live': { answer: live },
  'POST /v1/console-links': {
    answer: { path: '/console#link=eyJrZXkiOiJ2MSJ9', expiresAt: '2026-11-21T10:25:07.412Z' },
  },
  'GET /v1/credits/proof': { answer: proofExample },
  'GET /v1/account': { answer: ownAccount },
  'PATCH /v1/account': {
    requests: { 'A warning': { balanceLow: 100 }, 'None any more': { balanceLow: null } },
    answer: ownAccount,
  },
  'GET /v1/ledger': {
    answer: {
      entries: [{ ...deduction, position: '00000000000004d2', hash: '3f0c7a1b9d2e4856' }],
      nextCursor: null,
    },
  },
  'GET /v1/statement/proof': { answer: 'The lines.' },
  'GET /v1/statement': {
    answer: {
      accountId: 'acc_01a2f3',
      number: '2026-11-01a2f3',
      date: '2026-12-01',
      account: { id: 'acc_01a2f3', name: 'Nordwind Outdoor' },
      organisation: { id: 'org_01a2f2', name: 'Nordwind' },
      issuer: { name: 'Example Messaging GmbH', address: 'Berlin', taxId: 'DE123456789' },
      period: { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
      billing: 'credits',
      currency: 'USD',
      opening: 0,
      closing: 998,
      grants: [],
      charges: [
        {
          category: 'UTILITY',
          market: 'India',
          unitPrice: '0.00168',
          creditsEach: 1,
          count: 2,
          amount: -2,
        },
      ],
      refunds: [],
      chain: { first: null, last: null, links: 3 },
      seal: null,
      final: false,
    },
  },
  'GET /v1/credits': { answer: { balance: 998, transactions: [deduction] } },
  'GET /v1/wallet': {
    answer: {
      balance: '24.99832',
      currency: 'USD',
      transactions: [{ ...deduction, amount: '-0.00168', balanceAfter: '24.99832' }],
    },
  },
};

const all: Readonly<Record<string, Examples>> = {
  ...notificationExamples,
  ...own,
  ...botExamples,
  ...webhookExamples,
  ...administrationExamples,
};

export const examplesOf = (route: { method: string; path: string }): Examples | undefined =>
  all[`${route.method} ${route.path}`];

/** The operations with examples, for the test that each still exists. */
export const exampleKeys: readonly string[] = Object.keys(all);
