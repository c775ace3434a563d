import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';

/** Delivers the event of a delivery once more, at once. */
export const Resend = ({
  webhookId,
  deliveryId,
  onDone,
}: {
  webhookId: string;
  deliveryId: string;
  onDone: () => void;
}) => {
  const [isBusy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      const params = { path: { webhookId, deliveryId } };
      await api.POST('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend', { params });
      toast('It is on its way once more');
      onDone();
    } catch (error) {
      toast(error instanceof Error ? error.message : 'It could not be sent again');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      tone="quiet"
      isBusy={isBusy}
      onClick={(event) => {
        event.stopPropagation();
        void resend();
      }}
    >
      Resend
    </Button>
  );
};
