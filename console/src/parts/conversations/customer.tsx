import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readFilled } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/page.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Id, Phone, Time, Words } from '../../ui/value.tsx';
import { whatOf } from '../attempts/attempt-list.tsx';
import { outcomeOf } from '../attempts/outcome.ts';
import { type Attempt, readAttempts } from '../attempts/read.ts';
import { addressOf, type Conversation } from './read.ts';

const SENT_SHOWN = 8;
const ORDERS_SHOWN = 5;
/** The provider's code of one who wants no marketing. */
const OPTED_OUT = '131050';

/** What is known of the customer's wish: WhatsApp says so when it refuses marketing. */
const Consent = ({ attempts }: { attempts: readonly Attempt[] }) => {
  const refused = attempts.find((one) => outcomeOf(one).code === OPTED_OUT);
  if (!refused) return <span className="muted">nothing said against marketing</span>;
  return (
    <>
      <Badge tone="warn">no marketing</Badge>{' '}
      <span className="muted small">
        said by WhatsApp, <Time at={refused.at} />
      </span>
    </>
  );
};

const Orders = ({ attempts }: { attempts: readonly Attempt[] }) => {
  const orders = [...new Set(attempts.flatMap(({ message }) => message?.clientReference ?? []))];
  if (orders.length === 0) return <p className="muted small">No message with a reference.</p>;
  return (
    <ul className="customer-list">
      {orders.slice(0, ORDERS_SHOWN).map((order) => (
        <li key={order}>
          <Link to="/find" search={{ q: order } as never}>
            <Words text={order} />
          </Link>
        </li>
      ))}
    </ul>
  );
};

const Sent = ({ attempts }: { attempts: readonly Attempt[] }) => {
  if (attempts.length === 0) return <p className="muted small">Nothing yet.</p>;
  return (
    <ul className="customer-list">
      {attempts.slice(0, SENT_SHOWN).map((attempt) => {
        const { id, at } = attempt;
        const { word, tone } = outcomeOf(attempt);
        return (
          <li key={id}>
            <Link to={`/charges/${encodeURIComponent(id)}` as never}>{whatOf(attempt)}</Link>
            <span className="row">
              <Badge tone={tone}>{word}</Badge>
              <span className="muted small">
                <Time at={at} />
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
};

/** Who the customer is, and what he was sent. */
export const Customer = ({ thread }: { thread: Conversation }) => {
  const { session } = useSession();
  const contact = addressOf(thread);
  const { data, error } = useQuery({
    queryKey: ['thread', thread.id, 'customer'],
    queryFn: async ({ signal }) => {
      const { rows } = await readFilled((cursor) =>
        readAttempts({ session }, { contact }, cursor, signal),
      );
      return rows;
    },
    enabled: contact !== undefined,
  });
  return (
    <aside className="customer" aria-label="The customer">
      <h2>
        <Words text={thread.contact?.name ?? 'Customer'} />
      </h2>
      <Facts
        rows={[
          ['Number', <Phone key="number" of={thread.contact?.waId ?? null} />],
          ['Id', thread.contact?.userId && <Id value={thread.contact.userId} short />],
          ['Since', <Time key="since" at={thread.createdAt} />],
          ['Messages', thread.messageCount],
          ['Consent', data && <Consent attempts={data} />],
        ]}
      />
      {error && <ProblemNote problem={error} />}
      {!data && !error && contact !== undefined && <Skeleton rows={3} />}
      {data && (
        <>
          <h3>Last orders</h3>
          <Orders attempts={data} />
          <h3>What was sent</h3>
          <Sent attempts={data} />
        </>
      )}
    </aside>
  );
};
