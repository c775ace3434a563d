import { z } from 'zod';
import type { Limits, UsageCounts } from './usage.ts';

// Every error that a caller can meet, each as one record: the HTTP edge answers with it, and the
// reference, the page of errors and the clients are made from it.

/** What a send tried to send. */
export interface SendDetails {
  event?: string;
  type?: string;
  template: string | null;
}

interface ProviderWords {
  providerCode: number | null;
  providerMessage: string;
}

export type NoDetails = Record<never, never>;

/** `Details`: what the error carries beside its message. */
export interface ErrorRecord<Details = NoDetails> {
  status: number;
  /** The public code (contract 7.2). */
  code?: string;
  /** The field of the body that holds the details; without it they lie beside `error`. */
  detailsIn?: 'error' | 'details';
  /** The body has no fields of the route's own, even where other bodies of this status have them. */
  plain?: true;
  /** The answer asks for a credential. */
  challenges?: true;
  /** The connection ends with the answer: the rest of the body is not read. */
  closes?: true;
  /**
   * What a refused caller does next. The fixed texts of the contract stay in `error`. Null: the
   * contract wants the body to be `error` alone.
   */
  hint: string | null;
  /** The cause, for the reference. */
  means: string;
  /** An example of the text. */
  says: string;
  /** Details of the example. */
  details?: Details;
  /** Every send with a key may be answered with it. */
  ofSends?: true;
  /** Fields of the body beside `error` and `code`. */
  fields?: Readonly<Record<string, z.ZodType>>;
}

const error = <Details = NoDetails>(record: ErrorRecord<Details>): ErrorRecord<Details> => record;

const ADDRESS = 'Compare the path with the reference at /docs.';
const AGAIN = 'Nothing was done: send the same request again after Retry-After seconds.';
const OWN_NUMBERS = 'GET /v1/phones lists the numbers of the account.';

