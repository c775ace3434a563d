// The prose of the reference: what no schema says.

export const INFO_DESCRIPTION = `**First message.** Submit the catalog (\`POST /v1/notifications/templates/submit\`), read the readiness until an event is ready (\`GET /v1/notifications/events?refresh=true\`), send it (\`POST /v1/notifications/send\`), read how far it got (\`GET /v1/notifications/status/{messageId}\`).

**Errors.** Every error body carries \`error\`: a text, or on a request that does not match its schema \`{ formErrors, fieldErrors }\`. Some carry \`code\`. Branch on status and \`code\`, never on a text.

**Two kinds of 429.** Without \`limit\` in the body waiting cures it: it is the key's rate limit, or the account has stored as much today as it may without paying; wait \`Retry-After\` seconds. With \`limit\` it is a sending cap of the account: only \`perMinute\` clears by waiting, the others need an administrator.

**Trying again.**

| Status | Again? | |
|---|---|---|
| 400, 401, 403, 404, 409, 413, 415, 422 | no | 409 \`TEMPLATE_NOT_APPROVED\`: read the readiness instead. 409 \`IDEMPOTENCY_IN_PROGRESS\`: after \`Retry-After\`. 413: split the body |
| 402 | slowly | minutes; somebody has to top up |
| 429 without \`limit\` | yes | after \`Retry-After\` seconds |
| 429 with \`limit\` | no | stop and raise an alarm |
| 500, 502, 503, 504 | yes | 1, 2, 4, 8, 16 seconds with jitter, 5 tries at most; a 502 tried again is charged anew |
| no answer at all | yes | with the same \`Idempotency-Key\`, so that nothing is sent twice |

**Once and only once.** Every POST that sends or moves money takes \`Idempotency-Key\`. The same key with the same body gets the first answer again, with \`Idempotency-Replayed: true\`, for 24 hours; nothing is sent or charged twice.

**Charges.** A send reserves its price before it is made; whatever fails after that is given back, and the ledger keeps both rows. The headers of a successful send say what it cost.`;

interface Tag {
  name: string;
  description: string;
}

const product: readonly Tag[] = [
  {
    name: 'Notifications',
    description:
      'The catalog of 18 events: submit their templates, see which are ready, send them by event key and named variables.',
  },
  {
    name: 'Messages',
    description:
      'Messages that you build yourself, the history of both directions, and conversations with their 24-hour window.',
  },
  { name: 'Templates', description: 'Templates of your own, beside those of the catalog.' },
  {
    name: 'Numbers',
    description: 'The numbers of the account, and where their inbound messages are forwarded.',
  },
  {
    name: 'Bots',
    description: 'What answers by itself: a trigger on inbound messages and a graph of nodes.',
  },
  { name: 'Billing', description: 'Credits, wallet, and the latest movements.' },
];

export const ADMINISTRATION = 'Administration: ';

const administration: readonly Tag[] = [
  { name: 'Administrators', description: 'Who may administer, and who may only look.' },
  { name: 'Organisations', description: 'Legal owners of accounts; they can be suspended.' },
  { name: 'Accounts', description: 'Balance, plan, caps and usage of each account.' },
  { name: 'Keys', description: 'API keys, shown once.' },
  { name: 'Numbers', description: 'Linked numbers, their tokens and their registration.' },
  { name: 'Money', description: 'Grants, top-ups, the whole ledger, balances at any moment.' },
  { name: 'Audit', description: 'Proofs that the books are whole, from the log itself.' },
  { name: 'Prices', description: 'Plans and rate cards.' },
  { name: 'Operations', description: 'Dead letters and read models.' },
];

/** In the order in which the reference shows them. */
export const knownTags: readonly Tag[] = [
  ...product,
  ...administration.map(({ name, description }) => ({
    name: ADMINISTRATION + name,
    description,
  })),
];
