import { z } from 'zod';
import { AppError, type ErrorCode, type ErrorDetails } from '../../shared/errors.ts';
import { problemOf } from '../edge/problem.ts';

/** What the reference says of a refusal beside its status and code. */
export interface ErrorNote<Code extends ErrorCode = ErrorCode> {
  /** A sentence: when it comes, and what to do. */
  means: string;
  /** A text as callers meet it; nobody should branch on it. */
  says: string;
  /** What else the example carries. */
  details?: ErrorDetails<Code>;
  /** Fields that stand beside `error` and `code`. */
  fields?: Readonly<Record<string, z.ZodType>>;
}

const invalid = { formErrors: [], fieldErrors: { to: ['Too small: expected at least 5'] } };

const caps: ErrorDetails<'account.cap_reached'> = {
  limit: 'daily',
  usage: { minute: 4, day: 1000, month: 18_250 },
  limits: { perMinute: null, daily: 1000, monthly: null, paused: false },
};

const shortOfCredits: ErrorDetails<'account.insufficient'> = {
  reason: 'INSUFFICIENT_CREDITS',
  category: 'MARKETING',
  creditsRequired: 2,
  price: '0.01416',
  currency: 'USD',
  balance: 1,
};

const notApproved = {
  event: 'order_shipped',
  templateName: 'order_shipped',
  language: 'en_US',
};

