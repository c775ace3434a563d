import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { isTenant, type Session } from '../../session/api.ts';
import { seesContents } from '../../session/rights.ts';
import { useSession } from '../../session/session.tsx';
import { useAccountName } from '../../ui/account-field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { typeWords } from '../../ui/type-words.ts';
import { eventWords, Phone, Words } from '../../ui/value.tsx';
import { Answer } from './answer.tsx';
import './find.css';
import { accountsIn, contactIn, type Found } from './sought.ts';

/** Accounts whose attempts are read side by side. */
const ACCOUNTS_MAX = 3;
const CUSTOMERS_MAX = 20;

/** A customer whom a name leads to. */
interface Customer {
  /** Digits, or a user id of the provider. */
  id: string;
  name: string | null;
  /** For an administrator. */
  accountId?: string | null;
}

interface Everything {
  results: readonly Found[];
  customers: readonly Customer[];
}

const customersIn = (
  conversations: readonly components['schemas']['Conversation'][],
): readonly Customer[] => {
  const all = conversations.flatMap(({ contact }) => {
    const id = contact?.waId ?? contact?.userId;
    // A role without contents sees four digits, which lead nowhere.
    return id && !id.startsWith('…') ? [{ id, name: contact?.name ?? null }] : [];
  });
  return [...new Map(all.map((one) => [one.id, one])).values()];
};

/** A customer who was found by a name, as none is by a number. */
const isNamed = ({ kind }: Found, q: string): boolean =>
  kind === 'contact' && contactIn(q) === undefined;

/** What the text stands for; names lead to customers, whose numbers are then known. */
const read = async (session: Session, q: string, signal: AbortSignal): Promise<Everything> => {
  const init = { params: { query: { q } }, signal };
  if (session.kind !== 'key') {
    const { results } = await bodyOf(api.GET('/admin/v1/find', init));
    const named = results.filter((one) => isNamed(one, q));
    const customers = named.map(({ id, title: name, accountId }) => ({ id, name, accountId }));
    return { results: results.filter((one) => !isNamed(one, q)), customers };
  }
  // A role without contents may not search by names.
  const isName = seesContents(session) && contactIn(q) === undefined && q.length <= 100;
  const query = { limit: CUSTOMERS_MAX, search: q };
  const [{ results }, { conversations }] = await Promise.all([
    bodyOf(api.GET('/v1/find', init)),
    isName
      ? bodyOf(api.GET('/v1/conversations', { params: { query }, signal }))
      : { conversations: [] },
  ]);
  return { results, customers: customersIn(conversations) };
};

const words: Readonly<Record<Found['kind'], string>> = {
  message: 'Message',
  charge: 'Charge',
  refusal: 'Refusal',
  contact: 'Customer',
  conversation: 'Conversation',
  number: 'Your number',
  bot: 'Bot',
  account: 'Account',
  organisation: 'Organisation',
  key: 'API key',
  action: 'Action',
};

/** The page of a result. */
const pageOf = ({ kind, id, accountId }: Found, session: Session): string => {
  const messages = new URLSearchParams({ contact: id, ...(accountId && { account: accountId }) });
  const pages: Readonly<Record<Found['kind'], string>> = {
    message: `/messages/${encodeURIComponent(id)}`,
    charge: `/charges/${id}`,
    refusal: '/attempts',
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

/** The answers above say more of these. */
const isAnswered = ({ kind }: Found): boolean => kind === 'contact' || kind === 'refusal';

/** The attempts of an order say more of these, where they are still known. */
const isOrdered = ({ kind, title }: Found, q: string): boolean => kind === 'message' && title === q;

/** A name, a text or what it was for. Only an erased message and a customer without a name have none. */
const titleOf = ({ kind, title }: Found): string => {
  if (title === null) return 'Open it';
  if (kind === 'charge') return eventWords(title);
  return kind === 'action' ? typeWords(title) : title;
};

const Others = ({ results }: { results: readonly Found[] }) => {
  const { session } = useSession();
  if (results.length === 0) return null;
  return (
    <Card title="Found">
      <ul className="found">
        {results.map((one) => (
          <li key={`${one.kind}-${one.id}-${one.accountId}`}>
            <Link to={pageOf(one, session) as never} className="found-link">
              <span className="muted">{words[one.kind]}</span>
              <span className="found-words">
                <Words text={titleOf(one)} />
                {!/^(conversation|action)$/.test(one.kind) && (
                  <span className="muted small one-line">{one.id}</span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const CustomerEntry = ({ customer: { id, name, accountId } }: { customer: Customer }) => {
  const account = useAccountName(accountId ?? undefined);
  const isNumber = /^\d+$/.test(id);
  return (
    <Link
      to={'/find' as never}
      search={{ q: isNumber ? `+${id}` : id } as never}
      className="found-link"
    >
      <span className="muted">Customer</span>
      <span className="found-words">
        <Words text={name ?? id} />
        <span className="muted small">
          <Phone of={id} /> {account !== undefined && <Words text={`of ${account}`} />}
        </span>
      </span>
    </Link>
  );
};

const Customers = ({ customers }: { customers: readonly Customer[] }) => (
  <Card title="Customers">
    <ul className="found">
      {customers.map((customer) => (
        <li key={`${customer.accountId} ${customer.id}`}>
          <CustomerEntry customer={customer} />
        </li>
      ))}
    </ul>
  </Card>
);

const Answers = ({ q, results, customers }: Everything & { q: string }) => {
  const { session } = useSession();
  const accounts = accountsIn(results).slice(0, ACCOUNTS_MAX);
  const hasAnswer = ({ accountId }: Found) =>
    isTenant(session) || accounts.some((id) => id === accountId);
  const others = results.filter(
    (one) => !isAnswered(one) && !(isOrdered(one, q) && hasAnswer(one)),
  );
  const orderedIn = (some: readonly Found[]) => some.filter((one) => isOrdered(one, q));
  const ofAccount = (accountId: string) => results.filter((one) => one.accountId === accountId);
  const isNothing = results.length === 0 && customers.length === 0 && contactIn(q) === undefined;
  const nothing = isNothing && (
    <Empty title="Nothing was found">
      Look for a customer’s number with its country code, a customer’s name, the number of an order
      as your program gave it, or the id of a message, a charge or a request.
    </Empty>
  );
  return (
    <>
      {customers.length > 0 && <Customers customers={customers} />}
      {isTenant(session) ? (
        <Answer
          q={q}
          found={results}
          otherwise={nothing || <Others results={orderedIn(results)} />}
        />
      ) : (
        accounts.map((id) => (
          <Answer
            key={id}
            q={q}
            found={ofAccount(id)}
            accountId={id}
            otherwise={<Others results={orderedIn(ofAccount(id))} />}
          />
        ))
      )}
      {!isTenant(session) && nothing}
      {!isTenant(session) && results.length + customers.length === 0 && !isNothing && (
        <Empty title="No account knows this number">
          Refusals name the last recipient of a minute alone: look at the attempts of the shop, too.
        </Empty>
      )}
      <Others results={others} />
    </>
  );
};

/** What was sent to a customer, for an order or by a request, and whatever else a text stands for. */
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
      {isLoading && <Skeleton label="Looking" />}
      {error && <ProblemNote problem={error} again={() => void refetch()} />}
      {data && <Answers q={q} {...data} />}
      {q.length < 2 && (
        <Empty title="Enter two characters at least">
          Such as a customer’s number, an order, or the id of a message or a request.
        </Empty>
      )}
    </Page>
  );
};
