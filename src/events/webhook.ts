import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';
import { personal } from './personal.ts';
import { Sealed } from './phone.ts';

// The events of one endpoint of an account, in the stream webhook-<account>.<endpoint id>: its settings, and what
// became of its deliveries. A delivery names an event of the log, and never holds its content.

/** What an endpoint can ask for: when it happens, and the data of its body, for manual and console. */
export const webhookTopics = {
  'message.received': {
    when: 'a customer wrote',
    data: "the record of `GET /v1/messages`, and `message`: the provider's object, verbatim",
  },
  'message.sent': { when: 'the provider accepted a message', data: 'the record' },
  'message.delivered': {
    when: 'a message was delivered',
    data: 'the record as it was then',
  },
  'message.read': {
    when: 'the customer read a message',
    data: 'the record as it was then',
  },
  'message.failed': {
    when: 'a message failed',
    data: 'the record as it was then',
  },
  'template.status': {
    when: 'a template changed its status or category, or will',
    data: '`id`, `name`, `language`, `category`, `status` (`DELETED` once it is gone), `statusReason`, `changingTo` (`{ category, at }` or null)',
  },
  'number.quality': {
    when: 'the quality rating of a number changed',
    data: '`phoneNumberId`, `displayPhoneNumber`, `verifiedName`, `qualityRating`, `previousQualityRating`',
  },
  'job.finished': {
    when: 'the last row of a job was sent or refused',
    data: '`jobId`, `sent`, `refused`, `amount` (credits, or a decimal text on a wallet plan)',
  },
  'job.paused': {
    when: 'the service paused a job',
    data: '`jobId`, `reason`, `sent`, `refused`, `amount`',
  },
  'scheduled.refused': {
    when: 'a scheduled send was refused when it was due',
    data: 'the record of `GET /v1/scheduled`, with `error`',
  },
  'account.balance_low': {
    when: 'the balance fell below `balanceLow`, once each time',
    data: '`balance`, `balanceLow`, `billing`, `currency`',
  },
  'account.paused': {
    when: 'sending was paused',
    data: '`paused`, `reason` (null where an administrator did it)',
  },
} as const;
export type WebhookTopic = keyof typeof webhookTopics;
export const WebhookTopic = z.enum(Object.keys(webhookTopics) as [WebhookTopic, ...WebhookTopic[]]);

/** What the provider has webhooks for: the topics of an endpoint in its format. */
export const graphTopics: readonly WebhookTopic[] = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'template.status',
  'number.quality',
];

/** The topic of the delivery that an owner asks for as a test. */
export const TEST_TOPIC = 'webhook.test';

const endpoint = { endpointId: z.string(), accountId: z.string() };

export const WebhookSettings = z.object({
  url: z.string(),
  topics: z.array(WebhookTopic),
  description: z.string().nullable(),
  /** Of an endpoint that is called as the provider calls one; absent after Standard Webhooks. */
  graph: z
    .object({
      /** What the endpoint expects in the handshake. */
      verifyToken: Sealed,
    })
    .optional(),
});
export type WebhookSettings = z.output<typeof WebhookSettings>;

/** The URL is secret. Where it cannot be opened, calls go nowhere. */
const secretUrl = {
  paths: ({ url }: { url?: string }) => (url === undefined ? [] : [['url']]),
  unopened: { url: 'https://sealed.invalid/' },
};
/** Version 1 has the URL in clear. */
const sealsUrl = (v1: Record<string, unknown>) => v1;

export const WebhookCreated = defineEvent(
  'WebhookCreated',
  z.object({ ...endpoint, ...WebhookSettings.shape, secret: Sealed }),
  [sealsUrl],
  undefined,
  secretUrl,
);
/** The settings after the change. */
export const WebhookChanged = defineEvent(
  'WebhookChanged',
  z.object({ ...endpoint, ...WebhookSettings.shape }),
  [sealsUrl],
  undefined,
  secretUrl,
);
/** The secret before this one signs too, until then. */
export const WebhookRotated = defineEvent(
  'WebhookRotated',
  z.object({ ...endpoint, secret: Sealed, previousUntil: z.iso.datetime() }),
);
/** The same secrets, sealed under a newer key: the newest first, as many as the endpoint has. */
export const WebhookSecretsSealed = defineEvent(
  'WebhookSecretsSealed',
  z.object({ ...endpoint, secrets: z.array(Sealed), verifyToken: Sealed.nullable() }),
);
export const WebhookDisabled = defineEvent(
  'WebhookDisabled',
  z.object({
    ...endpoint,
    /** `gone`: it answered 410. `failing`: no call succeeded for five days. */
    reason: z.enum(['owner', 'gone', 'failing']),
    failingSince: z.iso.datetime().nullable(),
  }),
);
export const WebhookEnabled = defineEvent('WebhookEnabled', z.object(endpoint));
export const WebhookDeleted = defineEvent(
  'WebhookDeleted',
  z.object({
    ...endpoint,
    /** Deliveries that were settled, which name the documents of the last ones. */
    settled: z.int().min(0),
  }),
);