export const errorTable = {
  'request.invalid': error<{
    formErrors: readonly string[];
    fieldErrors: Record<string, string[]>;
  }>({
    status: 400,
    detailsIn: 'error',
    hint: 'Correct the named fields; the reference at /docs shows an example.',
    means: 'The request does not match its schema; `error` lists the fields and reasons.',
    says: '',
    details: {
      formErrors: [],
      fieldErrors: { to: ['must have at least 5 characters, such as +919812345678'] },
    },
  }),
  'request.malformed': error({
    status: 400,
    hint: 'Correct what the text names; the reference at /docs shows an example.',
    means: 'The body is not valid JSON or too complex, or a parameter is missing; see the text.',
    says: 'The body is not valid JSON',
  }),
  'request.unsupported_type': error({
    status: 415,
    hint: 'Send the type that the text names, without compression.',
    means:
      'The body is compressed or not announced as JSON: send `Content-Type: application/json`. For a file: no form, or a type that the provider does not take.',
    says: 'The body must be JSON, with Content-Type: application/json',
  }),
  'request.too_large': error({
    status: 413,
    hint: 'Split the request: a body may have 1 MB, a batch 500 recipients, the file of a job 100 MB.',
    means:
      'The body is larger than 1 MB, or a file is larger than its type may be. Nothing was done; split it.',
    says: 'The request body is larger than allowed',
  }),
  'request.timeout': error({
    status: 408,
    closes: true,
    hint: 'Nothing was done: send the whole body at once.',
    means: 'The body did not arrive in time. Nothing was done; send it again.',
    says: 'The body did not arrive in time',
  }),
  'route.unknown': error({
    status: 404,
    hint: ADDRESS,
    means: 'The path is unknown.',
    says: 'Not found',
  }),
  'route.method': error({
    status: 405,
    hint: 'Use a method that the Allow header names.',
    means: 'The path has other methods; `Allow` names them.',
    says: 'Method not allowed',
  }),
  'key.invalid': error({
    status: 401,
    challenges: true,
    hint: 'The key is unknown, inactive, expired or revoked: check that it was copied whole, or ask for a new one. An administrator’s token is for /api/admin/v1.',
    means: 'The API key is missing, unknown, inactive, expired or revoked.',
    says: 'Missing or invalid API key',
  }),
  'key.origin': error({
    status: 403,
    hint: 'Allow this origin for the key, or call from a server, which sends no Origin.',
    means: 'The key does not allow the `Origin` of this request. Servers send no origin.',
    says: 'Origin https://shop.example is not allowed for this key',
  }),
  'key.scope': error({
    status: 403,
    code: 'INSUFFICIENT_SCOPE',
    hint: 'Use a key that has this scope, or one without a list of scopes.',
    means: 'The key lacks the scope that the text names: use a key with that scope.',
    says: 'This key lacks the scope notifications:send',
  }),
  'key.rate_limited': error({
    status: 429,
    hint: null,
    means: 'Too many requests: wait `RateLimit-Reset` seconds.',
    says: 'Too many requests; try again in 17 seconds',
  }),
  'key.lookup_failed': error({
    status: 500,
    hint: 'Send the same request again after some seconds.',
    means: 'The look-up of the credential failed. Try again with back-off.',
    says: 'Authentication lookup failed',
  }),
  'key.revoked': error({
    status: 409,
    hint: 'Create another key for the account.',
    means: 'A revoked key stays revoked: create another one.',
    says: 'A revoked key stays revoked',
  }),
  'administrator.invalid': error({
    status: 401,
    challenges: true,
    hint: "Use an administrator's token; an API key (wb_live_…) is for /api/v1 only.",
    means: "The administrator's token is missing, unknown or revoked. An API key is no token.",
    says: 'Missing or invalid administrator token',
  }),
  'administrator.read_only': error({
    status: 403,
    code: 'READ_ONLY',
    hint: 'Use the token of an administrator with the role admin.',
    means: 'An auditor may only read, verify and export: use the token of an `admin`.',
    says: 'An auditor may only read',
  }),
  'person.role': error({
    status: 403,
    code: 'ROLE_TOO_HIGH',
    hint: 'Ask a person with the role owner, or the operator.',
    means: 'Nobody gives a role or accounts beyond his own, or changes a person who has more.',
    says: 'A manager cannot give or change the role owner',
  }),
  'person.account': error({
    status: 400,
    code: 'ACCOUNT_REQUIRED',
    hint: 'Name one of your accounts in the header X-Waybill-Account.',
    means:
      'The person has several accounts: `X-Waybill-Account` says which. An account of others is 404.',
    says: 'Say with X-Waybill-Account which of your accounts is meant',
  }),
  'person.contents': error({
    status: 403,
    code: 'CONTENTS_HIDDEN',
    hint: 'Ask a person whose role sees contents, such as agent or manager.',
    means: 'The role does not see what customers write, and this holds or searches it.',
    says: 'This role does not see what customers write',
  }),
  'approval.own': error({
    status: 403,
    code: 'APPROVAL_OWN',
    hint: 'Ask another administrator to approve it: GET /admin/v1/approvals lists what waits.',
    means: 'The organisation asks two people for this, and one person is not two.',
    says: 'Another person must approve this',
  }),
  'approval.settled': error({
    status: 409,
    code: 'APPROVAL_SETTLED',
    hint: 'Ask for it again.',
    means: 'The request was approved, rejected, or waited for more than 24 hours.',
    says: 'It has expired',
  }),
  'approval.alone': error({
    status: 409,
    code: 'TWO_PEOPLE_NEEDED',
    hint: 'Invite another administrator first.',
    means: 'Two people must be there who can approve what the other asks for.',
    says: 'There must be two administrators first',
  }),
  'person.only': error({
    status: 403,
    code: 'PERSON_REQUIRED',
    hint: 'Sign in at /console with your own name.',
    means: 'An API key cannot do this: a person signs in for it.',
    says: 'Only a person who signed in may do this',
  }),
  'organisation.suspended': error({
    status: 403,
    code: 'ORG_SUSPENDED',
    hint: 'Ask the operator to reinstate the organisation.',
    means: 'The organisation of the key is suspended. Only the operator can reinstate it.',
    says: 'The organisation that owns this key is suspended',
  }),
  'event.unknown': error<{ supportedEvents: readonly string[]; didYouMean?: string }>({
    status: 400,
    code: 'UNKNOWN_EVENT',
    hint: 'Use one of supportedEvents, or send your own template with POST /v1/messages/send.',
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
  }),
  'events.unknown': error({
    status: 400,
    hint: 'GET /v1/notifications/catalog lists the events. Nothing was submitted.',
    means: 'The catalog lacks the events that the text names. Nothing was submitted.',
    says: 'Unknown events: order_shiped',
  }),
  'account.cap_reached': error<{ limit: keyof Limits; usage: UsageCounts; limits: Limits }>({
    status: 429,
    ofSends: true,
    code: 'LIMIT_REACHED',
    hint: 'Stop sending: only perMinute clears by waiting. Ask the operator to raise the cap.',
    means:
      'A sending cap is reached, or the account is paused. Only `perMinute` clears by waiting.',
    says: 'The daily sending cap of this account is reached',
    details: {
      limit: 'daily',
      usage: { minute: 4, day: 1000, month: 18_250 },
      limits: { perMinute: null, daily: 1000, monthly: null, paused: false },
    },
  }),
  'account.insufficient': error<{
    reason: 'INSUFFICIENT_CREDITS' | 'INSUFFICIENT_BALANCE';
    category: string;
    creditsRequired: number;
    price: string;
    currency: string;
    balance: number | string;
  }>({
    status: 402,
    ofSends: true,
    hint: 'Top up the account, and send again. Nothing was sent or charged.',
    means:
      'Too few credits, or too little balance. Nothing was sent or charged; try after a top-up.',
    says: 'Not enough credits: 2 needed, 1 left',
    details: {
      reason: 'INSUFFICIENT_CREDITS',
      category: 'MARKETING',
      creditsRequired: 2,
      price: '0.01416',
      currency: 'USD',
      balance: 1,
    },
  }),
  'account.free_writes': error({
    status: 429,
    ofSends: true,
    code: 'FREE_WRITES_REACHED',
    plain: true,
    hint: 'Wait until the next UTC day begins, or ask the operator for a plan with more unpaid data.',
    means: "The account has reached its plan's daily limit of unpaid data; wait `Retry-After`.",
    says: 'This account has stored as much without paying as its plan allows in a UTC day: refused sends, bots, templates. Go on tomorrow',
  }),
  'schedule.full': error<{ limit: 'scheduled' }>({
    status: 429,
    ofSends: true,
    code: 'LIMIT_REACHED',
    plain: true,
    hint: 'Send some now, cancel some, or wait until some are sent: GET /v1/scheduled?state=waiting lists them.',
    means: 'So many sends of the account wait for their time that no further one is taken.',
    says: '50000 sends of this account wait for their time already',
    details: { limit: 'scheduled' },
    fields: { limit: z.literal('scheduled') },
  }),
  'account.conflict': error({
    status: 409,
    hint: 'Read the account, and decide again.',
    means: 'The plan, the balance or a running send does not allow this; the text says which.',
    says: 'The balance cannot go below zero',
  }),
  'account.balance_limit': error({
    status: 400,
    hint: 'Use a smaller amount.',
    means: 'The balance would exceed 9,000,000,000,000 units: use a smaller amount.',
    says: 'The balance cannot exceed 9000000000000 credits, open reservations included: use a smaller amount',
  }),
  'quote.changed': error<{ quoted: number | string; now: number | string }>({
    status: 409,
    ofSends: true,
    code: 'QUOTE_CHANGED',
    detailsIn: 'details',
    hint: 'Ask for a new quote (POST /v1/quotes), and send with its quoteId if the new price is right. Nothing was sent or charged.',
    means:
      'The send would cost something else than its `quoteId` says: `details` has both amounts. Nothing was sent or charged.',
    says: 'The price has changed: 1 credits was quoted, and it is 2 credits now',
    details: { quoted: 1, now: 2 },
    fields: {
      details: z.object({
        quoted: z.union([z.int(), z.string()]).describe("In the account's unit."),
        now: z.union([z.int(), z.string()]).describe("In the account's unit."),
      }),
    },
  }),
  'quote.invalid': error({
    status: 400,
    ofSends: true,
    code: 'QUOTE_INVALID',
    hint: 'Use the quoteId that POST /v1/quotes has answered to a key of this account, unchanged.',
    means: 'The `quoteId` is no quote of this account, or was changed on its way.',
    says: '`quoteId` is no quote of this account',
  }),
  'quote.expired': error({
    status: 410,
    ofSends: true,
    code: 'QUOTE_EXPIRED',
    hint: 'Ask for a new quote (POST /v1/quotes). Nothing was sent or charged.',
    means: 'A quote holds for 10 minutes. Nothing was sent or charged: ask for a new one.',
    says: 'The quote has expired: it held for 10 minutes',
  }),
  'job.full': error<{ limit: 'jobs' }>({
    status: 429,
    code: 'JOBS_FULL',
    plain: true,
    hint: 'Start jobs that are ready, cancel those you do not need (GET /v1/jobs lists them), or wait until some rows are sent.',
    means:
      'So many jobs of the account, or megabytes of their rows, wait that no further file is taken.',
    says: '60 MB of rows wait in jobs of this account already',
    details: { limit: 'jobs' },
    fields: { limit: z.literal('jobs') },
  }),
  'job.state': error({
    status: 409,
    code: 'JOB_STATE',
    hint: 'Read the job (GET /v1/jobs/{id}): its state says what can be done with it.',
    means: 'The state of the job does not allow this; the text says which it is.',
    says: 'A job that is done cannot be paused',
  }),
  'job.unusable': error({
    status: 400,
    code: 'JOB_UNUSABLE',
    hint: 'Mend the file as the text says, and upload it again. Nothing of it was sent.',
    means: 'The file of a job cannot be used; the text says why and where. Nothing of it is sent.',
    says: 'The file has no column "phone", but "number", "order"',
  }),
  'number.none': error({
    status: 404,
    ofSends: true,
    code: 'NO_PHONE',
    hint: `Link a number with an access token first. ${OWN_NUMBERS}`,
    means: 'The account has no number with an access token, or lacks the named one.',
    says: 'Phone number not found or not configured',
  }),
  'number.unknown': error({
    status: 404,
    hint: `Use a number of this account. ${OWN_NUMBERS}`,
    means: 'The number is not linked to this account, or lacks a required access token.',
    says: 'Phone number not found or not configured',
  }),
  'number.no_token': error({
    status: 400,
    hint: 'Set the access token of the number (waybill number token).',
    means: 'The number is linked but has no access token: set one first.',
    says: 'Phone number has no access token configured',
  }),
  'number.linked': error({
    status: 409,
    hint: 'Unlink the number where it is linked now.',
    means: 'The number is linked already, maybe to another account: unlink it there first.',
    says: 'The number is linked already',
  }),
  'template.not_approved': error<{
    event: string;
    templateName: string;
    /** As asked for. */
    language: string;
    approvedLanguages: readonly string[];
  }>({
    status: 409,
    code: 'TEMPLATE_NOT_APPROVED',
    detailsIn: 'details',
    hint: 'Submit the catalog (POST /v1/notifications/templates/submit), and wait until GET /v1/notifications/events shows the event as ready.',
    means: 'The event has no approved template on this number: read the readiness until it has.',
    says: 'No approved template for order_shipped on this number: submit the catalog and wait for approval',
    details: {
      event: 'order_shipped',
      templateName: 'order_shipped',
      language: 'hi',
      approvedLanguages: ['en_US'],
    },
    fields: {
      details: z.object({
        event: z.string(),
        templateName: z.string(),
        language: z.string().describe('As asked for.'),
        approvedLanguages: z.array(z.string()).describe('Languages that can be sent.'),
      }),
    },
  }),
  'template.refused': error({
    status: 400,
    hint: "Change the template as the provider's words say.",
    means: 'The provider refused the submission. Change it before another try.',
    says: 'Template submission failed: the template name is taken',
  }),
  'template.unknown': error({
    status: 404,
    hint: "Use the provider's id of a template: GET /v1/templates lists them.",
    means: "The template is unknown to the number's token. The id is the provider's, not the name.",
    says: 'Template not found',
  }),
  'message.unknown': error({
    status: 404,
    hint: 'Use an id that a send has answered, with = and / encoded: GET /v1/messages lists them.',
    means: 'The account has no message with this id. Encode `=` and `/` of an id in the path.',
    says: 'Message not found',
  }),
  'message.incomplete': error({
    status: 400,
    hint: 'Add the field that the text names.',
    means: 'A field of the named `type` is missing; the text names it.',
    says: '`text.body` is required for type text',
  }),
  'message.not_allowed': error({
    status: 400,
    ofSends: true,
    hint: 'Change the field that the text names. Nothing was charged.',
    means:
      'The content breaks a rule of the provider; the text names the field and the limit. Nothing was charged.',
    says: "`media.caption` has more than 1024 characters, the provider's limit",
  }),
  'message.window_closed': error<{ windowExpiredAt: string | null }>({
    status: 403,
    hint: 'Send a template: free-form messages need one of the customer within 24 hours.',
    means: 'The customer has not written in the last 24 hours: only a template can be sent.',
    says: 'The 24-hour window of this customer is closed: only a template can be sent',
    details: { windowExpiredAt: '2026-11-20T09:30:00.000Z' },
  }),
  'bot.unknown': error({
    status: 404,
    hint: 'Use the id of a bot of this account: GET /v1/bots lists them.',
    means: 'The account has no bot with this id.',
    says: 'Bot not found',
  }),
  'resource.unknown': error({
    status: 404,
    hint: 'Use an id that the list of these resources shows.',
    means: 'The id is unknown; the text names the resource.',
    says: 'Account not found',
  }),
  'resource.conflict': error({
    status: 409,
    hint: 'Use the one that exists, or remove one first.',
    means: 'The resource exists already, or the account has the maximum.',
    says: 'The bot exists already',
  }),
  'resource.not_sealed': error({
    status: 404,
    code: 'NOT_SEALED_YET',
    hint: 'Ask again after Retry-After seconds: seals are made once a day.',
    means:
      'The charge is newer than the last seal of the ledger; there is one each day. Ask again after `Retry-After`.',
    says: 'The charge is not sealed yet',
  }),
  'resource.erased': error({
    status: 410,
    code: 'ERASED',
    hint: 'Use a new Idempotency-Key if it should be sent again.',
    means:
      'The data of a contact were erased. An answer with that contact is not given again, and its request is not repeated: nothing is sent or charged. A dead letter without its content can only be dismissed.',
    says: 'The data of a contact in this request were erased, and its answer with them: nothing was sent again',
  }),
  'provider.refused': error<SendDetails & ProviderWords & { code?: 'PROVIDER_UNREACHABLE' }>({
    status: 502,
    ofSends: true,
    code: 'SEND_FAILED',
    detailsIn: 'details',
    hint: 'The charge was given back. Send it again under a new Idempotency-Key once the cause is mended.',
    means:
      'The provider refused the message, or could not be reached: then `details.code` is `PROVIDER_UNREACHABLE`, and nothing was sent. The charge was refunded; another try costs again.',
    says: 'The provider rejected the send: (#131026) Message undeliverable',
  }),
  'provider.failed': error<ProviderWords | NoDetails>({
    status: 502,
    detailsIn: 'details',
    hint: 'Mend what the provider names in details, or try again in some seconds.',
    means:
      'The provider refused, with its words in `details`, or was out of reach: then try again.',
    says: 'The provider could not be reached',
  }),
  'provider.unknown_outcome': error<SendDetails | NoDetails>({
    status: 504,
    ofSends: true,
    code: 'OUTCOME_UNKNOWN',
    detailsIn: 'details',
    hint: 'Look into GET /v1/messages before you send it again: the message may have gone out.',
    means:
      'The provider did not answer. The charge was refunded; the history shows a sent message.',
    says: 'The provider did not answer in time: whether the message went out is not known',
  }),
  'idempotency.in_progress': error({
    status: 409,
    code: 'IDEMPOTENCY_IN_PROGRESS',
    hint: 'Send the same request again after Retry-After seconds, to get its answer.',
    means: 'A request with this `Idempotency-Key` is running: try again after `Retry-After`.',
    says: 'The request with this key is still in progress',
  }),
  'idempotency.mismatch': error({
    status: 422,
    code: 'IDEMPOTENCY_MISMATCH',
    hint: 'Use a new key for another request, and the same body for the same key.',
    means: 'Another request has used this `Idempotency-Key`: use a new one.',
    says: 'This Idempotency-Key was used with another request: use a new key',
  }),
  'request.no_room': error({
    status: 503,
    closes: true,
    hint: AGAIN,
    means: 'Other unfinished bodies needed the room of this one. Try again after `Retry-After`.',
    says: 'Too many unfinished request bodies: try again',
  }),
  'request.cross_site': error({
    status: 401,
    hint: 'Open /console on this service, and sign in there. A proxy must forward the Host header.',
    means: 'A session of the console sent a request that another site may have caused.',
    says: 'A console session works from the console alone',
  }),
  'session.invalid': error({
    status: 401,
    hint: 'Enter an API key (wb_live_…), the token of an administrator (wb_adm_…) or the root token.',
    means: 'The credential given to sign in is unknown, inactive, expired or revoked.',
    says: 'This credential is not valid',
  }),
  'session.ended': error({
    status: 401,
    code: 'SESSION_ENDED',
    hint: 'Sign in again at /console.',
    means:
      'The session of the console is over. A session lasts 8 hours; with a role that a claim gives 1 hour, while the log is away or full 15 minutes.',
    says: 'The session has ended',
  }),
  'session.link': error({
    status: 401,
    hint: 'Sign in with the credential itself, or ask for a new link.',
    means: 'The link to sign in has expired, or was used already: it works once, for 10 minutes.',
    says: 'This link was used already, or has expired',
  }),
  'session.old': error({
    status: 403,
    code: 'SIGN_IN_AGAIN',
    hint: 'Sign out and in again, and add it within 15 minutes.',
    means: 'A passkey is added within 15 minutes of a sign-in, so that no stolen session adds one.',
    says: 'Sign in again to add a passkey',
  }),
  'session.openid': error({
    status: 401,
    code: 'SIGN_IN_INCOMPLETE',
    hint: 'Start again at /console.',
    means:
      'The answer of the sign-in service is not that of a sign-in of this browser, or says no. A sign-in takes 10 minutes at most.',
    says: 'The sign-in was not completed',
  }),
  'session.refused': error({
    status: 403,
    code: 'SIGN_IN_REFUSED',
    hint: 'Ask whoever manages people, or the operator, for an invitation with this e-mail.',
    means:
      'The sign-in service knows the person, and Waybill lets nobody in whose verified e-mail was not invited and whom no claim gives a role.',
    says: 'Nobody with this e-mail was invited',
  }),
  'session.no_links': error({
    status: 403,
    hint: 'Send the credential in the header Authorization: Bearer <credential>.',
    means: 'A session of the console cannot make links, with which it would outlast its 8 hours.',
    says: 'A link is made with a credential, and not with a session',
  }),
  'webhook.signature': error({
    status: 401,
    hint: 'Sign the bytes of the body with the app secret of WAYBILL_APP_SECRET.',
    means: 'The signature does not match the bytes of the body. Nothing was stored.',
    says: 'The signature does not match',
  }),
  'webhook.token': error({
    status: 403,
    hint: 'Enter the token of WAYBILL_VERIFY_TOKEN in the console of the provider.',
    means: 'The verify token differs from the setting.',
    says: 'The verify token does not match',
  }),
  'webhook.unconfigured': error({
    status: 503,
    hint: 'Set what the text names, and start the service again.',
    means: 'The service lacks the settings that the text names.',
    says: 'The webhook needs WAYBILL_APP_SECRET and WAYBILL_VERIFY_TOKEN',
  }),
  'backup.unset': error({
    status: 409,
    code: 'BACKUP_UNSET',
    hint: 'Set WAYBILL_BACKUP_TO, and start the service again. On servers: docs/backups.md#on-servers.',
    means: 'The service knows no place for backups: set `WAYBILL_BACKUP_TO`.',
    says: 'WAYBILL_BACKUP_TO is not set: there is no place for backups',
  }),
  'backup.running': error({
    status: 409,
    code: 'BACKUP_RUNNING',
    hint: 'Wait until it is made: GET /admin/v1/backups then lists it first.',
    means: 'A backup is being made, and one is made at a time.',
    says: 'A backup is being made already',
  }),
  'backup.failed': error({
    status: 502,
    code: 'BACKUP_FAILED',
    hint: 'Remove the cause that the text names, and try again. The earlier backups are as they were.',
    means: 'No backup was made, or the place of the backups cannot be read; the text says why.',
    says: "The backup failed: EACCES: permission denied, mkdir '/backups/log'",
  }),
  'service.busy': error({
    status: 503,
    hint: 'Wait for the answers of your requests under way, then send this one again.',
    means: 'Too many requests of this key are running. Try again after `Retry-After`.',
    says: 'Too many requests of this key are in progress',
  }),
  'service.unavailable': error({
    status: 503,
    hint: 'Send it again after Retry-After seconds, under the same Idempotency-Key. Without a key, look first whether it was done.',
    means: 'The service cannot store or read this now. Try again after `Retry-After`.',
    says: 'The service cannot store this now',
  }),
  'service.stopping': error({
    status: 503,
    closes: true,
    hint: AGAIN,
    means: 'This instance is stopping. Try again after `Retry-After`.',
    says: 'The service is stopping',
  }),
};
