import type { EdgeChange, NodeChange } from '@xyflow/react';
import { addEdge, applyEdgeChanges, applyNodeChanges, type Connection } from '@xyflow/react';
import { useCallback, useRef, useState } from 'react';
import { nodeTypes } from '../../generated/tables.ts';
import { type BotNode, freshId, type Graph, isSame, outcomesOf, withData } from './graph.ts';

const UNDO_MAX = 50;

const connected = (graph: Graph, connection: Connection): Graph => {
  const sourceHandle = connection.sourceHandle ?? 'default';
  const others = graph.edges.filter(
    (edge) =>
      edge.source !== connection.source || (edge.sourceHandle ?? 'default') !== sourceHandle,
  );
  const id = `${connection.source}-${sourceHandle}-${connection.target}`;
  return { ...graph, edges: addEdge({ ...connection, sourceHandle, id }, others) };
};

/** The first outcome of a node that leads nowhere. */
const freeOutcome = ({ nodes, edges }: Graph, id: string): string | undefined => {
  const node = nodes.find((one) => one.id === id);
  const taken = edges.filter(({ source }) => source === id);
  const handles = new Set(taken.map(({ sourceHandle }) => sourceHandle ?? 'default'));
  return outcomesOf(node?.type ?? '', node?.data ?? {}).find((outcome) => !handles.has(outcome));
};

/** The graph under the viewer's hands, and how to take a step back. */
export const useGraph = (stored: Graph) => {
  const [graph, setGraph] = useState(stored);
  const [past, setPast] = useState<readonly Graph[]>([]);
  const [future, setFuture] = useState<readonly Graph[]>([]);

  /** The field that was changed last: what is typed into one field is one step. */
  const field = useRef('');

  const change = useCallback((next: (graph: Graph) => Graph, at = '') => {
    const isSameStep = at !== '' && at === field.current;
    field.current = at;
    setGraph((before) => {
      const after = next(before);
      if (!isSame(before, after)) {
        if (!isSameStep) setPast((steps) => [...steps, before].slice(-UNDO_MAX));
        setFuture([]);
      }
      return after;
    });
  }, []);

  return {
    graph,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    undo: () => {
      const before = past.at(-1);
      if (!before) return;
      field.current = '';
      setPast(past.slice(0, -1));
      setFuture([graph, ...future]);
      setGraph(before);
    },
    redo: () => {
      const [after, ...rest] = future;
      if (!after) return;
      setFuture(rest);
      setPast([...past, graph]);
      setGraph(after);
    },
    /** Selections and sizes are no steps; a place is one once the node is let go. */
    moveNodes: (changes: NodeChange<BotNode>[]) => {
      const isStep = changes.some(
        (one) => one.type === 'remove' || (one.type === 'position' && one.dragging === false),
      );
      const next = (before: Graph) => ({
        ...before,
        nodes: applyNodeChanges(changes, before.nodes),
      });
      if (isStep) change(next);
      else setGraph(next);
    },
    changeEdges: (changes: EdgeChange[]) =>
      change((before) => ({ ...before, edges: applyEdgeChanges(changes, before.edges) })),
    connect: (connection: Connection) => change((before) => connected(before, connection)),
    disconnect: (source: string, outcome: string) =>
      change((before) => ({
        ...before,
        edges: before.edges.filter(
          (edge) => edge.source !== source || (edge.sourceHandle ?? 'default') !== outcome,
        ),
      })),
    /** Adds a node, which follows the given one where that leads nowhere yet. */
    add: (type: string, after: string | null): string => {
      const id = freshId(type, graph);
      const lowest = Math.max(-130, ...graph.nodes.map(({ position }) => position.y));
      const data = structuredClone(nodeTypes[type]?.example ?? {}) as BotNode['data'];
      const node: BotNode = { id, type, position: { x: 0, y: lowest + 130 }, data };
      change((before) => {
        const grown = { ...before, nodes: [...before.nodes, node] };
        const sourceHandle = after === null ? undefined : freeOutcome(before, after);
        if (sourceHandle === undefined || after === null) return grown;
        return connected(grown, { source: after, sourceHandle, target: id, targetHandle: null });
      });
      return id;
    },
    setData: (id: string, data: BotNode['data'], at: string) =>
      change((before) => withData(before, id, data), `${id} ${at}`),
    remove: (id: string) =>
      change((before) => ({
        nodes: before.nodes.filter((node) => node.id !== id),
        edges: before.edges.filter(({ source, target }) => source !== id && target !== id),
      })),
  };
};