/** The owner asked for a delivery without content. */
export const WebhookTested = defineEvent('WebhookTested', z.object(endpoint));
/** The owner asked for all events of the log since then once more. */
export const WebhookReplayStarted = defineEvent(
  'WebhookReplayStarted',
  z.object({ ...endpoint, replayId: z.string(), since: z.iso.datetime() }),
);
export const WebhookReplayEnded = defineEvent(
  'WebhookReplayEnded',
  z.object({ ...endpoint, replayId: z.string() }),
);

/** The event of the log that is delivered. */
const source = {
  eventId: z.string(),
  topic: z.union([WebhookTopic, z.literal(TEST_TOPIC)]),
  stream: z.string(),
  revision: z.int().min(0),
  /** Up to which revision the body tells of the stream, where that is not the event's. */
  asOf: z.int().min(0).optional(),
  /** What is delivered in order: the contact's ref, else the stream. */
  orderKey: z.string(),
  /** The owner asked for this delivery: what is written of it counts in his free writes. */
  asked: z.literal(true).optional(),
};
export const WebhookSource = z.object(source);
export type WebhookSource = z.output<typeof WebhookSource>;

const delivery = {
  ...endpoint,
  /** Counts the endpoint's deliveries from 0. */
  number: z.int().min(0),
  ...source,
  /** When the delivery began. */
  begunAt: z.iso.datetime(),
};

/** A delivery waits for a call: there was no room, or its owner asked for it once more. */
export const WebhookDeferred = defineEvent(
  'WebhookDeferred',
  z.object({ ...delivery, cause: z.enum(['no_room', 'resend']) }),
);
/** The beginning of what a URL answered. It may repeat what it was told of a contact. */
export const WebhookAnswer = z.object({
  /** A header a line. */
  head: z.string(),
  body: z.string(),
});
export type WebhookAnswer = z.output<typeof WebhookAnswer>;

/** A call of the endpoint. */
export const WebhookAttempted = defineEvent(
  'WebhookAttempted',
  z.object({
    ...delivery,
    /** Counts the calls of this delivery from 1. */
    attempt: z.int().min(1),
    at: z.iso.datetime(),
    outcome: z.enum(['delivered', 'retry', 'failed']),
    /** Null without an answer; `error` then gives the reason. */
    statusCode: z.int().nullable(),
    latencyMs: z.int().min(0),
    error: z.string().nullable(),
    /** Only of a `retry`. */
    nextAt: z.iso.datetime().nullable(),
    /** Counts the endpoint's settled deliveries from 0; null of a `retry`. */
    settled: z.int().min(0).nullable(),
    /** Revision of the call of this delivery before this one. */
    previous: z.int().min(0).optional(),
    /** Whose key seals the answer: the delivery's contact, else the endpoint itself. */
    contactRef: z.string().optional(),
    answer: personal(WebhookAnswer).optional(),
  }),
  [(v1) => v1],
);
/** Deliveries of a deleted endpoint that waited for a call. */
export const WebhookDeliveriesDropped = defineEvent(
  'WebhookDeliveriesDropped',
  z.object({ ...endpoint, numbers: z.array(z.int().min(0)) }),
);

export const webhookEvents = [
  WebhookCreated,
  WebhookChanged,
  WebhookRotated,
  WebhookSecretsSealed,
  WebhookDisabled,
  WebhookEnabled,
  WebhookDeleted,
  WebhookTested,
  WebhookReplayStarted,
  WebhookReplayEnded,
  WebhookDeferred,
  WebhookAttempted,
  WebhookDeliveriesDropped,
] as const;
export type WebhookFact = FactOf<(typeof webhookEvents)[number]>;
