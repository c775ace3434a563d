import { type Statement, tested, untested } from './statement.ts';

const common = 'http/v1/common';
const inbound = 'http/v1/inbound';
const forward = 'commands/inbound/forward';
const send = 'http/v1/send';
const faults = 'faults/provider';
const callbacks = 'faults/callbacks';

/** Sections 5 to 9: keys, events, errors, limits, versions. */
export const ruleStatements: readonly Statement[] = [
  tested(
    '5.1',
    'Authorization: Bearer on every request',
    `${common}: is 401 without a valid key, with the same body for every reason`,
  ),
  tested(
    '5.2',
    'A missing, malformed, revoked or inactive key is 401',
    `${common}: is 401 without a valid key, with the same body for every reason`,
    'http/admin/tenancy: are switched off and on, and revoked for good',
    'http/admin/tenancy: stop at their expiry',
  ),
  tested(
    '5.3',
    'Another origin is 403, named in the message; no origin is no matter',
    `${common}: is 403 for an origin that the key does not allow, and accepts an absent origin`,
  ),
  tested(
    '5.4',
    'A suspended organisation is 403 ORG_SUSPENDED on every key',
    `${common}: is 403 ORG_SUSPENDED on all of them while the organisation is suspended`,
    'http/admin/tenancy: suspended answer 403 ORG_SUSPENDED to all their keys, reinstated serve again',
  ),
  tested(
    '5.5',
    'A failed look-up is 500',
    'http/edge/admission: answers 500 when the look-up fails, and does not count it against the address',
  ),
  tested(
    '5.6',
    'A forward carries no signature',
    `${inbound}: posts the message with sender, content and time`,
  ),
  untested(
    '5.6',
    'How a receiver should guard its callback',
    'it is advice to the caller’s own program',
  ),

  tested(
    '6',
    'Inbound messages are POSTed to the number’s URL, with the payload of the contract',
    `${inbound}: posts the message with sender, content and time`,
  ),
  tested(
    '6',
    'contact is absent when the provider sent none',
    `${forward}: has in its payload what the contract names, and no more`,
  ),
  tested(
    '6',
    'All twelve types are forwarded',
    `${forward}: forwards what a customer can send, under its name`,
  ),
  tested(
    '6',
    'Delivery status is not forwarded',
    `${forward}: forwards what a customer can send, under its name`,
  ),
  tested(
    '6',
    'One attempt, 5 seconds, nothing waits for it',
    `${callbacks}: row 22: hangs, 500s, streams for ever, redirects: cut, once each, and nobody else waits`,
  ),
  tested(
    '6',
    'The same message may come twice from upstream: forwarded once',
    'commands/inbound/conversation.decider: takes each message and preference once',
    `${forward}: calls once where several instances see the same message`,
  ),
  tested(
    '6',
    'An inbound message opens the window',
    'http/v1/message-send: opens with the customer’s message and closes 24 hours after it',
  ),
  untested('6', 'The caller must record opt-outs', 'it is an obligation of the caller'),

  tested(
    '7',
    'Every error carries error; code where the table gives one',
    'http/edge/bad-input: in the path counts as an unknown id',
    `${common}: answers in JSON, with rate-limit headers and a request id, for every status`,
  ),
  tested(
    '7.1',
    'A validation object on schema failures, a string otherwise',
    'http/edge/bad-input: in the body of POST /v1/notifications/send is refused or taken',
    'http/edge/bad-input: in the body of POST /v1/messages/send is refused or taken',
    `${send}: 400 with a validation object when the body fails validation`,
  ),
  tested(
    '7.2',
    '404 texts are those of the table',
    'http/v1/status: answers 404 Message not found for unknown ids and those of other accounts',
    'http/v1/templates: 404 Template not found for an unknown or malformed id',
    `${send}: 404 NO_PHONE for another account's number, as for an unknown one`,
  ),
  tested(
    '7.2',
    'No 500 but for a failed look-up or a fault',
    'http/edge/bad-input: in the body of POST /v1/bots is refused or taken',
    'http/edge/bad-input: in the query of GET /v1/messages is refused or taken',
    'http/edge/admission: answers 500 when the look-up fails, and does not count it against the address',
  ),
  tested(
    '7.2',
    '502 SEND_FAILED carries what the provider said',
    `${send}: 502 SEND_FAILED with the provider’s words, charged and refunded`,
  ),
  tested(
    '7.3',
    'The key’s 429 has error only',
    `${common}: is 429 with error alone when the key’s window is used up`,
  ),
  tested(
    '7.3',
    'The cap’s 429 has limit, usage and limits',
    `${send}: 429 with limit, usage and limits when a cap is reached`,
  ),
  tested(
    '7.4',
    'The 402 body has seven fields, integers on credit plans',
    `${send}: 402 with its whole body: nothing sent, nothing spent`,
  ),
  tested(
    '7.4',
    'On wallet plans the balance is a decimal string',
    'http/v1/wallet: refuses with 402 INSUFFICIENT_BALANCE in decimal strings, and spends nothing',
  ),
  tested(
    '7.5',
    'A failed send costs nothing, in two rows',
    'http/v1/credits: keeps both rows of a send that failed, newest first',
    'http/v1/wallet: receives the refund of a failed send, in two rows',
  ),
  tested(
    '7.5',
    'A disconnect reverses the charge',
    'faults/disconnects: row 8: gone while the provider is asked, which ends in 200',
  ),

  tested(
    '8.1',
    '1 MB bodies pass, a byte more is 413',
    'http/edge/body: accepts exactly 1 MB, 32 levels, 1,000 fields in an object and 150,000 items',
    'http/edge/body: refuses a byte over 1 MB with 413',
  ),
  tested(
    '8.2',
    '120 requests in 60 seconds by default, adjustable for each key',
    'http/edge/rate-limit: let exactly 120 of 200 parallel requests pass',
    'http/admin/tenancy: default to 120 requests, every scope, any origin and no end',
    `${common}: is 429 with error alone when the key’s window is used up`,
  ),
  tested(
    '8.3',
    'Caps by minute, day and month, or paused; null uncaps',
    'http/admin/tenancy: take caps one by one, null uncaps, and show their usage',
    'faults/money: row 10: a cap is not passed',
  ),
  tested(
    '8.4',
    'A batch has 1 to 500 recipients',
    'http/v1/batch: refuses no recipients, more than 500, and short ones, and sends nothing',
  ),
  tested(
    '8.5',
    'to has 5 characters at least',
    `${send}: 400 for a recipient of fewer than five characters`,
  ),
  tested(
    '8.6',
    'Template names and components are bounded',
    'http/v1/templates: 400 with a validation object, the name’s rule under its name',
  ),
  tested(
    '8.7',
    'Bot names have 2 characters at least',
    'http/v1/bots: says what is wrong with which field',
  ),
  tested(
    '8.8',
    'Credits answer 20 entries at most',
    'http/v1/credits: lists the latest 20 movements and no more',
  ),
  tested(
    '8.9',
    'A forward has 5 seconds and no retry',
    `${callbacks}: row 22: hangs, 500s, streams for ever, redirects: cut, once each, and nobody else waits`,
  ),
  tested(
    '8.10',
    'The window is 24 hours from the customer’s last message',
    'http/v1/message-send: opens with the customer’s message and closes 24 hours after it',
    'http/v1/conversations: computes the window when it is read',
  ),
  tested(
    '8.11',
    'The catalog is fixed at 18 events',
    'http/v1/catalog: lists exactly the 18 events, without any number',
  ),
  tested(
    '8.12',
    'Submission is sequential',
    'http/v1/submit: submits the whole catalog sequentially by default',
  ),
  tested(
    '8.5 retries',
    'What cannot be known is 504, and never sent again by us',
    `${faults}: row 4: a black hole is answered in time, refunded, and never asked again`,
  ),
  untested(
    '8.5 retries',
    'The schedule at which a caller should try again',
    'it is advice to the caller’s own program',
  ),
  untested('9', 'Versions beyond /v1', 'none is promised'),
];
