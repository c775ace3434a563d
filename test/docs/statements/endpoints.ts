import { type Statement, section } from './statement.ts';

/** Sections 4.9 to 4.23: the other endpoints. */
export const endpointStatements: readonly Statement[] = [
  ...section('4.9', {
    'The status record; 404 Message not found': [
      'http/v1/status: shows a message right after it was sent, with every field',
      'http/v1/status: answers 404 Message not found for unknown ids and those of other accounts',
    ],
  }),
  ...section('4.10', {
    'Five types, selected by type': [
      'http/v1/message-send: of type text: {"text":{"body":"Hi"}}',
      'http/v1/message-send: of type media: {"media":{"type":"document","id":"77","filename":"a.pdf"}}',
      'http/v1/message-send: of type template, its components untouched',
    ],
    '400 when the type’s object is missing':
      'http/v1/message-send-refusals: 400 with a string that names what is missing for the type',
    '403 for a closed window, but for templates': [
      'http/v1/message-send: opens with the customer’s message and closes 24 hours after it',
      'http/v1/message-send: does not concern templates',
    ],
    'A parameter mismatch is 502 with provider error 132000':
      'http/v1/message-send-refusals: 502 SEND_FAILED with the provider’s words, in two rows',
  }),
  ...section('4.11', {
    'History, newest first, with delivery state in bulk': [
      'http/v1/history: shows both directions, newest first, and the caller’s last message at once',
      'http/v1/history: carries delivery state in bulk, with the reason of a failure',
    ],
  }),
  ...section('4.12', {
    'Threads, most recently active first':
      'http/v1/conversations: lists the most recently active first, each pair of number and contact once',
  }),
  ...section('4.13', {
    'Numbers newest first; none is an empty list': [
      'http/v1/phones: lists the newest first, those without a token too',
      'http/v1/phones: is an empty list without numbers, and shows none of other accounts',
    ],
  }),
  ...section('4.14', {
    'Sets the URL and answers success alone':
      'http/v1/phone-webhook: sets the URL, and does not repeat it in the response',
    'null, an omitted field or no body disable forwarding':
      'http/v1/phone-webhook: ends the forwarding with null, without the field, and without a body',
    'The old URL stops receiving at once':
      'http/v1/inbound: stops calling the old URL at once when a new one is saved',
    '404 Phone number not found': 'http/v1/phone-webhook: knows no number of another account',
  }),
  ...section('4.15', {
    'Live from the provider, else from the mirror': [
      'http/v1/templates: shows the provider’s current templates, with the states of the contract',
      'http/v1/templates: answers from the mirror when the provider is out of reach',
    ],
    '400 without phoneNumberId, 404 for an unknown one':
      'http/v1/templates: needs a number of the account',
  }),
  ...section('4.16', {
    'By the provider’s id, with components':
      'http/v1/templates: shows a template with its components',
    'The newest number’s token resolves it, or the named one’s':
      'http/v1/templates: reads with the token of the newest number, or of the named one',
    '404 Template not found, 404 No configured phone number': [
      'http/v1/templates: 404 Template not found for an unknown or malformed id',
      'http/v1/templates: 404 No configured phone number without a configured one',
      'http/v1/templates: hides a template of another business account that the token can see',
    ],
  }),
  ...section('4.17', {
    '201 with the category that the provider assigned; language en_US':
      'http/v1/templates: 201 with the id and the category that the provider gave',
    '400 validation object, the name’s rule on fieldErrors.name':
      'http/v1/templates: 400 with a validation object, the name’s rule under its name',
    '400 Template submission failed: on a refusal':
      'http/v1/templates: 400 with a string when the provider refuses, and no template is stored',
    '404 for a number that is not configured':
      'http/v1/templates: 404 for a number that is not the account’s',
  }),
  ...section('4.18', {
    'The account’s bots in list form, newest first':
      'http/v1/bots: lists the account’s bots, newest first, without their graphs',
  }),
  ...section('4.19', {
    'One bot in full; 404 for another’s': 'http/v1/bots: keeps bots to their account',
  }),
  ...section('4.20', {
    'Created with defaults; 201 in full': 'http/v1/bots: creates a bot with nothing but a name',
    'Enums are case-sensitive, names have 2 characters: 400':
      'http/v1/bots: says what is wrong with which field',
    '404 Phone number not found for another’s number':
      'http/v1/bots: knows the account’s own numbers only',
  }),
  ...section('4.21', {
    'Only what is sent changes; defaults are not applied again':
      'http/v1/bots: changes what is sent, and nothing else',
  }),
  ...section('4.22', {
    'DELETE answers success, is permanent': 'http/v1/bots: deletes for good',
  }),
  ...section('4.23', {
    'The balance and at most 20 entries, newest first': [
      'http/v1/credits: lists the latest 20 movements and no more',
      'http/v1/credits: is empty on a new account',
    ],
  }),
];
