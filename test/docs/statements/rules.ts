import { type Statement, section } from './statement.ts';

/** Sections 5 to 9: keys, events, errors, limits, versions. */
export const ruleStatements: readonly Statement[] = [
  ...section('5.1', {
    'Authorization: Bearer on every request':
      'http/v1/common: is 401 without a valid key, with the same body for every reason',
  }),
  ...section('5.2', {
    'A missing, malformed, revoked or inactive key is 401': [
      'http/v1/common: is 401 without a valid key, with the same body for every reason',
      'http/admin/tenancy: are switched off and on, and revoked for good',
      'http/admin/tenancy: stop at their expiry',
    ],
  }),
  ...section('5.3', {
    'Another origin is 403, named in the message; no origin is no matter':
      'http/v1/common: is 403 for an origin that the key does not allow, and accepts an absent origin',
  }),
  ...section('5.4', {
    'A suspended organisation is 403 ORG_SUSPENDED on every key': [
      'http/v1/common: is 403 ORG_SUSPENDED on all of them while the organisation is suspended',
      'http/admin/tenancy: suspended answer 403 ORG_SUSPENDED to all their keys, reinstated serve again',
    ],
  }),
  ...section('5.5', {
    'A failed look-up is 500':
      'http/edge/admission: answers 500 when the look-up fails, and does not count it against the address',
  }),
  ...section('5.6', {
    'A forward carries no signature':
      'http/v1/inbound: posts the message with sender, content and time',
    'How a receiver should guard its callback': {
      untestable: 'it is advice to the caller’s own program',
    },
  }),
  ...section('6', {
    'Inbound messages are POSTed to the number’s URL, with the payload of the contract':
      'http/v1/inbound: posts the message with sender, content and time',
    'contact is absent when the provider sent none':
      'commands/inbound/forward: has in its payload what the contract names, and no more',
    'All twelve types are forwarded':
      'commands/inbound/forward: forwards what a customer can send, under its name',
    'Delivery status is not forwarded':
      'commands/inbound/forward: forwards what a customer can send, under its name',
    'One attempt, 5 seconds, nothing waits for it':
      'faults/callbacks: row 22: hangs, 500s, streams for ever, redirects: cut, once each, and nobody else waits',
    'The same message may come twice from upstream: forwarded once': [
      'commands/inbound/conversation.decider: takes each message and preference once',
      'commands/inbound/forward: calls once where several instances see the same message',
    ],
    'An inbound message opens the window':
      'http/v1/message-send: opens with the customer’s message and closes 24 hours after it',
    'The caller must record opt-outs': { untestable: 'it is an obligation of the caller' },
  }),
  ...section('7', {
    'Every error carries error; code where the table gives one': [
      'http/edge/bad-input: in the path counts as an unknown id',
      'http/v1/common: answers in JSON, with rate-limit headers and a request id, for every status',
    ],
  }),
  ...section('7.1', {
    'A validation object on schema failures, a string otherwise': [
      'http/edge/bad-input: in the body of POST /v1/notifications/send is refused or taken',
      'http/edge/bad-input: in the body of POST /v1/messages/send is refused or taken',
      'http/v1/send: 400 with a validation object when the body fails validation',
    ],
  }),
  ...section('7.2', {
    '404 texts are those of the table': [
      'http/v1/status: answers 404 Message not found for unknown ids and those of other accounts',
      'http/v1/templates: 404 Template not found for an unknown or malformed id',
      "http/v1/send: 404 NO_PHONE for another account's number, as for an unknown one",
    ],
    'No 500 but for a failed look-up or a fault': [
      'http/edge/bad-input: in the body of POST /v1/bots is refused or taken',
      'http/edge/bad-input: in the query of GET /v1/messages is refused or taken',
      'http/edge/admission: answers 500 when the look-up fails, and does not count it against the address',
    ],
    '502 SEND_FAILED carries what the provider said':
      'http/v1/send: 502 SEND_FAILED with the provider’s words, charged and refunded',
  }),
  ...section('7.3', {
    'The key’s 429 has error only':
      'http/v1/common: is 429 with error alone when the key’s window is used up',
    'The cap’s 429 has limit, usage and limits':
      'http/v1/send: 429 with limit, usage and limits when a cap is reached',
  }),
  ...section('7.4', {
    'The 402 body has seven fields, integers on credit plans':
      'http/v1/send: 402 with its whole body: nothing sent, nothing spent',
    'On wallet plans the balance is a decimal string':
      'http/v1/wallet: refuses with 402 INSUFFICIENT_BALANCE in decimal strings, and spends nothing',
  }),
  ...section('7.5', {
    'A failed send costs nothing, in two rows': [
      'http/v1/credits: keeps both rows of a send that failed, newest first',
      'http/v1/wallet: receives the refund of a failed send, in two rows',
    ],
    'A disconnect reverses the charge':
      'faults/disconnects: row 8: gone while the provider is asked, which ends in 200',
  }),
  ...section('8.1', {
    '1 MB bodies pass, a byte more is 413': [
      'http/edge/body: accepts exactly 1 MB, 32 levels, 1,000 fields in an object and 150,000 items',
      'http/edge/body: refuses a byte over 1 MB with 413',
    ],
  }),
  ...section('8.2', {
    '120 requests in 60 seconds by default, adjustable for each key': [
      'http/edge/rate-limit: let exactly 120 of 200 parallel requests pass',
      'http/admin/tenancy: default to 120 requests, every scope, any origin and no end',
      'http/v1/common: is 429 with error alone when the key’s window is used up',
    ],
  }),
  ...section('8.3', {
    'Caps by minute, day and month, or paused; null uncaps': [
      'http/admin/tenancy: take caps one by one, null uncaps, and show their usage',
      'faults/money: row 10: a cap is not passed',
    ],
  }),
  ...section('8.4', {
    'A batch has 1 to 500 recipients':
      'http/v1/batch: refuses no recipients, more than 500, and short ones, and sends nothing',
  }),
  ...section('8.5', {
    'to has 5 characters at least':
      'http/v1/send: 400 for a recipient of fewer than five characters',
  }),
  ...section('8.6', {
    'Template names and components are bounded':
      'http/v1/templates: 400 with a validation object, the name’s rule under its name',
  }),
  ...section('8.7', {
    'Bot names have 2 characters at least': 'http/v1/bots: says what is wrong with which field',
  }),
  ...section('8.8', {
    'Credits answer 20 entries at most':
      'http/v1/credits: lists the latest 20 movements and no more',
  }),
  ...section('8.9', {
    'A forward has 5 seconds and no retry':
      'faults/callbacks: row 22: hangs, 500s, streams for ever, redirects: cut, once each, and nobody else waits',
  }),
  ...section('8.10', {
    'The window is 24 hours from the customer’s last message': [
      'http/v1/message-send: opens with the customer’s message and closes 24 hours after it',
      'http/v1/conversations: computes the window when it is read',
    ],
  }),
  ...section('8.11', {
    'The catalog is fixed at 18 events':
      'http/v1/catalog: lists exactly the 18 events, without any number',
  }),
  ...section('8.12', {
    'Submission is sequential': 'http/v1/submit: submits the whole catalog sequentially by default',
  }),
  ...section('8.5 retries', {
    'What cannot be known is 504, and never sent again by us':
      'faults/provider: row 4: a black hole is answered in time, refunded, and never asked again',
    'The schedule at which a caller should try again': {
      untestable: 'it is advice to the caller’s own program',
    },
  }),
  ...section('9', {
    'Versions beyond /v1': { untestable: 'none is promised' },
  }),
];
