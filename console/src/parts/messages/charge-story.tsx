import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useSession } from '../../session/session.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { eventWords, Phone } from '../../ui/value.tsx';
import { Why } from '../../ui/why.tsx';
import { outcomeOf } from '../attempts/outcome.ts';
import { readAttempts } from '../attempts/read.ts';
import { ChargeCard } from './charge-facts.tsx';
import './messages.css';
import { type Charge, readCharge } from './read.ts';
import { causeWords, chargeSteps, costOf, refundSteps } from './steps.ts';
import { TimelineList } from './timeline.tsx';

const whatOf = (charge: Charge): string => {
  const { state, refund, message } = charge;
  if (state === 'open') return 'It is under way, or nobody knows yet what became of it.';
  if (refund) {
    const sent = message ? 'The message was taken' : 'Nothing was sent';
    return `${sent}; ${costOf(charge)} was refunded, because ${causeWords(refund.cause)}.`;
  }
  return `It paid for a message: ${costOf(charge)}.`;
};

/** Why there is no message: the attempt's reason, found by its request. */
const Reason = ({ charge }: { charge: Charge }) => {
  const { session } = useSession();
  const { id, accountId, requestId } = charge;
  const { data } = useQuery({
    queryKey: ['attempts', accountId, { requestId }],
    queryFn: ({ signal }) => readAttempts({ session, accountId }, { requestId }, undefined, signal),
  });
  const attempt = data?.rows.find((one) => one.id === id);
  const code = attempt && outcomeOf(attempt).code;
  return code ? <Why code={code} said={attempt.error?.title} /> : null;
};

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
    <Page
      title={data ? eventWords(data.reason) : 'Charge'}
      lead={
        data && (
          <span>
            to <Phone of={data.recipient} />
          </span>
        )
      }
    >
      <QueryState query={query} />
      {data && (
        <>
          <div className={`note verdict ${data.refund && !data.message ? 'note-bad' : ''}`}>
            <strong>{whatOf(data)}</strong>
            {!data.message && <Reason charge={data} />}
          </div>
          <div className="columns">
            <Card title="What happened">
              <TimelineList steps={[...chargeSteps(data), ...refundSteps(data)]} />
              <Facts
                rows={[
                  [
                    'Message',
                    data.message?.id ? (
                      <Link
                        key="message"
                        to={`/messages/${encodeURIComponent(data.message.id)}` as never}
                      >
                        What happened to it
                      </Link>
                    ) : (
                      'none'
                    ),
                  ],
                ]}
              />
            </Card>
            <ChargeCard charge={data} />
          </div>
        </>
      )}
    </Page>
  );
};
