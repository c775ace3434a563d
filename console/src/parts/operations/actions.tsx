import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { AccountLink } from '../../ui/account-field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { typeWords } from '../../ui/type-words.ts';
import { Id, Time, Words } from '../../ui/value.tsx';

const read = async (cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 100, cursor };
  const { actions, nextCursor } = await bodyOf(
    api.GET('/admin/v1/actions', { params: { query }, signal }),
  );
  return { rows: actions, nextCursor };
};

type Row = Awaited<ReturnType<typeof read>>['rows'][number];

/** What was changed, where neither the account nor who did it says so. */
const Subject = ({ row: { type, subject, subjectName, accountId } }: { row: Row }) => {
  if (subject === null || subject === accountId || type.startsWith('Session')) return null;
  return (
    <span className="muted small">
      {subjectName === null ? <Id value={subject} short /> : <Words text={subjectName} />}
    </span>
  );
};

const columns: readonly Column<Row>[] = [
  {
    id: 'what',
    header: 'What',
    cell: (row) => (
      <span className="two-lines">
        <strong>{typeWords(row.type)}</strong>
        <Subject row={row} />
      </span>
    ),
  },
  {
    id: 'by',
    header: 'Who',
    cell: ({ by }) =>
      by ? <Words text={by.name ?? by.id} /> : <span className="muted">an API key</span>,
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ accountId }) => accountId !== null && <AccountLink id={accountId} />,
  },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'request',
    header: 'Request',
    isMinor: true,
    cell: ({ requestId }) => <Id value={requestId} short />,
  },
];

/** Who changed what, and when: from the log, so nobody can take it back. */
export const Actions = () => {
  const list = useRows(['actions'], read);
  return (
    <Page title="Audit trail" lead="What administrators did, from the log.">
      <Table
        label="Actions of administrators"
        columns={columns}
        rowId={({ id }) => id}
        empty={
          <Empty title="Nothing was done yet">Opened accounts, keys, grants: all of it.</Empty>
        }
        {...list}
      />
    </Page>
  );
};
