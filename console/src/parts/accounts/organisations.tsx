import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Id, Time, Words } from '../../ui/value.tsx';
import { type Organisation, readOrganisations } from './read.ts';

const columns: readonly Column<Organisation>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name} /> },
  {
    id: 'state',
    header: 'State',
    cell: ({ suspended }) => (
      <Badge tone={suspended ? 'bad' : 'good'}>{suspended ? 'suspended' : 'active'}</Badge>
    ),
  },
  { id: 'id', header: 'Id', isMinor: true, cell: ({ id }) => <Id value={id} short /> },
  {
    id: 'created',
    header: 'Created',
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Whom the service works for: each organisation has accounts. */
export const Organisations = () => {
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const list = useRows(['organisations'], readOrganisations);
  const open = (id: string) => void navigate({ to: `/organisations/${id}` } as never);
  const create = async (form: FormData) => {
    const body = { name: String(form.get('name')) };
    const { id } = await bodyOf(api.POST('/admin/v1/organisations', { body }));
    void cache.invalidateQueries({ queryKey: ['organisations'] });
    open(id);
  };
  return (
    <Page
      title="Organisations"
      lead="Each has accounts, which hold numbers, keys and a balance."
      actions={
        mayWrite && (
          <Ask label="New organisation" action="Create" button="primary" submit={create}>
            <TextField label="Name" name="name" required maxLength={200} />
          </Ask>
        )
      }
    >
      <Table
        label="Organisations"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => open(id)}
        empty={<Empty title="No organisation yet">The first one begins here.</Empty>}
        {...list}
      />
    </Page>
  );
};
