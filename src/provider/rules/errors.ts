/** An error of the provider, as its documents give it. */
interface ProviderError {
  /** The documented HTTP status; real answers often have 400. */
  status: number;
  title: string;
  /** What the sender can do about it; absent where there is no advice. */
  hint?: string;
  /**
   * Who can do it, where that is not the author of the sending program: `shop` is the sender's own
   * people, `time` that it passes by itself.
   */
  who?: 'customer' | 'operator' | 'shop' | 'time';
}

const WRONG_PARAMETERS =
  'Compare the number, order and kind of the parameters with the approved template (GET /v1/templates).';
const OPERATOR = 'Only the operator of the service can mend this, in the console of the provider.';
const GROUPS = 'The service sends to customers only, not to groups.';

/** The errors by code. Client, gateway, simulator and the page of errors read these. */
const errors: Readonly<Record<number, ProviderError>> = {
  0: {
    status: 401,
    who: 'operator',
    title: 'AuthException',
    hint: 'The access token of the number is no longer valid: the operator sets a new one.',
  },
  1: { status: 400, title: 'API Unknown', who: 'time' },
  2: { status: 503, title: 'API Service', who: 'time' },
  3: { status: 500, title: 'API Method', who: 'time' },
  4: {
    status: 400,
    who: 'time',
    title: 'API Too Many Calls',
    hint: 'The app calls the provider too often: send it again in an hour.',
  },
  10: {
    status: 403,
    who: 'operator',
    title: 'Permission denied',
    hint: 'The access token lacks a permission: the operator sets one with the right permissions.',
  },
  33: { status: 400, title: 'Parameter value is not valid' },
  100: {
    status: 400,
    title: 'Invalid parameter',
    hint: 'The provider does not know a value of the request: compare it with the examples of the reference.',
  },
  190: {
    status: 401,
    who: 'operator',
    title: 'Error validating access token',
    hint: 'The access token of the number has expired: the operator sets a new one.',
  },
  200: {
    status: 403,
    who: 'operator',
    title: 'API Permission',
    hint: 'The access token lacks a permission: the operator sets one with the right permissions.',
  },
  368: {
    status: 403,
    who: 'operator',
    title: 'Temporarily blocked for policies violations',
    hint: `The provider has blocked the account for a breach of its policy. ${OPERATOR}`,
  },
  80007: {
    status: 400,
    who: 'time',
    title: 'Rate limit issues',
    hint: 'The business account has reached its rate limit: send it again later.',
  },
  130403: {
    status: 400,
    who: 'shop',
    title: 'Recipient was blocked by this business',
    hint: 'The business has blocked this customer: unblock the customer at the provider first.',
  },
  130429: {
    status: 400,
    who: 'time',
    title: 'Rate limit hit',
    hint: 'The number sends faster than the provider allows: send it again after some seconds, more slowly.',
  },
  130472: {
    status: 400,
    who: 'customer',
    title: "User's number is part of an experiment",
    hint: 'The provider holds marketing messages back from this customer: use another channel.',
  },
  130497: {
    status: 403,
    who: 'operator',
    title: 'Business account is restricted from messaging users in this country',
    hint: 'The business may not send to customers of this country.',
  },
  131000: {
    status: 500,
    who: 'time',
    title: 'Something went wrong',
    hint: 'The provider has failed: send it again after some seconds.',
  },
  131005: {
    status: 403,
    who: 'operator',
    title: 'Access denied',
    hint: 'The access token lacks a permission: the operator sets one with the right permissions.',
  },
  131008: {
    status: 400,
    title: 'Required parameter is missing',
    hint: 'A parameter is missing, or a variable of the template is empty: give each one a text.',
  },
  131009: {
    status: 400,
    title: 'Parameter value is not valid',
    hint: 'A value has the wrong form: compare it with the examples of the reference.',
  },
  131016: {
    status: 500,
    who: 'time',
    title: 'Service unavailable',
    hint: 'The provider is out of order: send it again after some seconds.',
  },
  131020: { status: 400, title: 'Group is not valid', hint: GROUPS },
  131021: {
    status: 400,
    who: 'shop',
    title: 'Recipient cannot be sender',
    hint: 'A number cannot send to itself: use the number of a customer.',
  },
  131026: {
    status: 400,
    who: 'shop',
    title: 'Message undeliverable',
    hint: 'The number is not on WhatsApp, or its app is too old: check the number, or use another channel.',
  },
  131030: {
    status: 400,
    who: 'operator',
    title: 'Recipient phone number not in allowed list',
    hint: 'A test number sends to listed recipients only: add this one in the console of the provider.',
  },
  131031: {
    status: 403,
    who: 'operator',
    title: 'Account has been locked',
    hint: `The provider has locked the business account. ${OPERATOR}`,
  },
  131037: {
    status: 400,
    who: 'operator',
    title: 'Display name approval needed',
    hint: 'The display name of the number is not approved yet: wait for the approval.',
  },
  131041: { status: 400, title: 'Message to a group failed', hint: GROUPS },
  131042: {
    status: 400,
    who: 'operator',
    title: 'Business eligibility payment issue',
    hint: `The provider cannot bill the business account. ${OPERATOR}`,
  },
  131045: {
    status: 500,
    who: 'operator',
    title: 'Incorrect certificate',
    hint: 'The number is not registered correctly: the operator registers it again.',
  },
  131047: {
    status: 400,
    who: 'customer',
    title: 'Re-engagement message',
    hint: 'The customer has not written in the last 24 hours: send a template.',
  },
  131048: {
    status: 400,
    who: 'shop',
    title: 'Spam rate limit hit',
    hint: 'Too many customers have blocked or reported this number: stop sending until its quality recovers.',
  },
  131049: {
    status: 400,
    who: 'shop',
    title: 'This message was not delivered to maintain healthy ecosystem engagement',
    hint: 'The customer gets too much marketing at the moment: do not send it again, because such repetitions are limited for the whole account. Wait for a day at least, and send less.',
  },
  131050: {
    status: 400,
    who: 'customer',
    title: 'User has stopped marketing messages from this business',
    hint: 'The customer has stopped marketing messages of this business: send no more of them.',
  },
  131051: {
    status: 400,
    title: 'Unsupported message type',
    hint: 'The provider does not know this type of message: use another one.',
  },
  131052: {
    status: 400,
    who: 'customer',
    title: 'Media download error',
    hint: 'The file of the customer cannot be read at the provider: ask the customer to send it again.',
  },
  131053: {
    status: 400,
    title: 'Media upload error',
    hint: 'The provider cannot read the file: check its address, its type and its size.',
  },
  131056: {
    status: 400,
    who: 'time',
    title: '(Business Account, Consumer Account) pair rate limit hit',
    hint: 'Too many messages to the same customer in a short time: send it again after some seconds.',
  },
  131057: {
    status: 500,
    who: 'time',
    title: 'Account in maintenance mode',
    hint: 'The number is in maintenance: send it again after some minutes.',
  },
  131059: { status: 400, title: 'Group operation failed', hint: GROUPS },
  131062: {
    status: 400,
    title: 'Business-scoped User ID (BSUID) recipients are not supported for this message.',
    hint: 'Codes can only be sent to a phone number, not to a user id.',
  },
  131063: {
    status: 400,
    who: 'operator',
    title: 'Marketing templates are disabled on Cloud API',
    hint: 'The business account may send no marketing templates this way.',
  },
  131064: {
    status: 400,
    who: 'shop',
    title: 'Messaging limit reached because of template classification',
    hint: 'Templates with a wrong category have limited the whole business account, templates and Direct Send alike: correct their categories. The provider lifts the limit by itself.',
  },
  132000: {
    status: 400,
    title: 'Number of parameters does not match the expected number of params',
    hint: WRONG_PARAMETERS,
  },
  132001: {
    status: 404,
    title: 'Template name does not exist in the translation',
    hint:
      'The template does not exist in this language, or is not approved: see GET /v1/notifications/events. ' +
      'Right after an approval, try again in some minutes.',
  },
  132005: {
    status: 400,
    title: 'Translated text too long',
    hint: 'The text with its variables is too long: shorten the variables.',
  },
  132007: {
    status: 400,
    title: 'Template format character policy violated',
    hint: 'The text breaks a rule of the provider: remove unusual characters and formats.',
  },
  132008: { status: 400, title: 'Template parameter value is not valid', hint: WRONG_PARAMETERS },
  132012: {
    status: 400,
    title: 'Parameter format does not match format in the created template',
    hint: WRONG_PARAMETERS,
  },
  132015: {
    status: 400,
    who: 'shop',
    title: 'Template is paused',
    hint: 'The template is paused for its low quality, or its messages were held for a quality assessment and dropped: wait for some hours, or use another one.',
  },
  132016: {
    status: 400,
    who: 'shop',
    title: 'Template is disabled',
    hint: 'The template is disabled for its low quality: use another one.',
  },
  132018: {
    status: 400,
    title: 'Invalid template parameters',
    hint: 'A variable has line breaks, tabs or more than four spaces in a row: remove them.',
  },
  133004: {
    status: 503,
    who: 'time',
    title: 'Server temporarily unavailable',
    hint: 'The provider is out of order: send it again after some seconds.',
  },
  133005: {
    status: 400,
    who: 'operator',
    title: 'Two-step verification PIN mismatch',
    hint: 'The PIN is not that of the number: use the right one, or reset it in the console of the provider.',
  },
  133006: {
    status: 400,
    who: 'operator',
    title: 'Phone number re-verification needed',
    hint: 'The number must be verified again: the operator does so in the console of the provider.',
  },
  133008: {
    status: 400,
    who: 'operator',
    title: 'Too many two-step verification PIN guesses',
    hint: 'The PIN was wrong too often: wait as long as the provider says.',
  },
  133009: {
    status: 400,
    who: 'operator',
    title: 'Two-step verification PIN guessed too fast',
    hint: 'The PIN was tried too fast: wait as long as the provider says.',
  },
  133010: {
    status: 400,
    who: 'operator',
    title: 'Account not registered',
    hint: 'Your own number is not registered: the operator registers it (waybill number register).',
  },
  133015: {
    status: 400,
    who: 'operator',
    title: 'Phone number was recently deleted',
    hint: 'The number was deleted recently: wait for 5 minutes.',
  },
  133016: {
    status: 400,
    who: 'operator',
    title: 'Account register or deregister rate limit exceeded',
    hint: 'The number was registered too often: wait for 72 hours.',
  },
  135000: {
    status: 400,
    title: 'Generic user error',
    hint: 'The provider refuses the request without a reason: compare its parameters with the template.',
  },
  137000: {
    status: 400,
    who: 'customer',
    title: 'Recipient identity key hash mismatch',
    hint: 'The customer has another phone or app now: check that you still write to the same person.',
  },
  139200: {
    status: 400,
    who: 'operator',
    title: 'Direct Send is restricted',
    hint: 'The provider restricts messages without a template (Direct Send) for this business account: use approved templates.',
  },
  147005: {
    status: 400,
    who: 'operator',
    title: 'User name is not available',
    hint: 'The user name of the business cannot be used: choose another one in the console of the provider.',
  },
};

