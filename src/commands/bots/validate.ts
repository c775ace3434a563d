import {
  Edges,
  entriesOf,
  GRAPH_BYTES_MAX,
  graphBytes,
  Nodes,
  parseEdge,
  type StoredGraph,
} from './graph.ts';
import { type BotNode, outcomesOf, parseNode, patternsOf, waits } from './nodes.ts';
import { patternProblem } from './rules.ts';
import { DEFAULT } from './run.ts';

export interface Problem {
  nodeId: string | null;
  edgeId: string | null;
  message: string;
}

export interface Validation {
  valid: boolean;
  problems: readonly Problem[];
}

/** Checking a pattern is expensive: patterns beyond this number are not checked. */
const PATTERNS_MAX = 50;
const PROBLEMS_MAX = 1000;

const idOf = ({ id }: Readonly<Record<string, unknown>>): string | null =>
  typeof id === 'string' && id !== '' ? id : null;

const ofNode = (nodeId: string | null, message: string): Problem => ({
  nodeId,
  edgeId: null,
  message,
});
const ofEdge = (edgeId: string | null, message: string): Problem => ({
  nodeId: null,
  edgeId,
  message,
});

const duplicatesIn = (ids: readonly (string | null)[]): readonly string[] => {
  const known = ids.filter((id) => id !== null);
  return [...new Set(known.filter((id, index) => known.indexOf(id) !== index))];
};

const checkNodes = ({ nodes }: StoredGraph) => {
  const problems = duplicatesIn(nodes.map(idOf)).map((id) =>
    ofNode(id, 'several nodes have this id'),
  );
  const readable = new Map<string, BotNode>();
  for (const [index, raw] of nodes.entries()) {
    const parsed = parseNode(raw);
    if (parsed.problems) {
      const place = idOf(raw) === null ? `nodes[${index}]: ` : '';
      problems.push(...parsed.problems.map((text) => ofNode(idOf(raw), place + text)));
    } else if (!readable.has(parsed.node.id)) readable.set(parsed.node.id, parsed.node);
  }
  return { problems, readable };
};

const checkPatterns = (readable: ReadonlyMap<string, BotNode>): readonly Problem[] => {
  const uses = [...readable.values()].flatMap((node) =>
    patternsOf(node).map((pattern) => ({ nodeId: node.id, pattern })),
  );
  const problems = uses.slice(0, PATTERNS_MAX).flatMap(({ nodeId, pattern }) => {
    const problem = patternProblem(pattern);
    return problem === null ? [] : [ofNode(nodeId, problem)];
  });
  if (uses.length <= PATTERNS_MAX) return problems;
  return [...problems, ofNode(null, `the graph holds more than ${PATTERNS_MAX} patterns`)];
};

/** Whether an edge may leave a node by this outcome. The default edge replaces any missing one. */
const canLeave = (node: BotNode, outcome: string): boolean => {
  const outcomes = outcomesOf(node);
  return outcome === DEFAULT ? outcomes.length > 0 : outcomes.includes(outcome);
};

const checkEdges = ({ nodes, edges }: StoredGraph, readable: ReadonlyMap<string, BotNode>) => {
  const ids = new Set(nodes.map(idOf));
  const problems = duplicatesIn(edges.map(idOf)).map((id) =>
    ofEdge(id, 'several edges have this id'),
  );
  const left = new Set<string>();
  for (const [index, raw] of edges.entries()) {
    const report = (text: string) =>
      problems.push(ofEdge(idOf(raw), idOf(raw) === null ? `edges[${index}]: ${text}` : text));
    const edge = parseEdge(raw);
    if (!edge) {
      report('source, target and sourceHandle must be texts');
      continue;
    }
    const { source, outcome, target } = edge;
    const shown = JSON.stringify(outcome.slice(0, 300));
    if (!ids.has(source)) report('it comes from a node that is not there');
    if (!ids.has(target)) report('it goes to a node that is not there');
    const node = readable.get(source);
    if (node && !canLeave(node, outcome)) {
      report(`a node of type ${node.type} has no outcome ${shown} here`);
    }
    const key = JSON.stringify([source, outcome]);
    if (left.has(key)) report(`another edge leaves the same node by the outcome ${shown}`);
    left.add(key);
  }
  return problems;
};

