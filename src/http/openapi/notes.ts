/** What the reference says of an operation beside what its route says. */
export interface OperationNote {
  /** When to use it, and what comes of it. */
  description?: string;
  /** What a success holds. */
  answer?: string;
}

const MONEY = 'The act, its reason and who did it stand in the ledger for ever.';
const AGAIN = 'Doing it twice is no error, and the second time changes nothing.';

/** By method and path. A test sees to it that every operation is described. */
export const operationNotes: Readonly<Record<string, OperationNote>> = {
  'GET /v1/notifications/catalog': {
    description: 'Needs no number. The same for every account.',
    answer: 'All 18 events, with their variables in positional order.',
  },
  'GET /v1/notifications/events': {
    answer: 'All 18 events, whether each can be sent, and what keeps the number from sending.',
  },
  'POST /v1/notifications/templates/submit': {
    answer:
      'What became of each template. A refusal of one is a `failed` result, not an error; nothing is approved yet.',
  },
  'POST /v1/notifications/send': {
    answer:
      'The provider took the message. `missingVariables` names those that were blank and went out as `-`.',
  },
  'POST /v1/notifications/send/batch': {
    answer:
      'The batch ran. Whoever is missing from `results` was neither charged nor sent to: send again to those.',
  },
  'POST /v1/messages/send': { answer: 'The provider took the message.' },
  'GET /v1/messages/:messageId/timeline': {
    answer:
      'The events of the message. A customer’s message shows what became of its forward: `answered`, `failed`, `left_out`, or `unknown` where the service stopped during the call. A status in which the provider names another category than was charged has `otherCategory: { charged, billed }`.',
  },
  'PATCH /v1/phones/:phoneNumberId/webhook': {
    answer: 'Saved. The URL that was set before is called no more.',
  },
  'POST /v1/templates': {
    answer: 'Submitted. `category` is the one that the provider assigned; it may be another.',
  },
  'POST /v1/bots/:botId/validate': { answer: 'Everything that would stop the bot.' },
  'POST /v1/bots/:botId/simulate': { answer: 'The talk, and how the bot came through it.' },
  'GET /v1/bots/:botId/runs': {
    answer: 'One page of runs: where each stands, or why it ended.',
  },
  'GET /v1/credits': {
    answer: 'The balance, and the newest movements. On a wallet plan 0 and none: see the wallet.',
  },

  'POST /admin/v1/administrators': {
    description:
      'Root, whose token is in the environment, makes the first. An `auditor` may read, verify and export, and nothing else.',
    answer: 'Made. `token` is shown here and never again.',
  },
  'GET /admin/v1/administrators': { description: 'Tokens are never shown.' },
  'POST /admin/v1/administrators/:id/revoke': {
    description: `The token stops working on every instance within a second, for good. ${AGAIN}`,
  },
  'POST /admin/v1/organisations': {
    description: 'The legal owner of accounts. Open an account under it next.',
  },
  'GET /admin/v1/organisations': { description: 'Newest first.' },
  'GET /admin/v1/organisations/:id': { description: 'Whether it is suspended, and why.' },
  'POST /admin/v1/organisations/:id/suspend': {
    description: `Every key of its accounts is answered 403 \`ORG_SUSPENDED\` within a second, on every instance; its bots keep quiet, and the rest of a batch is left out. ${AGAIN}`,
  },
  'POST /admin/v1/organisations/:id/reinstate': {
    description: `Its keys work again. ${AGAIN}`,
  },
  'POST /admin/v1/organisations/:id/accounts': {
    description:
      'An account has its own balance, plan, caps, numbers, templates, bots and keys. On the built-in plan `standard` when none is named.',
  },
  'GET /admin/v1/accounts': { description: 'Newest first.' },
  'GET /admin/v1/accounts/:id': {
    description: 'Its balance, plan, caps, and how far each is used.',
  },
  'PUT /admin/v1/accounts/:id/plan': {
    description:
      'Holds from the next send on. Refused with 409 when the plans count in another unit and a balance is left: bring it to zero first.',
  },
  'PATCH /admin/v1/accounts/:id/limits': {
    description:
      'Only what is sent changes; null uncaps. `paused` stops all sends at once. Checked in the order paused, perMinute, daily, monthly.',
  },
  'POST /admin/v1/accounts/:id/keys': {
    description: 'Stored as a keyed hash: nobody can read it back.',
    answer: 'Made. `key` is shown here and never again.',
  },
  'GET /admin/v1/accounts/:id/keys': { description: 'Newest first, without secrets.' },
  'POST /admin/v1/keys/:id/deactivate': {
    description: `For now: the key is answered 401 until it is activated, and the rest of its batch is left out. ${AGAIN}`,
  },
  'POST /admin/v1/keys/:id/activate': {
    description: `A key that was deactivated works again; a revoked one stays revoked. ${AGAIN}`,
  },
  'POST /admin/v1/keys/:id/revoke': {
    description: `For good, on every instance within a second. A send that is under way with it comes to its end; the rest of a batch is left out. ${AGAIN}`,
  },
  'POST /admin/v1/accounts/:id/numbers': {
    description:
      'With a token the provider is read, and what it says replaces what was given; where it cannot be reached, what was given stands.',
  },
  'GET /admin/v1/accounts/:id/numbers': { description: 'Linked numbers, oldest first.' },
  'GET /admin/v1/numbers/:phoneNumberId': { description: 'Its token is never shown.' },
  'DELETE /admin/v1/numbers/:phoneNumberId': {
    description: 'It sends and receives no more, and its token is forgotten. Its history stays.',
  },
  'PUT /admin/v1/numbers/:phoneNumberId/access-token': {
    description: 'Null takes the token away: the number is then no longer configured.',
  },
  'POST /admin/v1/numbers/:phoneNumberId/register': {
    description:
      'A number that is not registered has its sends refused with 133010. The PIN is handed on and kept nowhere.',
  },
  'POST /admin/v1/numbers/:phoneNumberId/refresh': {
    description:
      'Reads name, rating and registration. Notices of the provider do so by themselves.',
  },
  'POST /admin/v1/accounts/:id/credits/grant': {
    description: `Credit plans only; use the wallet on others. ${MONEY}`,
    answer: 'The movement, as the ledger has it.',
  },
  'POST /admin/v1/accounts/:id/credits/revoke': {
    description: `Refused with 409 when fewer are left. ${MONEY}`,
    answer: 'The movement, as the ledger has it.',
  },
  'POST /admin/v1/accounts/:id/wallet/top-up': {
    description: `Wallet plans only; grant credits on others. ${MONEY}`,
    answer: 'The movement, as the ledger has it.',
  },
  'POST /admin/v1/accounts/:id/wallet/adjust': {
    description: `A GRANT or a REVOKE, by its sign. Refused with 409 below zero. ${MONEY}`,
    answer: 'The movement, as the ledger has it.',
  },
  'GET /admin/v1/accounts/:id/ledger': {
    description: 'The whole history, newest first. The sum of all amounts is the balance.',
  },
  'GET /admin/v1/accounts/:id/balance': {
    description: 'Counted from the events themselves, not from what is shown elsewhere.',
  },
  'POST /admin/v1/plans': {
    description: 'A plan says how sends are billed. Assign it to accounts next.',
  },
  'GET /admin/v1/plans': {
    description: 'Each in its newest version, the built-in one among them.',
  },
  'PUT /admin/v1/plans/:id': {
    description: 'A new version: sends from now on are priced by it, charges made keep theirs.',
  },
  'POST /admin/v1/rate-cards': {
    description:
      "The provider's prices from a date on. The card in force at the time of a send counts; sends made keep their price.",
  },
  'GET /admin/v1/rate-cards': { description: 'Published cards and the built-in one.' },
  'POST /admin/v1/ledger/verify': {
    answer: 'What was found. A problem is an answer too: look at `ok`, not at the status.',
  },
  'GET /admin/v1/dead-letters': {
    description:
      'What nobody understood or handles, and what came for numbers that are not linked. Nothing of it is lost.',
  },
  'GET /admin/v1/dead-letters/:id': {
    description: 'The list has the first 8,000 characters of `raw`, this has all of it.',
  },
  'POST /admin/v1/dead-letters/:id/dismiss': {
    description:
      'For what needs no further look. Twice is no error, and one that was taken in stays resolved.',
    answer: 'The item as it stands now.',
  },
  'POST /admin/v1/dead-letters/:id/retry': {
    description: 'After its number was linked, or after an upgrade. What was taken in is resolved.',
    answer: 'The item, and why it could not be taken in this time either.',
  },
  'GET /admin/v1/projections': {
    description: 'A halted one met an event that it cannot read: the others go on.',
  },
  'POST /admin/v1/projections/:name/rebuild': {
    description: 'Sends, forwards and charges nothing. Progress is in `rebuild`.',
    answer: 'Begun. It takes over once it has caught up.',
  },
};
