import { useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { Ask } from '../../ui/ask.tsx';
import { toast } from '../../ui/toast.tsx';

/** Makes a seal at once; the service makes one a day by itself. */
export const SealNow = ({ onDone }: { onDone?: () => void }) => {
  const cache = useQueryClient();
  const submit = async () => {
    const { number } = await bodyOf(api.POST('/admin/v1/ledger/seals'));
    toast(`Seal ${number} was made`);
    await cache.invalidateQueries({ queryKey: ['seals'] });
    onDone?.();
  };
  return (
    <Ask label="Seal now" title="Seal the ledger now" action="Seal" submit={submit}>
      <p>Signs all chains and records as they are now. The service does it once a day by itself.</p>
    </Ask>
  );
};
