import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { Words } from '../../ui/value.tsx';
import { choicesIn, type Step } from './choices.ts';
import { type Graph, storedOf } from './graph.ts';

/** `/tap yes` taps a button, `/choose m1` a row, `/wait 60` lets a minute pass; all else is text. */
const stepOf = (words: string): Step => {
  const [, verb, value = ''] = /^\/(tap|choose|wait) (.+)$/.exec(words) ?? [];
  if (verb === 'tap') return { buttonId: value };
  if (verb === 'choose') return { rowId: value };
  if (verb === 'wait') return { wait: Number(value) || 0 };
  return { text: words };
};

/** Talks with the graph as it is on the canvas, saved or not: nothing is sent, called or charged. */
export const TryOut = ({
  botId,
  graph,
  onPath,
}: {
  botId: string;
  graph: Graph;
  onPath: (path: readonly string[]) => void;
}) => {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const body = { messages: [...steps], ...storedOf(graph) };
  const { data, error } = useQuery({
    queryKey: ['simulation', botId, body],
    queryFn: async ({ signal }) => {
      const params = { path: { botId } };
      const init = { params, body: body as never, signal };
      const found = await bodyOf(api.POST('/v1/bots/{botId}/simulate', init));
      onPath(found.path);
      return found;
    },
    enabled: steps.length > 0,
    placeholderData: (before) => before,
  });
  const choices =
    steps.length > 0 && !data?.ended ? choicesIn(data?.transcript.at(-1)?.content) : [];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = String(new FormData(event.currentTarget).get('words')).trim();
    if (words === '') return;
    setSteps([...steps, stepOf(words)]);
    event.currentTarget.reset();
  };
  const again = () => {
    setSteps([]);
    onPath([]);
  };
  return (
    <div className="stack">
      {error && <ProblemNote problem={error} />}
      <ol className="try">
        {steps.length > 0 &&
          data?.transcript.map(({ direction, text, type, nodeId }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the talk only grows
            <li key={index} className={`try-${direction}`}>
              <span>{text === null ? <em>{type}</em> : <Words text={text} />}</span>
              {nodeId !== null && <span className="muted small"> {nodeId}</span>}
            </li>
          ))}
      </ol>
      {steps.length > 0 && data?.ended && (
        <div className="note">It ended: {data.reason?.replaceAll('_', ' ')}.</div>
      )}
      {steps.length > 0 && data && !data.wouldStart && (
        <div className="note">The saved trigger would not start the bot for the first message.</div>
      )}
      {choices.length > 0 && (
        <div className="row try-choices">
          {choices.map(({ step, title }) => (
            <Button key={title} onClick={() => setSteps([...steps, step])}>
              {title}
            </Button>
          ))}
        </div>
      )}
      <form className="row" onSubmit={submit}>
        <input name="words" aria-label="What the customer writes" placeholder="Hello" />
        <Button type="submit">Say</Button>
        <Button tone="quiet" onClick={again}>
          Begin again
        </Button>
      </form>
      <p className="muted small">
        <code>/tap yes</code> taps a button, <code>/choose m1</code> a row, <code>/wait 60</code>{' '}
        lets 60 seconds pass.
      </p>
    </div>
  );
};
