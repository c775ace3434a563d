import { findEvent } from '../src/commands/sending/catalog.ts';
import type { Examples } from './example.ts';

const WAMID = 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSOUI1RjE2';
const NUMBER = '106540352242922';

const shipped = findEvent('order_shipped')!;

const variables = {
  orderId: 'A-1042',
  awbCode: 'AWB7788990011',
  trackingLink: 'https://shop.example/track/A-1042',
};

export const notificationExamples: Readonly<Record<string, Examples>> = {
  'GET /v1/notifications/catalog': { answer: [shipped] },
  'GET /v1/notifications/events': {
    answer: {
      phoneNumberId: NUMBER,
      total: 18,
      ready: 17,
      health: { canSend: true, blockers: [] },
      events: [
        { ...shipped, status: 'APPROVED', statusReason: null, ready: true, via: 'template' },
      ],
    },
  },
  'POST /v1/notifications/templates/submit': {
    requests: { Everything: {}, 'Some events': { events: ['order_shipped', 'order_status'] } },
    answer: {
      success: true,
      phoneNumberId: NUMBER,
      submitted: 1,
      existing: 0,
      failed: 0,
      results: [
        {
          event: 'order_shipped',
          templateName: 'order_shipped',
          category: 'UTILITY',
          state: 'submitted',
          status: 'PENDING',
          metaTemplateId: '594425479261596',
        },
      ],
      note: 'Review by the provider is asynchronous.',
    },
  },
  'POST /v1/notifications/send': {
    requests: {
      'An order is on its way': { to: '+919812345678', event: 'order_shipped', variables },
      'A code to sign in': {
        to: '+919812345678',
        event: 'otp_verification',
        variables: { otp: '482913' },
      },
    },
    answer: {
      success: true,
      messageId: WAMID,
      channel: 'template',
      event: 'order_shipped',
      template: 'order_shipped',
    },
    problems: {
      'provider.refused': {
        details: {
          event: 'order_shipped',
          template: 'order_shipped',
          providerCode: 131026,
          providerMessage: '(#131026) Message undeliverable',
        },
      },
    },
  },
  'POST /v1/notifications/send/batch': {
    requests: {
      'Two orders': {
        event: 'order_shipped',
        recipients: [
          { to: '+919812345678', variables },
          { to: '+447700900123', variables: { ...variables, orderId: 'A-1043' } },
        ],
      },
    },
    answer: {
      success: true,
      sent: 1,
      failed: 1,
      results: [
        { to: '+919812345678', ok: true, messageId: WAMID, channel: 'template' },
        {
          to: '+447700900123',
          ok: false,
          error: 'Not enough credits: 2 needed, 1 left',
          code: 'INSUFFICIENT_CREDITS',
        },
      ],
    },
  },
  'GET /v1/notifications/status/:messageId': {
    answer: {
      metaMessageId: WAMID,
      status: 'delivered',
      statusTimestamp: '2026-11-21T10:15:09.000Z',
      messageType: 'template',
      recipientWaId: '919812345678',
      contactUserId: 'IN.13491208655302741918',
      errorCode: null,
      errorMessage: null,
      createdAt: '2026-11-21T10:15:07.412Z',
      event: 'order_shipped',
    },
  },
};
