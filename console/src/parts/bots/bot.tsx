import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useScope } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Words } from '../../ui/value.tsx';
import './bots.css';
import { draftKey, readDraft } from './drafts.tsx';
import { Editor } from './editor.tsx';
import { LIST_KEY, triggerOf } from './read.ts';
import { Runs } from './runs.tsx';
import { BotSettings } from './settings.tsx';
import { Versions } from './versions.tsx';

/** One bot: its graph with the draft of it, its runs, its versions. */
export const BotPage = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const [tab, select] = useState('graph');
  const mayWrite = useScope('bots:write');
  const { data, error, refetch } = useQuery({
    queryKey: [...LIST_KEY, id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/bots/{botId}', { params: { path: { botId: id } }, signal })),
    refetchOnWindowFocus: false,
  });
  const { data: draft } = useQuery({
    queryKey: draftKey(id),
    queryFn: ({ signal }) => readDraft(id, signal),
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title={data?.name ?? 'Bot'}
      lead={
        data && (
          <span className="row">
            <StateBadge state={data.isActive ? 'active' : 'inactive'} />
            <span>
              starts at <Words text={triggerOf(data)} />
            </span>
          </span>
        )
      }
      actions={data && mayWrite && <BotSettings bot={data} />}
    >
      {error && <ProblemNote problem={error} again={() => void refetch()} />}
      {(!data || draft === undefined) && !error && <Skeleton />}
      {data && draft !== undefined && (
        <Tabs
          label="Parts of the bot"
          selected={tab}
          onSelect={select}
          tabs={[
            { id: 'graph', title: 'Graph', content: <Editor bot={data} draft={draft} /> },
            { id: 'runs', title: 'Runs', content: <Runs bot={data} /> },
            { id: 'versions', title: 'Versions', content: <Versions bot={data} draft={draft} /> },
          ]}
        />
      )}
    </Page>
  );
};
