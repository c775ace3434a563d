import { useMemo } from 'react';
import { nodeTypes } from '../../generated/tables.ts';
import { Button } from '../../ui/button.tsx';
import { Fields } from './field-view.tsx';
import { type BotNode, type Graph, outcomesOf, pathsIn } from './graph.ts';
import { JsonField } from './json-field.tsx';
import { type Data, fieldsFor } from './node-fields.ts';
import { problemIn, problemsElsewhere } from './problems.ts';

/** Where each outcome of a node leads: all without the canvas. */
const Outcomes = ({
  node,
  graph,
  connect,
}: {
  node: BotNode;
  graph: Graph;
  connect: (outcome: string, target: string | null) => void;
}) => {
  const targetOf = (outcome: string) =>
    graph.edges.find(
      ({ source, sourceHandle }) => source === node.id && (sourceHandle ?? 'default') === outcome,
    )?.target ?? '';
  return outcomesOf(node.type ?? '', node.data).map((outcome) => (
    <label className="field" key={outcome}>
      <span className="field-label">On “{outcome}” go to</span>
      <select
        value={targetOf(outcome)}
        onChange={({ target }) => connect(outcome, target.value || null)}
      >
        <option value="">the end</option>
        {graph.nodes
          .filter(({ id }) => id !== node.id)
          .map(({ id, type }) => (
            <option key={id} value={id}>
              {id} ({type})
            </option>
          ))}
      </select>
    </label>
  ));
};

/** The fields of one node, what is wrong with them, and where its outcomes lead. */
export const NodeForm = ({
  node,
  graph,
  messages,
  change,
  connect,
  remove,
}: {
  node: BotNode;
  graph: Graph;
  /** What the service says is wrong with the node. */
  messages: readonly string[];
  /** `at` names the field. */
  change: (data: Data, at: string) => void;
  connect: (outcome: string, target: string | null) => void;
  remove: () => void;
}) => {
  const problems = useMemo(() => messages.map(problemIn), [messages]);
  const fields = fieldsFor(nodeTypes[node.type ?? '']?.form ?? [], node.data);
  const rest = problemsElsewhere(problems, fields);
  return (
    <div className="stack node-form">
      {rest.map((message) => (
        <div className="note note-bad" key={message}>
          {message}
        </div>
      ))}
      <Fields
        fields={fields}
        data={node.data}
        change={change}
        place=""
        problems={problems}
        paths={pathsIn(graph)}
      />
      <Outcomes node={node} graph={graph} connect={connect} />
      <details>
        <summary>All of it as JSON</summary>
        <JsonField
          label="Data of the node"
          name="data"
          value={node.data}
          change={(data) => change(data as Data, 'data')}
          mustBeObject
        />
      </details>
      <div>
        <Button tone="quiet" onClick={remove}>
          Remove this node
        </Button>
      </div>
    </div>
  );
};
