import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useRows } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { AccountField } from '../../ui/account-field.tsx';
import { textIn } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Cost, eventWords, Phone, Time, Words } from '../../ui/value.tsx';
import { WhyShort } from '../../ui/why.tsx';
import './messages.css';
import type { MessageFilters } from './filters.ts';
import { contactOf, type Message, readMessages, stateOf } from './read.ts';

const statuses = ['', 'sent', 'delivered', 'read', 'failed'];

const columns: readonly Column<Message>[] = [
  {
    id: 'contact',
    header: 'Customer',
    cell: (message) => (
      <span className="two-lines">
        <Phone of={contactOf(message)} />
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
      <span className="two-lines">
        <span>{eventWords(event ?? templateName ?? messageType)}</span>
        {text && (
          <span className="muted small one-line">
            <Words text={text} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ status, direction, errorCode }) => (
      <span className="two-lines">
        <StateBadge state={stateOf({ status, direction })} />
        {status === 'failed' && errorCode !== null && <WhyShort code={errorCode} />}
      </span>
    ),
  },
  {
    id: 'cost',
    header: 'Cost',
    align: 'end',
    isMinor: true,
    cell: ({ creditsCharged, price, currency, refunded }) =>
      refunded ? (
        <span className="muted">refunded</span>
      ) : (
        <Cost credits={creditsCharged} price={price} currency={currency} />
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
    choose({
      account: filters.account,
      contact: textIn(form, 'contact'),
      reference: textIn(form, 'reference'),
      status: textIn(form, 'status'),
    });
  };
  return (
    <div className="filter-bar">
      {session.kind === 'administrator' && (
        <AccountField
          value={filters.account}
          onChoose={(account) => choose({ ...filters, account })}
        />
      )}
      <form className="filters" onSubmit={submit} key={JSON.stringify(filters)}>
        <TextField label="Customer" name="contact" defaultValue={filters.contact} />
        <TextField label="Order or reference" name="reference" defaultValue={filters.reference} />
        {session.kind === 'key' && (
          <SelectField
            label="State"
            name="status"
            defaultValue={filters.status}
            options={statuses.map((value) => ({ value, label: value || 'any' }))}
          />
        )}
        <Button type="submit">Show</Button>
      </form>
    </div>
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
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title="Messages" lead="What went out, and what customers wrote.">
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
          empty={
            isFiltered ? (
              <Empty title="No message fits">
                What was refused before it went out is on the page Attempts.
              </Empty>
            ) : (
              <Empty title="No message yet">Send the first one on the page Send.</Empty>
            )
          }
          {...list}
        />
      ) : (
        <Empty title="Choose an account first">
          Or enter a number, an order or an id in the box at the top: it looks in all accounts.
        </Empty>
      )}
    </Page>
  );
};
