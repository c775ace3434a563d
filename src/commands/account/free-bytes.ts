import type { NewEvent } from '../../events/store.ts';

/** Bytes in the log that surround an event's data. */
const EVENT_BYTES = 400;
/** The claim of an idempotency key, which was written before its request came to nothing. */
const CLAIM_BYTES = 800;

/** Bytes that an event with this data takes in the log. */
export const bytesOf = (data: unknown): number =>
  EVENT_BYTES + Buffer.byteLength(JSON.stringify(data));

/** Whether a stored answer belongs to a request under which nothing was paid. */
const isOfNothing = ({ status, body }: { status: number; body: unknown }): boolean =>
  status >= 400 || (body as { sent?: unknown } | null)?.sent === 0;

/** Bytes that an event counts for; 0 for an event that is paid for, or not made by the account. */
export const freeBytesOf = ({ type, data }: NewEvent): number => {
  switch (type) {
    case 'BotChanged':
    case 'TemplateSubmitted':
    case 'TemplateAdopted':
    case 'PhoneWebhookSet':
    case 'MediaUploaded':
      return bytesOf(data);
    case 'RequestFreed':
    case 'RequestInterrupted':
      return bytesOf(data) + CLAIM_BYTES;
    case 'RequestAnswered':
      return isOfNothing(data as never) ? bytesOf(data) + CLAIM_BYTES : 0;
    default:
      return 0;
  }
};
