import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useRef } from 'react';
import { useSeesContents, useSession } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { type Conversation, nameOf, type Sought, type View, views } from './read.ts';
import { WindowClock } from './window-clock.tsx';

const Entry = ({
  thread,
  isOpen,
  open,
  onKeyDown,
}: {
  thread: Conversation;
  isOpen: boolean;
  open: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}) => (
  <button
    type="button"
    className="thread"
    aria-current={isOpen ? 'true' : undefined}
    onClick={open}
    onKeyDown={onKeyDown}
  >
    <span className="thread-head">
      <strong>
        <Words text={nameOf(thread)} />
      </strong>
      <span className="muted small">
        <Time at={thread.updatedAt} form="ago" />
      </span>
    </span>
    <span className="muted small one-line">
      <Words text={thread.lastMessage.text ?? thread.lastMessage.messageType} />
    </span>
    <span className="thread-head">
      <span className="row">
        <WindowClock expiresAt={thread.windowExpiresAt} />
        {thread.assigned && <Badge tone="info">{thread.assigned.name ?? 'a person'}</Badge>}
        {thread.handoff && !thread.assigned && <Badge tone="info">with a person</Badge>}
        {thread.labels.map((label) => (
          <Badge key={label}>{label}</Badge>
        ))}
      </span>
      {thread.unreadCount > 0 && <span className="unread">{thread.unreadCount}</span>}
    </span>
  </button>
);

interface ListProps {
  rows: readonly Conversation[];
  error: unknown;
  isLoading: boolean;
  hasMore: boolean;
  readMore: () => void;
  refetch: () => void;
  openId: string | undefined;
  sought: Sought;
}

/** What the list shows: who has the last word, and who looks after it. */
const Views = ({ sought, go }: { sought: Sought; go: (to: Sought) => void }) => {
  const { session } = useSession();
  const isPerson = session.kind === 'key' && session.person !== undefined;
  const shown = (Object.keys(views) as View[]).filter((view) => isPerson || view !== 'mine');
  const { view: _, ...rest } = sought;
  return (
    <fieldset className="views" aria-label="Which conversations">
      {shown.map((view) => (
        <button
          key={view}
          type="button"
          className="view"
          aria-pressed={(sought.view ?? 'all') === view}
          onClick={() => go(view === 'all' ? rest : { ...rest, view })}
        >
          {views[view].label}
        </button>
      ))}
      {sought.label !== undefined && (
        <button
          type="button"
          className="view"
          aria-pressed="true"
          onClick={() => go({ ...sought, label: '' })}
        >
          {sought.label} ×
        </button>
      )}
    </fieldset>
  );
};

/** The threads, the most recently active first. Arrow keys move between them. */
export const ThreadList = ({ rows, openId, sought, ...list }: ListProps) => {
  const navigate = useNavigate();
  const seesContents = useSeesContents();
  const box = useRef<HTMLDivElement>(null);
  const go = (path: string, to: Sought) => void navigate({ to: path, search: to } as never);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const search = String(new FormData(event.currentTarget).get('search')).trim();
    go('/conversations', { ...sought, search });
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLButtonElement)) return;
    const buttons = [...(box.current?.querySelectorAll<HTMLButtonElement>('.thread') ?? [])];
    buttons[buttons.indexOf(event.target) + step]?.focus();
    event.preventDefault();
  };
  return (
    <div className="threads" ref={box}>
      {seesContents && (
        <form onSubmit={submit} className="threads-search">
          <input
            name="search"
            type="search"
            defaultValue={sought.search}
            key={sought.search}
            aria-label="Find a customer"
            placeholder="Name, number or user id"
          />
        </form>
      )}
      <Views sought={sought} go={(to) => go('/conversations', to)} />
      {list.isLoading && <Skeleton rows={8} />}
      {list.error !== null && <ProblemNote problem={list.error} again={list.refetch} />}
      {!list.isLoading && rows.length === 0 && list.error === null && (
        <Empty title="No conversation here">
          A conversation begins with the first message of either side: the page Send has templates.
        </Empty>
      )}
      {rows.map((thread) => (
        <Entry
          key={thread.id}
          thread={thread}
          isOpen={thread.id === openId}
          onKeyDown={move}
          open={() => go(`/conversations/${encodeURIComponent(thread.id)}`, sought)}
        />
      ))}
      {list.hasMore && <Button onClick={list.readMore}>Older ones</Button>}
    </div>
  );
};
