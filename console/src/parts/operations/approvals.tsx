import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite, useSession } from '../../session/session.tsx';
import { AccountLink } from '../../ui/account-field.tsx';
import { Ask } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Json, Time, Words } from '../../ui/value.tsx';

const KEY = 'approvals';

const read = async (isAll: boolean, cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 50, cursor, state: isAll ? undefined : ('waiting' as const) };
  const { approvals, nextCursor } = await bodyOf(
    api.GET('/admin/v1/approvals', { params: { query }, signal }),
  );
  return { rows: approvals, nextCursor };
};

type Row = Awaited<ReturnType<typeof read>>['rows'][number];

const operations = {
  grant: 'A movement of money',
  plan: 'A change of plan',
  erasure: 'An erasure',
} as const;

const nameOf = (actor: Row['requestedBy'] | null) =>
  actor && <Words text={actor.name ?? actor.id} />;

const Decide = ({ row, onDone }: { row: Row; onDone: () => void }) => {
  const { session } = useSession();
  const params = { path: { id: row.id } };
  const isOwn = row.requestedBy.id === session.id;
  return (
    <span className="row">
      {isOwn ? (
        <span className="muted small">yours: another decides</span>
      ) : (
        <Ask
          label="Approve"
          title={`Approve: ${operations[row.operation].toLowerCase()}`}
          submit={async () => {
            await api.POST('/admin/v1/approvals/{id}/approve', { params });
            toast('Approved and done');
            onDone();
          }}
        >
          <p>
            {nameOf(row.requestedBy)} asked for it. It is done at once, in that name, with your yes
            beside it:
          </p>
          <Json value={row.body} />
        </Ask>
      )}
      <Ask
        label="Reject"
        title={`Reject: ${operations[row.operation].toLowerCase()}`}
        tone="danger"
        button="quiet"
        submit={async () => {
          await api.POST('/admin/v1/approvals/{id}/reject', { params });
          onDone();
        }}
      >
        <p>It is not done. Whoever wants it asks again.</p>
      </Ask>
    </span>
  );
};

/** What waits for the yes of another person. */
export const Approvals = () => {
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const [isAll, setAll] = useState(false);
  const list = useRows([KEY, isAll], (cursor, signal) => read(isAll, cursor, signal));
  const onDone = () => void cache.invalidateQueries({ queryKey: [KEY] });
  const columns: readonly Column<Row>[] = [
    { id: 'what', header: 'What', cell: ({ operation }) => operations[operation] },
    {
      id: 'account',
      header: 'Account',
      cell: ({ accountId }) =>
        accountId === null ? <span className="muted">–</span> : <AccountLink id={accountId} />,
    },
    { id: 'by', header: 'Asked by', cell: ({ requestedBy }) => nameOf(requestedBy) },
    { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: 'decided',
      header: 'Decided by',
      isMinor: true,
      cell: ({ decidedBy }) => nameOf(decidedBy) ?? '–',
    },
    {
      id: 'until',
      header: 'Waits until',
      isMinor: true,
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    {
      id: 'actions',
      header: '',
      align: 'end',
      cell: (row) =>
        mayWrite && row.state === 'waiting' ? <Decide row={row} onDone={onDone} /> : null,
    },
  ];
  return (
    <Page
      title="Approvals"
      lead="What an organisation asks two people for: one asks, another says yes within 24 hours."
    >
      <CheckField
        label="Also what is decided"
        name="all"
        checked={isAll}
        onChange={({ target }) => setAll(target.checked)}
      />
      <Table
        label="Approvals"
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty title="Nothing waits for a second person" />}
        {...list}
      />
    </Page>
  );
};
