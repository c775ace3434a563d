import { type Edge, type Graph, graphOf, summaryOf } from './graph.ts';

/** What became of one node between two graphs. */
export interface Difference {
  nodeId: string;
  kind: 'added' | 'removed' | 'changed';
  /** Each a sentence without its node. */
  words: readonly string[];
}

const SHOWN_LENGTH = 60;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const cut = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return `“${cut}”`;
};

/** How two values differ, down to the fields that do. */
const between = (before: unknown, after: unknown, path: string): string[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => {
      const at = Array.isArray(after) ? String(Number(name) + 1) : name;
      return between(before[name], after[name], path === '' ? at : `${path} ${at}`);
    });
  }
  if (before === undefined) return [`${path} is now ${shown(after)}`];
  if (after === undefined) return [`${path} ${shown(before)} is gone`];
  return [`${path} ${shown(before)} became ${shown(after)}`];
};

/** Where the outcomes of each node lead. */
const waysOf = (edges: readonly Edge[]) => {
  const ways = new Map<string, Map<string, string>>();
  for (const { source, sourceHandle, target } of edges) {
    const own = ways.get(source) ?? new Map<string, string>();
    own.set(sourceHandle ?? 'default', target);
    ways.set(source, own);
  }
  return ways;
};

const NOWHERE: ReadonlyMap<string, string> = new Map();

const waysBetween = (
  before: ReadonlyMap<string, string> = NOWHERE,
  after: ReadonlyMap<string, string> = NOWHERE,
): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((outcome) => {
    const [from, to] = [before.get(outcome), after.get(outcome)];
    if (from === to) return [];
    const on = outcome === 'default' ? '' : `on ${outcome.replace(/^\w+:/, '')} `;
    if (to === undefined) return [`${on}leads nowhere any more, before to ${from}`];
    return [`${on}leads to ${to}${from === undefined ? '' : ` instead of ${from}`}`];
  });

/** What is different in `after`, node by node, in words. Where a node lies on the canvas is no difference. */
export const differencesOf = (before: Graph, after: Graph): readonly Difference[] => {
  const [old, present] = [before, after].map(
    ({ nodes }) => new Map(nodes.map((node) => [node.id, node])),
  ) as [Map<string, Graph['nodes'][number]>, Map<string, Graph['nodes'][number]>];
  const [oldWays, ways] = [waysOf(before.edges), waysOf(after.edges)];
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((nodeId): Difference[] => {
    const [was, is] = [old.get(nodeId), present.get(nodeId)];
    if (!was || !is) {
      const { type = '', data } = (is ?? was)!;
      const words = [`${type.replaceAll('_', ' ')} ${shown(summaryOf(data))}`];
      return [{ nodeId, kind: is ? 'added' : 'removed', words }];
    }
    const type = was.type === is.type ? [] : [`is a ${is.type}, before a ${was.type}`];
    const words = [
      ...type,
      ...between(was.data, is.data, ''),
      ...waysBetween(oldWays.get(nodeId), ways.get(nodeId)),
    ];
    return words.length > 0 ? [{ nodeId, kind: 'changed', words }] : [];
  });
};

/** The same of stored graphs. */
export const storedDifferences = (
  before: Parameters<typeof graphOf>[0],
  after: Parameters<typeof graphOf>[0],
): readonly Difference[] => differencesOf(graphOf(before), graphOf(after));
