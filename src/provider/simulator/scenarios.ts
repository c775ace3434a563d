import type { MediaKind } from '../../events/content.ts';
import type { MediaFault } from './media-file.ts';

/** An update of an accepted message; a number is a failure with that code. */
export type Step = 'sent' | 'delivered' | 'read' | number;

/** How the send call ends for the caller. */
type Ending =
  | 'accept'
  | 'refuse'
  | 'bad_gateway'
  | 'no_id'
  | 'cut_json'
  | 'silence'
  | 'reset'
  | 'reset_unread'
  | 'cut_off';

/** How the provider bills a message. */
export interface Billing {
  /** Lower case, as the provider writes it in statuses. */
  category: string;
  type: string;
  /** What statuses tell of it: all, all but the outdated `billable`, or nothing. */
  told: 'all' | 'without_billable' | 'nothing';
  /** How often analytics count it. */
  counted: number;
}

export interface Scenario {
  /** The digits of the number that always meets this scenario. */
  recipient?: string;
  /** A sentence for people. */
  what: string;
  ending: Ending;
  /** The code of a refusal. */
  code?: number;
  /** Applies to the first call with a charge id only; the next one is accepted. */
  firstOnly?: boolean;
  /** Whether the message goes out; when absent, it does if the ending is `accept`. */
  goesOut?: boolean;
  /** The state of an accepted template's message; when absent, `accepted`. */
  messageStatus?: 'held_for_quality_assessment' | 'paused';
  steps?: readonly Step[];
  /** Each update is sent twice. */
  doubled?: boolean;
  /** The last update comes first. */
  reversed?: boolean;
  /** The first update comes before the answer to the send call. */
  early?: boolean;
  /** How it is billed, where that is not by its category. */
  billing?: Partial<Billing>;
  /** The provider knows the recipient under an id without its fifth digit. */
  otherWaId?: boolean;
  /** The customer hides the number: webhooks show the user id alone. */
  hidden?: boolean;
  /** After the last update the customer answers with a file of this kind. */
  sendsFile?: MediaKind;
  /** What goes wrong with that file. */
  fileFault?: MediaFault;
}

const refuse = (recipient: string, code: number, what: string): Scenario => ({
  recipient,
  what,
  code,
  ending: 'refuse',
});

const accept = (recipient: string, what: string, more: Partial<Scenario>): Scenario => ({
  recipient,
  what,
  ...more,
  ending: 'accept',
});

const fail = (recipient: string, code: number, what: string): Scenario =>
  accept(recipient, `Accepted; then fails: ${what}`, { steps: [code] });

