import { useQuery, useQueryClient } from '@tanstack/react-query';
import { endSession, isOfPerson, type OwnSession, readSessions } from '../../session/api.ts';
import {
  addPasskey,
  hasPasskeys,
  type Passkey,
  readPasskeys,
  removePasskey,
} from '../../session/passkeys.ts';
import { useSession } from '../../session/session.tsx';
import { ActButton } from '../../ui/act-button.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';

const KEY = ['passkeys'];
const NONE: readonly Passkey[] = [];

const Add = ({ onDone }: { onDone: () => void }) => (
  <Ask
    label="Add a passkey"
    action="Add"
    button="primary"
    submit={async (form) => {
      await addPasskey(textIn(form, 'name') ?? 'Passkey');
      onDone();
    }}
  >
    <TextField
      label="Name"
      name="name"
      required
      maxLength={100}
      placeholder="Laptop"
      hint="So that you know it again. Your browser asks for your finger, face or PIN then."
    />
  </Ask>
);

const Remove = ({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) => (
  <Ask
    label="Remove"
    title={`Remove ${passkey.name}`}
    tone="danger"
    button="quiet"
    submit={async () => {
      await removePasskey(passkey.id);
      onDone();
    }}
  >
    <p>
      It signs you in no more. If you have no other passkey and no password, ask for a new link to
      get in again.
    </p>
  </Ask>
);

const SESSIONS = ['sessions'];
const NO_SESSION: readonly OwnSession[] = [];

const ways: Readonly<Record<string, string>> = {
  password: 'a password',
  passkey: 'a passkey',
  invitation: 'an invitation',
  openid: 'OpenID Connect',
  link: 'a link',
};

/** Where the viewer is signed in: one that is not known is ended here. */
const Sessions = () => {
  const cache = useQueryClient();
  const query = useQuery({ queryKey: SESSIONS, queryFn: readSessions });
  const end = async (id: string) => {
    await endSession(id);
    await cache.invalidateQueries({ queryKey: SESSIONS });
  };
  const columns: readonly Column<OwnSession>[] = [
    { id: 'began', header: 'Began', cell: ({ startedAt }) => <Time at={startedAt} /> },
    { id: 'by', header: 'Signed in with', cell: ({ by }) => ways[by] ?? by },
    {
      id: 'actions',
      header: '',
      align: 'end',
      cell: ({ id, isThis }) =>
        isThis ? (
          <Badge tone="good">this one</Badge>
        ) : (
          <ActButton tone="quiet" act={() => end(id)}>
            End it
          </ActButton>
        ),
    },
  ];
  return (
    <Card title="Where you are signed in">
      <Table
        label="Sessions"
        columns={columns}
        rowId={({ id }) => id}
        rows={query.data ?? NO_SESSION}
        error={query.error}
        isLoading={query.isLoading}
        refetch={() => void query.refetch()}
      />
    </Card>
  );
};

/** What a person settles for himself: the passkeys, and where he is signed in. */
export const You = () => {
  const { session } = useSession();
  const cache = useQueryClient();
  const isPerson = isOfPerson(session);
  const query = useQuery({ queryKey: KEY, queryFn: readPasskeys, enabled: isPerson });
  if (!isPerson) {
    return (
      <Page title="You">
        <Empty title="You are signed in with a credential, which has no settings" />
      </Page>
    );
  }
  const onDone = () => void cache.invalidateQueries({ queryKey: KEY });
  const columns: readonly Column<Passkey>[] = [
    { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name} /> },
    { id: 'added', header: 'Added', cell: ({ addedAt }) => <Time at={addedAt} /> },
    {
      id: 'actions',
      header: '',
      align: 'end',
      cell: (passkey) => <Remove passkey={passkey} onDone={onDone} />,
    },
  ];
  return (
    <Page title="You" lead="How you sign in.">
      <Card title="Passkeys" actions={hasPasskeys() && <Add onDone={onDone} />}>
        <Table
          label="Passkeys"
          columns={columns}
          rowId={({ id }) => id}
          rows={query.data ?? NONE}
          error={query.error}
          isLoading={query.isLoading}
          refetch={() => void query.refetch()}
          empty={
            <Empty title="No passkey yet">
              With one you sign in by finger, face or PIN, without a password.
            </Empty>
          }
        />
      </Card>
      <Sessions />
    </Page>
  );
};
