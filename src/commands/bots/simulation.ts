import { z } from 'zod';
import type { Content } from '../../events/content.ts';
import type { BotRunEndReason, BotStep } from '../../events/conversation.ts';
import type { StoredGraph } from './graph.ts';

const MESSAGES_MAX = 100;
const TEXT_LENGTH_MAX = 4096;
const WAIT_SECONDS_MAX = 7 * 86_400;

const choice = z.string().min(1).max(256);

/** What the customer does, one after the other. Waiting lets time pass that is not there. */
export const SimulatedMessages = z
  .array(
    z.union(
      [
        z.object({
          text: z.string().max(TEXT_LENGTH_MAX).describe('What the customer writes.'),
        }),
        z.object({ buttonId: choice.describe('Id of the reply button that the customer taps.') }),
        z.object({ rowId: choice.describe('Id of the list row that the customer chooses.') }),
        z.object({ wait: z.number().min(0).max(WAIT_SECONDS_MAX).describe('Seconds that pass.') }),
      ],
      'must be { text }, { buttonId }, { rowId } or { wait: seconds }',
    ),
  )
  .max(MESSAGES_MAX);
export type SimulatedMessage = z.output<typeof SimulatedMessages>[number];

/** What URLs answer, by the id of the node that calls them. */
export const SimulatedResponses = z.record(
  z.string(),
  z.object({ status: z.int().min(100).max(599), body: z.unknown().optional() }),
);
export type SimulatedResponses = z.output<typeof SimulatedResponses>;

export interface SimulationRequest {
  graph: StoredGraph;
  messages: readonly SimulatedMessage[];
  contact: { waId: string; name: string | null };
  httpResponses: SimulatedResponses;
  /** When it begins, in ms. */
  now: number;
}

export interface TranscriptEntry {
  direction: 'inbound' | 'outbound';
  type: string;
  text: string | null;
  /** The node that sent it, or that took it; null when no node did. */
  nodeId: string | null;
  at: string;
  buttonId?: string;
  rowId?: string;
  content?: Content;
}

export interface Simulation {
  transcript: readonly TranscriptEntry[];
  /** Nodes in the order in which they were reached. */
  path: readonly string[];
  /** The same in full: how each was left, and what it set. */
  steps: readonly BotStep[];
  variables: Readonly<Record<string, unknown>>;
  ended: boolean;
  /** Why it ended, or what it waits for; null when nothing has begun. */
  reason: BotRunEndReason | 'reply' | 'delay' | null;
  detail: string | null;
}
