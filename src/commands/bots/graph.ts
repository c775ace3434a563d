import { z } from 'zod';
import { type BotNode, ID_LENGTH_MAX, parseNode } from './nodes.ts';
import { DEFAULT } from './run.ts';
import { cut } from './text.ts';

const NODES_MAX = 200;
const EDGES_MAX = 400;
export const GRAPH_BYTES_MAX = 256 * 1024;

const verbatim = z.record(z.string(), z.unknown());

/** Stored nodes and edges: any objects, so that editors keep their own fields. */
export const Nodes = z.array(verbatim).max(NODES_MAX);
export const Edges = z.array(verbatim).max(EDGES_MAX);

export interface StoredGraph {
  nodes: readonly Readonly<Record<string, unknown>>[];
  edges: readonly Readonly<Record<string, unknown>>[];
}

/** The size of a graph in the log, in bytes. GRAPH_BYTES_MAX bounds it. */
export const graphBytes = ({ nodes, edges }: StoredGraph): number => {
  try {
    return Buffer.byteLength(JSON.stringify([nodes, edges]));
  } catch {
    // The nesting is too deep for JSON.stringify.
    return Number.POSITIVE_INFINITY;
  }
};

/** An edge as runs follow it. An empty handle means `default`. */
interface Edge {
  source: string;
  outcome: string;
  target: string;
}

/** Reads one stored edge; undefined when it cannot be followed. */
export const parseEdge = (raw: Readonly<Record<string, unknown>>): Edge | undefined => {
  const { source, target, sourceHandle } = raw;
  if (typeof source !== 'string' || typeof target !== 'string') return undefined;
  const outcome = sourceHandle ?? '';
  if (typeof outcome !== 'string') return undefined;
  return { source, target, outcome: outcome === '' ? DEFAULT : outcome };
};

/**
 * The nodes at which a run may begin: the start nodes, or without any the nodes that no edge points
 * to. A graph that can run has exactly one.
 */
export const entriesOf = ({ nodes, edges }: StoredGraph): readonly string[] => {
  const withId = nodes.filter(({ id }) => typeof id === 'string' && id !== '');
  const starts = withId.filter(({ type }) => type === 'start');
  const targets = new Set(edges.map(({ target }) => target));
  const entries = starts.length > 0 ? starts : withId.filter(({ id }) => !targets.has(id));
  return [...new Set(entries.map(({ id }) => id as string))];
};

/** A graph as a run follows it. A node is parsed when a run reaches it. */
export interface Graph {
  isEmpty: boolean;
  entries: readonly string[];
  /** The size of a node in characters of JSON; 0 for a missing node. */
  weight(nodeId: string): number;
  /** The node, or the reason why it cannot run. */
  node(nodeId: string): BotNode | string;
  /** The target of the outcome's edge, else of the default edge; null when there is neither. */
  target(nodeId: string, outcome: string): string | null;
}

/** Cuts an id that is too long for a node. No node has the result, and the log stays small. */
const cutId = (nodeId: string) => cut(nodeId, ID_LENGTH_MAX + 1);

const edgeKey = (nodeId: string, outcome: string) => JSON.stringify([nodeId, outcome]);

export const compileGraph = (stored: StoredGraph): Graph => {
  const nodes = Map.groupBy(stored.nodes, ({ id }) => id);
  const targets = new Map<string, string>();
  for (const raw of stored.edges) {
    const edge = parseEdge(raw);
    if (!edge) continue;
    const key = edgeKey(edge.source, edge.outcome);
    if (!targets.has(key)) targets.set(key, cutId(edge.target));
  }
  const read = new Map<string, { node: BotNode | string; weight: number }>();

  const readOnce = (nodeId: string) => {
    const known = read.get(nodeId);
    if (known) return known;
    const [raw, second] = nodes.get(nodeId) ?? [];
    if (!raw) return { node: 'there is no such node', weight: 0 };
    const parsed = second ? { problems: ['several nodes have this id'] } : parseNode(raw);
    const node = parsed.problems ? parsed.problems.join('; ') : parsed.node;
    const made = { node, weight: JSON.stringify(raw).length };
    read.set(nodeId, made);
    return made;
  };

  return {
    isEmpty: stored.nodes.length === 0,
    entries: entriesOf(stored).map(cutId),
    node: (nodeId) => readOnce(nodeId).node,
    weight: (nodeId) => readOnce(nodeId).weight,
    target: (nodeId, outcome) =>
      targets.get(edgeKey(nodeId, outcome)) ?? targets.get(edgeKey(nodeId, DEFAULT)) ?? null,
  };
};
