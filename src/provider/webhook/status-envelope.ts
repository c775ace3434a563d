import type { Json } from '../shape.ts';

/** A status as it was recorded. */
interface RecordedStatus {
  messageId: string;
  phoneNumberId: string;
  status: string;
  statusAt: string;
  recipientWaId: string | null;
  chargeId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  pricing: Readonly<Record<string, unknown>> | null;
}

/** A recorded status as a payload of the provider's that holds it alone: decoding gives it again. */
export const statusEnvelope = (status: RecordedStatus, wabaId: string | null): Json => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      ...(wabaId !== null && { id: wabaId }),
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { phone_number_id: status.phoneNumberId },
            statuses: [statusObject(status)],
          },
        },
      ],
    },
  ],
});

const statusObject = (status: RecordedStatus): Json => ({
  id: status.messageId,
  status: status.status,
  timestamp: String(Math.floor(Date.parse(status.statusAt) / 1000)),
  ...(status.recipientWaId !== null && { recipient_id: status.recipientWaId }),
  ...(status.chargeId !== null && { biz_opaque_callback_data: status.chargeId }),
  ...errorsOf(status),
  ...(status.pricing !== null && { pricing: status.pricing }),
});

/** The provider may name a code alone or words alone; either is kept. */
const errorsOf = ({ errorCode: code, errorMessage: message }: RecordedStatus): Json => {
  if (code === null && message === null) return {};
  return { errors: [{ ...(code !== null && { code }), ...(message !== null && { message }) }] };
};