const errorNotes: { [Code in ErrorCode]: ErrorNote<Code> } = {
  'request.invalid': {
    means: 'The request does not match its schema; `error` says which fields and why.',
    says: '',
    details: invalid,
  },
  'request.malformed': {
    means:
      'The body is no valid JSON, nests too deep or holds too much, or a parameter is missing. The text says which; nothing was done.',
    says: 'The body is not valid JSON',
  },
  'request.unsupported_type': {
    means:
      'The body is not announced as JSON, or is compressed: send `Content-Type: application/json`, as it is.',
    says: 'The body must be JSON, with Content-Type: application/json',
  },
  'request.too_large': {
    means: 'The body is larger than 1 MB. Nothing was done; split it.',
    says: 'The request body is larger than allowed',
  },
  'request.timeout': {
    means: 'The body did not arrive in time. Nothing was done; send it again.',
    says: 'The body did not arrive in time',
  },
  'route.unknown': {
    means: 'There is nothing at this address: look at the path.',
    says: 'Not found',
  },
  'route.method': {
    means: 'The address takes other methods; `Allow` names them.',
    says: 'Method not allowed',
  },
  'key.invalid': {
    means:
      'The API key is missing, malformed, unknown, inactive, expired or revoked. Send it as `Authorization: Bearer <key>`; if it is, only another key helps.',
    says: 'Missing or invalid API key',
  },
  'key.origin': {
    means:
      'The key does not allow the `Origin` of this request: have the origin allowed, or call from a server, which sends none.',
    says: 'Origin https://shop.example is not allowed for this key',
  },
  'key.scope': {
    means:
      'The key is limited to scopes, and the one needed here is not among them; the text names it. Use a key that has it.',
    says: 'This key lacks the scope notifications:send',
  },
  'key.rate_limited': {
    means: 'Too many requests: wait `RateLimit-Reset` seconds, then go on.',
    says: 'Too many requests; try again in 17 seconds',
  },
  'key.lookup_failed': {
    means: 'The credential could not be looked up. Try again with back-off.',
    says: 'Authentication lookup failed',
  },
  'key.revoked': {
    means: 'A revoked key stays revoked: create another one.',
    says: 'A revoked key stays revoked',
  },
  'administrator.invalid': {
    means:
      "The administrator's token is missing, unknown or revoked. An API key opens nothing here.",
    says: 'Missing or invalid administrator token',
  },
  'administrator.read_only': {
    means: 'An auditor may read, verify and export, and nothing else: use the token of an `admin`.',
    says: 'An auditor may only read',
  },
  'organisation.suspended': {
    means:
      'The organisation that owns the key is suspended. Nothing was done; only the operator can reinstate it.',
    says: 'The organisation that owns this key is suspended',
  },
  'event.unknown': {
    means: 'The catalog has no such event; `supportedEvents` lists those it has.',
    says: 'Unknown event: order_shiped',
    details: { supportedEvents: ['order_confirmation', 'order_shipped'] },
    fields: { supportedEvents: z.array(z.string()) },
  },
  'events.unknown': {
    means:
      'The catalog lacks some of the named events; the text names them. Nothing was submitted.',
    says: 'Unknown events: order_shiped',
  },
  'account.cap_reached': {
    means:
      'A sending cap of the account is reached, or it is paused. Only `perMinute` clears by waiting.',
    says: 'The daily sending cap of this account is reached',
    details: caps,
  },
  'account.insufficient': {
    means:
      'Credits or balance do not cover the message. Nothing was sent and nothing spent; try again slowly, after a top-up.',
    says: 'Not enough credits: 2 needed, 1 left',
    details: shortOfCredits,
  },
  'account.free_writes': {
    means:
      'The account has stored as much without paying as its plan allows in a UTC day: refused sends, bots, templates. `Retry-After` leads to the end of the day.',
    says: 'This account has stored as much without paying as its plan allows in a UTC day: refused sends, bots, templates. Go on tomorrow',
  },
  'account.conflict': {
    means:
      'The account is on another kind of plan, its balance does not allow this, or a send is under way; the text says which. Nothing was moved.',
    says: 'The balance cannot go below zero',
  },
  'account.balance_limit': {
    means:
      'The balance, with what open reservations may give back, would exceed 9,000,000,000,000 credits, or millionths of the currency. Nothing was moved; use a smaller amount.',
    says: 'The balance cannot exceed 9000000000000 credits, open reservations included: use a smaller amount',
  },
  'number.none': {
    means:
      'The account has no number with an access token, or not the one that was named: link one, or set its token.',
    says: 'Phone number not found or not configured',
  },
  'number.unknown': {
    means: 'The number is not linked to this account, or has no access token where one is needed.',
    says: 'Phone number not found or not configured',
  },
  'number.no_token': {
    means: 'The number is linked but has no access token: set one first.',
    says: 'Phone number has no access token configured',
  },
  'number.linked': {
    means: 'The number is linked already, to this or another account: unlink it there first.',
    says: 'The number is linked already',
  },
  'template.not_approved': {
    means: 'No approved template for this event on this number: read the readiness until it is.',
    says: 'No approved template for order_shipped on this number: submit the catalog and wait for approval',
    details: notApproved,
    fields: {
      details: z.object({ event: z.string(), templateName: z.string(), language: z.string() }),
    },
  },
  'template.refused': {
    means: 'The provider refused the submission. Change it; the same will be refused again.',
    says: 'Template submission failed: the template name is taken',
  },
  'template.unknown': {
    means:
      "No such template, or the number's token cannot see it. It takes the provider's id, not the name.",
    says: 'Template not found',
  },
  'message.unknown': {
    means: 'No message of this account has this id. Ids hold `=` and `/`: encode them in the path.',
    says: 'Message not found',
  },
  'message.incomplete': {
    means: 'What the named `type` needs is missing; the text says what.',
    says: '`text.body` is required for type text',
  },
  'message.window_closed': {
    means: 'The customer has not written in the last 24 hours: only a template can be sent.',
    says: 'The 24-hour window of this customer is closed: only a template can be sent',
    details: { windowExpiredAt: '2026-11-20T09:30:00.000Z' },
  },
  'bot.unknown': { means: 'No bot of this account has this id.', says: 'Bot not found' },
  'resource.unknown': {
    means: 'There is nothing with this id; the text says what was looked for.',
    says: 'Account not found',
  },
  'resource.conflict': {
    means: 'There is one already, or there are as many as there may be.',
    says: 'The bot exists already',
  },
  'provider.refused': {
    means: 'The provider refused the message. The charge was given back; another try costs anew.',
    says: 'The provider rejected the send: (#131026) Message undeliverable',
  },
  'provider.failed': {
    means:
      'The provider refused, and `details` has its words, or it could not be reached: then try again.',
    says: 'The provider could not be reached',
  },
  'provider.unknown_outcome': {
    means:
      'The provider did not answer: the message may have gone out. The charge was given back; if it went out, it appears in the history.',
    says: 'The provider did not answer in time: whether the message went out is not known',
  },
  'idempotency.in_progress': {
    means: 'A request with this `Idempotency-Key` is still running: ask again after `Retry-After`.',
    says: 'The request with this key is still in progress',
  },
  'idempotency.mismatch': {
    means: 'This `Idempotency-Key` was used with another request. Use a new one.',
    says: 'This Idempotency-Key was used with another request: use a new key',
  },
  'request.no_room': {
    means:
      'Too many request bodies are unfinished, and this one made room for others. Try again after `Retry-After`.',
    says: 'Too many unfinished request bodies: try again',
  },
  'webhook.signature': {
    means: 'The signature does not match the bytes of the body. Nothing was stored.',
    says: 'The signature does not match',
  },
  'webhook.token': {
    means: 'The verify token of the handshake is not the one of the settings.',
    says: 'The verify token does not match',
  },
  'webhook.unconfigured': {
    means: 'The service lacks the settings that this needs; the text names them.',
    says: 'The webhook needs WAYBILL_APP_SECRET and WAYBILL_VERIFY_TOKEN',
  },
  'service.busy': {
    means: 'Too many requests of this key are in progress. Try again after `Retry-After`.',
    says: 'Too many requests of this key are in progress',
  },
  'service.unavailable': {
    means: 'The service cannot store or read this now. Try again after `Retry-After`.',
    says: 'The service cannot store this now',
  },
  'service.stopping': {
    means: 'This instance is stopping. Try again after `Retry-After`.',
    says: 'The service is stopping',
  },
};

export const noteOf = (code: ErrorCode): ErrorNote => errorNotes[code];

/** A body as the edge would write it, made by the edge; a route may know better what it holds. */
export const errorExample = (
  code: ErrorCode,
  known?: Record<string, unknown>,
): Record<string, unknown> => {
  const { says, details } = noteOf(code);
  return { ...problemOf(new AppError(code, says, details)).body, ...known };
};

/** What an unexpected fault is answered with. */
export const faultExample = (): Record<string, unknown> => problemOf(new Error()).body;
