import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useRows } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ProblemNote, Spinner } from '../../ui/states.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { CareBar } from './care.tsx';
import { HandoffBar } from './handoff.tsx';
import { QuickReplies } from './quick-replies.tsx';
import { type Conversation, type Message, nameOf, readThread, reply } from './read.ts';
import { WindowClock } from './window-clock.tsx';

const Bubble = ({ message }: { message: Message }) => {
  const { id, direction, text, messageType, event, status, createdAt, erased } = message;
  return (
    <li className={`bubble bubble-${direction}`}>
      <div className="bubble-text">
        {text !== null && <Words text={text} />}
        {text === null && <em>{erased ? 'erased' : (event ?? messageType)}</em>}
      </div>
      <div className="muted small">
        <Time at={createdAt} /> {status}{' '}
        {id !== null && (
          <Link to={`/messages/${encodeURIComponent(id)}` as never} aria-label="The whole story">
            story
          </Link>
        )}
      </div>
    </li>
  );
};

const draftKey = ({ id }: Conversation) => `waybill-draft ${id}`;

/** Writes into the open window. What was typed stays until it was sent. */
const Reply = ({ thread, onSent }: { thread: Conversation; onSent: () => void }) => {
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(thread)) ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  const write = (next: string) => {
    setText(next);
    sessionStorage.setItem(draftKey(thread), next);
  };
  /** Names this reply over its attempts. */
  const key = useRef(crypto.randomUUID());
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await reply(thread, text.trim(), key.current);
      key.current = crypto.randomUUID();
      write('');
      onSent();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  if (!thread.windowOpen) {
    return (
      <div className="note">
        The 24-hour window is closed: only a template can be sent until the customer writes again.
      </div>
    );
  }
  return (
    <form className="reply" onSubmit={(event) => void submit(event)}>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <QuickReplies
        text={text}
        onPick={(picked) => {
          write(picked);
          area.current?.focus();
        }}
      />
      <textarea
        ref={area}
        name="text"
        aria-label="Reply"
        required
        maxLength={4096}
        rows={2}
        value={text}
        onChange={({ target }) => write(target.value)}
        onKeyDown={(event) => {
          const sends = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
          if (!sends) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Send
      </Button>
      <span className="muted small reply-hint">Enter sends, Shift and Enter begin a new line.</span>
    </form>
  );
};

/** One thread: what was said, the newest at the bottom, and a reply. */
export const Thread = ({ thread }: { thread: Conversation }) => {
  const cache = useQueryClient();
  const { session } = useSession();
  const list = useRows(['thread', thread.id], (cursor, signal) =>
    readThread(thread.id, cursor, signal),
  );
  const mayReply = session.kind === 'key' && (session.scopes?.includes('messages:send') ?? true);
  const again = () => {
    void cache.invalidateQueries({ queryKey: ['thread'] });
    void cache.invalidateQueries({ queryKey: ['threads'] });
  };
  return (
    <section className="talk" aria-label={`Conversation with ${nameOf(thread)}`}>
      <header className="talk-head">
        <div>
          <h2>
            <Words text={nameOf(thread)} />
          </h2>
          <span className="muted small">{thread.contact?.waId ?? thread.contact?.userId}</span>
        </div>
        <WindowClock expiresAt={thread.windowExpiresAt} />
      </header>
      <CareBar thread={thread} onDone={again} />
      <HandoffBar thread={thread} onDone={again} />
      {list.isLoading && <Spinner />}
      {list.error && <ProblemNote problem={list.error} again={list.refetch} />}
      <ol className="bubbles">
        {list.rows.map((message, index) => (
          <Bubble key={message.id ?? `${message.createdAt}-${index}`} message={message} />
        ))}
        {list.hasMore && (
          <li>
            <Button onClick={list.readMore}>Earlier messages</Button>
          </li>
        )}
      </ol>
      {mayReply && <Reply thread={thread} onSent={again} />}
    </section>
  );
};
