// Written by `npm run openapi`: change the provider's errors instead.

import type { Failures } from '../ui/reasons.ts';

export const providerFailures: Failures = {
  "0": {
    "title": "AuthException",
    "hint": "The access token of the number is no longer valid: the operator sets a new one.",
    "who": "operator"
  },
  "1": {
    "title": "API Unknown",
    "hint": null,
    "who": "time"
  },
  "2": {
    "title": "API Service",
    "hint": null,
    "who": "time"
  },
  "3": {
    "title": "API Method",
    "hint": null,
    "who": "time"
  },
  "4": {
    "title": "API Too Many Calls",
    "hint": "The app calls the provider too often: send it again in an hour.",
    "who": "time"
  },
  "10": {
    "title": "Permission denied",
    "hint": "The access token lacks a permission: the operator sets one with the right permissions.",
    "who": "operator"
  },
  "33": {
    "title": "Parameter value is not valid",
    "hint": null,
    "who": "developer"
  },
  "100": {
    "title": "Invalid parameter",
    "hint": "The provider does not know a value of the request: compare it with the examples of the reference.",
    "who": "developer"
  },
  "190": {
    "title": "Error validating access token",
    "hint": "The access token of the number has expired: the operator sets a new one.",
    "who": "operator"
  },
  "200": {
    "title": "API Permission",
    "hint": "The access token lacks a permission: the operator sets one with the right permissions.",
    "who": "operator"
  },
  "368": {
    "title": "Temporarily blocked for policies violations",
    "hint": "The provider has blocked the account for a breach of its policy. Only the operator of the service can mend this, in the console of the provider.",
    "who": "operator"
  },
  "80007": {
    "title": "Rate limit issues",
    "hint": "The business account has reached its rate limit: send it again later.",
    "who": "time"
  },
  "130403": {
    "title": "Recipient was blocked by this business",
    "hint": "The business has blocked this customer: unblock the customer at the provider first.",
    "who": "shop"
  },
  "130429": {
    "title": "Rate limit hit",
    "hint": "The number sends faster than the provider allows: send it again after some seconds, more slowly.",
    "who": "time"
  },
  "130472": {
    "title": "User's number is part of an experiment",
    "hint": "The provider holds marketing messages back from this customer: use another channel.",
    "who": "customer"
  },
  "130497": {
    "title": "Business account is restricted from messaging users in this country",
    "hint": "The business may not send to customers of this country.",
    "who": "operator"
  },
  "131000": {
    "title": "Something went wrong",
    "hint": "The provider has failed: send it again after some seconds.",
    "who": "time"
  },
  "131005": {
    "title": "Access denied",
    "hint": "The access token lacks a permission: the operator sets one with the right permissions.",
    "who": "operator"
  },
  "131008": {
    "title": "Required parameter is missing",
    "hint": "A parameter is missing, or a variable of the template is empty: give each one a text.",
    "who": "developer"
  },
  "131009": {
    "title": "Parameter value is not valid",
    "hint": "A value has the wrong form: compare it with the examples of the reference.",
    "who": "developer"
  },
  "131016": {
    "title": "Service unavailable",
    "hint": "The provider is out of order: send it again after some seconds.",
    "who": "time"
  },
  "131020": {
    "title": "Group is not valid",
    "hint": "The service sends to customers only, not to groups.",
    "who": "developer"
  },
  "131021": {
    "title": "Recipient cannot be sender",
    "hint": "A number cannot send to itself: use the number of a customer.",
    "who": "shop"
  },
  "131026": {
    "title": "Message undeliverable",
    "hint": "The number is not on WhatsApp, or its app is too old: check the number, or use another channel.",
    "who": "shop"
  },
  "131030": {
    "title": "Recipient phone number not in allowed list",
    "hint": "A test number sends to listed recipients only: add this one in the console of the provider.",
    "who": "operator"
  },
  "131031": {
    "title": "Account has been locked",
    "hint": "The provider has locked the business account. Only the operator of the service can mend this, in the console of the provider.",
    "who": "operator"
  },
  "131037": {
    "title": "Display name approval needed",
    "hint": "The display name of the number is not approved yet: wait for the approval.",
    "who": "operator"
  },
  "131041": {
    "title": "Message to a group failed",
    "hint": "The service sends to customers only, not to groups.",
    "who": "developer"
  },
  "131042": {
    "title": "Business eligibility payment issue",
    "hint": "The provider cannot bill the business account. Only the operator of the service can mend this, in the console of the provider.",
    "who": "operator"
  },
  "131045": {
    "title": "Incorrect certificate",
    "hint": "The number is not registered correctly: the operator registers it again.",
    "who": "operator"
  },
  "131047": {
    "title": "Re-engagement message",
    "hint": "The customer has not written in the last 24 hours: send a template.",
    "who": "customer"
  },
  "131048": {
    "title": "Spam rate limit hit",
    "hint": "Too many customers have blocked or reported this number: stop sending until its quality recovers.",
    "who": "shop"
  },
  "131049": {
    "title": "This message was not delivered to maintain healthy ecosystem engagement",
    "hint": "The customer gets too much marketing at the moment: do not send it again, because such repetitions are limited for the whole account. Wait for a day at least, and send less.",
    "who": "shop"
  },
  "131050": {
    "title": "User has stopped marketing messages from this business",
    "hint": "The customer has stopped marketing messages of this business: send no more of them.",
    "who": "customer"
  },
  "131051": {
    "title": "Unsupported message type",
    "hint": "The provider does not know this type of message: use another one.",
    "who": "developer"
  },
  "131052": {
    "title": "Media download error",
    "hint": "The file of the customer cannot be read at the provider: ask the customer to send it again.",
    "who": "customer"
  },
  "131053": {
    "title": "Media upload error",
    "hint": "The provider cannot read the file: check its address, its type and its size.",
    "who": "developer"
  },
  "131056": {
    "title": "(Business Account, Consumer Account) pair rate limit hit",
    "hint": "Too many messages to the same customer in a short time: send it again after some seconds.",
    "who": "time"
  },
  "131057": {
    "title": "Account in maintenance mode",
    "hint": "The number is in maintenance: send it again after some minutes.",
    "who": "time"
  },
  "131059": {
    "title": "Group operation failed",
    "hint": "The service sends to customers only, not to groups.",
    "who": "developer"
  },
  "131062": {
    "title": "Business-scoped User ID (BSUID) recipients are not supported for this message.",
    "hint": "Codes can only be sent to a phone number, not to a user id.",
    "who": "developer"
  },
  "131063": {
    "title": "Marketing templates are disabled on Cloud API",
    "hint": "The business account may send no marketing templates this way.",
    "who": "operator"
  },
  "131064": {
    "title": "Messaging limit reached because of template classification",
    "hint": "Templates with a wrong category have limited the whole business account, templates and Direct Send alike: correct their categories. The provider lifts the limit by itself.",
    "who": "shop"
  },
  "132000": {
    "title": "Number of parameters does not match the expected number of params",
    "hint": "Compare the number, order and kind of the parameters with the approved template (GET /v1/templates).",
    "who": "developer"
  },
  "132001": {
    "title": "Template name does not exist in the translation",
    "hint": "The template does not exist in this language, or is not approved: see GET /v1/notifications/events. Right after an approval, try again in some minutes.",
    "who": "developer"
  },
  "132005": {
    "title": "Translated text too long",
    "hint": "The text with its variables is too long: shorten the variables.",
    "who": "developer"
  },
  "132007": {
    "title": "Template format character policy violated",
    "hint": "The text breaks a rule of the provider: remove unusual characters and formats.",
    "who": "developer"
  },
  "132008": {
    "title": "Template parameter value is not valid",
    "hint": "Compare the number, order and kind of the parameters with the approved template (GET /v1/templates).",
    "who": "developer"
  },
  "132012": {
    "title": "Parameter format does not match format in the created template",
    "hint": "Compare the number, order and kind of the parameters with the approved template (GET /v1/templates).",
    "who": "developer"
  },
  "132015": {
    "title": "Template is paused",
    "hint": "The template is paused for its low quality, or its messages were held for a quality assessment and dropped: wait for some hours, or use another one.",
    "who": "shop"
  },
  "132016": {
    "title": "Template is disabled",
    "hint": "The template is disabled for its low quality: use another one.",
    "who": "shop"
  },
  "132018": {
    "title": "Invalid template parameters",
    "hint": "A variable has line breaks, tabs or more than four spaces in a row: remove them.",
    "who": "developer"
  },
  "133004": {
    "title": "Server temporarily unavailable",
    "hint": "The provider is out of order: send it again after some seconds.",
    "who": "time"
  },
  "133005": {
    "title": "Two-step verification PIN mismatch",
    "hint": "The PIN is not that of the number: use the right one, or reset it in the console of the provider.",
    "who": "operator"
  },
  "133006": {
    "title": "Phone number re-verification needed",
    "hint": "The number must be verified again: the operator does so in the console of the provider.",
    "who": "operator"
  },
  "133008": {
    "title": "Too many two-step verification PIN guesses",
    "hint": "The PIN was wrong too often: wait as long as the provider says.",
    "who": "operator"
  },
  "133009": {
    "title": "Two-step verification PIN guessed too fast",
    "hint": "The PIN was tried too fast: wait as long as the provider says.",
    "who": "operator"
  },
  "133010": {
    "title": "Account not registered",
    "hint": "Your own number is not registered: the operator registers it (waybill number register).",
    "who": "operator"
  },
  "133015": {
    "title": "Phone number was recently deleted",
    "hint": "The number was deleted recently: wait for 5 minutes.",
    "who": "operator"
  },
  "133016": {
    "title": "Account register or deregister rate limit exceeded",
    "hint": "The number was registered too often: wait for 72 hours.",
    "who": "operator"
  },
  "135000": {
    "title": "Generic user error",
    "hint": "The provider refuses the request without a reason: compare its parameters with the template.",
    "who": "developer"
  },
  "137000": {
    "title": "Recipient identity key hash mismatch",
    "hint": "The customer has another phone or app now: check that you still write to the same person.",
    "who": "customer"
  },
  "139200": {
    "title": "Direct Send is restricted",
    "hint": "The provider restricts messages without a template (Direct Send) for this business account: use approved templates.",
    "who": "operator"
  },
  "147005": {
    "title": "User name is not available",
    "hint": "The user name of the business cannot be used: choose another one in the console of the provider.",
    "who": "operator"
  }
};
