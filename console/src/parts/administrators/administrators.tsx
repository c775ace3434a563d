import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Id, Time, Words } from '../../ui/value.tsx';

const KEY = ['administrators'];

const read = async (cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
  const { administrators, nextCursor } = await bodyOf(
    api.GET('/admin/v1/administrators', { params: { query }, signal }),
  );
  return { rows: administrators, nextCursor };
};

type Administrator = Awaited<ReturnType<typeof read>>['rows'][number];

const roles = { auditor: 'Auditor', admin: 'Administrator' } as const;

/** Creates an administrator, and shows the token, once. */
const Create = ({ onDone }: { onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const [token, setToken] = useState<string>();
  const submit = async (form: FormData) => {
    const body = {
      name: String(form.get('name')),
      email: String(form.get('email')),
      role: form.get('role') as 'admin' | 'auditor',
    };
    const created = await bodyOf(api.POST('/admin/v1/administrators', { body }));
    setToken(created.token);
    onDone();
  };
  return (
    <>
      <Button tone="primary" onClick={() => setOpen(true)}>
        New administrator
      </Button>
      <FormDialog
        title="New administrator"
        action="Create"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={submit}
      >
        <TextField label="Name" name="name" required maxLength={200} />
        <TextField label="E-mail" name="email" type="email" required maxLength={320} />
        <SelectField
          label="Role"
          name="role"
          hint="An auditor may read, verify and export, and change nothing."
          options={Object.entries(roles).map(([value, label]) => ({ value, label }))}
        />
      </FormDialog>
      <Dialog title="The token" isOpen={token !== undefined} onClose={() => setToken(undefined)}>
        <p>Copy it now: it is shown only here.</p>
        {token !== undefined && <Id value={token} />}
      </Dialog>
    </>
  );
};

const Revoke = ({ row, onDone }: { row: Administrator; onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const submit = async () => {
    const params = { path: { id: row.id } };
    await api.POST('/admin/v1/administrators/{id}/revoke', { params });
    toast(`${row.name} was revoked`);
    onDone();
  };
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        Revoke
      </Button>
      <FormDialog
        title={`Revoke ${row.name}`}
        action="Revoke"
        tone="danger"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={submit}
      >
        <p>The token stops working within a second, and all its sessions end. This is final.</p>
      </FormDialog>
    </>
  );
};

/** Who may administer, and who may only read. */
export const Administrators = () => {
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const list = useRows(KEY, read);
  const again = () => void cache.invalidateQueries({ queryKey: KEY });
  const columns: readonly Column<Administrator>[] = [
    { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name} /> },
    { id: 'email', header: 'E-mail', cell: ({ email }) => email, isMinor: true },
    { id: 'role', header: 'Role', cell: ({ role }) => roles[role] },
    { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: 'created',
      header: 'Created',
      cell: ({ createdAt }) => <Time at={createdAt} />,
      isMinor: true,
    },
    ...(mayWrite
      ? [
          {
            id: 'actions',
            header: '',
            align: 'end' as const,
            cell: (row: Administrator) =>
              row.state === 'active' ? <Revoke row={row} onDone={again} /> : null,
          },
        ]
      : []),
  ];
  return (
    <Page
      title="Administrators"
      lead="Beside the root administrator, whose token is a setting of the service."
      actions={mayWrite && <Create onDone={again} />}
    >
      <Table
        label="Administrators"
        columns={columns}
        rowId={({ id }) => id}
        empty={
          <Empty title="Nobody but the root administrator">
            An administrator’s token is for programs and for emergencies. People sign in with a
            name: invite them on the page People.
          </Empty>
        }
        {...list}
      />
    </Page>
  );
};
