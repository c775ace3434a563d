import type { components } from '../../api/reference.ts';
import { nodeTypes } from '../../generated/tables.ts';

export type Bot = components['schemas']['Bot'];

// React Flow takes these nodes and edges as its own. Its types need a browser's, which tests have not.

export type BotNode = {
  id: string;
  type?: string | undefined;
  position: { x: number; y: number };
  data: Record<string, unknown>;
  selected?: boolean;
  dragging?: boolean;
  measured?: { width?: number; height?: number };
};

export type Edge = {
  id: string;
  source: string;
  target: string;
  sourceHandle?: string | null;
  targetHandle?: string | null;
  selected?: boolean;
};

export interface Graph {
  nodes: BotNode[];
  edges: Edge[];
}

const GAP_X = 220;
const GAP_Y = 130;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The objects of the list at a path such as `sections.rows`. */
const itemsAt = (data: unknown, path: string): readonly unknown[] =>
  path.split('.').reduce<readonly unknown[]>(
    (all, key) =>
      all.flatMap((one) => {
        const inner = isObject(one) ? one[key] : undefined;
        return Array.isArray(inner) ? inner : [];
      }),
    [data],
  );

/** The outcomes of a node, each of which may lead to another node. */
export const outcomesOf = (type: string, data: Readonly<Record<string, unknown>>) =>
  (nodeTypes[type]?.outcomes ?? ['default']).flatMap((outcome) =>
    typeof outcome === 'string'
      ? [outcome]
      : itemsAt(data, outcome.each).map(
          (one) => `${outcome.as}:${(one as { id?: unknown } | null)?.id}`,
        ),
  );

/** In a few words what a node does. */
export const summaryOf = (data: Readonly<Record<string, unknown>>): string => {
  const { text, url, event, name, variable, seconds, minutes } = data;
  if (typeof seconds === 'number') return `${seconds} s`;
  if (typeof minutes === 'number') return `${minutes} min`;
  return String(text ?? url ?? event ?? name ?? variable ?? '');
};

/** Places for a graph without positions: one row for each step from a beginning. */
const laidOut = (nodes: readonly BotNode[], edges: readonly Edge[]): BotNode[] => {
  const level = new Map<string, number>();
  const reached = new Set(edges.map(({ target }) => target));
  let row = nodes
    .filter(({ id, type }) => type === 'start' || !reached.has(id))
    .map(({ id }) => id);
  for (let depth = 0; row.length > 0 && depth < nodes.length + 1; depth += 1) {
    for (const id of row) if (!level.has(id)) level.set(id, depth);
    const here = new Set(row);
    row = edges.flatMap(({ source, target }) =>
      here.has(source) && !level.has(target) ? [target] : [],
    );
  }
  const used = new Map<number, number>();
  return nodes.map((node) => {
    const depth = level.get(node.id) ?? 0;
    const at = used.get(depth) ?? 0;
    used.set(depth, at + 1);
    return { ...node, position: { x: at * GAP_X, y: depth * GAP_Y } };
  });
};

/** The stored graph as the canvas has it. */
export const graphOf = ({ nodes, edges }: Pick<Bot, 'nodes' | 'edges'>): Graph => {
  const shown = nodes.map((node): BotNode => {
    const { id, type, position, data, ...rest } = node as unknown as BotNode;
    return { id, type, position: position ?? { x: 0, y: 0 }, data: data ?? {}, ...rest };
  });
  const lines = edges.map((edge) => ({ ...(edge as unknown as Edge) }));
  const places = new Set(shown.map(({ position }) => `${position.x} ${position.y}`));
  const isPlaced = shown.length < 2 || places.size > 1;
  return { nodes: isPlaced ? shown : laidOut(shown, lines), edges: lines };
};

/** The graph as it is stored: without what the canvas alone knows, with all that others wrote. */
export const storedOf = ({ nodes, edges }: Graph) => ({
  nodes: nodes.map(({ selected, dragging, measured, ...node }) => ({
    ...node,
    type: node.type ?? '',
  })),
  edges: edges.map(({ selected, targetHandle, ...edge }) => ({
    ...edge,
    ...(targetHandle && { targetHandle }),
    sourceHandle: edge.sourceHandle ?? 'default',
  })),
});

/** The edges of a node whose outcomes have other names now, or are gone. */
const followOutcomes = (
  edges: readonly Edge[],
  source: string,
  [before, after]: readonly [readonly string[], readonly string[]],
): Edge[] => {
  const renamed = (outcome: string) => {
    const at = before.indexOf(outcome);
    if (at < 0 || after.includes(outcome)) return outcome;
    if (before.length !== after.length) return undefined;
    const to = after[at] ?? outcome;
    return before.includes(to) ? outcome : to;
  };
  return edges.flatMap((edge) => {
    if (edge.source !== source) return [edge];
    const outcome = edge.sourceHandle ?? 'default';
    const sourceHandle = renamed(outcome);
    if (sourceHandle === undefined) return [];
    return [sourceHandle === outcome ? edge : { ...edge, sourceHandle }];
  });
};

/** The graph with other data of a node; its edges go on from the outcomes that it has then. */
export const withData = ({ nodes, edges }: Graph, id: string, data: BotNode['data']): Graph => {
  const node = nodes.find((one) => one.id === id);
  if (!node) return { nodes, edges };
  const type = node.type ?? '';
  return {
    nodes: nodes.map((one) => (one === node ? { ...one, data } : one)),
    edges: followOutcomes(edges, id, [outcomesOf(type, node.data), outcomesOf(type, data)]),
  };
};

/** What conditions of this graph may compare. */
export const pathsIn = ({ nodes }: Graph): readonly string[] => {
  const named = nodes.flatMap(({ data }) => {
    const set = Array.isArray(data.assignments) ? data.assignments : [];
    return [data.saveAs, ...set.map((one) => (one as { name?: unknown } | null)?.name)];
  });
  const names = named.filter((name) => typeof name === 'string' && name !== '');
  const fixed = ['message.text', 'contact.name', 'contact.waId', 'contact.userId'];
  return [...fixed, ...new Set(names.map((name) => `vars.${name}`))];
};

export const isSame = (one: Graph, other: Graph): boolean =>
  JSON.stringify(storedOf(one)) === JSON.stringify(storedOf(other));

/** A short id that the graph does not have yet. */
export const freshId = (type: string, { nodes }: Graph): string => {
  const used = new Set(nodes.map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? type : `${type}${number}`;
    if (!used.has(id)) return id;
  }
};
