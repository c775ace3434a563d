import type { Examples } from './example.ts';
import { notificationExamples } from './notification-examples.ts';

// Examples of the administration where a value of the right form would still be a wrong one.

const TAIL = '0192f6a47c1e7b529d3e5a1f0c2b8e11';
const ACCOUNT = `acc_${TAIL}`;
const AT = '2026-11-21T10:15:07.412Z';
const HASH = '9f2c7e51b0d84a6f3c1e8d7a5b4f20916e7d3c8a1b5f4e2d0c9b8a7f6e5d4c3b';
const ada = { id: `adm_${TAIL}`, name: 'Ada Moor', email: 'ada@operator.example' };

const granted = {
  id: `led_${TAIL}_1`,
  amount: 500,
  balanceAfter: 1498,
  type: 'GRANT',
  reason: 'Invoice 2026-1042',
  metadata: null,
  createdAt: AT,
  grantedBy: ada,
  position: '00000000000004d2',
  hash: HASH,
};
const toppedUp = { ...granted, amount: '500.00', balanceAfter: '524.99' };

const organisation = {
  id: '0192f6a4-7c1e-7b52-9d3e-5a1f0c2b8e11',
  name: 'Corner Shop Ltd',
  suspended: false,
  suspendedReason: null,
  fourEyes: [],
  createdAt: AT,
};
const administrator = { ...ada, role: 'admin', state: 'active', createdAt: AT };

const backup = {
  name: '2026-11-21T10-15-07Z',
  format: 1,
  takenAt: AT,
  position: '00000000000004d2',
  events: 1042,
  sha256: HASH,
};

export const administrationExamples: Readonly<Record<string, Examples>> = {
  'POST /admin/v1/backups': { answer: { ...backup, keys: 17 } },
  'GET /admin/v1/backups': { answer: { backups: [backup] } },
  'POST /admin/v1/administrators': {
    requests: { 'May change': { name: ada.name, email: ada.email, role: 'admin' } },
    answer: { ...administrator, token: 'wb_adm_3kTq9Zx0T3yB7nXwE2aZpQ' },
  },
  'GET /admin/v1/administrators': {
    answer: { administrators: [administrator], nextCursor: null },
  },
  'POST /admin/v1/administrators/:id/revoke': { answer: { ...administrator, state: 'revoked' } },
  'POST /admin/v1/organisations': {
    requests: { Create: { name: organisation.name } },
    answer: organisation,
  },
  'POST /admin/v1/organisations/:id/suspend': {
    requests: { Suspend: { reason: 'Unpaid since October' } },
    answer: { ...organisation, suspended: true, suspendedReason: 'Unpaid since October' },
  },
  'POST /admin/v1/organisations/:id/reinstate': {
    requests: { Reinstate: { reason: 'Paid' } },
    answer: organisation,
  },
  'PATCH /admin/v1/accounts/:id/limits': {
    requests: {
      Caps: { perMinute: 600, daily: 10_000, monthly: null },
      'Send nothing': { paused: true },
    },
  },
  'POST /admin/v1/accounts/:id/keys': {
    requests: {
      'For all operations': { name: 'Shop backend' },
      'Only to send': { name: 'Shop backend', scopes: ['notifications:send'], rateLimit: 600 },
    },
  },
  'POST /admin/v1/accounts/:id/numbers': {
    requests: {
      Link: {
        phoneNumberId: '106540352242922',
        wabaId: '200000000000002',
        accessToken: 'EAAGm0PX4ZCpsBAKZC',
      },
    },
  },
  'POST /admin/v1/accounts/:id/credits/grant': {
    requests: { Grant: { amount: 500, reason: 'Invoice 2026-1042' } },
    answer: granted,
  },
  'POST /admin/v1/accounts/:id/credits/revoke': {
    requests: { Revoke: { amount: 500, reason: 'Paid back' } },
    answer: {
      ...granted,
      amount: -500,
      balanceAfter: 998,
      type: 'REVOKE',
      reason: 'Paid back',
    },
  },
  'POST /admin/v1/accounts/:id/wallet/top-up': {
    requests: { 'Top up': { amount: '500.00', reason: 'Invoice 2026-1042' } },
    answer: toppedUp,
  },
  'POST /admin/v1/accounts/:id/wallet/adjust': {
    requests: { 'Take away': { amount: '-25.00', reason: 'Correction' } },
    answer: {
      ...toppedUp,
      amount: '-25.00',
      balanceAfter: '499.99',
      type: 'REVOKE',
      reason: 'Correction',
    },
  },
  'GET /admin/v1/accounts/:id/ledger': { answer: { entries: [granted], nextCursor: null } },
  'POST /admin/v1/ledger/verify': {
    requests: { Everything: {}, 'One account': { accountId: ACCOUNT } },
  },
  'DELETE /admin/v1/numbers/:phoneNumberId': { answer: { success: true } },
  'POST /admin/v1/numbers/:phoneNumberId/catalog/submit': {
    ...notificationExamples['POST /v1/notifications/templates/submit'],
  },
  'POST /admin/v1/rate-cards': {
    requests: {
      'Prices by market': {
        currency: 'USD',
        effectiveFrom: '2026-12-01T00:00:00.000Z',
        rates: {
          India: { MARKETING: '0.0118', UTILITY: '0.0014', AUTHENTICATION: '0.0014' },
          Other: { MARKETING: '0.0604', UTILITY: '0.0077', AUTHENTICATION: '0.0304' },
        },
      },
    },
  },
};
