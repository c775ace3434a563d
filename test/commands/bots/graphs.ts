import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import type { SimulatedMessage, Simulation } from '../../../src/commands/bots/simulation.ts';
import { validateGraph } from '../../../src/commands/bots/validate.ts';
import { NOW } from '../../support/samples.ts';
import { simulateAtOnce } from '../../support/simulate.ts';

type Json = Record<string, unknown>;

export const node = (id: string, type: string, data: unknown = {}): Json => ({
  id,
  type,
  position: { x: 0, y: 0 },
  data,
});

/** Written `from -> to`, or `from -outcome-> to`. */
export const edge = (text: string): Json => {
  const parts = /^(\S+) -(?:(.+)-)?> (\S+)$/.exec(text);
  if (!parts) throw new Error(`no edge: ${text}`);
  const [, source, sourceHandle, target] = parts;
  return { id: text, source, sourceHandle: sourceHandle ?? null, target };
};

export const graph = (nodes: readonly Json[], ...edges: readonly string[]): StoredGraph => ({
  nodes,
  edges: edges.map(edge),
});

/**
 * One node with a start before it and a message behind each of its outcomes, which says by which
 * outcome it came.
 */
export const around = (type: string, data: unknown, ...outcomes: readonly string[]): StoredGraph =>
  graph(
    [
      node('start', 'start'),
      node('it', type, data),
      ...outcomes.map((outcome) => node(`after_${outcome}`, 'message', { text: outcome })),
    ],
    'start -> it',
    ...outcomes.map((outcome) => `it -${outcome}-> after_${outcome}`),
  );

export const contact = { waId: '919812345678', userId: null, name: 'Asha' };

export const play = (
  stored: StoredGraph,
  messages: readonly SimulatedMessage[],
  change: Partial<Parameters<typeof simulateAtOnce>[0]> = {},
): Simulation =>
  simulateAtOnce({ graph: stored, messages, contact, httpResponses: {}, now: NOW, ...change });

/** What the customer reads. */
export const said = ({ transcript }: Simulation): (string | null)[] =>
  transcript.filter(({ direction }) => direction === 'outbound').map(({ text }) => text);

/** The outcome by which `around`'s node was left; undefined when it was not. */
export const outcomeOf = ({ steps }: Simulation): string | null | undefined =>
  steps.find(({ nodeId }) => nodeId === 'it')?.outcome;

export const hi = (id: string): Json => node(id, 'message', { text: 'hi' });

/** Whatever is wrong, as `<node or edge>: <message>`. */
export const problemsOf = ({ nodes, edges }: StoredGraph): string[] =>
  validateGraph(nodes, edges).problems.map(
    ({ nodeId, edgeId, message }) => `${nodeId ?? edgeId ?? '*'}: ${message}`,
  );
