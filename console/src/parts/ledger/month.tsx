import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Card, Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Words } from '../../ui/value.tsx';
import { useAccount } from '../accounts/read.ts';
import './ledger.css';
import { MonthField } from './month-field.tsx';
import { ProofStep } from './month-proof.tsx';
import { SealStep } from './month-seal.tsx';
import { StatementStep } from './month-statement.tsx';
import { VerifyStep } from './month-verify.tsx';
import { readStatement, statementFormats, thisMonth } from './read.ts';

const Files = ({ accountId, month }: { accountId: string; month: string }) =>
  statementFormats.map(([format, words]) => (
    <a
      key={format}
      className="button"
      href={`/api/admin/v1/accounts/${accountId}/statement?month=${month}&format=${format}`}
      {...(format === 'html'
        ? { target: '_blank', rel: 'noopener' }
        : { download: `statement-${accountId}-${month}.${format}` })}
    >
      {words}
    </a>
  ));

/** A month of an account, proved in four steps: what it was, that it is so, and that nobody changed it. */
export const Month = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const { month = thisMonth() } = useSearch({ strict: false }) as { month?: string };
  const navigate = useNavigate();
  const account = useAccount(id);
  const query = useQuery({
    queryKey: ['ledger', id, 'statement', month],
    queryFn: ({ signal }) => readStatement(id, month, signal),
  });
  const { data } = query;
  const choose = (next: string) =>
    void navigate({ to: `/accounts/${id}/month`, search: { month: next } } as never);
  return (
    <Page
      title={`Prove ${month}`}
      lead={
        <Link to={`/accounts/${id}` as never}>
          <Words text={account.data?.name ?? 'The account'} />
        </Link>
      }
      actions={<MonthField month={month} choose={choose} />}
    >
      <QueryState query={query} label="Counting the month from the log" />
      {data && (
        <ol className="guide" key={`${month}-${data.chain.last?.hash}`}>
          <li>
            <Card title="1 · The statement: what the month was">
              <StatementStep statement={data}>
                <Files accountId={id} month={month} />
              </StatementStep>
            </Card>
          </li>
          <li>
            <Card title="2 · Verify: the log says so">
              <VerifyStep statement={data} />
            </Card>
          </li>
          <li>
            <Card title="3 · The seal: nobody changed it since">
              <SealStep statement={data} />
            </Card>
          </li>
          <li>
            <Card title="4 · Proofs: for someone who trusts nobody here">
              <ProofStep statement={data} month={month} />
            </Card>
          </li>
        </ol>
      )}
    </Page>
  );
};
