/** What a message goes through after the provider took it; a number is a failure with that code. */
export type Step = 'sent' | 'delivered' | 'read' | number;

/** How the send call ends, as the caller sees it. */
export type Ending =
  | 'accept'
  | 'refuse'
  | 'bad_gateway'
  | 'no_id'
  | 'cut_json'
  | 'silence'
  | 'reset'
  | 'reset_unread'
  | 'cut_off';

export interface Scenario {
  /** A sentence for people. */
  what: string;
  ending: Ending;
  /** The code of a refusal. */
  code?: number;
  /** Only the first call with a given charge id meets it; the next one is accepted. */
  firstOnly?: boolean;
  /** Whether the message goes out; when absent, it does if the ending is `accept`. */
  goesOut?: boolean;
  steps?: readonly Step[];
  /** Each update is sent twice. */
  doubled?: boolean;
  /** The last update comes first. */
  reversed?: boolean;
  /** The first update comes before the answer to the send call. */
  early?: boolean;
  /** The provider knows the recipient under an id without its fifth digit. */
  otherWaId?: boolean;
}

const refuse = (code: number, what: string): Scenario => ({ what, ending: 'refuse', code });
const fail = (code: number, what: string): Scenario => ({
  what: `Accepted; then fails: ${what}`,
  ending: 'accept',
  steps: [code],
});

/** Everything that can be made to happen to a send, by name. */
export const scenarios = {
  normal: { what: 'Accepted, sent, delivered, read', ending: 'accept' },
  undeliverable: refuse(131026, 'Refused at once: undeliverable (131026)'),
  not_allowed: refuse(131030, 'Refused: not in the list of allowed recipients (131030)'),
  pair_limit: refuse(131056, 'Refused: too many messages to this recipient (131056)'),
  throttled_once: {
    ...refuse(130429, 'Throttled (130429) at the first call, accepted at the next'),
    firstOnly: true,
  },
  throttled: refuse(130429, 'Throttled (130429) at every call'),
  went_wrong: refuse(131000, 'HTTP 500 with code 131000'),
  unavailable: refuse(131016, 'HTTP 500 with code 131016'),
  bad_gateway: { what: 'HTTP 502 with an HTML page', ending: 'bad_gateway' },
  no_id: { what: 'HTTP 200 without a message id', ending: 'no_id' },
  cut_json: { what: 'HTTP 200 with half a JSON text', ending: 'cut_json' },
  silence: { what: 'Never answers; nothing goes out', ending: 'silence' },
  silence_sent: { what: 'Never answers, yet it goes out', ending: 'silence', goesOut: true },
  reset: { what: 'Reads the request, then resets the connection', ending: 'reset' },
  reset_sent: {
    what: 'Reads the request, resets the connection, yet it goes out',
    ending: 'reset',
    goesOut: true,
  },
  cut_off: { what: 'Resets the connection in the middle of the answer', ending: 'cut_off' },
  unregistered: refuse(133010, 'Refused: the sending number is not registered (133010)'),
  fails_undeliverable: fail(131026, 'undeliverable (131026)'),
  fails_window: fail(131047, 'more than 24 hours since the last inbound message (131047)'),
  fails_held_back: fail(131049, 'held back by the provider (131049)'),
  fails_stopped: fail(131050, 'the user stopped marketing messages (131050)'),
  fails_payment: fail(131042, 'payment problem of the business (131042)'),
  fails_experiment: fail(130472, 'the number is part of an experiment (130472)'),
  fails_after_sent: {
    what: 'Accepted and sent; then fails (131026)',
    ending: 'accept',
    steps: ['sent', 131026],
  },
  fails_then_delivered: {
    what: 'Accepted; reported failed (131026), delivered nevertheless',
    ending: 'accept',
    steps: ['sent', 131026, 'delivered'],
  },
  never_read: { what: 'Delivered, never read', ending: 'accept', steps: ['sent', 'delivered'] },
  only_sent: { what: 'Sent, never delivered', ending: 'accept', steps: ['sent'] },
  read_undelivered: {
    what: 'Read without ever being reported delivered',
    ending: 'accept',
    steps: ['sent', 'read'],
  },
  doubled: { what: 'Every update comes twice', ending: 'accept', doubled: true },
  reversed: { what: 'The updates come in the wrong order', ending: 'accept', reversed: true },
  early: { what: 'The first update comes before the answer', ending: 'accept', early: true },
  other_wa_id: {
    what: 'The recipient has another id than the number (as in Brazil)',
    ending: 'accept',
    otherWaId: true,
  },
  reset_unread: {
    what: 'Resets the connection before reading the request (numbers only)',
    ending: 'reset_unread',
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

/** Recipients to whom something always happens: +1 555 019 99xx. All others are ordinary. */
export const magicRecipients: Readonly<Record<string, ScenarioName>> = {
  '15550199901': 'undeliverable',
  '15550199902': 'not_allowed',
  '15550199903': 'pair_limit',
  '15550199904': 'throttled_once',
  '15550199905': 'throttled',
  '15550199906': 'went_wrong',
  '15550199907': 'unavailable',
  '15550199908': 'bad_gateway',
  '15550199909': 'no_id',
  '15550199910': 'cut_json',
  '15550199911': 'silence',
  '15550199912': 'silence_sent',
  '15550199913': 'reset',
  '15550199914': 'reset_sent',
  '15550199915': 'cut_off',
  '15550199916': 'unregistered',
  '15550199921': 'fails_undeliverable',
  '15550199922': 'fails_window',
  '15550199923': 'fails_held_back',
  '15550199924': 'fails_stopped',
  '15550199925': 'fails_payment',
  '15550199926': 'fails_experiment',
  '15550199927': 'fails_after_sent',
  '15550199928': 'fails_then_delivered',
  '15550199931': 'never_read',
  '15550199932': 'only_sent',
  '15550199933': 'read_undelivered',
  '15550199934': 'doubled',
  '15550199935': 'reversed',
  '15550199936': 'early',
  '15550199937': 'other_wa_id',
};

/** Parts of a template's name that decide what the review makes of it. */
export const magicTemplateNames = {
  reject: 'REJECTED with the reason INVALID_FORMAT',
  recategorise: 'APPROVED as MARKETING, whatever was asked for',
  stay_pending: 'stays PENDING until it is decided by hand',
  opaque: 'is created, yet the answer is code 1, subcode 99',
} as const;
