import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { MakeKey } from './make-key.tsx';
import { type Account, type Key, readKeys } from './read.ts';

const keysKey = (accountId: string) => ['accounts', 'keys', accountId];

const verbs = {
  deactivate: {
    path: '/admin/v1/keys/{id}/deactivate',
    label: 'Deactivate',
    words: 'The key stops working within a second, until it is activated again.',
    done: 'deactivated',
  },
  activate: {
    path: '/admin/v1/keys/{id}/activate',
    label: 'Activate',
    words: 'The key works again.',
    done: 'activated',
  },
  revoke: {
    path: '/admin/v1/keys/{id}/revoke',
    label: 'Revoke',
    words: 'The key stops working within a second, and its sessions end. This is final.',
    done: 'revoked',
  },
} as const;

const Verb = ({ row, verb }: { row: Key; verb: keyof typeof verbs }) => {
  const cache = useQueryClient();
  const { path, label, words, done } = verbs[verb];
  const submit = async () => {
    await api.POST(path, { params: { path: { id: row.id } } });
    toast(`${row.name} was ${done}`);
    await cache.invalidateQueries({ queryKey: keysKey(row.accountId) });
  };
  return (
    <Ask
      label={label}
      title={`${label} ${row.name}`}
      action={label}
      tone={verb === 'activate' ? 'primary' : 'danger'}
      button="quiet"
      submit={submit}
    >
      <p>{words}</p>
    </Ask>
  );
};

const Verbs = ({ row }: { row: Key }) =>
  row.state === 'revoked' ? null : (
    <span className="verbs">
      <Verb row={row} verb={row.state === 'active' ? 'deactivate' : 'activate'} />
      <Verb row={row} verb="revoke" />
    </span>
  );

/** What narrows a key. */
const limitsOf = ({ scopes, allowedOrigins, rateLimit }: Key): string =>
  [
    scopes === null ? 'every scope' : scopes.join(', '),
    `${rateLimit} requests a minute`,
    ...(allowedOrigins === null ? [] : [`from ${allowedOrigins.join(', ')}`]),
  ].join(' · ');

const columns: readonly Column<Key>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (key) => (
      <span className="two-lines">
        <Words text={key.name} />
        <code className="muted">{key.prefix}…</code>
      </span>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'may',
    header: 'May',
    isMinor: true,
    cell: (key) => <span className="muted small">{limitsOf(key)}</span>,
  },
  {
    id: 'used',
    header: 'Last used',
    isMinor: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never'),
  },
  {
    id: 'ends',
    header: 'Expires',
    isMinor: true,
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never'),
  },
];

/** Who may call the API for the account. */
export const Keys = ({ account: { id } }: { account: Account }) => {
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const list = useRows(keysKey(id), readKeys(id));
  const verbColumn: Column<Key> = {
    id: 'verbs',
    header: '',
    align: 'end',
    cell: (row) => <Verbs row={row} />,
  };
  return (
    <div className="stack">
      {mayWrite && (
        <div className="tab-actions">
          <MakeKey
            accountId={id}
            onDone={() => void cache.invalidateQueries({ queryKey: keysKey(id) })}
          />
        </div>
      )}
      <Table
        label="Keys"
        columns={mayWrite ? [...columns, verbColumn] : columns}
        rowId={(key) => key.id}
        empty={<Empty title="No key yet">A key calls the API for this account alone.</Empty>}
        {...list}
      />
    </div>
  );
};
