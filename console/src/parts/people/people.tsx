import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRows } from '../../api/queries.ts';
import { useMayWrite, useSession } from '../../session/session.tsx';
import { outcomeWords } from '../../ui/approval.ts';
import { Ask, textIn } from '../../ui/ask.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErasureFields } from '../../ui/erasure.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Id, Time, Words } from '../../ui/value.tsx';
import { type Verb, VerbMenu } from '../../ui/verbs.tsx';
import {
  endSessions,
  erase,
  invite,
  inviteAgain,
  type Person,
  readOrganisations,
  readPeople,
  readSessionsOf,
  setRole,
  suspend,
  type Whose,
} from './read.ts';

const KEY = 'people';

const ROLES = {
  owner: 'Owner: everything',
  manager: 'Manager: all but keys',
  developer: 'Developer: keys, webhooks, templates; no contents',
  agent: 'Agent: conversations and sends; no money',
  viewer: 'Viewer: looks, without contents and money',
  admin: 'Administrator: everything',
  support: 'Support: reads all but contents',
  auditor: 'Auditor: reads everything',
} as const;

const OF_TENANTS = ['agent', 'viewer', 'developer', 'manager', 'owner'] as const;
const OF_OPERATORS = ['support', 'auditor', 'admin'] as const;

const rolesOf = (whose: Whose) => {
  const isOperators = whose.kind === 'operators' && !whose.organisationId;
  return (isOperators ? OF_OPERATORS : OF_TENANTS).map((value) => ({ value, label: ROLES[value] }));
};

const roleIn = (form: FormData) => form.get('role') as Person['role'];

interface Acting {
  whose: Whose;
  onDone: () => void;
  /** Shows a link, which is shown once. */
  onLink: (link: string) => void;
}

const Invite = ({ whose, onDone, onLink }: Acting) => (
  <Ask
    label="Invite"
    title="Invite a person"
    button="primary"
    submit={async (form) => {
      const [name, email] = [String(form.get('name')), String(form.get('email'))];
      onLink(await invite(whose, { name, email, role: roleIn(form) }));
      onDone();
    }}
  >
    <TextField label="Name" name="name" required maxLength={200} />
    <TextField label="E-mail" name="email" type="email" required maxLength={320} />
    <SelectField label="Role" name="role" options={rolesOf(whose)} />
  </Ask>
);

const OpenSessions = ({ whose, id }: { whose: Whose; id: string }) => {
  const { data } = useQuery({
    queryKey: ['people', 'sessions', id],
    queryFn: ({ signal }) => readSessionsOf(whose, id, signal),
  });
  if (!data) return null;
  if (data.length === 0) return <p>Signed in nowhere now.</p>;
  return (
    <div>
      Signed in {data.length === 1 ? 'once' : `${data.length} times`}, since
      <ul>
        {data.map((at) => (
          <li key={at}>
            <Time at={at} />
          </li>
        ))}
      </ul>
    </div>
  );
};

