import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { type BotNode, type Graph, outcomesOf } from './graph.ts';

type Data = BotNode['data'];

/** The data with what the form says; undefined where its JSON is none. */
const dataIn = (form: FormData, before: Data): Data | undefined => {
  try {
    const rest = JSON.parse(String(form.get('rest'))) as unknown;
    if (typeof rest !== 'object' || rest === null || Array.isArray(rest)) return undefined;
    return 'text' in before
      ? { text: String(form.get('text')), ...(rest as Data) }
      : (rest as Data);
  } catch {
    return undefined;
  }
};

/** The fields of one node, and where each of its outcomes leads: all without the canvas. */
export const NodeForm = ({
  node,
  graph,
  change,
  connect,
  remove,
}: {
  node: BotNode;
  graph: Graph;
  change: (data: Data) => void;
  connect: (outcome: string, target: string | null) => void;
  remove: () => void;
}) => {
  const [isBad, setBad] = useState(false);
  const { text, ...rest } = node.data;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = dataIn(new FormData(event.currentTarget), node.data);
    setBad(data === undefined);
    if (data) change(data);
  };
  const targetOf = (outcome: string) =>
    graph.edges.find(
      ({ source, sourceHandle }) => source === node.id && (sourceHandle ?? 'default') === outcome,
    )?.target ?? '';
  return (
    <div className="stack">
      <form className="stack" onSubmit={submit} key={node.id}>
        {typeof text === 'string' && (
          <TextArea label="Text" name="text" defaultValue={text} maxLength={4096} />
        )}
        <TextArea
          label="Other fields, as JSON"
          name="rest"
          className="code"
          defaultValue={JSON.stringify(rest, null, 2)}
          rows={8}
          spellCheck={false}
        />
        {isBad && <div className="note note-bad">This is no JSON object.</div>}
        <Button type="submit">Take over</Button>
      </form>
      {outcomesOf(node.type ?? '', node.data).map((outcome) => (
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
      ))}
      <Button tone="quiet" onClick={remove}>
        Remove this node
      </Button>
    </div>
  );
};
