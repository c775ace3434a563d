import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { download } from './read.ts';

/** Downloads the proof that a charge stands in a seal; the holder of a key proves his own. */
export const ProveCharge = ({ chargeId }: { chargeId: string }) => {
  const { session } = useSession();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const init = { params: { query: { chargeId } } };
      const proof =
        session.kind === 'key'
          ? await bodyOf(api.GET('/v1/credits/proof', init))
          : await bodyOf(api.GET('/admin/v1/ledger/proof', init));
      download(`proof-${chargeId}.json`, proof);
      toast('The proof was downloaded');
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        tone="quiet"
        isBusy={isBusy}
        onClick={() => void run()}
        aria-label={`Download the proof of ${chargeId}`}
      >
        Proof
      </Button>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
};
