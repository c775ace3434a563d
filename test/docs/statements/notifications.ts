import { type Statement, tested } from './statement.ts';

const common = 'http/v1/common';
const readiness = 'http/v1/readiness';
const submit = 'http/v1/submit';
const send = 'http/v1/send';
const batch = 'http/v1/batch';

/** Sections 4 to 4.8: what endpoints have in common, and those of notifications. */
export const notificationStatements: readonly Statement[] = [
  tested(
    '4',
    'All endpoints require the key',
    `${common}: is 401 without a valid key, with the same body for every reason`,
  ),
  tested(
    '4.1',
    'RateLimit-Limit, -Remaining and -Reset stand on every answer',
    `${common}: answers in JSON, with rate-limit headers and a request id, for every status`,
    'http/edge/rate-limit: are shown on every response of any status',
  ),
  tested(
    '4.2',
    'A body over 1 MB is 413 before any route: no handler, no billing',
    `${common}: refuses broken JSON, other types and over 1 MB before anything else`,
    'http/edge/body: refuses a byte over 1 MB with 413',
  ),
  tested(
    '4.2',
    'A form has the limit of its file’s type, 100 MB at most',
    'commands/media/media: may have 5242880 bytes as image/jpeg, and not one more',
    'commands/media/media: may have 104857600 bytes as application/pdf, and not one more',
    'http/v1/media: refuses a type, a size and a form that are not right, and records nothing',
  ),
  tested(
    '4.3',
    'A send carries category, price, credits charged and left',
    `${send}: shows the cost in headers`,
  ),
  tested(
    '4.3',
    'On a wallet plan it carries the balance instead',
    'http/v1/wallet: is shown by the header X-Wallet-Balance instead of credits',
  ),
  tested(
    '4.3',
    'A batch and a failed send carry none of them',
    `${batch}: answers for each recipient in the order of the input, duplicates included`,
    `${send}: 502 SEND_FAILED with the provider’s words, charged and refunded`,
  ),
  tested(
    '4.4',
    'The catalog needs no number and no parameter',
    'http/v1/catalog: lists exactly the 18 events, without any number',
  ),

  tested(
    '4.5',
    'The number is by default the oldest with a token',
    `${readiness}: is by default the oldest that has a token`,
  ),
  tested(
    '4.5',
    'refresh=true re-reads; any other value is ignored',
    `${readiness}: reads the provider only with refresh=true`,
  ),
  tested(
    '4.5',
    'total is 18, ready counts the approved',
    `${readiness}: shows all events as not created before anything was submitted`,
    `${readiness}: reads the provider only with refresh=true`,
  ),
  tested(
    '4.5',
    'An unregistered number blocks: 133010 and the PIN are named',
    `${readiness}: names error 133010 and the PIN for a number that is not registered`,
  ),
  tested(
    '4.5',
    'Each blocker names its fix',
    `${readiness}: shows the provider’s own obstacles, with their fix`,
  ),
  tested(
    '4.5',
    '404 with two bodies',
    `${readiness}: is 404 without any number, and the error says what to do`,
    `${readiness}: is 404 when it is unknown, another account’s, or lacks its token`,
  ),

  tested(
    '4.6',
    '{} submits the whole catalog under the default number, one by one',
    `${submit}: submits the whole catalog sequentially by default`,
  ),
  tested(
    '4.6',
    'events restricts it',
    `${submit}: gives the provider samples, and authentication templates their special form`,
  ),
  tested(
    '4.6',
    'onlyMissing is true by default; false re-submits everything',
    `${submit}: skips what is approved or pending with onlyMissing, submits the rest`,
    `${submit}: submits everything again without onlyMissing`,
  ),
  tested(
    '4.6',
    'What the provider has is already_exists',
    `${submit}: adopts what the provider has already, with its real id and status`,
  ),
  tested(
    '4.6',
    'A refused template is failed with its error, in a 200',
    `${submit}: reports a refusal of one template and goes on with the next`,
  ),
  tested(
    '4.6',
    '400 Unknown events: <list>',
    `${submit}: 400 Unknown events, naming them, and nothing is submitted`,
  ),
  tested(
    '4.6',
    '400 when the provider refuses the call',
    `${submit}: 400 when the provider refuses the call as a whole`,
  ),
  tested(
    '4.6',
    '400 without a token, 404 without a number',
    `${submit}: 400 for a number without a token, 404 for an unknown number`,
  ),

  tested(
    '4.7',
    'to has 5 characters at least; what is no digit is stripped, nothing else checked',
    `${send}: 400 for a recipient of fewer than five characters`,
    `${send}: strips all but digits from the recipient`,
  ),
  tested(
    '4.7',
    'variables default to none and are coerced to strings',
    `${send}: defaults to none`,
    'commands/sending/variables: writes number 1042',
    'commands/sending/variables: ignores variables that the event does not have',
  ),
  tested(
    '4.7',
    'Newlines and tabs become a space, runs of four spaces shrink, ends are trimmed',
    'commands/sending/variables: takes a run of newlines and tabs',
    'commands/sending/variables: takes four spaces',
  ),
  tested(
    '4.7',
    'A blank variable is a dash, named in missingVariables, and charged',
    `${send}: replaces blank ones with a dash, names them, and charges all the same`,
  ),
  tested(
    '4.7',
    'en_US also matches a template approved as en',
    `${send}: approved as en serves en_US, after one approved as en_US`,
  ),
  tested(
    '4.7',
    'languageCode is what is looked for',
    `${send}: is looked for in the asked language`,
  ),
  tested(
    '4.7',
    'Text fallback only when allowed and the window is open: channel text, template null',
    'http/v1/message-send: lets notifications fall back to text, free, as soon as it is open',
    `${send}: sends no text fallback while no window is open`,
  ),
  tested(
    '4.7',
    'A 200 has success, messageId, channel, event and template',
    `${send}: answers with the message, the channel and the template`,
  ),
  tested(
    '4.7',
    '400 validation object',
    `${send}: 400 with a validation object when the body fails validation`,
  ),
  tested(
    '4.7',
    '400 UNKNOWN_EVENT with supportedEvents',
    `${send}: 400 UNKNOWN_EVENT with the known events`,
  ),
  tested(
    '4.7',
    '402: nothing sent, nothing spent',
    `${send}: 402 with its whole body: nothing sent, nothing spent`,
  ),
  tested(
    '4.7',
    '404 NO_PHONE without a usable number, or for one that is not the account’s',
    `${send}: 404 NO_PHONE when the account has no number, charged and refunded`,
    `${send}: 404 NO_PHONE for another account's number, as for an unknown one`,
  ),
  tested(
    '4.7',
    '409 TEMPLATE_NOT_APPROVED with details',
    `${send}: 409 TEMPLATE_NOT_APPROVED with details, charged and refunded`,
  ),
  tested('4.7', '429 for a cap', `${send}: 429 with limit, usage and limits when a cap is reached`),
  tested(
    '4.7',
    '502 SEND_FAILED with details, refunded',
    `${send}: 502 SEND_FAILED with the provider’s words, charged and refunded`,
  ),

  tested(
    '4.8',
    '1 to 500 recipients, to of 5 characters',
    `${batch}: refuses no recipients, more than 500, and short ones, and sends nothing`,
  ),
  tested(
    '4.8',
    'One request against the key’s limit',
    `${batch}: counts as one request against the rate limit`,
  ),
  tested(
    '4.8',
    'Each recipient is billed and limited by itself',
    `${batch}: sends to as many as there is credit for, and tries every recipient`,
    `${batch}: leaves the rest out once a daily cap is met, uncharged`,
  ),
  tested(
    '4.8',
    'Results name recipients as supplied; ok ones have messageId and channel',
    `${batch}: answers for each recipient in the order of the input, duplicates included`,
  ),
  tested(
    '4.8',
    'Failures are inside the results, with their code',
    `${batch}: reports an unknown event, no number and no template on each recipient`,
    `${batch}: reports a refusal of the provider and an unknown outcome, and refunds both`,
  ),
  tested(
    '4.8',
    'Recipients that are missing were not processed',
    'http/v1/batch-pace: answers for those it sent to, and leaves out the rest: not charged, not sent',
  ),
  tested('4.8', 'allowTextFallback has no effect', `${batch}: has no text fallback`),
];
