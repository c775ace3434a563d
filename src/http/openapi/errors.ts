import { z } from 'zod';
import { AppError, type ErrorCode, type ErrorDetails } from '../../shared/errors.ts';
import { problemOf } from '../edge/problem.ts';

/** The documentation of an error beside its status and code. */
interface ErrorNote<Code extends ErrorCode = ErrorCode> {
  /** The cause, and what to do. */
  means: string;
  /** An example of the text. */
  says: string;
  /** Details of the example. */
  details?: ErrorDetails<Code>;
  /** Fields of the body beside `error` and `code`. */
  fields?: Readonly<Record<string, z.ZodType>>;
}

const invalid = { formErrors: [], fieldErrors: { to: ['must have at least 5 characters'] } };

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
  language: 'hi',
  approvedLanguages: ['en_US'],
};

const errorNotes: { [Code in ErrorCode]: ErrorNote<Code> } = {
  'request.invalid': {
    means: 'The request does not match its schema; `error` lists the fields and reasons.',
    says: '',
    details: invalid,
  },
  'request.malformed': {
    means: 'The body is not valid JSON or too complex, or a parameter is missing; see the text.',
    says: 'The body is not valid JSON',
  },
  'request.unsupported_type': {
    means:
      'The body is compressed or not announced as JSON: send `Content-Type: application/json`. For a file: no form, or a type that the provider does not take.',
    says: 'The body must be JSON, with Content-Type: application/json',
  },
  'request.too_large': {
    means:
      'The body is larger than 1 MB, or a file is larger than its type may be. Nothing was done; split it.',
    says: 'The request body is larger than allowed',
  },
  'request.timeout': {
    means: 'The body did not arrive in time. Nothing was done; send it again.',
    says: 'The body did not arrive in time',
  },
  'route.unknown': { means: 'The path is unknown.', says: 'Not found' },
  'route.method': {
    means: 'The path has other methods; `Allow` names them.',
    says: 'Method not allowed',
  },
  'key.invalid': {
    means: 'The API key is missing, unknown, inactive, expired or revoked.',
    says: 'Missing or invalid API key',
  },
  'key.origin': {
    means: 'The key does not allow the `Origin` of this request. Servers send no origin.',
    says: 'Origin https://shop.example is not allowed for this key',
  },
  'key.scope': {
    means: 'The key lacks the scope that the text names: use a key with that scope.',
    says: 'This key lacks the scope notifications:send',
  },
  'key.rate_limited': {
    means: 'Too many requests: wait `RateLimit-Reset` seconds.',
    says: 'Too many requests; try again in 17 seconds',
  },
  'key.lookup_failed': {
    means: 'The look-up of the credential failed. Try again with back-off.',
    says: 'Authentication lookup failed',
  },
  'key.revoked': {
    means: 'A revoked key stays revoked: create another one.',
    says: 'A revoked key stays revoked',
  },
  'administrator.invalid': {
    means: "The administrator's token is missing, unknown or revoked. An API key is no token.",
    says: 'Missing or invalid administrator token',
  },
  'administrator.read_only': {
    means: 'An auditor may only read, verify and export: use the token of an `admin`.',
    says: 'An auditor may only read',
  },
  'organisation.suspended': {
    means: 'The organisation of the key is suspended. Only the operator can reinstate it.',
    says: 'The organisation that owns this key is suspended',
  },
  'event.unknown': {
    means: 'The catalog has no such event; `supportedEvents` lists its events.',
    says: 'Unknown event: order_shiped',
    details: {
      supportedEvents: ['order_confirmation', 'order_shipped'],
      didYouMean: 'order_shipped',
    },
    fields: {
      supportedEvents: z.array(z.string()),
      didYouMean: z.string().optional().describe('The nearest event, where one is near.'),
    },
  },
  'events.unknown': {
    means: 'The catalog lacks the events that the text names. Nothing was submitted.',
    says: 'Unknown events: order_shiped',
  },
  'account.cap_reached': {
    means:
      'A sending cap is reached, or the account is paused. Only `perMinute` clears by waiting.',
    says: 'The daily sending cap of this account is reached',
    details: caps,
  },
  'account.insufficient': {
    means:
      'Too few credits, or too little balance. Nothing was sent or charged; try after a top-up.',
    says: 'Not enough credits: 2 needed, 1 left',
    details: shortOfCredits,
  },
  'account.free_writes': {
    means: "The account has reached its plan's daily limit of unpaid data; wait `Retry-After`.",
    says: 'This account has stored as much without paying as its plan allows in a UTC day: refused sends, bots, templates. Go on tomorrow',
  },
  'account.conflict': {
    means: 'The plan, the balance or a running send does not allow this; the text says which.',
    says: 'The balance cannot go below zero',
  },
  'account.balance_limit': {
    means: 'The balance would exceed 9,000,000,000,000 units: use a smaller amount.',
    says: 'The balance cannot exceed 9000000000000 credits, open reservations included: use a smaller amount',
  },
  'number.none': {
    means: 'The account has no number with an access token, or lacks the named one.',
    says: 'Phone number not found or not configured',
  },
  'number.unknown': {
    means: 'The number is not linked to this account, or lacks a required access token.',
    says: 'Phone number not found or not configured',
  },
  'number.no_token': {
    means: 'The number is linked but has no access token: set one first.',
    says: 'Phone number has no access token configured',
  },
  'number.linked': {
    means: 'The number is linked already, maybe to another account: unlink it there first.',
    says: 'The number is linked already',
  },
  'template.not_approved': {
    means: 'The event has no approved template on this number: read the readiness until it has.',
    says: 'No approved template for order_shipped on this number: submit the catalog and wait for approval',
    details: notApproved,
    fields: {
      details: z.object({
        event: z.string(),
        templateName: z.string(),
        language: z.string().describe('As asked for.'),
        approvedLanguages: z.array(z.string()).describe('Languages that can be sent.'),
      }),
    },
  },
  'template.refused': {
    means: 'The provider refused the submission. Change it before another try.',
    says: 'Template submission failed: the template name is taken',
  },
  'template.unknown': {
    means: "The template is unknown to the number's token. The id is the provider's, not the name.",
    says: 'Template not found',
  },
  'message.unknown': {
    means: 'The account has no message with this id. Encode `=` and `/` of an id in the path.',
    says: 'Message not found',
  },
  'message.incomplete': {
    means: 'A field of the named `type` is missing; the text names it.',
    says: '`text.body` is required for type text',
  },
  'message.not_allowed': {
    means:
      'The content breaks a rule of the provider; the text names the field and the limit. Nothing was charged.',
    says: "`media.caption` has more than 1024 characters, the provider's limit",
  },
  'message.window_closed': {
    means: 'The customer has not written in the last 24 hours: only a template can be sent.',
    says: 'The 24-hour window of this customer is closed: only a template can be sent',
    details: { windowExpiredAt: '2026-11-20T09:30:00.000Z' },
  },
  'bot.unknown': {
    means: 'The account has no bot with this id.',
    says: 'Bot not found',
  },
  'resource.unknown': {
    means: 'The id is unknown; the text names the resource.',
    says: 'Account not found',
  },
  'resource.conflict': {
    means: 'The resource exists already, or the account has the maximum.',
    says: 'The bot exists already',
  },
  'resource.not_sealed': {
    means:
      'The charge is newer than the last seal of the ledger; there is one each day. Ask again after `Retry-After`.',
    says: 'The charge is not sealed yet',
  },
  'resource.erased': {
    means:
      'The data of a contact were erased. An answer with that contact is not given again, and its request is not repeated: nothing is sent or charged. A dead letter without its content can only be dismissed.',
    says: 'The data of a contact in this request were erased, and its answer with them: nothing was sent again',
  },
  'provider.refused': {
    means: 'The provider refused the message. The charge was refunded; another try costs again.',
    says: 'The provider rejected the send: (#131026) Message undeliverable',
  },
  'provider.failed': {
    means:
      'The provider refused, with its words in `details`, or was out of reach: then try again.',
    says: 'The provider could not be reached',
  },
  'provider.unknown_outcome': {
    means:
      'The provider did not answer. The charge was refunded; the history shows a sent message.',
    says: 'The provider did not answer in time: whether the message went out is not known',
  },
  'idempotency.in_progress': {
    means: 'A request with this `Idempotency-Key` is running: try again after `Retry-After`.',
    says: 'The request with this key is still in progress',
  },
  'idempotency.mismatch': {
    means: 'Another request has used this `Idempotency-Key`: use a new one.',
    says: 'This Idempotency-Key was used with another request: use a new key',
  },
  'request.no_room': {
    means: 'Other unfinished bodies needed the room of this one. Try again after `Retry-After`.',
    says: 'Too many unfinished request bodies: try again',
  },
  'request.cross_site': {
    means: 'A session of the console sent a request that another site may have caused.',
    says: 'A console session works from the console alone',
  },
  'session.invalid': {
    means: 'The credential given to sign in is unknown, inactive, expired or revoked.',
    says: 'This credential is not valid',
  },
  'session.ended': {
    means: 'The session of the console is over. A session lasts 8 hours.',
    says: 'The session has ended',
  },
  'session.link': {
    means: 'The link to sign in has expired, or was used already: it works once, for 10 minutes.',
    says: 'This link was used already, or has expired',
  },
  'session.no_links': {
    means: 'A session of the console cannot make links, with which it would outlast its 8 hours.',
    says: 'A link is made with a credential, and not with a session',
  },
  'webhook.signature': {
    means: 'The signature does not match the bytes of the body. Nothing was stored.',
    says: 'The signature does not match',
  },
  'webhook.token': {
    means: 'The verify token differs from the setting.',
    says: 'The verify token does not match',
  },
  'webhook.unconfigured': {
    means: 'The service lacks the settings that the text names.',
    says: 'The webhook needs WAYBILL_APP_SECRET and WAYBILL_VERIFY_TOKEN',
  },
  'service.busy': {
    means: 'Too many requests of this key are running. Try again after `Retry-After`.',
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

/** Every error that a caller can meet. */
export const errorCodes = Object.keys(errorNotes) as readonly ErrorCode[];

export const noteOf = (code: ErrorCode): ErrorNote => errorNotes[code];

/** The body as the edge makes it, with the route's own fields. */
export const errorExample = (
  code: ErrorCode,
  known?: Record<string, unknown>,
): Record<string, unknown> => {
  const { says, details } = noteOf(code);
  return { ...problemOf(new AppError(code, says, details)).body, ...known };
};

/** The body after an unexpected fault. */
export const faultExample = (): Record<string, unknown> => problemOf(new Error()).body;
