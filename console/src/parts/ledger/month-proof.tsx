import { Link } from '@tanstack/react-router';
import { useRows } from '../../api/queries.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Amount, eventWords, Time } from '../../ui/value.tsx';
import {
  chargeIn,
  download,
  type Entry,
  readEntries,
  readHeadProof,
  type Statement,
} from './read.ts';

const columns: readonly Column<Entry>[] = [
  { id: 'at', header: 'Time', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'charge',
    header: 'Charge',
    cell: ({ metadata, reason }) => {
      const id = chargeIn(metadata);
      if (id === undefined) return '–';
      return <Link to={`/charges/${id}` as never}>{eventWords(reason ?? 'charge')}</Link>;
    },
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Amount value={amount} sign />,
  },
];

/** Files with which others check a charge, or the account's newest link, against a seal. */
export const ProofStep = ({ statement, month }: { statement: Statement; month: string }) => {
  const { accountId, period } = statement;
  const filters = { type: 'DEDUCT' as const, since: period.from, until: period.to };
  const list = useRows(['ledger', accountId, filters], readEntries(accountId, filters, 20));
  const prove = async () =>
    download(`proof-${accountId}-${month}.json`, await readHeadProof(accountId));
  return (
    <div className="stack">
      <p>
        A proof leads from one charge to the root of a seal. Its holder checks it without this
        service: <code>waybill ledger proof --file proof.json --key …</code>, with the key of the
        seals. A charge has its own on its page, under “Where it stands in the books”.
      </p>
      <div>
        <ActButton act={prove}>Proof of the account</ActButton>
      </div>
      <Table
        label="Charges of the month"
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty title="No charge in this month" />}
        {...list}
      />
    </div>
  );
};
