import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { Card, Page, Stat } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Amount } from '../../ui/value.tsx';
import { movementColumns } from './ledger.tsx';
import './ledger.css';
import { ProveCharge } from './prove-charge.tsx';
import { chargeIn } from './read.ts';

type Movement = components['schemas']['Transaction'] | components['schemas']['WalletTransaction'];

/** An account counts in one of the two; the other one is then empty. */
const read = async (signal: AbortSignal) => {
  const [credits, wallet] = await Promise.all([
    bodyOf(api.GET('/v1/credits', { signal })),
    bodyOf(api.GET('/v1/wallet', { signal })),
  ]);
  const isWallet = wallet.transactions.length > 0 || !/^0*(\.0*)?$/.test(wallet.balance);
  return isWallet
    ? { balance: wallet.balance, unit: wallet.currency, rows: wallet.transactions as Movement[] }
    : { balance: credits.balance, unit: 'credits', rows: credits.transactions as Movement[] };
};

const columns: readonly Column<Movement>[] = [
  ...movementColumns,
  {
    id: 'proof',
    header: 'Proof',
    align: 'end',
    isMinor: true,
    cell: ({ metadata, type }) => {
      const chargeId = chargeIn(metadata);
      return chargeId === undefined || type !== 'DEDUCT' ? null : (
        <ProveCharge chargeId={chargeId} />
      );
    },
  },
];

/** A tenant's balance, what moved it, and proofs of what was charged. */
export const Credits = () => {
  const navigate = useNavigate();
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['credits'],
    queryFn: ({ signal }) => read(signal),
  });
  return (
    <Page title="Balance" lead="The newest 20 movements, and the proof of each charge.">
      {data && (
        <Card>
          <Stat name="Balance">
            <Amount value={data.balance} unit={data.unit} />
          </Stat>
        </Card>
      )}
      <Table
        label="Movements"
        columns={columns}
        rows={data?.rows ?? []}
        rowId={({ id }) => id}
        onOpen={({ metadata }) => {
          const chargeId = chargeIn(metadata);
          if (chargeId !== undefined) void navigate({ to: `/charges/${chargeId}` } as never);
        }}
        empty={<Empty title="No movement yet" />}
        error={error}
        isLoading={isLoading}
        refetch={() => void refetch()}
      />
    </Page>
  );
};