export const providerError = (code: number): ProviderError | undefined => errors[code];

/** What to do about an error of the provider; undefined for a code that has no advice here. */
export const providerHint = (code: number): string | undefined => errors[code]?.hint;

/** Every known code, in ascending order. */
export const knownCodes: readonly number[] = Object.keys(errors).map(Number);

/** Every code with advice, in ascending order. */
export const hintedCodes: readonly number[] = knownCodes.filter(
  (code) => errors[code]?.hint !== undefined,
);

/** A refused call, before it is an answer. */
export interface Refusal {
  code: number;
  details?: string | undefined;
  subcode?: number | undefined;
  userTitle?: string | undefined;
  userMessage?: string | undefined;
}

/** The envelope of a refused call, as the provider writes it. */
export const errorEnvelope = ({ code, ...more }: Refusal, traceId: string) => ({
  error: {
    message: `(#${code}) ${errors[code]?.title ?? 'Unknown error'}`,
    type: 'OAuthException',
    code,
    ...(more.details && { error_data: { messaging_product: 'whatsapp', details: more.details } }),
    ...(more.subcode && { error_subcode: more.subcode }),
    ...(more.userTitle && { error_user_title: more.userTitle }),
    ...(more.userMessage && { error_user_msg: more.userMessage }),
    fbtrace_id: traceId,
  },
});
