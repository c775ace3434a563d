import { z } from 'zod';
import { RunStop } from './budget.ts';
import type { Inbound } from './inbound.ts';
import { logicNodes } from './logic-nodes.ts';
import { messageNodes } from './message-nodes.ts';
import { type Choice, type NodeType as NodeRow, nodeType } from './node-type.ts';
import {
  type Behaviour,
  DEFAULT,
  end,
  leave,
  type NodeContext,
  type Result,
  UNKNOWN,
} from './run.ts';

// All types of nodes, and what runs and checks ask of a node.

const start = nodeType({
  data: z.object({}),
  does: 'starts the run; optional',
  outcomes: [DEFAULT],
  example: {},
  form: [],
  enter: () => leave(DEFAULT),
});

const endOfRun = nodeType({
  data: z.object({}),
  does: 'ends the run; optional',
  outcomes: [],
  example: {},
  form: [],
  enter: () => end('completed'),
});

export const nodeTypes = { start, ...messageNodes, ...logicNodes, end: endOfRun } as const;

export type NodeType = keyof typeof nodeTypes;
export type DataOf<T extends NodeType> = z.output<(typeof nodeTypes)[T]['data']>;

/** A parsed node, with its defaults. */
export interface BotNode {
  id: string;
  type: NodeType;
  data: unknown;
}

/** The records for a type that is known only while the program runs. */
const byType = nodeTypes as Readonly<Record<NodeType, NodeRow<z.ZodType>>>;

const PROBLEMS_MAX = 10;
export const ID_LENGTH_MAX = 200;

type ParsedNode = { node: BotNode; problems?: never } | { problems: readonly string[] };

const describe = ({ path, message }: { path: readonly PropertyKey[]; message: string }) =>
  `${['data', ...path.map(String)].join('.')}: ${message}`;

/** Parses a stored node. */
export const parseNode = (raw: Readonly<Record<string, unknown>>): ParsedNode => {
  const { id, type } = raw;
  if (typeof id !== 'string' || id === '') return { problems: ['the node has no id'] };
  if (id.length > ID_LENGTH_MAX) {
    return { problems: [`the node's id is longer than ${ID_LENGTH_MAX} characters`] };
  }
  if (typeof type !== 'string' || !Object.hasOwn(nodeTypes, type)) {
    const name = typeof type === 'string' ? ` ${JSON.stringify(type.slice(0, 50))}` : '';
    return { problems: [`the node's type${name} is not known`] };
  }
  const parsed = nodeTypes[type as NodeType].data.safeParse(raw.data ?? {});
  if (!parsed.success) {
    return { problems: parsed.error.issues.slice(0, PROBLEMS_MAX).map(describe) };
  }
  return { node: { id, type, data: parsed.data } as BotNode };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The objects of the list at a path such as `sections.rows`. */
const itemsAt = (data: unknown, path: string): readonly unknown[] =>
  path
    .split('.')
    .reduce<readonly unknown[]>(
      (all, key) => all.flatMap((one) => (isRecord(one) ? (one[key] ?? []) : []) as unknown[]),
      [data],
    );

/** The outcomes of a node, each of which may have an edge; none where the run ends. */
export const outcomesOf = ({ type, data }: BotNode): readonly string[] =>
  byType[type].outcomes.flatMap((outcome) =>
    typeof outcome === 'string'
      ? [outcome]
      : itemsAt(data, outcome.each).map((one) => `${outcome.as}:${(one as Choice).id}`),
  );

/** Patterns that a node would run. */
export const patternsOf = ({ type, data }: BotNode): readonly string[] =>
  byType[type].patterns?.(data) ?? [];

/** What the contact can tap. */
export const choicesOf = ({ type, data }: BotNode): readonly Choice[] =>
  byType[type].choices?.(data) ?? [];

/** Whether nodes of this type wait, so that a cycle through them is no endless loop. */
export const waits = (type: unknown): boolean =>
  typeof type === 'string' &&
  Object.hasOwn(byType, type) &&
  byType[type as NodeType].waits === true;

/** The run enters a node. Throws RunStop. */
export const enter = ({ type, data }: BotNode, context: NodeContext): Behaviour =>
  byType[type].enter(data, context);

/** A node's message or call has ended. */
export const settle = (
  { type, data }: BotNode,
  result: Result,
  attempts: number,
  context: NodeContext,
): Behaviour => {
  const own = byType[type].settle?.(data, result, attempts, context);
  if (own) return own;
  // A message that is no question.
  if (result.type === 'not_sent') return end('failed', result.detail);
  if (result.type === 'sent') return leave(DEFAULT, { messageId: result.messageId });
  return leave(DEFAULT, { detail: UNKNOWN });
};

/** The contact answers the waiting node. Throws RunStop. */
export const answer = (
  { type, data }: BotNode,
  inbound: Inbound,
  attempts: number,
  context: NodeContext,
): Behaviour => {
  const behaviour = byType[type].answer?.(data, inbound, attempts, context);
  if (behaviour) return behaviour;
  throw new RunStop('failed', `a node of type ${type} waits for no reply`);
};

/** The time of a waiting node is up. */
export const expire = ({ type }: BotNode): Behaviour =>
  leave(byType[type].outcomes.includes('timeout') ? 'timeout' : DEFAULT);
