// What to do about the provider's error codes, for whoever sends.

const WRONG_PARAMETERS =
  'Compare the number, order and kind of the parameters with the approved template (GET /v1/templates).';
const OPERATOR = 'Only the operator of the service can mend this, in the console of the provider.';

const hints: Readonly<Record<number, string>> = {
  0: 'The access token of the number is no longer valid: the operator sets a new one.',
  4: 'The app calls the provider too often: send it again in an hour.',
  10: 'The access token lacks a permission: the operator sets one with the right permissions.',
  100: 'The provider does not know a value of the request: compare it with the examples of the reference.',
  190: 'The access token of the number has expired: the operator sets a new one.',
  200: 'The access token lacks a permission: the operator sets one with the right permissions.',
  368: `The provider has blocked the account for a breach of its policy. ${OPERATOR}`,
  80007: 'The business account has reached its rate limit: send it again later.',
  130403: 'The business has blocked this customer: unblock the customer at the provider first.',
  130429:
    'The number sends faster than the provider allows: send it again after some seconds, more slowly.',
  130472: 'The provider holds marketing messages back from this customer: use another channel.',
  130497: 'The business may not send to customers of this country.',
  131000: 'The provider has failed: send it again after some seconds.',
  131005: 'The access token lacks a permission: the operator sets one with the right permissions.',
  131008: 'A parameter is missing, or a variable of the template is empty: give each one a text.',
  131009: 'A value has the wrong form: compare it with the examples of the reference.',
  131016: 'The provider is out of order: send it again after some seconds.',
  131021: 'A number cannot send to itself: use the number of a customer.',
  131026:
    'The number is not on WhatsApp, or its app is too old: check the number, or use another channel.',
  131030:
    'A test number sends to listed recipients only: add this one in the console of the provider.',
  131031: `The provider has locked the business account. ${OPERATOR}`,
  131037: 'The display name of the number is not approved yet: wait for the approval.',
  131042: `The provider cannot bill the business account. ${OPERATOR}`,
  131045: 'The number is not registered correctly: the operator registers it again.',
  131047: 'The customer has not written in the last 24 hours: send a template.',
  131048:
    'Too many customers have blocked or reported this number: stop sending until its quality recovers.',
  131049:
    'The customer gets too much marketing at the moment: wait for a day at least, and send less.',
  131050: 'The customer has stopped marketing messages of this business: send no more of them.',
  131051: 'The provider does not know this type of message: use another one.',
  131052:
    'The file of the customer cannot be read at the provider: ask the customer to send it again.',
  131053: 'The provider cannot read the file: check its address, its type and its size.',
  131056:
    'Too many messages to the same customer in a short time: send it again after some seconds.',
  131057: 'The number is in maintenance: send it again after some minutes.',
  131062: 'Codes can only be sent to a phone number, not to a user id.',
  131063: 'The business account may send no marketing templates this way.',
  131064: 'Templates with a wrong category have limited the account: correct their categories.',
  132000: WRONG_PARAMETERS,
  132001:
    'The template does not exist in this language, or is not approved: see GET /v1/notifications/events. ' +
    'Right after an approval, try again in some minutes.',
  132005: 'The text with its variables is too long: shorten the variables.',
  132007: 'The text breaks a rule of the provider: remove unusual characters and formats.',
  132008: WRONG_PARAMETERS,
  132012: WRONG_PARAMETERS,
  132015: 'The template is paused for its low quality: wait for some hours, or use another one.',
  132016: 'The template is disabled for its low quality: use another one.',
  132018: 'A variable has line breaks, tabs or more than four spaces in a row: remove them.',
  133004: 'The provider is out of order: send it again after some seconds.',
  133005:
    'The PIN is not that of the number: use the right one, or reset it in the console of the provider.',
  133006: 'The number must be verified again: the operator does so in the console of the provider.',
  133008: 'The PIN was wrong too often: wait as long as the provider says.',
  133009: 'The PIN was tried too fast: wait as long as the provider says.',
  133010: 'Your own number is not registered: the operator registers it (waybill number register).',
  133015: 'The number was deleted recently: wait for 5 minutes.',
  133016: 'The number was registered too often: wait for 72 hours.',
  135000:
    'The provider refuses the request without a reason: compare its parameters with the template.',
  137000:
    'The customer has another phone or app now: check that you still write to the same person.',
};

/** What to do about an error of the provider; undefined for a code that has no advice here. */
export const providerHint = (code: number): string | undefined => hints[code];

/** Every code with advice, in ascending order. */
export const hintedCodes: readonly number[] = Object.keys(hints).map(Number);
