import { api, bodyOf } from '../../api/client.ts';
import { useSession } from '../../session/session.tsx';
import { ActButton } from '../../ui/act-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { download } from './read.ts';

/** Downloads the proof that a charge stands in a seal; the holder of a key proves his own. */
export const ProveCharge = ({ chargeId }: { chargeId: string }) => {
  const { session } = useSession();
  const prove = async () => {
    const init = { params: { query: { chargeId } } };
    const proof =
      session.kind === 'key'
        ? await bodyOf(api.GET('/v1/credits/proof', init))
        : await bodyOf(api.GET('/admin/v1/ledger/proof', init));
    download(`proof-${chargeId}.json`, proof);
    toast('The proof was downloaded');
  };
  return (
    <ActButton tone="quiet" act={prove} aria-label={`Download the proof of ${chargeId}`}>
      Proof
    </ActButton>
  );
};
