import type { BotRunEndReason, BotStep } from '../../events/conversation.ts';
import type { Outgoing } from './contents.ts';
import type { HttpRequest } from './requests.ts';
import type { Scope } from './template.ts';

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

/** What happens next, and the node that asks for it. */
export type Next = (Effect & { nodeId: string }) | (End & { nodeId: string | null });

export interface Turn {
  run: Run;
  steps: readonly BotStep[];
  next: Next;
}

/** What a run takes of a message. */
export type Taken = Pick<Scope, 'text' | 'flow'>;

/** The run with the contact's next message: what was counted for the one before begins anew. */
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
