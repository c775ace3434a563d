import { providerHint } from '../../provider/rules/error-hints.ts';
import type { AppError, ErrorCode } from '../../shared/errors.ts';

// What a refused caller does next. The fixed texts of the contract stay in `error`.

const ADDRESS = 'Compare the path with the reference at /docs.';
const AGAIN = 'Nothing was done: send the same request again after Retry-After seconds.';
const OWN_NUMBERS = 'GET /v1/phones lists the numbers of the account.';

/** Null: the contract wants the body to be `error` alone. */
const hints: Readonly<Record<ErrorCode, string | null>> = {
  'request.invalid': 'Correct the named fields; the reference at /docs shows an example.',
  'request.malformed':
    'Send valid JSON with all parameters; the reference at /docs shows an example.',
  'request.unsupported_type': 'Send Content-Type: application/json, without compression.',
  'request.too_large': 'Split the request: a body may have 1 MB, a batch 500 recipients.',
  'request.timeout': 'Nothing was done: send the whole body at once.',
  'request.no_room': AGAIN,
  'request.cross_site':
    'Open /console on this service, and sign in there. A proxy must forward the Host header.',
  'route.unknown': ADDRESS,
  'route.method': 'Use a method that the Allow header names.',
  'key.invalid':
    'The key is unknown, inactive, expired or revoked: check that it was copied whole, or ask for a new one.',
  'key.origin': 'Allow this origin for the key, or call from a server, which sends no Origin.',
  'key.scope': 'Use a key that has this scope, or one without a list of scopes.',
  'key.rate_limited': null,
  'key.lookup_failed': 'Send the same request again after some seconds.',
  'key.revoked': 'Create another key for the account.',
  'administrator.invalid':
    "Use an administrator's token; an API key (wb_live_…) is for /api/v1 only.",
  'administrator.read_only': 'Use the token of an administrator with the role admin.',
  'session.invalid':
    'Enter an API key (wb_live_…), the token of an administrator (wb_adm_…) or the root token.',
  'session.ended': 'Sign in again at /console.',
  'session.link': 'Sign in with the credential itself, or ask for a new link.',
  'session.no_links': 'Send the credential in the header Authorization: Bearer <credential>.',
  'organisation.suspended': 'Ask the operator to reinstate the organisation.',
  'event.unknown':
    'Use one of supportedEvents, or send your own template with POST /v1/messages/send.',
  'events.unknown': 'GET /v1/notifications/catalog lists the events. Nothing was submitted.',
  'account.cap_reached':
    'Stop sending: only perMinute clears by waiting. Ask the operator to raise the cap.',
  'account.free_writes': null,
  'account.conflict': 'Read the account, and decide again.',
  'account.balance_limit': 'Use a smaller amount.',
  'account.insufficient': 'Top up the account, and send again. Nothing was sent or charged.',
  'number.none': `Link a number with an access token first. ${OWN_NUMBERS}`,
  'number.unknown': `Use a number of this account. ${OWN_NUMBERS}`,
  'number.no_token': 'Set the access token of the number (waybill number set-token).',
  'number.linked': 'Unlink the number where it is linked now.',
  'template.not_approved':
    'Submit the catalog (POST /v1/notifications/templates/submit), and wait until GET /v1/notifications/events shows the event as ready.',
  'template.refused': "Change the template as the provider's words say.",
  'template.unknown': "Use the provider's id of a template: GET /v1/templates lists them.",
  'message.unknown':
    'Use an id that a send has answered, with = and / encoded: GET /v1/messages lists them.',
  'message.incomplete': 'Add the field that the text names.',
  'message.not_allowed': 'Change the field that the text names. Nothing was charged.',
  'message.window_closed':
    'Send a template: free-form messages need one of the customer within 24 hours.',
  'bot.unknown': 'Use the id of a bot of this account: GET /v1/bots lists them.',
  'resource.unknown': 'Use an id that the list of these resources shows.',
  'resource.conflict': 'Use the one that exists, or remove one first.',
  'resource.not_sealed': 'Ask again after Retry-After seconds: seals are made once a day.',
  'resource.erased': 'Use a new Idempotency-Key if it should be sent again.',
  'provider.refused':
    'The charge was given back. Send it again under a new Idempotency-Key once the cause is mended.',
  'provider.failed': 'Mend what the provider names in details, or try again in some seconds.',
  'provider.unknown_outcome':
    'Look into GET /v1/messages before you send it again: the message may have gone out.',
  'idempotency.in_progress':
    'Send the same request again after Retry-After seconds, to get its answer.',
  'idempotency.mismatch': 'Use a new key for another request, and the same body for the same key.',
  'webhook.signature': 'Sign the bytes of the body with the app secret of WAYBILL_APP_SECRET.',
  'webhook.token': 'Enter the token of WAYBILL_VERIFY_TOKEN in the console of the provider.',
  'webhook.unconfigured': 'Set what the text names, and start the service again.',
  'service.busy': 'Wait for the answers of your requests under way, then send this one again.',
  'service.unavailable': AGAIN,
  'service.stopping': AGAIN,
};

const PAGE = '/docs/errors';

/** What to do after an error, and where more is said of it. */
export interface Advice {
  hint: string;
  docUrl: string;
}

/** The name of an error on the page of errors: the public code, if it has one. */
export const anchorOf = (code: ErrorCode, publicCode: string | undefined): string =>
  publicCode ?? code;

/** Null for an error whose body is `error` alone. */
export const hintOf = (code: ErrorCode): string | null => hints[code];

/** Undefined where the body must be `error` alone. */
export const adviceOn = (
  { code, details }: Pick<AppError, 'code' | 'details'>,
  publicCode: string | undefined,
): Advice | undefined => {
  const hint = hintOf(code);
  if (hint === null) return undefined;
  return { hint: details.hint ?? hint, docUrl: `${PAGE}#${anchorOf(code, publicCode)}` };
};

/** What to do about an error of the provider; undefined for a code without advice. */
export const adviceOnProvider = (code: number): Advice | undefined => {
  const hint = providerHint(code);
  return hint === undefined ? undefined : { hint, docUrl: `${PAGE}#${code}` };
};
