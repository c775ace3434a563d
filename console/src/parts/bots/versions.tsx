import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { Canvas } from './canvas.tsx';
import { type Bot, graphOf } from './graph.ts';

const read = async (botId: string, cursor: string | undefined, signal: AbortSignal) => {
  const params = { path: { botId }, query: { limit: 20, cursor } };
  const { versions, nextCursor } = await bodyOf(
    api.GET('/v1/bots/{botId}/versions', { params, signal }),
  );
  return { rows: versions, nextCursor };
};

type Version = Awaited<ReturnType<typeof read>>['rows'][number];

/** The nodes of two graphs, by what became of them. */
const differences = (before: Pick<Bot, 'nodes'>, now: Pick<Bot, 'nodes'>) => {
  const dataIn = ({ nodes }: Pick<Bot, 'nodes'>) =>
    new Map(
      graphOf({ nodes, edges: [] }).nodes.map(({ id, type, data }) => [
        id,
        JSON.stringify([type, data]),
      ]),
    );
  const [old, present] = [dataIn(before), dataIn(now)];
  return {
    added: [...present.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !present.has(id)),
    changed: [...present].flatMap(([id, data]) =>
      old.has(id) && old.get(id) !== data ? [id] : [],
    ),
  };
};

const columns: readonly Column<Version>[] = [
  { id: 'version', header: 'Version', cell: ({ version }) => version },
  { id: 'at', header: 'Saved', cell: ({ at }) => <Time at={at} /> },
  { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name} /> },
  { id: 'nodes', header: 'Nodes', align: 'end', cell: ({ nodes }) => nodes.length },
];

/** What the bot was, and how that differs from what it is. */
export const Versions = ({ bot }: { bot: Bot }) => {
  const [chosen, choose] = useState<Version>();
  const list = useRows(['versions', bot.id], (cursor, signal) => read(bot.id, cursor, signal));
  const found = chosen && differences(chosen, bot);
  return (
    <div className="stack">
      <Table
        label="Versions"
        columns={columns}
        rowId={({ version }) => String(version)}
        onOpen={choose}
        {...list}
      />
      {chosen && found && (
        <Card title={`Version ${chosen.version}, beside the present one`}>
          <div className="row">
            {found.added.map((id) => (
              <Badge key={id} tone="good">{`${id} was added since`}</Badge>
            ))}
            {found.removed.map((id) => (
              <Badge key={id} tone="bad">{`${id} was removed since`}</Badge>
            ))}
            {found.changed.map((id) => (
              <Badge key={id} tone="warn">{`${id} was changed since`}</Badge>
            ))}
            {Object.values(found).flat().length === 0 && (
              <span>Its nodes are the present ones.</span>
            )}
          </div>
          <Canvas graph={graphOf(chosen)} path={[...found.removed, ...found.changed]} />
        </Card>
      )}
    </div>
  );
};
