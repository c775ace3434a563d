import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useRows } from '../../api/queries.ts';
import { textIn } from '../../ui/ask.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { localOf, momentOf } from '../../ui/times.ts';
import { Amount, eventWords, Id, Time, Words } from '../../ui/value.tsx';
import type { Account } from '../accounts/read.ts';
import { causeWords } from '../messages/steps.ts';
import { AsOf } from './as-of.tsx';
import './ledger.css';
import {
  chargeIn,
  type Entry,
  type LedgerFilters,
  type MovementType,
  readEntries,
} from './read.ts';

/** Movements in the words that every page has for them. */
const kinds = {
  DEDUCT: ['charged', 'neutral'],
  REFUND: ['refunded', 'warn'],
  GRANT: ['topped up', 'good'],
  REVOKE: ['taken back', 'warn'],
} as const;

export const movementColumns: readonly Column<
  Pick<Entry, 'type' | 'amount' | 'balanceAfter' | 'reason' | 'grantedBy' | 'createdAt' | 'cause'>
>[] = [
  {
    id: 'type',
    header: 'Movement',
    cell: ({ type, createdAt }) => (
      <span className="two-lines">
        <Badge tone={kinds[type][1]}>{kinds[type][0]}</Badge>
        <span className="muted small">
          <Time at={createdAt} />
        </span>
      </span>
    ),
  },
  {
    id: 'reason',
    header: 'Why',
    isMinor: true,
    cell: ({ reason, grantedBy, cause }) => (
      <span className="two-lines">
        <span>{reason === null ? '–' : <Words text={whatOf(reason)} />}</span>
        <span className="muted small">
          {grantedBy && <Words text={`by ${grantedBy.name}`} />}
          {cause && causeWords(cause)}
        </span>
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Amount value={amount} sign />,
  },
  {
    id: 'balance',
    header: 'Balance after',
    align: 'end',
    cell: ({ balanceAfter }) => <Amount value={balanceAfter} />,
  },
];

/** What was charged for, in words; the reason of a grant as it was written. */
const whatOf = (reason: string): string =>
  /^(template:|bot:|[a-z]+(_[a-z]+)+$)/.test(reason) ? eventWords(reason) : reason;

const columns: readonly Column<Entry>[] = [
  ...movementColumns,
  { id: 'hash', header: 'Hash', isMinor: true, cell: ({ hash }) => <Id value={hash} short /> },
];

const momentIn = (form: FormData, name: string): string | undefined => {
  const local = textIn(form, name);
  return local === undefined ? undefined : momentOf(local);
};

/** The value of a field for a moment of the address, which anybody may have written. */
const fieldOf = (moment: string | undefined): string | undefined => {
  const time = Date.parse(moment ?? '');
  return Number.isNaN(time) ? undefined : localOf(time);
};

export const MovementFilters = ({
  filters,
  choose,
}: {
  filters: LedgerFilters;
  choose: (filters: LedgerFilters) => void;
}) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const type = String(form.get('type'));
    choose({
      type: type === '' ? undefined : (type as MovementType),
      since: momentIn(form, 'since'),
      until: momentIn(form, 'until'),
    });
  };
  return (
    <form className="filters" onSubmit={submit} key={JSON.stringify(filters)}>
      <SelectField
        label="Movement"
        name="type"
        defaultValue={filters.type}
        options={[
          { value: '', label: 'any' },
          ...Object.entries(kinds).map(([value, [label]]) => ({ value, label })),
        ]}
      />
      <TextField
        label="Since"
        name="since"
        type="datetime-local"
        defaultValue={fieldOf(filters.since)}
      />
      <TextField
        label="Until"
        name="until"
        type="datetime-local"
        defaultValue={fieldOf(filters.until)}
      />
      <Button type="submit">Show</Button>
    </form>
  );
};

/** Every movement of an account with the balance after it, and the balance of any moment. */
export const Ledger = ({ account }: { account: Account }) => {
  const { id } = account;
  const navigate = useNavigate();
  const [filters, setFilters] = useState<LedgerFilters>({});
  const list = useRows(['ledger', id, filters], readEntries(id, filters));
  const open = ({ metadata }: Entry) => {
    const chargeId = chargeIn(metadata);
    if (chargeId !== undefined) void navigate({ to: `/charges/${chargeId}` } as never);
  };
  return (
    <div className="stack">
      <AsOf account={account} />
      <div className="ledger-head">
        <MovementFilters filters={filters} choose={setFilters} />
        <Link className="button button-primary" to={`/accounts/${id}/month` as never}>
          Prove a month
        </Link>
      </div>
      <Table
        label="Movements"
        columns={columns}
        rowId={(entry) => entry.id}
        onOpen={open}
        empty={<Empty title="No movement fits these filters" />}
        {...list}
      />
    </div>
  );
};
