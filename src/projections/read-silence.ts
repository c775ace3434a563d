import type { Reader } from './engine/reader.ts';
import type { MessageDocument } from './message-document.ts';
import { messages } from './messages.ts';
import type { NumberDocument } from './numbers.ts';

// A number is silent when no status comes for what it sends: the app secret changed, the webhook is
// gone, or the app is not subscribed. Nothing fails meanwhile.

/** The provider reports a message in seconds. */
export const SILENT_AFTER_MS = 15 * 60_000;
/** What was sent longer ago says nothing of now. */
const LOOKED_BACK_MS = 24 * 3_600_000;
/** Newest messages of a number that one look reads. */
const MESSAGES_MAX = 20;

type Row = Pick<MessageDocument, 'direction' | 'status' | 'statusTimestamp' | 'createdAt'>;

/** The record of a message assumes `sent`, until the provider reports it. */
const hasNoStatus = ({ status, statusTimestamp, createdAt }: Row): boolean =>
  status === 'sent' && statusTimestamp === createdAt;

/**
 * Since when a number waits for a status, of its newest messages, the newest first. Undefined when the
 * last status is newer than what waits.
 */
export const waitingSince = (newest: readonly Row[], now: number): number | undefined => {
  const sent = newest.filter(({ direction }) => direction === 'outbound');
  const answered = sent.findIndex((row) => !hasNoStatus(row));
  const waiting = (answered === -1 ? sent : sent.slice(0, answered))
    .map(({ createdAt }) => Date.parse(createdAt))
    .filter((at) => now - at <= LOOKED_BACK_MS);
  return waiting.length === 0 ? undefined : Math.min(...waiting);
};

/** Since when a number waits for a status, as far as its newest messages tell. */
export const readWaitingSince = async (
  reader: Pick<Reader, 'find'>,
  { accountId, phoneNumberId }: Pick<NumberDocument, 'accountId' | 'phoneNumberId'>,
  now: number,
): Promise<number | undefined> => {
  const order = { field: 'order', direction: 'descending' } as const;
  const where = { accountId, phoneNumberId };
  const newest = await reader.find(messages, { where, order, limit: MESSAGES_MAX });
  return waitingSince(
    newest.filter((row) => row.recorded),
    now,
  );
};
