import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useLive } from '../../api/live.ts';
import { createRefresh, useRows } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import './conversations.css';
import { readOne, readThreads, type Sought } from './read.ts';
import { Thread } from './thread.tsx';
import { ThreadList } from './thread-list.tsx';

const CONCERNS = new Set([
  'MessageSent',
  'MessageReceived',
  'StatusUpdated',
  'BotsSilenced',
  'BotsResumed',
  'ConversationAssigned',
  'ConversationLabelled',
  'NoteAdded',
]);

/** All threads beside the open one. News come by themselves. */
export const Conversations = () => {
  const { session } = useSession();
  const { id } = useParams({ strict: false }) as { id?: string };
  const sought = useSearch({ strict: false }) as Sought;
  const cache = useQueryClient();
  const list = useRows(['threads', sought], (cursor, signal) =>
    readThreads(sought, cursor, signal),
  );
  const refresh = useMemo(() => createRefresh(cache, ['threads', 'thread', 'notes']), [cache]);
  const isConnected = useLive(session, (events) => {
    if (events.length > 0 && !events.some(({ type }) => CONCERNS.has(type))) return;
    refresh();
  });
  const one = useQuery({
    queryKey: ['threads', 'one', id],
    queryFn: ({ signal }) => readOne(id as string, signal),
    enabled: id !== undefined,
  });
  const open = one.data ?? list.rows.find((thread) => thread.id === id);
  return (
    <Page title="Conversations" actions={<LiveBadge isConnected={isConnected} />}>
      <div className={`conversations ${open ? 'conversations-open' : ''}`}>
        <ThreadList {...list} openId={id} sought={sought} />
        {open && <Thread thread={open} key={open.id} />}
        {!open && id !== undefined && <QueryState query={one} />}
        {id === undefined && list.rows.length > 0 && (
          <Empty title="Choose a conversation">
            Free-form replies are allowed for 24 hours after the customer’s last message.
          </Empty>
        )}
      </div>
    </Page>
  );
};
