import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import type { ContactIds } from '../../events/contact.ts';
import type { BotRunEndReason } from '../../events/conversation.ts';
import type { Budget } from './budget.ts';
import { messageOf, type Outgoing, textMessage } from './contents.ts';
import { isOpen } from './hours.ts';
import type { Inbound } from './inbound.ts';
import { type BotNode, type DataOf, DEFAULT, type NodeOf } from './nodes.ts';
import { RESPONSE_LENGTH_MAX, readResponse, requestOf } from './requests.ts';
import { conditionOutcome, fits, matchingCase } from './rules.ts';
import type { Effect, End } from './run.ts';
import { RunStop } from './stop.ts';
import { render, type Scope } from './template.ts';
import { cut, toNumber } from './text.ts';

const EMAIL_LENGTH_MAX = 254;
const PHONE_LENGTH_MAX = 40;
const Email = z.email();

const isoDate = (year: string, month: string, day: string): string | null => {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return z.iso.date().safeParse(text).success ? text : null;
};

/** A day of the calendar as ISO 8601. The year comes first, or last after day and month. */
const readDate = (text: string): string | null => {
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (yearFirst) return isoDate(yearFirst[1]!, yearFirst[3]!, yearFirst[4]!);
  const dayFirst = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(text);
  return dayFirst ? isoDate(dayFirst[4]!, dayFirst[3]!, dayFirst[1]!) : null;
};

/** A telephone number in E.164. One without its country's code is read as of the contact's. */
const readPhone = (text: string, { waId, userId }: ContactIds): string | null => {
  if (text.length > PHONE_LENGTH_MAX) return null;
  const letters = userId?.slice(0, 2) ?? '';
  const ofUserId = isSupportedCountry(letters) ? letters : undefined;
  const country = waId === null ? ofUserId : parsePhoneNumberFromString(`+${waId}`)?.country;
  const phone = parsePhoneNumberFromString(text, {
    ...(country && { defaultCountry: country }),
    extract: false,
  });
  return phone?.isPossible() ? phone.number : null;
};

/**
 * What to keep of an answer, in a form that can be relied on; null when it is none of the kind
 * that the question asks for.
 */
export const readAnswer = (
  { kind, pattern }: DataOf<'question'>['validation'],
  answer: string,
  contact: ContactIds,
  budget: Budget,
): string | null => {
  const text = answer.normalize('NFKC').trim();
  switch (kind) {
    case 'any':
      return answer.trim();
    case 'number':
      return toNumber(text) === null ? null : text;
    case 'email':
      return text.length <= EMAIL_LENGTH_MAX && Email.safeParse(text).success ? text : null;
    case 'phone':
      return readPhone(text, contact);
    case 'date':
      return readDate(text);
    case 'regex':
      return fits(pattern ?? '', text, budget) ? text : null;
  }
};

// The behaviour of each type of node: on entry, after its message or call, on a reply of the contact,
// and when its time is up.

/** How long a run waits for a reply. */
const WAIT_MS_MAX = 30 * 60_000;
/** Messages of bots to one contact in a minute. */
const MESSAGES_PER_MINUTE_MAX = 20;
/** URLs called for each message of the contact. */
const REQUESTS_MAX = 10;
const VALUE_LENGTH_MAX = 4096;
const MINUTE_MS = 60_000;

export type Variables = Readonly<Record<string, unknown>>;

/** What a node makes the run do next. */
export type Behaviour =
  | {
      kind: 'leave';
      outcome: string;
      messageId?: string;
      httpStatus?: number;
      detail?: string;
      variables?: Variables;
    }
  | Effect
  | End;

export interface NodeContext {
  scope: Scope;
  now: number;
  /** Messages that bots have sent to this contact in the minute before. */
  recentMessages: number;
  /** URLs that the run has called since the contact's last message. */
  requests: number;
  budget: Budget;
}

/** The outcome of a message or a call; `unknown` when the process died meanwhile. */
export type Result =
  | { type: 'sent'; messageId: string }
  | { type: 'not_sent'; detail: string }
  | { type: 'response'; status: number; body: string }
  | { type: 'no_response'; detail: string }
  | { type: 'unknown' };

const UNKNOWN = 'nobody knows whether it went out';

const leave = (
  outcome: string,
  note: Omit<Extract<Behaviour, { kind: 'leave' }>, 'kind' | 'outcome'> = {},
): Behaviour => ({
  kind: 'leave',
  outcome,
  ...note,
});

const send = (message: Outgoing, attempts: number, context: NodeContext): Behaviour => {
  if (context.recentMessages >= MESSAGES_PER_MINUTE_MAX) {
    throw new RunStop('bounds', `more than ${MESSAGES_PER_MINUTE_MAX} messages in a minute`);
  }
  return { kind: 'send', message, attempts };
};

const awaitReply = (now: number, attempts: number, messageId: string | null): Behaviour => ({
  kind: 'wait',
  for: 'reply',
  until: now + WAIT_MS_MAX,
  attempts,
  messageId,
});

