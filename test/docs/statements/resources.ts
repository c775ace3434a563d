import { type Statement, section } from './statement.ts';

/** Sections 1 to 3: what there is, and how it changes. */
export const resourceStatements: readonly Statement[] = [
  ...section('1', {
    'Every endpoint stands under /api/v1':
      'http/v1/common: answers in JSON, with rate-limit headers and a request id, for every status',
    'Answers are JSON, errors included':
      'http/v1/common: answers in JSON, with rate-limit headers and a request id, for every status',
    'A body must say that it is JSON': [
      'http/edge/body: refuses another content type with 415',
      'http/v1/common: refuses broken JSON, other types and over 1 MB before anything else',
    ],
    'Ids are the provider’s own, as strings': [
      'http/v1/phones: shows the fields of each number',
      'http/v1/templates: shows a template with its components',
    ],
    'Named variables become positional parameters':
      'http/v1/send: maps named variables onto positional parameters',
    'Authentication templates get the extra copy-code button':
      'http/v1/send: sends an authentication code twice, and keeps it nowhere',
  }),
  ...section('2.1', {
    'The catalog has exactly 18 events, keys and variables as listed': [
      'http/v1/catalog: lists exactly the 18 events, without any number',
      'commands/sending/catalog: has the 18 events, in order',
      'commands/sending/catalog: knows order_status',
    ],
    'An entry has exactly ten fields':
      'http/v1/catalog: describes each with the ten fields of an entry and no others',
    'templateName is the event, but for order_status':
      'http/v1/catalog: names the template as the event, but for order_status',
    'The preview keeps its placeholders':
      'http/v1/catalog: leaves the placeholders in the preview, one for each variable',
  }),
  ...section('2.2', {
    'A readiness entry adds status, statusReason and ready': [
      'http/v1/readiness: shows all events as not created before anything was submitted',
      'http/v1/readiness: reads the provider only with refresh=true',
    ],
  }),
  ...section('2.3', {
    'A template has id, name, language, category and status; components on the single read only': [
      'http/v1/templates: shows the provider’s current templates, with the states of the contract',
      'http/v1/templates: shows a template with its components',
    ],
    'The id is null for a row of the fallback that never had one': {
      untestable: 'every row that we store comes from the provider, which gives each an id',
    },
  }),
  ...section('2.4', {
    'A number has four fields; the rating may be null': [
      'http/v1/phones: shows the fields of each number',
      'http/v1/phones: lists the newest first, those without a token too',
    ],
    'A rating outside the four words is UNKNOWN':
      'http/v1/phones: shows UNKNOWN for an unknown rating',
  }),
  ...section('2.5', {
    'The list form of a bot has its number and no graph':
      'http/v1/bots: lists the account’s bots, newest first, without their graphs',
    'The full form has match type, nodes and edges': [
      'http/v1/bots: creates a bot with nothing but a name',
      'http/v1/bots: keeps the graph verbatim, whatever an editor puts there',
    ],
  }),
  ...section('2.6', {
    'A status record has nine fields':
      'http/v1/status: shows a message right after it was sent, with every field',
    'errorCode and errorMessage stand only while the status is failed': [
      'http/v1/status: shows failed after failed, sent',
      'http/v1/status: shows delivered after failed, delivered',
    ],
  }),
  ...section('2.7', {
    'A ledger entry has eight fields; metadata is JSON text': [
      'http/v1/credits: shows a deduction with its price as JSON text, in the order of the contract',
      'http/v1/credits: shows a grant with its administrator',
    ],
    'A refunded send stays visible as DEDUCT and REFUND':
      'http/v1/credits: keeps both rows of a send that failed, newest first',
    'grantedBy names the administrator': [
      'http/v1/credits: shows a grant with its administrator',
      'http/admin/money: name the acting administrator, not one from the body',
    ],
  }),
  ...section('2.8', {
    'A history record has the fields that were settled for it': [
      'http/v1/history: shows an outbound message with every field',
      'http/v1/history: shows an inbound message with its sender and its content verbatim',
    ],
    'A conversation record has the fields that were settled for it':
      'http/v1/conversations: shows a thread with every field',
  }),
  ...section('2.9', {
    'The category decides the price': [
      'http/admin/prices: 0.01416 to India for cart_recovery',
      'http/admin/prices: 0.00168 to India for order_shipped',
      'http/admin/prices: 0.00168 to India for otp_verification',
    ],
    'SERVICE is free and succeeds at a balance of zero': [
      'http/v1/message-send: is free and leaves no row in the ledger, even at a balance of zero',
      'commands/sending/transmit: is free on other plans, and its record has what the provider takes (credits)',
    ],
    'SERVICE is priced, reserved and refunded like the others where the plan says chargeService': [
      'faults/charged-replies: takes a credit, says so, and has a row of its type',
      'faults/charged-replies: is 402 without a credit, and neither stored nor sent',
      'commands/sending/transmit: costs its column of the card where the plan charges it, in credits',
      'commands/sending/transmit: costs its column of the card where the plan charges it, in millionths',
      'commands/sending/transmit: that cannot be sent leaves no trace on a plan that charges it, and meets the refusals',
      'commands/account/delivery-refunds: is refunded, for the reason of its charge',
      'commands/bots/actions: sends from its number, to its contact, for its own reason',
    ],
    'A reply that cannot be sent leaves no ledger row on any plan':
      'faults/charged-replies: into a closed window, or from no number, is refused before anything is stored',
    'The price depends on country, category and plan': [
      'http/admin/prices: 0.1638 to Germany for cart_recovery',
      'http/admin/prices: 0.07248 to a market that matches none for cart_recovery',
      'http/admin/prices: that change get a new version, and only later sends its price',
    ],
    'The headers of a send tell category and charge': [
      'http/v1/send: shows the cost in headers',
      'http/v1/category: is the provider’s of the approved template, from the first send on',
    ],
  }),
  ...section('3.1', {
    'A submitted template is usually PENDING and mirrored': [
      'http/v1/submit: submits the whole catalog sequentially by default',
      'http/v1/submit: records each submission under its template',
    ],
    'Review approves or rejects later': [
      'http/provider/notices: show REJECTED (INVALID_FORMAT) as REJECTED',
      'http/provider/notices: show FLAGGED (null) as APPROVED',
    ],
    'onlyMissing re-submits rejected templates and skips the approved and pending':
      'http/v1/submit: skips what is approved or pending with onlyMissing, submits the rest',
    'A rejected template that the provider has is edited':
      'http/v1/submit: edits a rejected template that the provider has already: submitted',
    'How long a review takes': { untestable: 'it is the provider’s time, not ours' },
  }),
  ...section('3.2', {
    'Delivery goes from sent to delivered to read':
      'http/v1/status: follows the provider from sent to delivered to read, with its times',
    'Updates come in any order: the highest stands': [
      'http/v1/status: shows read after read, delivered, sent',
      'http/v1/status: shows read after read, failed, delivered',
      'http/v1/status: shows delivered after delivered, failed',
    ],
    'A status read right after the send shows sent':
      'http/v1/status: shows a message right after it was sent, with every field',
  }),
  ...section('3.3', {
    'isActive is switched by PATCH, the graph kept':
      'http/v1/bots: changes what is sent, and nothing else',
    'DELETE is for good': 'http/v1/bots: deletes for good',
    'A bot created without isActive is active':
      'http/v1/bots: creates a bot with nothing but a name',
  }),
  ...section('3.4', {
    'The charge is reserved before the handler runs':
      'http/v1/send: reserves before the provider is called, and records the message after',
    'A status of 400 or above reverses it; both rows stay': [
      'http/v1/send: 502 SEND_FAILED with the provider’s words, charged and refunded',
      'http/v1/send: 409 TEMPLATE_NOT_APPROVED with details, charged and refunded',
    ],
    'A caller who leaves first is refunded': [
      'faults/disconnects: row 8: gone while the provider is asked, which ends in 200',
      'faults/disconnects: row 8: gone while the outcome is written, which is 200',
    ],
  }),
];
