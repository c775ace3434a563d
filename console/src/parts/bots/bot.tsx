import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNote, Spinner } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Id } from '../../ui/value.tsx';
import './bots.css';
import { Editor } from './editor.tsx';
import { LIST_KEY } from './read.ts';
import { Runs } from './runs.tsx';
import { Versions } from './versions.tsx';

/** One bot: its graph, its runs, its versions. */
export const BotPage = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const [tab, select] = useState('graph');
  const { data, error, refetch } = useQuery({
    queryKey: [...LIST_KEY, id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/bots/{botId}', { params: { path: { botId: id } }, signal })),
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title={data?.name ?? 'Bot'}
      lead={
        <span className="row">
          <Id value={id} />
          {data && <StateBadge state={data.isActive ? 'active' : 'inactive'} />}
        </span>
      }
    >
      {error && <ProblemNote problem={error} again={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data && (
        <Tabs
          label="Parts of the bot"
          selected={tab}
          onSelect={select}
          tabs={[
            { id: 'graph', title: 'Graph', content: <Editor bot={data} /> },
            { id: 'runs', title: 'Runs', content: <Runs bot={data} /> },
            { id: 'versions', title: 'Versions', content: <Versions bot={data} /> },
          ]}
        />
      )}
    </Page>
  );
};
