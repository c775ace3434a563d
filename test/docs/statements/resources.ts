import { type Statement, tested, untested } from './statement.ts';

const catalog = 'http/v1/catalog';
const status = 'http/v1/status';
const credits = 'http/v1/credits';
const send = 'http/v1/message-send';
const notices = 'http/provider/notices';

/** Sections 1 to 3: what there is, and how it changes. */
export const resourceStatements: readonly Statement[] = [
  tested(
    '1',
    'Every endpoint stands under /api/v1',
    `http/v1/common: answers in JSON, with rate-limit headers and a request id, for every status`,
  ),
  tested(
    '1',
    'Answers are JSON, errors included',
    `http/v1/common: answers in JSON, with rate-limit headers and a request id, for every status`,
  ),
  tested(
    '1',
    'A body must say that it is JSON',
    'http/edge/body: refuses another content type with 415',
    'http/v1/common: refuses broken JSON, other types and over 1 MB before anything else',
  ),
  tested(
    '1',
    'Ids are the provider’s own, as strings',
    'http/v1/phones: shows the fields of each number',
    'http/v1/templates: shows a template with its components',
  ),
  tested(
    '1',
    'Named variables become positional parameters',
    'http/v1/send: maps named variables onto positional parameters',
  ),
  tested(
    '1',
    'Authentication templates get the extra copy-code button',
    'http/v1/send: sends an authentication code twice, and keeps it nowhere',
  ),

  tested(
    '2.1',
    'The catalog has exactly 18 events, keys and variables as listed',
    `${catalog}: lists exactly the 18 events, without any number`,
    'commands/sending/catalog: has the 18 events, in order',
    'commands/sending/catalog: knows order_status',
  ),
  tested(
    '2.1',
    'An entry has exactly ten fields',
    `${catalog}: describes each with the ten fields of an entry and no others`,
  ),
  tested(
    '2.1',
    'templateName is the event, but for order_status',
    `${catalog}: names the template as the event, but for order_status`,
  ),
  tested(
    '2.1',
    'The preview keeps its placeholders',
    `${catalog}: leaves the placeholders in the preview, one for each variable`,
  ),
  tested(
    '2.2',
    'A readiness entry adds status, statusReason and ready',
    'http/v1/readiness: shows all events as not created before anything was submitted',
    'http/v1/readiness: reads the provider only with refresh=true',
  ),
  tested(
    '2.3',
    'A template has id, name, language, category and status; components on the single read only',
    'http/v1/templates: shows the provider’s current templates, with the states of the contract',
    'http/v1/templates: shows a template with its components',
  ),
  untested(
    '2.3',
    'The id is null for a row of the fallback that never had one',
    'every row that we store comes from the provider, which gives each an id',
  ),
  tested(
    '2.4',
    'A number has four fields; the rating may be null',
    'http/v1/phones: shows the fields of each number',
    'http/v1/phones: lists the newest first, those without a token too',
  ),
  tested(
    '2.4',
    'A rating outside the four words is UNKNOWN',
    'http/v1/phones: shows UNKNOWN for an unknown rating',
  ),
  tested(
    '2.5',
    'The list form of a bot has its number and no graph',
    'http/v1/bots: lists the account’s bots, newest first, without their graphs',
  ),
  tested(
    '2.5',
    'The full form has match type, nodes and edges',
    'http/v1/bots: creates a bot with nothing but a name',
    'http/v1/bots: keeps the graph verbatim, whatever an editor puts there',
  ),
  tested(
    '2.6',
    'A status record has nine fields',
    `${status}: shows a message right after it was sent, with every field`,
  ),
  tested(
    '2.6',
    'errorCode and errorMessage stand only while the status is failed',
    `${status}: shows failed after failed, sent`,
    `${status}: shows delivered after failed, delivered`,
  ),
  tested(
    '2.7',
    'A ledger entry has eight fields; metadata is JSON text',
    `${credits}: shows a deduction with its price as JSON text, in the order of the contract`,
    `${credits}: shows a grant with its administrator`,
  ),
  tested(
    '2.7',
    'A refunded send stays visible as DEDUCT and REFUND',
    `${credits}: keeps both rows of a send that failed, newest first`,
  ),
  tested(
    '2.7',
    'grantedBy names the administrator',
    `${credits}: shows a grant with its administrator`,
    'http/admin/money: name the acting administrator, not one from the body',
  ),
  tested(
    '2.8',
    'A history record has the fields that were settled for it',
    'http/v1/history: shows an outbound message with every field',
    'http/v1/history: shows an inbound message with its sender and its content verbatim',
  ),
  tested(
    '2.8',
    'A conversation record has the fields that were settled for it',
    'http/v1/conversations: shows a thread with every field',
  ),
  tested(
    '2.9',
    'The category decides the price',
    'http/admin/prices: 0.01416 to India for cart_recovery',
    'http/admin/prices: 0.00168 to India for order_shipped',
    'http/admin/prices: 0.00168 to India for otp_verification',
  ),
  tested(
    '2.9',
    'SERVICE is free and succeeds at a balance of zero',
    `${send}: is free and leaves no row in the ledger, even at a balance of zero`,
    'commands/sending/transmit: is free on other plans, and its record has what the provider takes (credits)',
  ),
  tested(
    '2.9',
    'SERVICE is priced, reserved and refunded like the others where the plan says chargeService',
    'faults/charged-replies: takes a credit, says so, and has a row of its type',
    'faults/charged-replies: is 402 without a credit, and neither stored nor sent',
    'commands/sending/transmit: costs its column of the card where the plan charges it, in credits',
    'commands/sending/transmit: costs its column of the card where the plan charges it, in millionths',
    'commands/sending/transmit: that cannot be sent leaves no trace on a plan that charges it, and meets the refusals',
    'commands/account/delivery-refunds: is refunded, for the reason of its charge',
    'commands/bots/actions: sends from its number, to its contact, for its own reason',
  ),
  tested(
    '2.9',
    'A reply that cannot be sent leaves no ledger row on any plan',
    'faults/charged-replies: into a closed window, or from no number, is refused before anything is stored',
  ),
  tested(
    '2.9',
    'The price depends on country, category and plan',
    'http/admin/prices: 0.1638 to Germany for cart_recovery',
    'http/admin/prices: 0.07248 to a market that matches none for cart_recovery',
    'http/admin/prices: that change get a new version, and only later sends its price',
  ),
  tested(
    '2.9',
    'The headers of a send tell category and charge',
    'http/v1/send: shows the cost in headers',
    'http/v1/category: is the provider’s of the approved template, from the first send on',
  ),

  tested(
    '3.1',
    'A submitted template is usually PENDING and mirrored',
    'http/v1/submit: submits the whole catalog sequentially by default',
    'http/v1/submit: records each submission under its template',
  ),
  tested(
    '3.1',
    'Review approves or rejects later',
    `${notices}: show REJECTED (INVALID_FORMAT) as REJECTED`,
    `${notices}: show FLAGGED (null) as APPROVED`,
  ),
  tested(
    '3.1',
    'onlyMissing re-submits rejected templates and skips the approved and pending',
    'http/v1/submit: skips what is approved or pending with onlyMissing, submits the rest',
  ),
  tested(
    '3.1',
    'A rejected template that the provider has is edited',
    'http/v1/submit: edits a rejected template that the provider has already: submitted',
  ),
  untested('3.1', 'How long a review takes', 'it is the provider’s time, not ours'),
  tested(
    '3.2',
    'Delivery goes from sent to delivered to read',
    `${status}: follows the provider from sent to delivered to read, with its times`,
  ),
  tested(
    '3.2',
    'Updates come in any order: the highest stands',
    `${status}: shows read after read, delivered, sent`,
    `${status}: shows read after read, failed, delivered`,
    `${status}: shows delivered after delivered, failed`,
  ),
  tested(
    '3.2',
    'A status read right after the send shows sent',
    `${status}: shows a message right after it was sent, with every field`,
  ),
  tested(
    '3.3',
    'isActive is switched by PATCH, the graph kept',
    'http/v1/bots: changes what is sent, and nothing else',
  ),
  tested('3.3', 'DELETE is for good', 'http/v1/bots: deletes for good'),
  tested(
    '3.3',
    'A bot created without isActive is active',
    'http/v1/bots: creates a bot with nothing but a name',
  ),
  tested(
    '3.4',
    'The charge is reserved before the handler runs',
    'http/v1/send: reserves before the provider is called, and records the message after',
  ),
  tested(
    '3.4',
    'A status of 400 or above reverses it; both rows stay',
    'http/v1/send: 502 SEND_FAILED with the provider’s words, charged and refunded',
    'http/v1/send: 409 TEMPLATE_NOT_APPROVED with details, charged and refunded',
  ),
  tested(
    '3.4',
    'A caller who leaves first is refunded',
    'faults/disconnects: row 8: gone while the provider is asked, which ends in 200',
    'faults/disconnects: row 8: gone while the outcome is written, which is 200',
  ),
];
