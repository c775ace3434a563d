import type { Content } from '../../events/content.ts';
import type { BotRunEndReason, BotStep } from '../../events/conversation.ts';
import { type Budget, RunStop } from './budget.ts';
import type { HttpRequest } from './requests.ts';
import type { Scope } from './template.ts';

/** A message that a bot is about to send. */
export interface Outgoing {
  content: Content;
  /** The text that the customer reads, if any. */
  text: string | null;
  /** Key of the event of the catalog, if any. */
  event: string | null;
}

/** What a run does at its node. Times are milliseconds since 1970. */
export type Phase =
  | { kind: 'ready' }
  /** A message or a call is on its way. `attempts` counts invalid answers at this node. */
  | { kind: 'sending'; attempts: number }
  | { kind: 'requesting' }
  /** For the contact's reply. */
  | { kind: 'waiting'; attempts: number; until: number }
  | { kind: 'delaying'; until: number }
  | { kind: 'ended' };

/** One run of one bot with one contact. Plain JSON, folded from its events. */
export interface Run extends Scope {
  runId: string;
  botId: string;
  /** Null before the first node. */
  nodeId: string | null;
  phase: Phase;
  /** Nodes left since the contact's last message. */
  steps: number;
  /** URLs called since the contact's last message. */
  requests: number;
}

/** What a run asks for, and cannot do itself. */
export type Effect =
  | { kind: 'send'; attempts: number; message: Outgoing }
  | { kind: 'request'; request: HttpRequest }
  | {
      kind: 'wait';
      for: 'reply' | 'delay';
      until: number;
      attempts: number;
      /** The message that asks for the reply; null when its id is unknown. */
      messageId: string | null;
    };

export interface End {
  kind: 'end';
  reason: BotRunEndReason;
  detail: string | null;
  /** Until when no bot answers this contact. */
  silentUntil: number | null;
}

/** The outcome whose edge replaces the missing edge of any other outcome. */
export const DEFAULT = 'default';

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

/** What happens next, and the node that asks for it. */
export type Next = (Effect & { nodeId: string }) | (End & { nodeId: string | null });

export interface Turn {
  run: Run;
  steps: readonly BotStep[];
  next: Next;
}

/** What a run takes of a message. */
export type Taken = Pick<Scope, 'text' | 'flow'>;

/** The run with the contact's next message: what was counted for the one before starts at zero. */
export const withMessage = ({ flow: _, ...run }: Run, { text, flow }: Taken): Run => ({
  ...run,
  text,
  ...(flow && { flow }),
  steps: 0,
  requests: 0,
});

const VARIABLES_MAX = 50;
const VARIABLES_LENGTH_MAX = 32_768;

/** Which limit the variables of a run exceed; null for none. */
export const variablesProblem = (variables: Readonly<Record<string, unknown>>): string | null => {
  if (Object.keys(variables).length > VARIABLES_MAX) return `more than ${VARIABLES_MAX} variables`;
  return JSON.stringify(variables).length > VARIABLES_LENGTH_MAX
    ? `variables longer than ${VARIABLES_LENGTH_MAX} characters together`
    : null;
};

/** How long a run waits for a reply. */
const WAIT_MS_MAX = 30 * 60_000;
/** Messages of bots to one contact in a minute. */
const MESSAGES_PER_MINUTE_MAX = 20;

export const UNKNOWN = 'nobody knows whether it went out';

export const leave = (
  outcome: string,
  note: Omit<Extract<Behaviour, { kind: 'leave' }>, 'kind' | 'outcome'> = {},
): Behaviour => ({ kind: 'leave', outcome, ...note });

export const send = (message: Outgoing, attempts: number, context: NodeContext): Behaviour => {
  if (context.recentMessages >= MESSAGES_PER_MINUTE_MAX) {
    throw new RunStop('bounds', `more than ${MESSAGES_PER_MINUTE_MAX} messages in a minute`);
  }
  return { kind: 'send', message, attempts };
};

export const end = (reason: BotRunEndReason, detail: string | null = null): Behaviour => ({
  kind: 'end',
  reason,
  detail,
  silentUntil: null,
});

/** A message that asks for a reply has gone out, or has not. */
export const awaitReply = (
  _: unknown,
  result: Result,
  attempts: number,
  { now }: NodeContext,
): Behaviour => {
  if (result.type === 'not_sent') return end('failed', result.detail);
  const messageId = result.type === 'sent' ? result.messageId : null;
  return { kind: 'wait', for: 'reply', until: now + WAIT_MS_MAX, attempts, messageId };
};
