import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ActButton } from '../../ui/act-button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time } from '../../ui/value.tsx';
import { DownloadMovements } from './download-movements.tsx';
import './ledger.css';
import { MonthField } from './month-field.tsx';
import { StatementStep } from './month-statement.tsx';
import {
  downloadMonthProof,
  downloadStatement,
  readOwnStatement,
  type Statement,
  statementFormats,
  thisMonth,
} from './read.ts';

const Proof = ({ month, statement: { seal, final, chain } }: Props) => {
  if (chain.links === 0) return <p>Nothing moved in this month: there is nothing to prove.</p>;
  if (!final || !seal) {
    return <p>It is there once the month is over and sealed, early on the first day after it.</p>;
  }
  return (
    <div className="stack">
      <p>
        Seal {seal.number} of <Time at={seal.at} form="full" /> covers all {chain.links} movements.
        The file holds them as they were recorded, with what is personal encrypted, and the seal.
        Whoever has the key of the seals, which the operator hands out, checks it without us and
        counts the same statement again:
      </p>
      <pre className="json">
        {`waybill ledger verify --file proof-${month}.jsonl --key <key>\nwaybill statement --file proof-${month}.jsonl --month ${month}`}
      </pre>
      <div>
        <ActButton tone="primary" act={() => downloadMonthProof(month)}>
          Download the proof
        </ActButton>
      </div>
    </div>
  );
};

interface Props {
  month: string;
  statement: Statement;
}

/** A month of the viewer's own account, with all that closes it: statement, movements and proof. */
export const OwnMonth = () => {
  const { month = thisMonth() } = useSearch({ strict: false }) as { month?: string };
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['own-statement', month],
    queryFn: ({ signal }) => readOwnStatement(month, signal),
  });
  const { data } = query;
  const choose = (next: string) =>
    void navigate({ to: '/credits/month', search: { month: next } } as never);
  return (
    <Page
      title={`The month ${month}`}
      lead={<Link to={'/credits' as never}>Balance</Link>}
      actions={<MonthField month={month} choose={choose} />}
    >
      <QueryState query={query} label="Counting the month from the log" />
      {data && (
        <>
          <Card title="Statement">
            <StatementStep statement={data}>
              {statementFormats.map(([format, label]) => (
                <ActButton key={format} act={() => downloadStatement(month, format)}>
                  {label}
                </ActButton>
              ))}
            </StatementStep>
          </Card>
          <Card title="Movements">
            <div className="note-row">
              <span>Each top-up, charge and refund of the month, with the balance after it.</span>
              <DownloadMovements
                label="Download as CSV"
                name={`movements-${month}`}
                filters={{ since: data.period.from, until: data.period.to }}
              />
            </div>
          </Card>
          <Card title="Proof">
            <Proof month={month} statement={data} />
          </Card>
        </>
      )}
    </Page>
  );
};