type Targets = ReadonlyMap<string, readonly string[]>;

const targetsOf = ({ nodes, edges }: StoredGraph): Targets => {
  const followed = edges.flatMap((raw) => parseEdge(raw) ?? []);
  const bySource = Map.groupBy(followed, ({ source }) => source);
  return new Map(
    nodes.flatMap((raw) => {
      const id = idOf(raw);
      return id === null ? [] : [[id, (bySource.get(id) ?? []).map(({ target }) => target)]];
    }),
  );
};

/** The entries, and every node that can be reached from them. */
const reachableFrom = (targets: Targets, entries: readonly string[]): ReadonlySet<string> => {
  const seen = new Set(entries);
  // Iterating over a set includes entries that are added meanwhile.
  for (const id of seen) for (const target of targets.get(id) ?? []) seen.add(target);
  return seen;
};

const checkEntries = (graph: StoredGraph, targets: Targets): readonly Problem[] => {
  if (targets.size === 0) return [ofNode(null, 'the graph has no start')];
  const entries = entriesOf(graph);
  if (entries.length === 0) {
    return [ofNode(null, 'the graph has no start: every node has an edge to it')];
  }
  const several = entries.slice(1).map((id) => ofNode(id, 'the graph has several starts'));
  const reached = reachableFrom(targets, entries);
  const lost = [...targets.keys()].filter((id) => !reached.has(id));
  return [...several, ...lost.map((id) => ofNode(id, 'the node cannot be reached'))];
};

/** Only a bound would end a cycle in which no node waits. */
const checkCycles = ({ nodes }: StoredGraph, targets: Targets): readonly Problem[] => {
  const resting = new Set(nodes.filter(({ type }) => waits(type)).map(idOf));
  const isRestless = (id: string) => !resting.has(id);
  const restless: Targets = new Map(
    [...targets].filter(([id]) => isRestless(id)).map(([id, to]) => [id, to.filter(isRestless)]),
  );
  const reached = new Map([...restless].map(([id, to]) => [id, reachableFrom(restless, to)]));
  const named = new Set<string>();
  const problems: Problem[] = [];
  for (const [id, others] of reached) {
    if (!others.has(id) || named.has(id)) continue;
    for (const other of others) if (reached.get(other)?.has(id)) named.add(other);
    problems.push(ofNode(id, 'a cycle goes through this node in which nothing waits'));
  }
  return problems;
};

const checkGraph = (graph: StoredGraph): readonly Problem[] => {
  if (graphBytes(graph) > GRAPH_BYTES_MAX) {
    return [ofNode(null, `the graph is larger than ${GRAPH_BYTES_MAX} bytes`)];
  }
  const { problems, readable } = checkNodes(graph);
  const targets = targetsOf(graph);
  return [
    ...problems,
    ...checkPatterns(readable),
    ...checkEdges(graph, readable),
    ...checkEntries(graph, targets),
    ...checkCycles(graph, targets),
  ];
};

/** Finds everything that would stop a run of this graph, and unreachable nodes. Never throws. */
export const validateGraph = (nodes: unknown, edges: unknown): Validation => {
  const storable = { nodes: Nodes.safeParse(nodes), edges: Edges.safeParse(edges) };
  const shapes = [
    ...(storable.nodes.error?.issues ?? []).map((issue) => ({ list: 'nodes', ...issue })),
    ...(storable.edges.error?.issues ?? []).map((issue) => ({ list: 'edges', ...issue })),
  ].map(({ list, path, message }) => ofNode(null, `${[list, ...path].join('.')}: ${message}`));
  const graph = { nodes: storable.nodes.data ?? [], edges: storable.edges.data ?? [] };
  const problems = shapes.length > 0 ? shapes : checkGraph(graph);
  return { valid: problems.length === 0, problems: problems.slice(0, PROBLEMS_MAX) };
};
