import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { useRows } from '../../api/queries.ts';
import { useScope } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { eventWords, Phone, Time, Words } from '../../ui/value.tsx';
import { CareBar } from './care.tsx';
import { Customer } from './customer.tsx';
import { HandoffBar } from './handoff.tsx';
import { type Conversation, type Message, mediaIn, nameOf, readThread } from './read.ts';
import { Reply } from './reply.tsx';
import { TemplateReply } from './template-reply.tsx';
import { WindowClock } from './window-clock.tsx';

const Bubble = ({ message }: { message: Message }) => {
  const { id, direction, text, messageType, event, status, createdAt, erased } = message;
  const mayOpen = useScope('media:read');
  const media = mediaIn(message);
  return (
    <li className={`bubble bubble-${direction}`}>
      <div className="bubble-text">
        {text !== null && <Words text={text} />}
        {text === null && (
          <em>
            {erased ? 'erased' : event ? eventWords(event) : messageType.replaceAll('_', ' ')}
          </em>
        )}
        {media && mayOpen && (
          <a className="bubble-file" href={`/api/v1/media/${media.id}`} download>
            <Icon name="file" />{' '}
            {media.name ? <Words text={media.name} /> : `Save the ${messageType}`}
          </a>
        )}
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

const keyOf = ({ id, chargeId, createdAt }: Message): string => id ?? chargeId ?? createdAt;

/** One thread: what was said, the newest at the bottom, and a reply. */
export const Thread = ({ thread }: { thread: Conversation }) => {
  const cache = useQueryClient();
  const list = useRows(['thread', thread.id], (cursor, signal) =>
    readThread(thread.id, cursor, signal),
  );
  const talk = useRef<HTMLOListElement>(null);
  const newest = list.rows[0] && keyOf(list.rows[0]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest one comes into sight
  useLayoutEffect(() => {
    if (talk.current) talk.current.scrollTop = talk.current.scrollHeight;
  }, [newest]);
  const mayReply = useScope('messages:send');
  const again = () => {
    void cache.invalidateQueries({ queryKey: ['thread'] });
    void cache.invalidateQueries({ queryKey: ['threads'] });
  };
  return (
    <>
      <section className="talk" aria-label={`Conversation with ${nameOf(thread)}`}>
        <header className="talk-head">
          <div>
            <Link className="talk-back small" to={'/conversations' as never}>
              All conversations
            </Link>
            <h2>
              <Words text={nameOf(thread)} />
            </h2>
            <span className="muted small">
              <Phone of={thread.contact?.waId ?? thread.contact?.userId ?? null} />
            </span>
          </div>
          <WindowClock expiresAt={thread.windowExpiresAt} />
        </header>
        <CareBar thread={thread} onDone={again} />
        <HandoffBar thread={thread} onDone={again} />
        {list.isLoading && <Skeleton rows={6} />}
        {list.error && <ProblemNote problem={list.error} again={list.refetch} />}
        <ol className="bubbles" ref={talk}>
          {list.hasMore && (
            <li>
              <Button onClick={list.readMore}>Earlier messages</Button>
            </li>
          )}
          {list.rows.toReversed().map((message) => (
            <Bubble key={keyOf(message)} message={message} />
          ))}
        </ol>
        {mayReply && thread.windowOpen && (
          <Reply thread={thread} newest={list.rows[0]} onSent={again} />
        )}
        {mayReply && !thread.windowOpen && (
          <TemplateReply thread={thread} rows={list.rows} onSent={again} />
        )}
      </section>
      <Customer thread={thread} />
    </>
  );
};
