import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Cost, creditWords, eventWords, Phone, Time } from '../../ui/value.tsx';
import { Why, WhyShort } from '../../ui/why.tsx';
import './attempts.css';
import { outcomeOf } from './outcome.ts';
import type { Attempt, Refusal } from './read.ts';

interface List<Row> {
  rows: readonly Row[];
  error: unknown;
  isLoading: boolean;
  hasMore: boolean;
  isReadingMore: boolean;
  readMore: () => void;
  refetch: () => void;
}

const pathOf = ({ id, metaMessageId }: Attempt): string =>
  metaMessageId === null ? `/charges/${id}` : `/messages/${encodeURIComponent(metaMessageId)}`;

/** What was to be sent, in words. */
export const whatOf = ({ event, templateName, channel }: Attempt): string =>
  eventWords(event ?? templateName ?? (channel === 'text' ? 'reply' : channel));

/** `isSame`: the row before has the same reason, and says what to do about it. */
const Row = ({ attempt, isSame }: { attempt: Attempt; isSame: boolean }) => {
  const { word, tone, code } = outcomeOf(attempt);
  const { at, to, contactUserId, charged, refunded, price, currency, error, message } = attempt;
  const isUnknown = attempt.state === 'accepted' && !message;
  const wasRefunded = String(refunded) !== '0' && Number(refunded) > 0;
  const credits = typeof charged === 'number' ? charged : null;
  return (
    <li className="attempt">
      <div className="attempt-head">
        <Badge tone={tone}>{word}</Badge>
        <Link to={pathOf(attempt) as never} className="attempt-what">
          {whatOf(attempt)}
        </Link>
        <span className="muted">
          to <Phone of={to ?? contactUserId} />
        </span>
        <span className="attempt-end">
          {wasRefunded ? (
            <span className="muted">
              {credits === null ? price : creditWords(credits)} refunded
            </span>
          ) : (
            <Cost credits={credits} price={price} currency={currency} />
          )}
        </span>
        <span className="muted small attempt-time">
          <Time at={at} />
        </span>
      </div>
      {isUnknown && (
        <span className="muted small">What became of it then is not known here: open it.</span>
      )}
      {code !== null && isSame && <WhyShort code={code} />}
      {code !== null && !isSame && <Why code={code} said={message?.errorMessage ?? error?.title} />}
    </li>
  );
};

/** What is there of a list, and how to get the rest. Nothing is there only where the list has ended. */
const Frame = ({
  list,
  empty,
  children,
}: {
  list: List<unknown>;
  empty: string;
  children: ReactNode;
}) => {
  if (list.isLoading) return <Skeleton />;
  const isEmpty = list.rows.length === 0;
  return (
    <>
      {list.error !== null && <ProblemNote problem={list.error} again={list.refetch} />}
      {isEmpty && !list.hasMore && list.error === null && <Empty title={empty} />}
      {isEmpty && list.hasMore && <p className="muted">None among the newest.</p>}
      {!isEmpty && children}
      {list.hasMore && (
        <Button isBusy={list.isReadingMore} onClick={list.readMore}>
          Earlier ones
        </Button>
      )}
    </>
  );
};

/** Attempts to send, each with what became of it, and why. */
export const AttemptList = ({ empty, ...list }: List<Attempt> & { empty: string }) => (
  <Frame list={list} empty={empty}>
    <ul className="attempts" aria-label="Attempts">
      {list.rows.map((attempt, at) => {
        const before = list.rows[at - 1];
        const isSame = before !== undefined && outcomeOf(before).code === outcomeOf(attempt).code;
        return <Row key={attempt.id} attempt={attempt} isSame={isSame} />;
      })}
    </ul>
  </Frame>
);

/** Sends that were refused before an attempt, each count with its reason. */
export const RefusalList = ({ empty, ...list }: List<Refusal> & { empty: string }) => (
  <Frame list={list} empty={empty}>
    <ul className="attempts" aria-label="Refused sends">
      {list.rows.map(({ code, minute, count, to, lastRequestId }) => (
        <li key={`${minute}-${code}`} className="attempt">
          <div className="attempt-head">
            <Badge tone="bad">refused</Badge>
            <span className="attempt-what">
              {count === 1 ? 'One message' : `${count} messages`}
            </span>
            <span className="muted">
              {to === null ? 'to nobody who is known' : count === 1 ? 'to ' : 'the last one to '}
              {to !== null && <Phone of={to} />}
            </span>
            <span className="attempt-end muted small">nothing charged</span>
            <span className="muted small attempt-time">
              <Time at={minute} />
            </span>
          </div>
          <Why code={code} />
          <span className="muted small">Request {lastRequestId}</span>
        </li>
      ))}
    </ul>
  </Frame>
);
