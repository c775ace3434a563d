import { type Statement, section } from './statement.ts';

/** Sections 4 to 4.8: what endpoints have in common, and those of notifications. */
export const notificationStatements: readonly Statement[] = [
  ...section('4', {
    'All endpoints require the key':
      'http/v1/common: is 401 without a valid key, with the same body for every reason',
  }),
  ...section('4.1', {
    'RateLimit-Limit, -Remaining and -Reset stand on every answer': [
      'http/v1/common: answers in JSON, with rate-limit headers and a request id, for every status',
      'http/edge/rate-limit: are shown on every response of any status',
    ],
  }),
  ...section('4.2', {
    'A body over 1 MB is 413 before any route: no handler, no billing': [
      'http/v1/common: refuses broken JSON, other types and over 1 MB before anything else',
      'http/edge/body: refuses a byte over 1 MB with 413',
    ],
    'A form has the limit of its file’s type, 100 MB at most': [
      'commands/media/media: may have 5242880 bytes as image/jpeg, and not one more',
      'commands/media/media: may have 104857600 bytes as application/pdf, and not one more',
      'http/v1/media: refuses a type, a size and a form that are not right, and records nothing',
    ],
  }),
  ...section('4.3', {
    'A send carries category, price, credits charged and left':
      'http/v1/send: shows the cost in headers',
    'On a wallet plan it carries the balance instead':
      'http/v1/wallet: is shown by the header X-Wallet-Balance instead of credits',
    'A batch and a failed send carry none of them': [
      'http/v1/batch: answers for each recipient in the order of the input, duplicates included',
      'http/v1/send: 502 SEND_FAILED with the provider’s words, charged and refunded',
    ],
  }),
  ...section('4.4', {
    'The catalog needs no number and no parameter':
      'http/v1/catalog: lists exactly the 18 events, without any number',
  }),
  ...section('4.5', {
    'The number is by default the oldest with a token':
      'http/v1/readiness: is by default the oldest that has a token',
    'refresh=true re-reads; any other value is ignored':
      'http/v1/readiness: reads the provider only with refresh=true',
    'total is 18, ready counts the approved': [
      'http/v1/readiness: shows all events as not created before anything was submitted',
      'http/v1/readiness: reads the provider only with refresh=true',
    ],
    'An unregistered number blocks: 133010 and the PIN are named':
      'http/v1/readiness: names error 133010 and the PIN for a number that is not registered',
    'Each blocker names its fix':
      'http/v1/readiness: shows the provider’s own obstacles, with their fix',
    '404 with two bodies': [
      'http/v1/readiness: is 404 without any number, and the error says what to do',
      'http/v1/readiness: is 404 when it is unknown, another account’s, or lacks its token',
    ],
  }),
  ...section('4.6', {
    '{} submits the whole catalog under the default number, one by one':
      'http/v1/submit: submits the whole catalog sequentially by default',
    'events restricts it':
      'http/v1/submit: gives the provider samples, and authentication templates their special form',
    'onlyMissing is true by default; false re-submits everything': [
      'http/v1/submit: skips what is approved or pending with onlyMissing, submits the rest',
      'http/v1/submit: submits everything again without onlyMissing',
    ],
    'What the provider has is already_exists':
      'http/v1/submit: adopts what the provider has already, with its real id and status',
    'A refused template is failed with its error, in a 200':
      'http/v1/submit: reports a refusal of one template and goes on with the next',
    '400 Unknown events: <list>':
      'http/v1/submit: 400 Unknown events, naming them, and nothing is submitted',
    '400 when the provider refuses the call':
      'http/v1/submit: 400 when the provider refuses the call as a whole',
    '400 without a token, 404 without a number':
      'http/v1/submit: 400 for a number without a token, 404 for an unknown number',
  }),
  ...section('4.7', {
    'to has 5 characters at least; what is no digit is stripped, nothing else checked': [
      'http/v1/send: 400 for a recipient of fewer than five characters',
      'http/v1/send: strips all but digits from the recipient',
    ],
    'variables default to none and are coerced to strings': [
      'http/v1/send: defaults to none',
      'commands/sending/variables: writes number 1042',
      'commands/sending/variables: ignores variables that the event does not have',
    ],
    'Newlines and tabs become a space, runs of four spaces shrink, ends are trimmed': [
      'commands/sending/variables: takes a run of newlines and tabs',
      'commands/sending/variables: takes four spaces',
    ],
    'A blank variable is a dash, named in missingVariables, and charged':
      'http/v1/send: replaces blank ones with a dash, names them, and charges all the same',
    'en_US also matches a template approved as en':
      'http/v1/send: approved as en serves en_US, after one approved as en_US',
    'languageCode is what is looked for': 'http/v1/send: is looked for in the asked language',
    'Text fallback only when allowed and the window is open: channel text, template null': [
      'http/v1/message-send: lets notifications fall back to text, free, as soon as it is open',
      'http/v1/send: sends no text fallback while no window is open',
    ],
    'A 200 has success, messageId, channel, event and template':
      'http/v1/send: answers with the message, the channel and the template',
    '400 validation object':
      'http/v1/send: 400 with a validation object when the body fails validation',
    '400 UNKNOWN_EVENT with supportedEvents':
      'http/v1/send: 400 UNKNOWN_EVENT with the known events',
    '402: nothing sent, nothing spent':
      'http/v1/send: 402 with its whole body: nothing sent, nothing spent',
    '404 NO_PHONE without a usable number, or for one that is not the account’s': [
      'http/v1/send: 404 NO_PHONE when the account has no number, charged and refunded',
      "http/v1/send: 404 NO_PHONE for another account's number, as for an unknown one",
    ],
    '409 TEMPLATE_NOT_APPROVED with details':
      'http/v1/send: 409 TEMPLATE_NOT_APPROVED with details, charged and refunded',
    '429 for a cap': 'http/v1/send: 429 with limit, usage and limits when a cap is reached',
    '502 SEND_FAILED with details, refunded':
      'http/v1/send: 502 SEND_FAILED with the provider’s words, charged and refunded',
  }),
  ...section('4.8', {
    '1 to 500 recipients, to of 5 characters':
      'http/v1/batch: refuses no recipients, more than 500, and short ones, and sends nothing',
    'One request against the key’s limit':
      'http/v1/batch: counts as one request against the rate limit',
    'Each recipient is billed and limited by itself': [
      'http/v1/batch: sends to as many as there is credit for, and tries every recipient',
      'http/v1/batch: leaves the rest out once a daily cap is met, uncharged',
    ],
    'Results name recipients as supplied; ok ones have messageId and channel':
      'http/v1/batch: answers for each recipient in the order of the input, duplicates included',
    'Failures are inside the results, with their code': [
      'http/v1/batch: reports an unknown event, no number and no template on each recipient',
      'http/v1/batch: reports a refusal of the provider and an unknown outcome, and refunds both',
    ],
    'Recipients that are missing were not processed':
      'http/v1/batch-pace: answers for those it sent to, and leaves out the rest: not charged, not sent',
    'allowTextFallback has no effect': 'http/v1/batch: has no text fallback',
  }),
];
