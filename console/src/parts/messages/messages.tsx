import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useRows } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';
import './messages.css';
import type { MessageFilters } from './filters.ts';
import { contactOf, type Message, readMessages } from './read.ts';

const statuses = ['', 'sent', 'delivered', 'read', 'failed'];

const columns: readonly Column<Message>[] = [
  {
    id: 'state',
    header: 'Status',
    cell: ({ status, direction }) => <StateBadge state={status ?? direction} />,
  },
  {
    id: 'contact',
    header: 'Customer',
    cell: (message) => (
      <span className="who-cell">
        <span>{contactOf(message) ?? 'erased'}</span>
        {message.contactName && (
          <span className="muted small">
            <Words text={message.contactName} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'what',
    header: 'Message',
    cell: ({ event, templateName, messageType, text }) => (
      <span className="what-cell">
        <span>{event ?? templateName ?? messageType}</span>
        {text && (
          <span className="muted small one-line">
            <Words text={text} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'cost',
    header: 'Cost',
    align: 'end',
    isMinor: true,
    cell: ({ price, currency, refunded }) => (
      <span>
        {price ?? '–'} <span className="muted">{price !== null && currency}</span>
        {refunded && <span className="muted small"> refunded</span>}
      </span>
    ),
  },
  { id: 'at', header: 'Time', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const Filters = ({
  filters,
  choose,
}: {
  filters: MessageFilters;
  choose: (filters: MessageFilters) => void;
}) => {
  const { session } = useSession();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    choose({
      account: value('account'),
      contact: value('contact'),
      reference: value('reference'),
      status: value('status'),
    });
  };
  return (
    <form className="filters" onSubmit={submit} key={JSON.stringify(filters)}>
      {session.kind === 'administrator' && (
        <TextField label="Account" name="account" defaultValue={filters.account} required />
      )}
      <TextField label="Customer" name="contact" defaultValue={filters.contact} />
      <TextField label="Reference" name="reference" defaultValue={filters.reference} />
      {session.kind === 'key' && (
        <SelectField
          label="Status"
          name="status"
          defaultValue={filters.status}
          options={statuses.map((value) => ({ value, label: value || 'any' }))}
        />
      )}
      <Button type="submit">Show</Button>
    </form>
  );
};

/** The history: of the account of the key, or of an account that an administrator names. */
export const Messages = () => {
  const { session } = useSession();
  const filters = useSearch({ strict: false }) as MessageFilters;
  const navigate = useNavigate();
  const isReady = session.kind === 'key' || filters.account !== undefined;
  const list = useRows(
    ['messages', filters],
    (cursor, signal) => readMessages(session, filters, cursor, signal),
    { enabled: isReady },
  );
  return (
    <Page title="Messages">
      <Filters
        filters={filters}
        choose={(search) => void navigate({ to: '/messages', search } as never)}
      />
      {isReady ? (
        <Table
          label="Messages"
          columns={columns}
          rowId={({ id, createdAt }) => id ?? createdAt}
          onOpen={({ id, chargeId }) => {
            const to = id === null ? `/charges/${chargeId}` : `/messages/${encodeURIComponent(id)}`;
            void navigate({ to } as never);
          }}
          empty={<Empty title="No message fits these filters" />}
          {...list}
        />
      ) : (
        <Empty title="Choose an account">
          Or enter the id of a message, a charge or a customer’s number above.
        </Empty>
      )}
    </Page>
  );
};
