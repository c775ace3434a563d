import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { Canvas } from './canvas.tsx';
import { type Bot, graphOf } from './graph.ts';

const read = async (botId: string, cursor: string | undefined, signal: AbortSignal) => {
  const params = { path: { botId }, query: { limit: 50, cursor } };
  const { runs, nextCursor } = await bodyOf(api.GET('/v1/bots/{botId}/runs', { params, signal }));
  return { rows: runs, nextCursor };
};

type Run = Awaited<ReturnType<typeof read>>['rows'][number];

const columns: readonly Column<Run>[] = [
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'contact',
    header: 'Customer',
    cell: ({ contact }) => <Words text={contact?.name ?? contact?.waId ?? 'erased'} />,
  },
  { id: 'steps', header: 'Steps', align: 'end', cell: ({ stepCount }) => stepCount },
  {
    id: 'reason',
    header: 'Why it ended',
    isMinor: true,
    cell: ({ reason }) => reason?.replaceAll('_', ' ') ?? '–',
  },
  { id: 'at', header: 'Began', isMinor: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
];

/** The runs of a bot; the chosen one with its path lit up on the graph. */
export const Runs = ({ bot }: { bot: Bot }) => {
  const [runId, choose] = useState<string>();
  const list = useRows(['runs', bot.id], (cursor, signal) => read(bot.id, cursor, signal));
  const { data } = useQuery({
    queryKey: ['run', bot.id, runId],
    queryFn: ({ signal }) => {
      const params = { path: { botId: bot.id, runId: runId ?? '' } };
      return bodyOf(api.GET('/v1/bots/{botId}/runs/{runId}', { params, signal }));
    },
    enabled: runId !== undefined,
  });
  return (
    <div className="stack">
      <Table
        label="Runs"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => choose(id)}
        empty={<Empty title="No run yet">It begins when a customer writes what starts it.</Empty>}
        {...list}
      />
      {data && (
        <Card title="The path of this run">
          <Canvas graph={graphOf(bot)} path={data.path} />
          <ol className="steps">
            {data.steps.map(({ nodeId, outcome, detail, at }) => (
              <li key={`${nodeId}-${at}`}>
                <strong>{nodeId}</strong> {outcome} {detail && <Words text={detail} />}{' '}
                <span className="muted small">
                  <Time at={at} />
                </span>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </div>
  );
};
