import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useRef } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, ProblemNote, Spinner } from '../../ui/states.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { type Conversation, nameOf } from './read.ts';
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
        {thread.handoff && <Badge tone="info">with a person</Badge>}
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
  openId: string | undefined;
  search: string | undefined;
}

/** The threads, the most recently active first. Arrow keys move between them. */
export const ThreadList = ({ rows, openId, search, ...list }: ListProps) => {
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const go = (path: string, sought: string | undefined) =>
    void navigate({ to: path, search: sought ? { search: sought } : {} } as never);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sought = String(new FormData(event.currentTarget).get('search')).trim();
    go('/conversations', sought || undefined);
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
      <form onSubmit={submit} className="threads-search">
        <input
          name="search"
          type="search"
          defaultValue={search}
          key={search}
          aria-label="Find a customer"
          placeholder="Name, number or user id"
        />
      </form>
      {list.isLoading && <Spinner />}
      {list.error !== null && rows.length === 0 && <ProblemNote problem={list.error} />}
      {!list.isLoading && rows.length === 0 && list.error === null && (
        <Empty title="No conversation">They begin with the first message of either side.</Empty>
      )}
      {rows.map((thread) => (
        <Entry
          key={thread.id}
          thread={thread}
          isOpen={thread.id === openId}
          onKeyDown={move}
          open={() => go(`/conversations/${encodeURIComponent(thread.id)}`, search)}
        />
      ))}
      {list.hasMore && <Button onClick={list.readMore}>Older ones</Button>}
    </div>
  );
};
