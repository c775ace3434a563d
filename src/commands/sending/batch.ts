import { StoreUnavailable } from '../../events/store.ts';
import { type ErrorCode, isRefusal } from '../../shared/errors.ts';
import type { Notifications } from './notification.ts';
import type { SendContext } from './transmit.ts';

/** One event for many recipients (contract 4.8). */
export interface BatchRequest {
  event: string;
  recipients: readonly {
    to: string;
    variables: Readonly<Record<string, unknown>>;
    clientReference?: string | undefined;
  }[];
  phoneNumberId?: string | undefined;
  languageCode?: string | undefined;
}

export interface BatchResult {
  to: string;
  ok: boolean;
  messageId?: string;
  channel?: 'template' | 'text';
  error?: string;
  code?: BatchCode;
}

export type BatchCode =
  | 'UNKNOWN_EVENT'
  | 'NO_PHONE'
  | 'TEMPLATE_NOT_APPROVED'
  | 'SEND_FAILED'
  | 'LIMIT_REACHED'
  | 'INSUFFICIENT_CREDITS'
  | 'INSUFFICIENT_BALANCE';

/** Recipients that are worked on at a time. */
const PARALLEL = 32;
/** What was not started by then is left to the caller. */
const TIME_LIMIT_MS = 120_000;

const batchCodes: Partial<Record<ErrorCode, BatchCode>> = {
  'account.cap_reached': 'LIMIT_REACHED',
  'account.free_writes': 'LIMIT_REACHED',
  'event.unknown': 'UNKNOWN_EVENT',
  'number.none': 'NO_PHONE',
  'template.not_approved': 'TEMPLATE_NOT_APPROVED',
};

/** What waiting does not clear soon: nobody after this recipient could be sent to either. */
const isFinal = (error: unknown): boolean =>
  isRefusal(error, 'account.free_writes') ||
  (isRefusal(error, 'account.cap_reached') && error.details.limit !== 'perMinute');

/** Who asks for a batch: its key must stand for as long as recipients are started. */
export interface BatchContext extends Omit<SendContext, 'signal'> {
  keyId: string;
}

export const createBatches = (deps: {
  notifications: Notifications;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
  /** Whether its sends may go on: not once the key is revoked or the organisation suspended. */
  mayGoOn: (by: Pick<BatchContext, 'accountId' | 'keyId'>) => Promise<boolean>;
  onFault: (error: unknown) => void;
}) => {
  const { notifications, monotonicMs, mayGoOn, onFault } = deps;

  const failureOf = (error: unknown): { code: BatchCode; error: string } => {
    if (!isRefusal(error)) {
      onFault(error);
      return { code: 'SEND_FAILED', error: 'The message could not be sent' };
    }
    const code = isRefusal(error, 'account.insufficient')
      ? error.details.reason
      : (batchCodes[error.code] ?? 'SEND_FAILED');
    return { code, error: error.message };
  };

  /**
   * Results in the order of the recipients. Each waits for its slot in the number's pace before it is
   * started. Left out: whoever was not started when the caller went away, its key or organisation was
   * shut out, the service stopped, the time was over or no cap would let anybody through. They were
   * neither charged nor sent to.
   */
  const send = async (
    request: BatchRequest,
    { keyId, ...context }: BatchContext,
    stopping: AbortSignal,
  ): Promise<readonly BatchResult[]> => {
    const { recipients, ...common } = request;
    const results: (BatchResult | undefined)[] = new Array(recipients.length).fill(undefined);
    const deadline = monotonicMs() + TIME_LIMIT_MS;
    /** Of the recipients that met a final cap only the first is reported, the others left out. */
    const capped: number[] = [];
    let next = 0;
    const ended = new AbortController();
    /** Ends the wait of every recipient that has no slot yet. */
    const ending = AbortSignal.any([stopping, ended.signal]);

    const isOver = () => ending.aborted || monotonicMs() >= deadline;

    /** Undefined for a recipient that is not to be started any more. */
    const attempt = async (
      recipient: BatchRequest['recipients'][number],
      index: number,
    ): Promise<BatchResult | undefined> => {
      const limits = { withinMs: deadline - monotonicMs(), signal: ending };
      const slot = await notifications.takeSlot(common, context, limits);
      if (slot === 'none') return undefined;
      try {
        if (isOver() || !(await mayGoOn({ accountId: context.accountId, keyId }))) return undefined;
        // A message that went out keeps its charge even if the caller has gone: no signal.
        const { claim } = context;
        const on = claim ? { ...context, claim: { id: claim.id, part: index } } : context;
        const sent = await notifications.send({ ...common, ...recipient, slot }, on);
        const { messageId, channel } = sent;
        return { to: recipient.to, ok: true, messageId, channel };
      } finally {
        slot?.giveBack();
      }
    };

    const sendOne = async (index: number) => {
      const recipient = recipients[index]!;
      try {
        const result = await attempt(recipient, index);
        if (result) results[index] = result;
        else ended.abort();
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          // Nothing was reserved: as if it had not been started.
          ended.abort();
          return;
        }
        if (isFinal(error)) {
          capped.push(index);
          ended.abort();
        }
        results[index] = { to: recipient.to, ok: false, ...failureOf(error) };
      }
    };

    const lane = async () => {
      while (next < recipients.length && !isOver()) {
        const index = next;
        next += 1;
        await sendOne(index);
      }
    };

    await Promise.all(Array.from({ length: Math.min(PARALLEL, recipients.length) }, lane));
    const leftOut = new Set(capped.toSorted((a, b) => a - b).slice(1));
    return results.filter(
      (result, index) => result !== undefined && !leftOut.has(index),
    ) as BatchResult[];
  };

  return { send };
};

export type Batches = ReturnType<typeof createBatches>;