/** In order: a value may use a variable that an earlier assignment sets. */
const assign = ({ assignments }: DataOf<'set_variable'>, scope: Scope): Variables => {
  let set: Variables = {};
  for (const { name, value } of assignments) {
    const seen = { ...scope, variables: { ...scope.variables, ...set } };
    set = { ...set, [name]: render(value, seen, VALUE_LENGTH_MAX) };
  }
  return set;
};

const end = (reason: BotRunEndReason, detail: string | null = null): Behaviour => ({
  kind: 'end',
  reason,
  detail,
  silentUntil: null,
});

/** The run enters a node. Throws RunStop. */
export const enter = (node: BotNode, context: NodeContext): Behaviour => {
  const { scope, now, budget } = context;
  switch (node.type) {
    case 'start':
      return leave(DEFAULT);
    case 'condition':
      return leave(conditionOutcome(node.data, scope, budget));
    case 'switch': {
      const matching = matchingCase(node.data, scope, budget);
      return leave(matching === undefined ? DEFAULT : `case:${matching}`);
    }
    case 'set_variable':
      return leave(DEFAULT, { variables: assign(node.data, scope) });
    case 'business_hours':
      return leave(isOpen(node.data, now) ? 'open' : 'closed');
    case 'delay': {
      const until = now + node.data.seconds * 1000;
      return { kind: 'wait', for: 'delay', until, attempts: 0, messageId: null };
    }
    case 'http_request':
      if (context.requests >= REQUESTS_MAX) {
        throw new RunStop('bounds', `more than ${REQUESTS_MAX} requests for one message`);
      }
      return { kind: 'request', request: requestOf(node.data, scope) };
    case 'handoff': {
      const silentUntil = now + node.data.minutes * MINUTE_MS;
      return { kind: 'end', reason: 'handoff', detail: null, silentUntil };
    }
    case 'end':
      return end('completed');
    default:
      return send(messageOf(node, scope)!, 0, context);
  }
};

const settleRequest = (node: NodeOf<'http_request'>, result: Result, budget: Budget): Behaviour => {
  if (result.type !== 'response') {
    const detail = result.type === 'no_response' ? result.detail : UNKNOWN;
    return leave('error', { detail });
  }
  const { status } = result;
  budget.spend(Math.min(result.body.length, RESPONSE_LENGTH_MAX));
  const value = readResponse(result.body);
  if (value === undefined) {
    return leave('error', { httpStatus: status, detail: 'the answer is too long' });
  }
  const { saveAs } = node.data;
  return leave(status >= 200 && status < 300 ? 'success' : 'error', {
    httpStatus: status,
    ...(saveAs !== undefined && { variables: { [saveAs]: value } }),
  });
};

/** A node's message or call has ended. */
export const settle = (
  node: BotNode,
  result: Result,
  attempts: number,
  { now, budget }: NodeContext,
): Behaviour => {
  if (node.type === 'http_request') return settleRequest(node, result, budget);
  if (result.type === 'not_sent') {
    return node.type === 'template'
      ? leave('failed', { detail: result.detail })
      : end('failed', result.detail);
  }
  const messageId = result.type === 'sent' ? result.messageId : null;
  switch (node.type) {
    case 'buttons':
    case 'list':
    case 'question':
      return awaitReply(now, attempts, messageId);
    default:
      if (messageId !== null) return leave(DEFAULT, { messageId });
      return leave(node.type === 'template' ? 'failed' : DEFAULT, { detail: UNKNOWN });
  }
};

const answerQuestion = (
  { data }: NodeOf<'question'>,
  inbound: Inbound,
  attempts: number,
  context: NodeContext,
): Behaviour => {
  const { scope, budget } = context;
  const answer = readAnswer(data.validation, inbound.text, scope.contact, budget);
  if (answer !== null) {
    const kept = cut(answer, VALUE_LENGTH_MAX);
    return leave(DEFAULT, data.saveAs === undefined ? {} : { variables: { [data.saveAs]: kept } });
  }
  if (attempts >= data.maxRetries) return leave('invalid');
  return send(textMessage(data.errorText, scope), attempts + 1, context);
};

/** The contact answers the waiting node. Throws RunStop. */
export const answer = (
  node: BotNode,
  inbound: Inbound,
  attempts: number,
  context: NodeContext,
): Behaviour => {
  const { kind, choice } = inbound;
  switch (node.type) {
    case 'buttons': {
      const tapped = kind === 'button' && node.data.buttons.some(({ id }) => id === choice);
      return leave(tapped ? `button:${choice}` : 'other');
    }
    case 'list': {
      const rows = node.data.sections.flatMap((section) => section.rows);
      const tapped = kind === 'list' && rows.some(({ id }) => id === choice);
      return leave(tapped ? `row:${choice}` : 'other');
    }
    case 'question':
      return answerQuestion(node, inbound, attempts, context);
    default:
      throw new RunStop('failed', `a node of type ${node.type} waits for no reply`);
  }
};

/** The time of a waiting node is up. */
export const expire = (node: BotNode): Behaviour =>
  leave(node.type === 'delay' ? DEFAULT : 'timeout');
