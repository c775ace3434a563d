import { Background, Controls, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo } from 'react';
import type { Graph } from './graph.ts';
import { type Marks, MarksContext, nodeTypes } from './node-card.tsx';
import type { useGraph } from './use-graph.ts';

/** The graph, drawn; without `edit` only to be looked at. */
export const Canvas = ({
  graph,
  problems,
  path,
  edit,
  onSelect,
}: {
  graph: Graph;
  problems?: Marks['problems'];
  path?: readonly string[];
  edit?: ReturnType<typeof useGraph>;
  onSelect?: (id: string | null) => void;
}) => {
  const marks = useMemo(
    () => ({ problems: problems ?? new Map(), path: new Set(path ?? []) }),
    [problems, path],
  );
  return (
    <MarksContext value={marks}>
      <div className="canvas">
        <ReactFlow
          nodes={graph.nodes}
          edges={graph.edges}
          nodeTypes={nodeTypes}
          nodesDraggable={edit !== undefined}
          nodesConnectable={edit !== undefined}
          {...(edit && {
            onNodesChange: edit.moveNodes,
            onEdgesChange: edit.changeEdges,
            onConnect: edit.connect,
          })}
          onSelectionChange={({ nodes }) => onSelect?.(nodes[0]?.id ?? null)}
          fitView
          fitViewOptions={{ maxZoom: 1 }}
          minZoom={0.2}
          proOptions={{ hideAttribution: true }}
        >
          <Background />
          <Controls showInteractive={false} position="bottom-right" />
        </ReactFlow>
      </div>
    </MarksContext>
  );
};
