import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useSession } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Id, Json, Time, Words } from '../../ui/value.tsx';
import { ChargeCard } from './charge-facts.tsx';
import './messages.css';
import { contactOf, type Message, readStory, type Story } from './read.ts';
import { costOf, stepsOf } from './steps.ts';
import { TimelineList } from './timeline.tsx';

/** In one sentence: what became of it, why, and what it cost. */
const Verdict = ({ message, charge }: { message: Message; charge: Story['charge'] }) => {
  const { status, errorCode, errorMessage } = message;
  const isFailed = status === 'failed';
  const cost = charge && costOf(charge);
  return (
    <div className={`note verdict ${isFailed ? 'note-bad' : ''}`}>
      <strong>
        {isFailed
          ? `It failed${errorCode === null ? '' : ` with code ${errorCode}`}.`
          : `It is ${status ?? 'received'}.`}
      </strong>{' '}
      {errorMessage && <Words text={errorMessage} />}{' '}
      {charge?.refund && `Its cost, ${cost}, was given back.`}
      {charge && !charge.refund && `It cost ${cost}.`}{' '}
      {isFailed && errorCode !== null && <a href={`/docs/errors#${errorCode}`}>What to do</a>}
    </div>
  );
};

/** Conversations are pages of the account's own key. */
const ConversationLink = ({ id }: { id: string }) => {
  const { session } = useSession();
  if (session.kind === 'administrator') return <Id value={id} short />;
  return <Link to={`/conversations/${encodeURIComponent(id)}` as never}>open</Link>;
};

const MessageCard = ({ message }: { message: Message }) => (
  <Card title="Message">
    <Facts
      rows={[
        ['Status', <StateBadge key="status" state={message.status ?? message.direction} />],
        ['Customer', contactOf(message) ?? (message.erased ? 'erased' : null)],
        ['Name', message.contactName && <Words text={message.contactName} />],
        ['Event', message.event ?? message.templateName],
        ['Type', message.messageType],
        ['Text', message.text && <Words text={message.text} />],
        ['Sent', <Time key="at" at={message.createdAt} form="full" />],
        ['Reference', message.clientReference && <Words text={message.clientReference} />],
        ['Number', message.phoneNumberId],
        [
          'Conversation',
          message.conversationId && (
            <ConversationLink key="conversation" id={message.conversationId} />
          ),
        ],
        ['Id', message.id && <Id value={message.id} />],
      ]}
    />
    {message.content && (
      <details>
        <summary>As it was sent</summary>
        <Json value={message.content} />
      </details>
    )}
  </Card>
);

/** A message's whole story on one page. */
export const MessageStory = () => {
  const { session } = useSession();
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    queryKey: ['story', id],
    queryFn: ({ signal }) => readStory(session, id, signal),
    refetchInterval: 5_000,
  });
  const { data } = query;
  return (
    <Page title="Message" lead={<Id value={id} />}>
      <QueryState query={query} />
      {data && (
        <>
          {data.message && <Verdict message={data.message} charge={data.charge} />}
          <div className="columns">
            <Card title="What happened">
              <TimelineList steps={stepsOf(data)} />
            </Card>
            <div className="stack">
              {data.message && <MessageCard message={data.message} />}
              {data.charge && <ChargeCard charge={data.charge} providerCost={data.providerCost} />}
            </div>
          </div>
        </>
      )}
    </Page>
  );
};
