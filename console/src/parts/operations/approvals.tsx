import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite, useSession } from '../../session/session.tsx';
import { AccountLink, OrganisationLink } from '../../ui/account-field.tsx';
import { Ask } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Facts, Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { creditWords, Time, Words } from '../../ui/value.tsx';
import { PlanName } from '../accounts/open-account.tsx';

const KEY = 'approvals';

const read = async (isAll: boolean, cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 50, cursor, state: isAll ? undefined : ('waiting' as const) };
  const { approvals, nextCursor } = await bodyOf(
    api.GET('/admin/v1/approvals', { params: { query }, signal }),
  );
  return { rows: approvals, nextCursor };
};

type Row = Awaited<ReturnType<typeof read>>['rows'][number];

type Deed = (body: Readonly<Record<string, unknown>>) => ReactNode;

const ACCOUNT = '/admin/v1/accounts/:id';

/** What is done with a yes, by the request that waits. */
const deeds: Readonly<Record<string, Deed>> = {
  [`POST ${ACCOUNT}/credits/grant`]: ({ amount }) => `Grant ${creditWords(Number(amount))}`,
  [`POST ${ACCOUNT}/credits/revoke`]: ({ amount }) => `Take back ${creditWords(Number(amount))}`,
  [`POST ${ACCOUNT}/wallet/top-up`]: ({ amount }) => `Top the wallet up by ${amount}`,
  [`POST ${ACCOUNT}/wallet/adjust`]: ({ amount }) => `Adjust the wallet by ${amount}`,
  [`PUT ${ACCOUNT}/plan`]: ({ planId }) => (
    <>
      Change the plan to <PlanName id={String(planId)} />
    </>
  ),
  'POST /admin/v1/erasures': () => 'Erase a contact for good',
  'POST /admin/v1/people/:id/erase': () => 'Erase a person for good',
  'PATCH /admin/v1/organisations/:id': ({ fourEyes }) =>
    `Ask two people for ${String(fourEyes).replaceAll(',', ', ') || 'nothing any more'}`,
};

const deedOf = ({ route, body }: Row): ReactNode => deeds[route]?.(body) ?? route;

const What = ({ row }: { row: Row }) => {
  const { reason } = row.body;
  return (
    <span className="two-lines">
      <span>{deedOf(row)}</span>
      {typeof reason === 'string' && (
        <span className="muted small">
          <Words text={reason} />
        </span>
      )}
    </span>
  );
};

const Whose = ({ row: { accountId, organisationId } }: { row: Row }) => {
  if (accountId !== null) return <AccountLink id={accountId} />;
  if (organisationId !== null) return <OrganisationLink id={organisationId} />;
  return 'all accounts';
};

const nameOf = (actor: Row['requestedBy'] | null) =>
  actor && <Words text={actor.name ?? actor.id} />;

/** What waits, whole: whoever decides reads it before. */
const Asked = ({ row }: { row: Row }) => (
  <Facts
    rows={[
      ['What', <What key="what" row={row} />],
      ['Whose', <Whose key="whose" row={row} />],
      ['Asked by', nameOf(row.requestedBy)],
      ['Asked', <Time key="at" at={row.createdAt} />],
    ]}
  />
);

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
          title="Say yes to this"
          action="Approve"
          submit={async () => {
            await api.POST('/admin/v1/approvals/{id}/approve', { params });
            toast('Approved and done');
            onDone();
          }}
        >
          <Asked row={row} />
          <p>It is done at once, in the name of who asked, with your yes beside it.</p>
        </Ask>
      )}
      <Ask
        label="Reject"
        title="Say no to this"
        action="Reject"
        tone="danger"
        button="quiet"
        submit={async () => {
          await api.POST('/admin/v1/approvals/{id}/reject', { params });
          onDone();
        }}
      >
        <Asked row={row} />
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
    { id: 'what', header: 'What', cell: (row) => <What row={row} /> },
    { id: 'whose', header: 'Whose', cell: (row) => <Whose row={row} /> },
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
        empty={
          <Empty title="Nothing waits for a second person">
            An organisation that asks for it has movements of money, changes of plan and erasures
            wait here.
          </Empty>
        }
        {...list}
      />
    </Page>
  );
};
