import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { nodeTypes } from '../../generated/tables.ts';
import { useScope } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import '../../ui/popover.css';
import { Ask } from '../../ui/ask.tsx';
import { Badge } from '../../ui/badge.tsx';
import { useSettled } from '../../ui/settled.ts';
import { Canvas } from './canvas.tsx';
import { type BotDraft, Publish, useDraft } from './drafts.tsx';
import { type Bot, type Graph, graphOf, isSame, storedOf } from './graph.ts';
import { NodeForm } from './node-form.tsx';
import { iconOf } from './node-icons.ts';
import { TryOut } from './try-out.tsx';
import { useGraph } from './use-graph.ts';

/** The service is asked once the viewer has stopped typing for so long. */
const SETTLES_MS = 250;

const NONE: readonly string[] = [];

/** What would stop the bot, by node, asked of the service while the viewer works. */
const useProblems = (botId: string, graph: Graph) => {
  const body = storedOf(graph);
  const { data } = useQuery({
    queryKey: ['problems', botId, body],
    queryFn: ({ signal }) => {
      const init = { params: { path: { botId } }, body: body as never, signal };
      return bodyOf(api.POST('/v1/bots/{botId}/validate', init));
    },
    placeholderData: (before) => before,
  });
  const problems = data?.problems ?? [];
  const byNode = useMemo(() => {
    const groups = Map.groupBy(data?.problems ?? [], ({ nodeId }) => nodeId ?? '');
    return new Map([...groups].map(([id, own]) => [id, own.map(({ message }) => message)]));
  }, [data]);
  return { problems, byNode };
};

/** Every type of node, in a menu: it leaves the page to the graph. */
const Palette = ({ add }: { add: (type: string) => void }) => (
  <MenuProvider>
    <MenuButton className="button">Add a node</MenuButton>
    <Menu className="popover palette" gutter={4} aria-label="Types of nodes">
      {Object.keys(nodeTypes).map((type) => (
        <MenuItem key={type} className="popover-item" onClick={() => add(type)}>
          <span className="row">
            <Icon name={iconOf(type)} />
            {type.replaceAll('_', ' ')}
          </span>
        </MenuItem>
      ))}
    </Menu>
  </MenuProvider>
);

const Outline = ({
  graph,
  selected,
  select,
}: {
  graph: Graph;
  selected: string | null;
  select: (id: string) => void;
}) => (
  <ul className="outline">
    {graph.nodes.map(({ id, type }) => (
      <li key={id}>
        <button type="button" aria-pressed={id === selected} onClick={() => select(id)}>
          <Icon name={iconOf(type ?? '')} size={14} />
          {id} <span className="muted small">{type?.replaceAll('_', ' ')}</span>
        </button>
      </li>
    ))}
  </ul>
);

/** What of the graph is where: on the screen alone, in the draft, or live. */
const StandBadge = ({ isChanged, hasDraft }: { isChanged: boolean; hasDraft: boolean }) => {
  if (isChanged) return <Badge tone="warn">not saved</Badge>;
  return hasDraft ? <Badge tone="info">draft</Badge> : <Badge tone="good">live</Badge>;
};

/** The graph of a bot: drawn and edited, its problems at its nodes, and a talk with it beside. */
const Bench = ({
  bot,
  draft,
  onReset,
}: {
  bot: Bot;
  draft: BotDraft | null;
  /** The stored graph is another one. */
  onReset: () => void;
}) => {
  const stored = useMemo(() => graphOf(draft ?? bot), [draft, bot]);
  const edit = useGraph(stored);
  const { graph } = edit;
  const [selected, select] = useState<string | null>(null);
  const [path, setPath] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<unknown>();
  const settled = useSettled(graph, SETTLES_MS);
  const { problems, byNode } = useProblems(bot.id, settled);
  const mayWrite = useScope('bots:write');
  const drafts = useDraft(bot.id);
  const isChanged = !isSame(stored, graph);
  useBlocker({
    shouldBlockFn: () => isChanged && !window.confirm('Leave without saving the draft?'),
    enableBeforeUnload: isChanged,
  });
  const save = async () => {
    setProblem(undefined);
    try {
      await drafts.save(graph);
    } catch (error) {
      setProblem(error);
    }
  };
  const drop = async () => {
    await drafts.drop();
    onReset();
  };
  const node = graph.nodes.find(({ id }) => id === selected);
  return (
    <div className="stack">
      <div className="row">
        {mayWrite && <Palette add={(type) => select(edit.add(type, selected))} />}
        <Button disabled={!edit.canUndo} onClick={edit.undo}>
          Undo
        </Button>
        <Button disabled={!edit.canRedo} onClick={edit.redo}>
          Redo
        </Button>
        <StandBadge isChanged={isChanged} hasDraft={draft !== null} />
        <span className={problems.length > 0 ? 'count-bad' : 'muted'}>
          {problems.length === 0 ? 'No problem' : `${problems.length} to mend`}
        </span>
        {mayWrite && (
          <div className="row save">
            {draft && (
              <Ask label="Discard draft" button="quiet" tone="danger" submit={drop}>
                <p>What is live stays as it is. The draft cannot be had back.</p>
              </Ask>
            )}
            <Button disabled={!isChanged} onClick={() => void save()}>
              Save draft
            </Button>
            {(isChanged || draft) && (
              <Publish
                bot={bot}
                graph={graph}
                problems={problems.length}
                publish={drafts.publish}
              />
            )}
          </div>
        )}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div className="bench">
        <Canvas
          graph={graph}
          problems={byNode}
          path={path}
          onSelect={(id) => id !== null && select(id)}
          {...(mayWrite && { edit })}
        />
        <div className="bench-side">
          <div className="stack bench-part">
            {node && mayWrite && (
              <Card
                title={`${(node.type ?? '').replaceAll('_', ' ')}: ${node.id}`}
                actions={
                  <Button tone="quiet" onClick={() => select(null)} aria-label="Close the node">
                    <Icon name="close" />
                  </Button>
                }
              >
                <NodeForm
                  key={node.id}
                  node={node}
                  graph={graph}
                  messages={byNode.get(node.id) ?? NONE}
                  change={(data, at) => edit.setData(node.id, data, at)}
                  connect={(outcome, target) =>
                    target === null
                      ? edit.disconnect(node.id, outcome)
                      : edit.connect({
                          source: node.id,
                          sourceHandle: outcome,
                          target,
                          targetHandle: null,
                        })
                  }
                  remove={() => edit.remove(node.id)}
                />
              </Card>
            )}
            <Card title="Nodes">
              {graph.nodes.length === 0 && (
                <p className="muted">
                  Begin with “Add a node”: a start, and after it what the bot says.
                </p>
              )}
              <Outline graph={graph} selected={selected} select={select} />
            </Card>
          </div>
          <div className="bench-part">
            <Card title="Try it">
              <TryOut botId={bot.id} graph={settled} onPath={setPath} />
            </Card>
          </div>
        </div>
      </div>
    </div>
  );
};

/** The draft, or what is live where there is none. */
export const Editor = ({ bot, draft }: { bot: Bot; draft: BotDraft | null }) => {
  const [begun, begin] = useState(0);
  return <Bench key={begun} bot={bot} draft={draft} onReset={() => begin(begun + 1)} />;
};
