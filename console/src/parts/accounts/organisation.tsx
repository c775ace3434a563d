import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Id, Time, Words } from '../../ui/value.tsx';
import { accountColumns } from './account-columns.tsx';
import { OpenAccount } from './open-account.tsx';
import { type Organisation, readAccounts } from './read.ts';

/** Stops all sends of the organisation's accounts, or lets them go on. */
const Suspension = ({ id, suspended }: Organisation) => {
  const cache = useQueryClient();
  const params = { path: { id } };
  const submit = async (form: FormData) => {
    const body = { reason: textIn(form, 'reason') };
    await (suspended
      ? api.POST('/admin/v1/organisations/{id}/reinstate', { params, body })
      : api.POST('/admin/v1/organisations/{id}/suspend', { params, body }));
    toast(suspended ? 'The organisation was reinstated' : 'The organisation was suspended');
    await cache.invalidateQueries({ queryKey: ['organisations'] });
  };
  return (
    <Ask
      label={suspended ? 'Reinstate' : 'Suspend'}
      title={suspended ? 'Reinstate the organisation' : 'Suspend the organisation'}
      action={suspended ? 'Reinstate' : 'Suspend'}
      tone={suspended ? 'primary' : 'danger'}
      submit={submit}
    >
      <p>
        {suspended
          ? 'Its keys work again.'
          : 'Its keys stop working at once, for all its accounts. It can be reinstated.'}
      </p>
      <TextField label="Reason" name="reason" maxLength={500} />
    </Ask>
  );
};

const OwnAccounts = ({ id }: { id: string }) => {
  const navigate = useNavigate();
  const list = useRows(['accounts', 'list', id], readAccounts(id));
  return (
    <Table
      label="Accounts of the organisation"
      columns={accountColumns}
      rowId={(account) => account.id}
      onOpen={(account) => void navigate({ to: `/accounts/${account.id}` } as never)}
      empty={<Empty title="No account yet" />}
      {...list}
    />
  );
};

/** An organisation and its accounts. */
export const OrganisationPage = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const mayWrite = useMayWrite();
  const query = useQuery({
    queryKey: ['organisations', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/admin/v1/organisations/{id}', { params: { path: { id } }, signal })),
  });
  const { data } = query;
  return (
    <Page
      title={data?.name ?? 'Organisation'}
      lead={
        <span className="row">
          {data && (
            <span>
              since <Time at={data.createdAt} />
            </span>
          )}
          <Id value={id} short />
        </span>
      }
      actions={
        data &&
        mayWrite && (
          <>
            <Suspension {...data} />
            <OpenAccount organisationId={id} />
          </>
        )
      }
    >
      <QueryState query={query} />
      {data?.suspended && (
        <div className="note note-bad">
          <strong>Suspended: its keys do not work.</strong>{' '}
          {data.suspendedReason && <Words text={data.suspendedReason} />}
        </div>
      )}
      {data && <OwnAccounts id={id} />}
    </Page>
  );
};
