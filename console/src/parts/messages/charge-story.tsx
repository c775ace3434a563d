import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useSession } from '../../session/session.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { Id } from '../../ui/value.tsx';
import { ChargeCard } from './charge-facts.tsx';
import './messages.css';
import { type Charge, readCharge } from './read.ts';
import { chargeSteps, refundSteps } from './steps.ts';
import { TimelineList } from './timeline.tsx';

const whatOf = ({ state }: Charge): string =>
  ({
    open: 'The send is under way, or its outcome is not known yet.',
    kept: 'It paid for a message.',
    refunded: 'It was given back.',
  })[state];

const Sent = ({ charge }: { charge: Charge }) => (
  <Card title="Message">
    {charge.message?.id ? (
      <Link to={`/messages/${encodeURIComponent(charge.message.id)}` as never}>
        Open the message and what happened to it
      </Link>
    ) : (
      <Empty title="No message is recorded for it" />
    )}
    <Facts
      rows={[
        ['Recipient', charge.recipient],
        ['What', charge.reason],
        ['Number', charge.phoneNumberId],
      ]}
    />
  </Card>
);

/** A charge, also of a send that never became a message. */
export const ChargeStory = () => {
  const { session } = useSession();
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    queryKey: ['charge', id],
    queryFn: ({ signal }) => readCharge(session, id, signal),
  });
  const { data } = query;
  return (
    <Page title="Charge" lead={<Id value={id} />}>
      <QueryState query={query} />
      {data && (
        <>
          <div className="note verdict">
            <strong>{whatOf(data)}</strong>{' '}
            {data.refund && `Cause: ${data.refund.cause.replaceAll('_', ' ')}.`}
          </div>
          <div className="columns">
            <div className="stack">
              <Card title="What happened">
                <TimelineList steps={[...chargeSteps(data), ...refundSteps(data)]} />
              </Card>
              <Sent charge={data} />
            </div>
            <ChargeCard charge={data} />
          </div>
        </>
      )}
    </Page>
  );
};
