import type { Examples } from './example.ts';

const NUMBER = '106540352242922';
const WEBHOOK = 'wh_0199e0a17c1e7b609a552f4b8f1f0c31';
const REPLAY = 'rpl_0199e0a17c1e7b609a552f4b8f1f0c44';
const SECRET = 'whsec_GQzrVwTjQ0aJ8m2uXb4nYc7sKp1dLh5fRe3tWi9oZaMx';
const SINCE = '2026-11-20T00:00:00.000Z';

const webhookExample = {
  id: WEBHOOK,
  url: 'https://shop.example/hooks/waybill',
  events: ['message.received', 'message.delivered', 'message.failed'],
  description: 'Order desk',
  state: 'active',
  format: 'standard',
  disabledReason: null,
  previousSecretUntil: null,
  replay: null,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
};

const delivery = {
  id: '41',
  eventId: '0199e0a2-1b7d-7f00-8a3e-0c6f3d1a9b24',
  event: 'number.quality',
  state: 'waiting',
  attempts: 1,
  statusCode: 503,
  latencyMs: 84,
  error: null,
  lastAttemptAt: '2026-11-21T10:15:09.700Z',
  nextAttemptAt: '2026-11-21T10:15:14.900Z',
  createdAt: '2026-11-21T10:15:09.700Z',
};

const body = {
  type: 'number.quality',
  timestamp: '2026-11-21T10:15:09.412Z',
  accountId: 'acc_0192f6a47c1e7b529d3e5a1f0c2b8e11',
  data: {
    phoneNumberId: NUMBER,
    displayPhoneNumber: '+1 555-010-0001',
    verifiedName: 'Corner Shop',
    qualityRating: 'YELLOW',
    previousQualityRating: 'GREEN',
  },
};

const done = { answer: { success: true } };

const call = {
  attempt: 1,
  at: '2026-11-21T10:15:09.914Z',
  statusCode: 200,
  latencyMs: 84,
  error: null,
  answer: {
    head: 'content-type: application/json\ndate: Sat, 21 Nov 2026 10:15:09 GMT',
    body: '{"ok":true}',
  },
};

export const webhookExamples: Record<string, Examples> = {
  'GET /v1/webhooks': { answer: { webhooks: [webhookExample] } },
  'POST /v1/webhooks': {
    requests: {
      'Messages of customers and failures': {
        url: webhookExample.url,
        events: webhookExample.events,
        description: 'Order desk',
      },
    },
    answer: { ...webhookExample, secret: SECRET },
  },
  'GET /v1/webhooks/:webhookId': { answer: webhookExample },
  'PATCH /v1/webhooks/:webhookId': {
    requests: {
      'Other events': { events: ['message.received'] },
      'Enable it again': { state: 'active' },
    },
    answer: webhookExample,
  },
  'DELETE /v1/webhooks/:webhookId': done,
  'POST /v1/webhooks/:webhookId/rotate': {
    answer: { secret: SECRET, previousUntil: '2026-11-22T10:15:09.700Z' },
  },
  'POST /v1/webhooks/:webhookId/test': done,
  'POST /v1/webhooks/:webhookId/replay': {
    requests: { 'Since midnight': { since: SINCE } },
    answer: { success: true, replayId: REPLAY },
  },
  'GET /v1/webhooks/:webhookId/deliveries': {
    answer: { deliveries: [delivery], nextCursor: null },
  },
  'GET /v1/webhooks/:webhookId/deliveries/:deliveryId': {
    answer: { ...delivery, body, calls: [call] },
  },
  'POST /v1/webhooks/:webhookId/deliveries/:deliveryId/resend': done,
};
