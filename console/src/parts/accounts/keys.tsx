import { useQueryClient } from '@tanstack/react-query';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { MakeKey } from './make-key.tsx';
import { type Account, type Key, type KeyVerb, readKeys, switchKey } from './read.ts';

const keysKey = (accountId: string | undefined) => ['accounts', 'keys', accountId];

const verbs = {
  deactivate: {
    label: 'Deactivate',
    words: 'The key stops working within a second, until it is activated again.',
    done: 'deactivated',
  },
  activate: {
    label: 'Activate',
    words: 'The key works again.',
    done: 'activated',
  },
  revoke: {
    label: 'Revoke',
    words: 'The key stops working within a second, and its sessions end. This is final.',
    done: 'revoked',
  },
} as const;

interface Acted {
  row: Key;
  /** Of the account; undefined for the viewer's own. */
  of: string | undefined;
}

const Verb = ({ row, of, verb }: Acted & { verb: KeyVerb }) => {
  const cache = useQueryClient();
  const { label, words, done } = verbs[verb];
  const submit = async () => {
    await switchKey(of === undefined, row.id, verb);
    toast(`${row.name} was ${done}`);
    await cache.invalidateQueries({ queryKey: keysKey(of) });
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

const Verbs = (acted: Acted) =>
  acted.row.state === 'revoked' ? null : (
    <span className="verbs">
      <Verb {...acted} verb={acted.row.state === 'active' ? 'deactivate' : 'activate'} />
      <Verb {...acted} verb="revoke" />
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

const useKeys = (id: string | undefined) => {
  const cache = useQueryClient();
  return {
    list: useRows(keysKey(id), readKeys(id)),
    make: (
      <MakeKey
        accountId={id}
        onDone={() => void cache.invalidateQueries({ queryKey: keysKey(id) })}
      />
    ),
    verbs: {
      id: 'verbs',
      header: '',
      align: 'end',
      cell: (row) => <Verbs row={row} of={id} />,
    } satisfies Column<Key>,
  };
};

const common = {
  label: 'Keys',
  rowId: ({ id }: Key) => id,
  empty: (
    <Empty title="No key yet">
      With a key a program calls the API for this account alone. Make the first one, and copy it.
    </Empty>
  ),
};

/** Who may call the API for the account. */
export const Keys = ({ account: { id } }: { account: Account }) => {
  const mayWrite = useMayWrite();
  const { list, make, verbs: verbColumn } = useKeys(id);
  return (
    <div className="stack">
      {mayWrite && <div className="tab-actions">{make}</div>}
      <Table {...common} columns={mayWrite ? [...columns, verbColumn] : columns} {...list} />
    </div>
  );
};

/** The keys of the viewer's own account, for people who may make some. */
export const OwnKeys = () => {
  const { list, make, verbs: verbColumn } = useKeys(undefined);
  return (
    <Page
      title="API keys"
      lead="With a key a program calls the API for this account, as far as the scopes of the key go."
      actions={make}
    >
      <Table {...common} columns={[...columns, verbColumn]} {...list} />
    </Page>
  );
};
