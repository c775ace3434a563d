import { providerFailures } from '../generated/failures.ts';

/** Who can do something about it; `time`: it passes by itself. */
export type Who = 'shop' | 'developer' | 'operator' | 'customer' | 'time';

/** Why a message did not arrive, what to do, and who can do it. */
export interface Reason {
  title: string;
  hint: string | null;
  who: Who;
}

export type Failures = Readonly<Record<string, Reason>>;

/** Who it is, to a viewer of a shop. */
export const whoWords: Readonly<Record<Who, string>> = {
  shop: 'you',
  developer: 'your developers',
  operator: 'the operator of this service',
  customer: 'the customer',
  time: 'nobody has to: it passes by itself',
};

const topUp = {
  hint: 'Top up the balance, then send it again. Nothing was charged.',
  who: 'shop',
} as const;

const raise = { hint: 'Ask the operator for a higher limit, or wait.', who: 'operator' } as const;

/** Our own codes, in words for people who do not read the reference. */
const ours: Failures = {
  INSUFFICIENT_CREDITS: { title: 'Not enough credits', ...topUp },
  INSUFFICIENT_BALANCE: { title: 'Not enough money in the wallet', ...topUp },
  CAP_PER_MINUTE: {
    title: 'More messages in a minute than the account may send',
    hint: 'Send it again in a minute.',
    who: 'time',
  },
  CAP_DAILY: { title: 'The limit of messages a day was reached', ...raise },
  CAP_MONTHLY: { title: 'The limit of messages a month was reached', ...raise },
  PAUSED: {
    title: 'The account is paused',
    hint: 'The operator lets it go on; nothing is sent until then.',
    who: 'operator',
  },
  SUSPENDED: {
    title: 'The organisation is suspended',
    hint: 'Ask the operator to reinstate it.',
    who: 'operator',
  },
  WINDOW_CLOSED: {
    title: 'The customer has not written in the last 24 hours',
    hint: 'Send a template, or wait until the customer writes.',
    who: 'shop',
  },
  STRICT: {
    title: 'A variable or the number was wrong',
    hint: 'The program that sends must give every variable, and a number with its country code.',
    who: 'developer',
  },
  PROVIDER_RULE: {
    title: 'The content breaks a rule of WhatsApp, such as a text that is too long',
    hint: 'The answer of the request named the field: change it.',
    who: 'developer',
  },
  NO_PHONE: {
    title: 'There is no number to send from',
    hint: 'The operator links a number with its access token.',
    who: 'operator',
  },
  TEMPLATE_NOT_APPROVED: {
    title: 'The template of this event is not approved',
    hint: 'Submit it on the page Templates, and wait for the approval.',
    who: 'shop',
  },
  SEND_FAILED: {
    title: 'WhatsApp refused it',
    hint: 'See the code; the cost was refunded.',
    who: 'developer',
  },
  PROVIDER_UNREACHABLE: {
    title: 'WhatsApp could not be reached',
    hint: 'It was certainly not sent: send it again.',
    who: 'time',
  },
  OUTCOME_UNKNOWN: {
    title: 'WhatsApp did not answer in time: it may have arrived',
    hint: 'Ask the customer before you send it again. The cost was refunded.',
    who: 'shop',
  },
  DISCONNECTED: {
    title: 'The program that sent it hung up before the answer',
    hint: 'The message may have arrived; the cost was refunded.',
    who: 'developer',
  },
  CALLER_GONE: {
    title: 'The program that sent it hung up before WhatsApp was asked',
    hint: 'It was certainly not sent: send it again.',
    who: 'developer',
  },
  SWEPT: {
    title: 'The service was interrupted while it sent',
    hint: 'The cost was refunded. Send it again where it did not arrive.',
    who: 'shop',
  },
  NOT_YET: {
    title: 'WhatsApp has it, the phone has not',
    hint: 'The phone is off or without a network, or the customer has blocked the number. It arrives by itself when the phone is back.',
    who: 'customer',
  },
};

/** The words for a code of ours or of the provider. */
export const reasonOf = (code: string): Reason =>
  ours[code] ??
  providerFailures[code] ?? {
    title: `It failed with code ${code}`,
    hint: 'WhatsApp says no more.',
    who: 'operator',
  };

/** Whether the page of errors has a section for the code. */
export const isDocumented = (code: string): boolean =>
  (providerFailures[code]?.hint ?? null) !== null ||
  /^(SEND_FAILED|OUTCOME_UNKNOWN|NO_PHONE|TEMPLATE_NOT_APPROVED)$/.test(code);