/** What can be done with a person: seldom used, so all of it is behind one button. */
const verbsOf = (person: Person, { whose, onDone, onLink }: Acting): readonly Verb[] => {
  const name = person.name ?? 'the person';
  const isSuspended = person.state === 'suspended';
  const role: Verb = {
    label: 'Change the role',
    title: `Role of ${name}`,
    action: 'Save',
    async submit(form) {
      await setRole(whose, person.id, roleIn(form));
      onDone();
    },
    ask: (
      <SelectField
        label="Role"
        name="role"
        options={rolesOf(whose)}
        defaultValue={person.role}
        hint="It holds within a second, also where the person is signed in."
      />
    ),
  };
  const link: Verb = {
    label: 'Make a new link',
    title: `A new link for ${name}`,
    action: 'Make it',
    async submit() {
      onLink(await inviteAgain(whose, person.id));
      onDone();
    },
    ask: <p>With it a new password or passkey is chosen. Earlier links work no more.</p>,
  };
  const signOut: Verb = {
    label: 'Sign out everywhere',
    title: `Sign ${name} out everywhere`,
    action: 'End all sessions',
    async submit() {
      await endSessions(whose, person.id);
      toast(`All sessions of ${name} ended`);
    },
    ask: (
      <>
        <OpenSessions whose={whose} id={person.id} />
        <p>The person may sign in again.</p>
      </>
    ),
  };
  const suspension: Verb = {
    label: isSuspended ? 'Reinstate' : 'Suspend',
    title: `${isSuspended ? 'Reinstate' : 'Suspend'} ${name}`,
    tone: isSuspended ? 'primary' : 'danger',
    async submit() {
      await suspend(whose, person);
      onDone();
    },
    ask: (
      <p>
        {isSuspended
          ? 'The person may sign in again, with the same role.'
          : 'The person is signed out within a second, and cannot sign in.'}
      </p>
    ),
  };
  const erasure: Verb = {
    label: 'Erase for good',
    title: `Erase ${name} for good`,
    action: 'Erase',
    tone: 'danger',
    async submit(form) {
      const answer = await erase(person.id, textIn(form, 'reason'));
      toast(outcomeWords(answer, 'The erasure has begun'));
      onDone();
    },
    ask: (
      <>
        <p>
          For somebody who leaves: the name, the e-mail and every way to sign in go for good. What
          was done stays, by “a former person”.
        </p>
        <ErasureFields whom="person" />
      </>
    ),
  };
  const verbs = [role, link, signOut, suspension];
  return whose.kind === 'operators' ? [...verbs, erasure] : verbs;
};

const OrganisationField = (props: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) => {
  const { data = [] } = useQuery({
    queryKey: ['organisations', 'names'],
    queryFn: ({ signal }) => readOrganisations(signal),
  });
  return (
    <SelectField
      label="Of"
      name="organisation"
      value={props.value ?? ''}
      onChange={({ target }) => props.onChange(target.value || undefined)}
      options={[
        { value: '', label: 'The operators' },
        ...data.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
};

/** Who may sign in, and as what. */
export const PeoplePage = () => {
  const { session } = useSession();
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const [organisationId, setOrganisationId] = useState<string>();
  const [link, setLink] = useState<string>();
  const whose: Whose =
    session.kind === 'key' ? { kind: 'own' } : { kind: 'operators', organisationId };
  const list = useRows([KEY, organisationId], (cursor, signal) =>
    readPeople(whose, cursor, signal),
  );
  const onDone = () => void cache.invalidateQueries({ queryKey: [KEY] });
  const acting = { whose, onDone, onLink: setLink };
  const columns: readonly Column<Person>[] = [
    { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name ?? 'a former person'} /> },
    { id: 'email', header: 'E-mail', cell: ({ email }) => email, isMinor: true },
    { id: 'role', header: 'Role', cell: ({ role }) => ROLES[role].replace(/:.*/, '') },
    { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: 'created',
      header: 'Invited',
      cell: ({ createdAt }) => <Time at={createdAt} />,
      isMinor: true,
    },
    {
      id: 'actions',
      header: '',
      align: 'end',
      cell: (person) =>
        mayWrite && person.state !== 'erased' ? (
          <VerbMenu label={`Actions for ${person.name}`} verbs={verbsOf(person, acting)} />
        ) : null,
    },
  ];
  return (
    <Page
      title="People"
      lead="Who signs in with a name. Everything that they do carries it."
      actions={mayWrite && <Invite {...acting} />}
    >
      {session.kind === 'administrator' && (
        <div className="filter-bar">
          <OrganisationField value={organisationId} onChange={setOrganisationId} />
        </div>
      )}
      <Table
        label="People"
        columns={columns}
        rowId={({ id }) => id}
        empty={
          <Empty
            title="Nobody signs in with a name yet"
            action={mayWrite && <Invite {...acting} />}
          >
            Invite a person: the link lets her choose a passkey or a password.
          </Empty>
        }
        {...list}
      />
      <Dialog title="The link" isOpen={link !== undefined} onClose={() => setLink(undefined)}>
        <p>Hand it to the person: it is shown only here, and works once, for 72 hours.</p>
        {link !== undefined && <Id value={link} />}
      </Dialog>
    </Page>
  );
};
