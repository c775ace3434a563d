import { useNavigate } from '@tanstack/react-router';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { accountColumns } from './account-columns.tsx';
import { OpenAccount } from './open-account.tsx';
import { readAccounts } from './read.ts';

/** The accounts of all organisations. */
export const Accounts = () => {
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const list = useRows(['accounts', 'list'], readAccounts());
  return (
    <Page
      title="Accounts"
      lead="Of all organisations, newest first. One is found by name with the box above."
      actions={mayWrite && <OpenAccount />}
    >
      <Table
        label="Accounts"
        columns={accountColumns}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: `/accounts/${id}` } as never)}
        empty={<Empty title="No account yet">Open the first one for an organisation.</Empty>}
        {...list}
      />
    </Page>
  );
};