/** The scenarios of a send, by name. */
export const scenarios = {
  normal: { what: 'Accepted, sent, delivered, read', ending: 'accept' },
  undeliverable: refuse('15550199901', 131026, 'Refused at once: undeliverable (131026)'),
  not_allowed: refuse('15550199902', 131030, 'Refused: not an allowed recipient (131030)'),
  pair_limit: refuse('15550199903', 131056, 'Refused: too many to this recipient (131056)'),
  throttled_once: {
    ...refuse('15550199904', 130429, 'Throttled (130429) at the first call, then accepted'),
    firstOnly: true,
  },
  throttled: refuse('15550199905', 130429, 'Throttled (130429) at every call'),
  went_wrong: refuse('15550199906', 131000, 'HTTP 500 with code 131000'),
  unavailable: refuse('15550199907', 131016, 'HTTP 500 with code 131016'),
  bad_gateway: {
    recipient: '15550199908',
    what: 'HTTP 502 with an HTML page',
    ending: 'bad_gateway',
  },
  no_id: { recipient: '15550199909', what: 'HTTP 200 without a message id', ending: 'no_id' },
  cut_json: {
    recipient: '15550199910',
    what: 'HTTP 200 with half a JSON text',
    ending: 'cut_json',
  },
  silence: { recipient: '15550199911', what: 'Never answers; nothing goes out', ending: 'silence' },
  silence_sent: {
    recipient: '15550199912',
    what: 'Never answers, yet the message goes out',
    ending: 'silence',
    goesOut: true,
  },
  reset: {
    recipient: '15550199913',
    what: 'Reads the request, then resets the connection',
    ending: 'reset',
  },
  reset_sent: {
    recipient: '15550199914',
    what: 'Reads the request, resets the connection, yet the message goes out',
    ending: 'reset',
    goesOut: true,
  },
  cut_off: {
    recipient: '15550199915',
    what: 'Resets the connection in the middle of the answer',
    ending: 'cut_off',
  },
  unregistered: refuse('15550199916', 133010, 'Refused: the number is not registered (133010)'),
  limited: refuse(
    '15550199917',
    131064,
    'Refused: templates of a wrong category have limited the account (131064)',
  ),
  fails_undeliverable: fail('15550199921', 131026, 'undeliverable (131026)'),
  fails_window: fail('15550199922', 131047, 'over 24 h since the last inbound message (131047)'),
  fails_held_back: fail('15550199923', 131049, 'held back by the provider (131049)'),
  fails_stopped: fail('15550199924', 131050, 'the user stopped marketing messages (131050)'),
  fails_payment: fail('15550199925', 131042, 'payment problem of the business (131042)'),
  fails_experiment: fail('15550199926', 130472, 'the number is part of an experiment (130472)'),
  fails_after_sent: accept('15550199927', 'Accepted and sent; then fails (131026)', {
    steps: ['sent', 131026],
  }),
  fails_then_delivered: accept('15550199928', 'Accepted; fails (131026), then is delivered', {
    steps: ['sent', 131026, 'delivered'],
  }),
  fails_limited: fail('15550199929', 131064, 'the account is limited (131064)'),
  never_read: accept('15550199931', 'Delivered, never read', { steps: ['sent', 'delivered'] }),
  only_sent: accept('15550199932', 'Sent, never delivered', { steps: ['sent'] }),
  read_undelivered: accept('15550199933', 'Read without a report of delivery', {
    steps: ['sent', 'read'],
  }),
  doubled: accept('15550199934', 'Every update comes twice', { doubled: true }),
  reversed: accept('15550199935', 'The updates come in the wrong order', { reversed: true }),
  early: accept('15550199936', 'The first update comes before the answer', { early: true }),
  other_wa_id: accept('15550199937', 'The id of the recipient differs (as in Brazil)', {
    otherWaId: true,
  }),
  held: accept('15550199938', 'Held for a quality assessment, then sent', {
    messageStatus: 'held_for_quality_assessment',
  }),
  held_and_dropped: accept('15550199939', 'Accepted as paused; then fails (132015)', {
    messageStatus: 'paused',
    steps: [132015],
  }),
  sends_image: accept('15550199951', 'The customer answers with an image', { sendsFile: 'image' }),
  sends_video: accept('15550199952', 'The customer answers with a video', { sendsFile: 'video' }),
  sends_audio: accept('15550199953', 'The customer answers with audio', { sendsFile: 'audio' }),
  sends_document: accept('15550199954', 'The customer answers with a document', {
    sendsFile: 'document',
  }),
  sends_sticker: accept('15550199955', 'The customer answers with a sticker', {
    sendsFile: 'sticker',
  }),
  sends_lost_file: accept('15550199956', 'The customer answers with a file that is lost', {
    sendsFile: 'image',
    fileFault: 'lost',
  }),
  sends_cut_file: accept('15550199957', 'The customer answers with a file that is always cut off', {
    sendsFile: 'document',
    fileFault: 'cut_off',
  }),
  past_free_tier: accept('15550199960', 'A free-form message is billed, past the free tier', {
    billing: { type: 'regular' },
  }),
  free_entry_point: accept('15550199961', 'Free, as the answer to an advertisement', {
    billing: { type: 'free_entry_point' },
  }),
  billed_as_marketing: accept('15550199962', 'Billed as marketing, whatever it is', {
    billing: { category: 'marketing', type: 'regular' },
  }),
  price_untold: accept('15550199963', 'No update tells how it is billed', {
    billing: { told: 'nothing' },
  }),
  without_billable: accept('15550199964', 'Updates tell no `billable`, only type and category', {
    billing: { told: 'without_billable' },
  }),
  uncounted: accept('15550199965', 'The analytics do not count it', { billing: { counted: 0 } }),
  counted_twice: accept('15550199966', 'The analytics count it twice', {
    billing: { counted: 2 },
  }),
  hidden: accept('15550199970', 'The customer hides the number: webhooks show a user id', {
    hidden: true,
  }),
  reset_unread: {
    what: 'Resets the connection before reading the request (as a fault of a number only)',
    ending: 'reset_unread',
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

/** Recipients that always meet a scenario: +1 555 019 99xx. All others meet `normal`. */
export const magicRecipients: Readonly<Record<string, ScenarioName>> = Object.fromEntries(
  (Object.keys(scenarios) as ScenarioName[]).flatMap((name) => {
    const { recipient }: Scenario = scenarios[name];
    return recipient === undefined ? [] : [[recipient, name]];
  }),
);

/** Parts of a template's name that decide the outcome of its review. */
export const magicTemplateNames = {
  reject: 'REJECTED with the reason INVALID_FORMAT',
  explain: 'REJECTED with the reason INVALID_FORMAT, explained in rejection_info',
  recategorise: 'APPROVED as MARKETING, whatever was asked for',
  promotional: 'is MARKETING in the answer to its submission already, whatever was asked for',
  stay_pending: 'stays PENDING until `decideTemplate` or the control API decides it',
  opaque: 'is created, yet the answer is code 1, subcode 99',
} as const;

/** Over a failure a message can still be delivered or read. */
const rankOf = (step: Step): number => ['sent', 'delivered', 'read'].indexOf(`${step}`);

/** What a caller of the service sees of a paid template: answer, last status, refund. */
export const outcomeOf = (scenario: Scenario) => {
  const { ending, firstOnly, goesOut = ending === 'accept' || firstOnly, steps } = scenario;
  const isLost = ['silence', 'reset', 'cut_off'].includes(ending);
  const failure = steps?.find((step) => typeof step === 'number');
  const best = (steps ?? ['read']).reduce((one, other) =>
    rankOf(other) > rankOf(one) ? other : one,
  );
  const last = failure !== undefined && rankOf(best) < 1 ? `failed (${failure})` : `${best}`;
  const answer = isLost ? 504 : goesOut ? 200 : 502;
  return {
    answer,
    status: goesOut ? last : 'none',
    refunded: answer !== 200 || failure !== undefined,
  };
};
