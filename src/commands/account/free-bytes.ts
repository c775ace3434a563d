import type { NewEvent } from '../../events/store.ts';

/** Bytes in the log that surround an event's data. */
const EVENT_BYTES = 400;
/** The claim of an idempotency key, which was written before its request came to nothing. */
const CLAIM_BYTES = 800;

/** Bytes that an event with this data takes in the log. */
export const bytesOf = (data: unknown): number =>
  EVENT_BYTES + Buffer.byteLength(JSON.stringify(data));

/** The subject of a contact and its data key of a month, beside the log. */
const KEY_BYTES = 400;

/**
 * Bytes that the stored answer of an idempotent request counts for; 0 where something was paid. Asked
 * before the answer is sealed: its stored event does not tell what it says.
 */
export const freeBytesOfAnswer = (
  { status, body }: { status: number; body: unknown },
  contacts: number,
): number =>
  status >= 400 || (body as { sent?: unknown } | null)?.sent === 0
    ? bytesOf(body ?? null) + CLAIM_BYTES + contacts * KEY_BYTES
    : 0;

/** Bytes that an event counts for; 0 for an event that is paid for, or not made by the account. */
export const freeBytesOf = ({ type, data }: NewEvent): number => {
  switch (type) {
    case 'BotChanged':
    case 'TemplateSubmitted':
    case 'TemplateAdopted':
    case 'PhoneWebhookSet':
    case 'MediaUploaded':
    case 'WebhookCreated':
    case 'WebhookChanged':
    case 'WebhookRotated':
    case 'WebhookEnabled':
    case 'WebhookDisabled':
    case 'WebhookTested':
    case 'WebhookReplayStarted':
      return bytesOf(data);
    case 'RequestFreed':
    case 'RequestInterrupted':
      return bytesOf(data) + CLAIM_BYTES;
    default:
      return 0;
  }
};
