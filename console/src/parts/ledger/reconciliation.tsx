import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { AccountLink } from '../../ui/account-field.tsx';
import { Page, Stat } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Amount, Time } from '../../ui/value.tsx';
import './ledger.css';
import { Light } from './light.tsx';
import { MonthField } from './month-field.tsx';
import { thisMonth } from './read.ts';

type Result = components['schemas']['Reconciliation'];
type Difference = Result['differences'][number];

const kinds: Readonly<Record<Difference['kind'], string>> = {
  charged_not_billable: 'Charged, though WhatsApp bills nothing',
  billed_not_charged: 'Billed by WhatsApp, and not charged',
  other_category: 'Billed in another category',
  failed_kept: 'Failed, and the charge was kept',
  no_word: 'Sent, and no status came',
};

const columns: readonly Column<Difference>[] = [
  {
    id: 'kind',
    header: 'What is left over',
    cell: ({ kind, byPlan }) => (
      <span className="chain-cell">
        <span>{kinds[kind]}</span>
        {byPlan && <span className="muted small">as the plan wants it</span>}
      </span>
    ),
  },
  {
    id: 'charge',
    header: 'Message',
    cell: ({ chargeId, messageId }) => {
      if (chargeId !== null) return <Link to={`/charges/${chargeId}` as never}>Its story</Link>;
      if (messageId === null) return '–';
      return <Link to={`/messages/${encodeURIComponent(messageId)}` as never}>Its story</Link>;
    },
  },
  {
    id: 'account',
    header: 'Account',
    isMinor: true,
    cell: ({ accountId }) => <AccountLink id={accountId} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    isMinor: true,
    cell: ({ amount, unit }) => <Amount value={amount} unit={unit} />,
  },
  { id: 'at', header: 'Time', isMinor: true, cell: ({ at }) => <Time at={at} /> },
];

const Found = ({ result }: { result: Result }) => {
  const { ok, charges, differenceCount, byPlanCount, undelivered, differences } = result;
  return (
    <>
      <div className="tiles">
        <Stat name="Charges compared">{charges}</Stat>
        <Stat name="Left over">{differenceCount}</Stat>
        <Stat name="Of these as the plan wants it">{byPlanCount}</Stat>
        <Stat name="Not delivered yet">{undelivered}</Stat>
      </div>
      <Light state={ok ? 'good' : 'bad'}>
        {ok
          ? `${charges} charges agree with what WhatsApp said of their messages.`
          : 'Some charges do not agree with what WhatsApp said.'}
      </Light>
      <Table
        label="What is left over"
        columns={columns}
        rows={differences}
        rowId={(row) => `${row.kind}-${row.chargeId}-${row.messageId}-${row.at}`}
        empty={<Empty title="Nothing is left over">Every charge has its reason.</Empty>}
      />
    </>
  );
};

/** The charges of a month beside what the provider says that it bills. */
export const Reconciliation = () => {
  const { month = thisMonth() } = useSearch({ strict: false }) as { month?: string };
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['reconciliation', month],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/admin/v1/reconciliation', { params: { query: { month } }, signal })),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const { data } = query;
  const choose = (next: string) =>
    void navigate({ to: '/reconciliation', search: { month: next } } as never);
  return (
    <Page
      title="Reconciliation"
      lead="Charges beside what WhatsApp said of their messages, counted from the log."
      actions={<MonthField month={month} choose={choose} />}
    >
      <QueryState query={query} label="Reading the month from the log" />
      {data && <Found result={data} />}
    </Page>
  );
};
