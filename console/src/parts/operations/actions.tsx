import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { AccountLink } from '../../ui/account-field.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Id, Time, Words } from '../../ui/value.tsx';

const read = async (cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 100, cursor };
  const { actions, nextCursor } = await bodyOf(
    api.GET('/admin/v1/actions', { params: { query }, signal }),
  );
  return { rows: actions, nextCursor };
};

type Row = Awaited<ReturnType<typeof read>>['rows'][number];

/** `CreditsGranted` as `credits granted`. */
const wordsOf = (type: string): string => type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

const columns: readonly Column<Row>[] = [
  { id: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
  { id: 'what', header: 'What', cell: ({ type }) => <strong>{wordsOf(type)}</strong> },
  {
    id: 'by',
    header: 'Who',
    cell: ({ by }) =>
      by ? <Words text={by.name ?? by.id} /> : <span className="muted">an API key</span>,
  },
  {
    id: 'subject',
    header: 'What was changed',
    cell: ({ subject }) => subject !== null && <Id value={subject} short />,
  },
  {
    id: 'account',
    header: 'Account',
    isMinor: true,
    cell: ({ accountId }) => accountId !== null && <AccountLink id={accountId} />,
  },
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
      <Table label="Actions of administrators" columns={columns} rowId={({ id }) => id} {...list} />
    </Page>
  );
};
