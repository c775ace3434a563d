import type { EdgeChange, NodeChange } from '@xyflow/react';
import { addEdge, applyEdgeChanges, applyNodeChanges, type Connection } from '@xyflow/react';
import { useCallback, useState } from 'react';
import { type BotNode, freshId, type Graph, isSame, starts } from './graph.ts';

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

/** The graph under the viewer's hands, and how to take a step back. */
export const useGraph = (stored: Graph) => {
  const [graph, setGraph] = useState(stored);
  const [past, setPast] = useState<readonly Graph[]>([]);
  const [future, setFuture] = useState<readonly Graph[]>([]);

  const change = useCallback((next: (graph: Graph) => Graph) => {
    setGraph((before) => {
      const after = next(before);
      if (!isSame(before, after)) {
        setPast((steps) => [...steps, before].slice(-UNDO_MAX));
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
    add: (type: string): string => {
      const id = freshId(type, graph);
      const lowest = Math.max(-130, ...graph.nodes.map(({ position }) => position.y));
      const data = structuredClone(starts[type] ?? {}) as BotNode['data'];
      const node: BotNode = { id, type, position: { x: 0, y: lowest + 130 }, data };
      change((before) => ({ ...before, nodes: [...before.nodes, node] }));
      return id;
    },
    setData: (id: string, data: BotNode['data']) =>
      change((before) => ({
        ...before,
        nodes: before.nodes.map((node) => (node.id === id ? { ...node, data } : node)),
      })),
    remove: (id: string) =>
      change((before) => ({
        nodes: before.nodes.filter((node) => node.id !== id),
        edges: before.edges.filter(({ source, target }) => source !== id && target !== id),
      })),
  };
};
