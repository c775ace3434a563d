import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import type { Session } from '../../session/api.ts';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, ProblemNote, Spinner } from '../../ui/states.tsx';
import { Words } from '../../ui/value.tsx';
import './find.css';

type Found = components['schemas']['FindResult'];

const read = async ({ kind }: Session, q: string, signal: AbortSignal) => {
  const init = { params: { query: { q } }, signal };
  const answer = kind === 'key' ? api.GET('/v1/find', init) : api.GET('/admin/v1/find', init);
  return (await bodyOf(answer)).results;
};

/** The page of a result. */
const pageOf = ({ kind, id, accountId }: Found, session: Session): string => {
  const messages = new URLSearchParams({ contact: id, ...(accountId && { account: accountId }) });
  const pages: Readonly<Record<Found['kind'], string>> = {
    message: `/messages/${encodeURIComponent(id)}`,
    charge: `/charges/${id}`,
    // Counts have no page of their own: the result says all that is known.
    refusal: '/',
    contact: `/messages?${messages}`,
    conversation: `/conversations/${encodeURIComponent(id)}`,
    number: session.kind === 'key' ? '/numbers' : `/accounts/${accountId}`,
    bot: `/bots/${id}`,
    account: `/accounts/${id}`,
    organisation: `/organisations/${id}`,
    key: `/accounts/${accountId}`,
    action: '/actions',
  };
  return pages[kind];
};

const Results = ({ results }: { results: readonly Found[] }) => {
  const { session } = useSession();
  return (
    <Card>
      <ul className="found">
        {results.map((one) => (
          <li key={`${one.kind}-${one.id}-${one.accountId}`}>
            <Link to={pageOf(one, session) as never} className="found-link">
              <Badge tone="info">{one.kind}</Badge>
              <span className="found-words">
                <code>{one.id}</code>
                {one.title !== null && <Words text={one.title} />}
              </span>
              <span className="muted small">{one.accountId !== one.id && one.accountId}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** What an id, a number or a name stands for. */
export const Find = () => {
  const { session } = useSession();
  const { q } = useSearch({ strict: false }) as { q: string };
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['find', q],
    queryFn: ({ signal }) => read(session, q, signal),
    enabled: q.length >= 2,
  });
  return (
    <Page title="Find" lead={q && <Words text={`“${q}”`} />}>
      {isLoading && <Spinner label="Looking" />}
      {error && <ProblemNote problem={error} again={() => void refetch()} />}
      {data?.length === 0 && (
        <Empty title="Nothing was found">
          Ids of messages, charges, ledger rows, numbers, bots, accounts and keys; customers’
          numbers with their country code; your references; names; the request id of an answer.
        </Empty>
      )}
      {data && data.length > 0 && <Results results={data} />}
      {q.length < 2 && <Empty title="Enter two characters at least" />}
    </Page>
  );
};
