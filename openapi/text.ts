// The introduction and the tags of the reference.

export const INFO_DESCRIPTION = `**First message.** Submit the catalog (\`POST /v1/notifications/templates/submit\`), read the readiness until an event is ready (\`GET /v1/notifications/events?refresh=true\`), send it (\`POST /v1/notifications/send\`), read its delivery status (\`GET /v1/notifications/status/{messageId}\`).

**Errors.** Every error body has \`error\`: a text, or \`{ formErrors, fieldErrors }\` for a request that does not match its schema. Some have \`code\`. Branch on status and \`code\`, never on a text.

**Two kinds of 429.** Without \`limit\` in the body it is the key's rate limit, or the account's daily limit of unpaid data: wait \`Retry-After\` seconds. With \`limit\` it is a sending cap of the account: only \`perMinute\` clears by waiting, the others need an administrator; with \`scheduled\` or \`jobs\` so much waits already.

**Retries.**

| Status | Retry | |
|---|---|---|
| 400, 401, 403, 404, 409, 413, 415, 422 | no | 409 \`TEMPLATE_NOT_APPROVED\`: read the readiness instead. 409 \`IDEMPOTENCY_IN_PROGRESS\`: after \`Retry-After\`. 413: split the body |
| 402 | slowly | after minutes; the account needs a top-up |
| 429 without \`limit\` | yes | after \`Retry-After\` seconds |
| 429 with \`limit\` | no | stop and raise an alarm |
| 500, 502, 503, 504 | yes | 1, 2, 4, 8, 16 seconds with jitter, at most 5 tries; the retry of a 502 is charged again |
| no response | yes | with the same \`Idempotency-Key\`, so that nothing is sent twice |

**Exactly once.** Every POST that sends or moves money accepts \`Idempotency-Key\`. The same key with the same body gets the first response again, with \`Idempotency-Replayed: true\`, for 24 hours; nothing is sent or charged twice.

**Charges.** The service reserves the price before a send and refunds it after a failure; the ledger keeps both rows. The headers of a successful send show its cost.`;

const product = {
  Notifications:
    'The catalog of 18 events: submit their templates, see which are ready, send them by event key and named variables.',
  Messages:
    'Messages that you build yourself, the history of both directions, and conversations with their 24-hour window.',
  Templates: 'Your own templates beside those of the catalog.',
  Jobs: 'One event for the rows of a file: checked, started, paused, and with a result.',
  Media: 'Files: uploads for messages, and what customers sent.',
  Numbers: 'The numbers of the account, and the URLs that receive their inbound messages.',
  Webhooks: 'Events of the account, posted to your URLs, signed and tried again.',
  Bots: 'Automatic replies: a trigger on inbound messages and a graph of nodes.',
  People: 'Who signs in with a name in the organisation, for its owners and managers.',
  Keys: 'API keys of the account, for its own people.',
  Billing: 'Credits, wallet, and the latest movements.',
  Console: 'Links that sign in to the console at /console.',
};

export const ADMINISTRATION = 'Administration: ';

const administration = {
  Administrators: 'Administrators and auditors.',
  People: 'Who signs in with a name: operators, and the people of organisations.',
  Approvals: 'What waits for the yes of another person.',
  Organisations: 'Legal owners of accounts; they can be suspended.',
  Accounts: 'Balance, plan, caps and usage of each account.',
  Keys: 'API keys, shown once.',
  Numbers: 'Linked numbers, their tokens and their registration.',
  Money: 'Grants, top-ups, the whole ledger, balances at any time.',
  Audit: 'Proofs from the log that the books are complete.',
  Prices: 'Plans and rate cards.',
  Operations: 'Dead letters and read models.',
  Console: 'Links that sign in to the console at /console.',
  Privacy: 'What is held of a contact: erase it for good, and read how far an erasure is.',
};

/** The tags in the order of the reference. */
export const knownTags = [
  ...Object.entries(product),
  ...Object.entries(administration).map(([tag, words]) => [ADMINISTRATION + tag, words] as const),
].map(([name, description]) => ({ name, description }));
