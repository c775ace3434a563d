import { z } from 'zod';
import type { ContactIds } from '../../events/contact.ts';
import { BotRunEndReason } from '../../events/conversation.ts';
import type { StoredGraph } from './graph.ts';

const MESSAGES_MAX = 100;
const TEXT_LENGTH_MAX = 4096;
const WAIT_SECONDS_MAX = 7 * 86_400;

const choice = z.string().min(1).max(256);

/** What the customer does, in order. A `wait` lets simulated time pass. */
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

/** Responses of URLs, by the id of the calling node. */
export const SimulatedResponses = z.record(
  z.string(),
  z.object({ status: z.int().min(100).max(599), body: z.unknown().optional() }),
);
export type SimulatedResponses = z.output<typeof SimulatedResponses>;

export interface SimulationRequest {
  graph: StoredGraph;
  messages: readonly SimulatedMessage[];
  contact: ContactIds & { name: string | null };
  httpResponses: SimulatedResponses;
  /** When it begins, in ms. */
  now: number;
}

const verbatim = z.record(z.string(), z.unknown());
const iso = z.iso.datetime();

const TranscriptEntry = z.object({
  direction: z
    .enum(['inbound', 'outbound'])
    .describe('`inbound`: from the customer. `outbound`: from the account.'),
  type: z.string().describe('Such as `text` or `interactive`.'),
  text: z.string().nullable().describe('The text of the message, if any.'),
  nodeId: z.string().nullable().describe('The node that sent the message.'),
  at: iso.describe('Simulated time, ISO 8601.'),
  buttonId: z.string().optional().describe('Id of the tapped reply button.'),
  rowId: z.string().optional().describe('Id of the chosen list row.'),
  content: verbatim.optional().describe('The message as the provider would receive it.'),
});

export const BotStep = z
  .object({
    nodeId: z.string().describe('Id of the node.'),
    nodeType: z.string().describe('Type of the node.'),
    outcome: z.string().nullable().describe('Outcome of the node; null at the end of the run.'),
    nextNodeId: z.string().nullable().describe('The next node, or null.'),
    messageId: z.string().nullable().describe("The provider's id of the sent message."),
    httpStatus: z.int().nullable().describe("The called URL's status, or null."),
    detail: z.string().nullable().describe('The reason of the outcome, if not plain.'),
    variables: verbatim.describe('Variables that the node set, with their values.'),
  })
  .meta({ id: 'Step' });

export const AllVariables = verbatim.describe('All set variables, with their last values.');

export const Simulation = z.object({
  transcript: z.array(TranscriptEntry).describe('The messages in order.'),
  path: z.array(z.string()).describe('The reached nodes in order.'),
  steps: z.array(BotStep).describe('The completed nodes.'),
  variables: AllVariables,
  ended: z.boolean().describe('Whether the run has ended; otherwise it waits.'),
  reason: z
    .union([BotRunEndReason, z.enum(['reply', 'delay'])])
    .nullable()
    .describe('Why the run ended, or what it waits for.'),
  detail: z.string().nullable().describe('Detail of the reason.'),
});
export type TranscriptEntry = z.output<typeof TranscriptEntry>;
export type Simulation = z.output<typeof Simulation>;
