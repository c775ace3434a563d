import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { isTenant } from '../../session/api.ts';
import { useSession } from '../../session/session.tsx';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { eventWords, Id, Json, Phone, Time, Words } from '../../ui/value.tsx';
import { Why } from '../../ui/why.tsx';
import { outcomeOfMessage } from '../attempts/outcome.ts';
import { ChargeCard } from './charge-facts.tsx';
import { Explained } from './explained.tsx';
import './messages.css';
import { contactOf, type Message, readStory, type Story, stateOf } from './read.ts';
import { costOf, stepsOf } from './steps.ts';
import { TimelineList } from './timeline.tsx';

const costWords = (charge: Story['charge']): string => {
  if (!charge) return '';
  return charge.refund
    ? `Its cost, ${costOf(charge)}, was refunded.`
    : `It cost ${costOf(charge)}.`;
};

/** In one sentence: what became of it and what it cost; and why, where it did not arrive. */
const Verdict = ({ message, charge }: { message: Message; charge: Story['charge'] }) => {
  const { status, direction, errorCode, errorMessage } = message;
  if (direction === 'inbound') return null;
  const { word, tone, code } = outcomeOfMessage(status, errorCode);
  return (
    <div className={`note verdict ${tone === 'bad' ? 'note-bad' : ''}`}>
      <div>
        <strong>It {word === 'failed' ? 'failed' : `is ${word}`}.</strong> {costWords(charge)}
      </div>
      {code !== null && <Why code={code} said={errorMessage} />}
    </div>
  );
};

/** Conversations are pages of the account's own key. */
const ConversationLink = ({ id }: { id: string }) => {
  const { session } = useSession();
  if (session.kind === 'administrator') return <Id value={id} short />;
  return <Link to={`/conversations/${encodeURIComponent(id)}` as never}>Open it</Link>;
};

/** The customer, and the way to everything else that was to be sent to him. */
const Customer = ({ message }: { message: Message }) => {
  const contact = contactOf(message);
  if (contact === null) return <Phone of={null} />;
  const { accountId } = message;
  const asked = { contact: /^\d+$/.test(contact) ? `+${contact}` : contact };
  const search = accountId === undefined ? asked : { ...asked, account: accountId };
  return (
    <span className="row">
      <Phone of={contact} />
      {message.contactName && <Words text={message.contactName} />}
      <Link to={'/attempts' as never} search={search as never}>
        All attempts
      </Link>
    </span>
  );
};

const MessageCard = ({ message }: { message: Message }) => (
  <Card title="Message">
    <Facts
      rows={[
        ['State', <StateBadge key="status" state={stateOf(message)} />],
        ['Customer', <Customer key="customer" message={message} />],
        ['Text', message.text && <Words text={message.text} />],
        ['Time', <Time key="at" at={message.createdAt} />],
        ['Order or reference', message.clientReference && <Words text={message.clientReference} />],
        [
          'Conversation',
          message.conversationId && (
            <ConversationLink key="conversation" id={message.conversationId} />
          ),
        ],
        ['Id', message.id && <Id value={message.id} short />],
      ]}
    />
    {message.content && (
      <details>
        <summary>As it was sent, for developers</summary>
        <Json value={message.content} />
      </details>
    )}
  </Card>
);

const titleOf = (message: Message | null | undefined): string => {
  if (!message) return 'Message';
  const { event, templateName, messageType } = message;
  return eventWords(event ?? templateName ?? messageType);
};

const Lead = ({ message }: { message: Message | null | undefined }) =>
  message && (
    <span className="row">
      {message.direction === 'inbound' ? 'from' : 'to'} <Phone of={contactOf(message)} />
      {message.erased && <Badge>erased</Badge>}
    </span>
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
    <Page title={titleOf(data?.message)} lead={<Lead message={data?.message} />}>
      <QueryState query={query} />
      {data && (
        <>
          {data.message && <Verdict message={data.message} charge={data.charge} />}
          <div className="columns">
            <div className="stack">
              <Card title="What happened">
                <TimelineList steps={stepsOf(data)} />
              </Card>
              {data.charge && <ChargeCard charge={data.charge} providerCost={data.providerCost} />}
              {isTenant(session) && data.charge && <Explained messageId={id} />}
            </div>
            {data.message && <MessageCard message={data.message} />}
          </div>
        </>
      )}
    </Page>
  );
};
