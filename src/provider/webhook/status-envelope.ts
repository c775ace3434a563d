import type { Json } from '../shape.ts';
import { envelopeOf, OBJECT } from './reader.ts';

/** A status of a message, as the provider reports it. */
export interface ToldStatus {
  messageId: string;
  phoneNumberId: string;
  /** The provider's word, known to us or not. */
  status: string;
  statusAt: string;
  recipientWaId: string | null;
  recipientUserId?: string | undefined;
  chargeId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  pricing: Readonly<Record<string, unknown>> | null;
}

/** The payload that holds a recorded status alone: decoding it gives the same status again. */
export const statusEnvelope = (status: ToldStatus, wabaId: string | null): Json =>
  envelopeOf(
    { object: OBJECT, entry: wabaId === null ? {} : { id: wabaId }, field: 'messages' },
    {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: status.phoneNumberId },
      statuses: [statusObject(status)],
    },
  );

const statusObject = (status: ToldStatus): Json => ({
  id: status.messageId,
  status: status.status,
  timestamp: String(Math.floor(Date.parse(status.statusAt) / 1000)),
  ...(status.recipientWaId !== null && { recipient_id: status.recipientWaId }),
  ...(status.recipientUserId !== undefined && { recipient_user_id: status.recipientUserId }),
  ...(status.chargeId !== null && { biz_opaque_callback_data: status.chargeId }),
  ...errorsOf(status),
  ...(status.pricing !== null && { pricing: status.pricing }),
});

/** The provider may give a code alone or a text alone. */
const errorsOf = ({ errorCode: code, errorMessage: message }: ToldStatus): Json => {
  if (code === null && message === null) return {};
  return { errors: [{ ...(code !== null && { code }), ...(message !== null && { message }) }] };
};
