import { StoreUnavailable } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { mapLimit } from '../../shared/concurrency.ts';
import { type AppError, type ErrorCode, isRefusal } from '../../shared/errors.ts';
import type { Channel, NotificationRequest, Notifications } from './notification.ts';
import type { Scheduled, Schedules } from './schedules.ts';
import type { SendContext } from './send.ts';
import { type AccountHours, isTimed, mustBeInTime, type Timing } from './timing.ts';

interface Recipient {
  to: string;
  variables: Readonly<Record<string, unknown>>;
  clientReference?: string | undefined;
}

/** One event for many recipients (contract 4.8). */
export interface BatchRequest extends Timing {
  event: string;
  recipients: readonly Recipient[];
  phoneNumberId?: string | undefined;
  languageCode?: string | undefined;
  quoted?: NotificationRequest['quoted'];
  strict?: boolean | undefined;
}

interface BatchResult {
  to: string;
  ok: boolean;
  messageId?: string;
  channel?: Channel;
  providerStatus?: string;
  /** It is to go out later. */
  scheduled?: Scheduled;
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

const PARALLEL = 32;
const TIME_LIMIT_MS = 120_000;

const batchCodes: Partial<Record<ErrorCode, BatchCode>> = {
  'account.cap_reached': 'LIMIT_REACHED',
  'account.free_writes': 'LIMIT_REACHED',
  'schedule.full': 'LIMIT_REACHED',
  'event.unknown': 'UNKNOWN_EVENT',
  'number.none': 'NO_PHONE',
  'template.not_approved': 'TEMPLATE_NOT_APPROVED',
};

/** Whether the refusal would meet every later recipient too, however long they wait. */
const isFinal = (error: unknown): boolean =>
  isRefusal(error, 'account.free_writes', 'schedule.full') ||
  (isRefusal(error, 'account.cap_reached') && error.details.limit !== 'perMinute');

const failureOf = (error: unknown): { code: BatchCode; error: string } => {
  if (!isRefusal(error)) {
    return { code: 'SEND_FAILED', error: 'The message could not be sent' };
  }
  const code = isRefusal(error, 'account.insufficient')
    ? error.details.reason
    : (batchCodes[error.code] ?? 'SEND_FAILED');
  return { code, error: error.message };
};

/** The caller of a batch. Recipients are started for as long as its key is valid. */
interface BatchContext extends Omit<SendContext, 'signal'> {
  keyId: string;
  /** Whether an earlier run of the request was interrupted: it came in time. */
  resumed?: boolean | undefined;
}

interface Deps {
  notifications: Notifications;
  schedules: Pick<Schedules, 'hold'>;
  clock: Clock;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
  /** False once the key is revoked or the organisation suspended. */
  mayGoOn: (by: Pick<BatchContext, 'accountId' | 'keyId'>) => Promise<boolean>;
  onFault: (error: unknown) => void;
}

/** A batch while it runs. */
interface Running {
  common: Omit<BatchRequest, 'recipients'>;
  context: BatchContext;
  /** What holds recipients back until later; absent where nothing does. */
  hours?: AccountHours | undefined;
  deadlineMs: number;
  /** Ends the wait of every recipient that has no slot yet. */
  ending: AbortSignal;
}

interface Attempt {
  /** Absent for a recipient that was not started. */
  result?: BatchResult;
  /** Whether no further recipient is to be started. */
  endsBatch: boolean;
  /** Of a recipient whose message an earlier run may have sent: that is not known yet. */
  notKnownYet?: AppError;
}

const isOver = ({ monotonicMs }: Deps, { ending, deadlineMs }: Running) =>
  ending.aborted || monotonicMs() >= deadlineMs;

const sendOne = async (
  deps: Deps,
  running: Running,
  recipient: Recipient,
  part: number,
): Promise<Attempt> => {
  const { common, hours, deadlineMs, ending } = running;
  const { keyId, ...context } = running.context;
  const { accountId, claim } = context;
  const on = claim ? { ...context, claim: { id: claim.id, part } } : context;
  if (hours) {
    const body = { ...common, ...recipient };
    const scheduled = await deps.schedules.hold('notification', body, hours, on);
    if (scheduled) return { result: { to: recipient.to, ok: true, scheduled }, endsBatch: false };
  }
  const limits = { withinMs: deadlineMs - deps.monotonicMs(), signal: ending };
  const slot = await deps.notifications.takeSlot(common, context, limits);
  if (slot === 'none') return { endsBatch: true };
  try {
    if (isOver(deps, running) || !(await deps.mayGoOn({ accountId, keyId }))) {
      return { endsBatch: true };
    }
    // Without the caller's signal: a message that went out stays charged when the caller has gone.
    const sent = await deps.notifications.send({ ...common, ...recipient, slot }, on);
    const { messageId, channel, providerStatus } = sent;
    const result = {
      to: recipient.to,
      ok: true as const,
      messageId,
      channel,
      ...(providerStatus !== undefined && { providerStatus }),
    };
    return { result, endsBatch: false };
  } finally {
    slot?.release();
  }
};

const attempt = async (
  deps: Deps,
  running: Running,
  recipient: Recipient,
  part: number,
): Promise<Attempt> => {
  try {
    return await sendOne(deps, running, recipient, part);
  } catch (error) {
    // Nothing was reserved: the recipient counts as not started.
    if (error instanceof StoreUnavailable) return { endsBatch: true };
    if (isRefusal(error, 'idempotency.in_progress')) return { endsBatch: true, notKnownYet: error };
    if (!isRefusal(error)) deps.onFault(error);
    const result = { to: recipient.to, ok: false, ...failureOf(error) };
    return { result, endsBatch: isFinal(error) };
  }
};

export const createBatches = (deps: Deps) => ({
  /**
   * Sends to up to 32 recipients at a time; each waits for its slot in the number's pace first. The
   * results are in the order of the recipients. Recipients that were not started are left out: after
   * the caller has gone, its key or organisation was shut out, the service stops, 120 s have passed
   * or a cap stops every send. They were neither charged nor sent to. Throws where it is not known yet
   * whether an earlier run of the request has sent to one: leaving it out would say that it has not.
   */
  async send(
    { recipients, ...common }: BatchRequest,
    context: BatchContext,
    stopping: AbortSignal,
    account: AccountHours,
  ): Promise<readonly BatchResult[]> {
    const ended = new AbortController();
    const ending = AbortSignal.any([stopping, ended.signal]);
    if (!context.resumed) mustBeInTime(common, deps.clock.now());
    const mayWait = isTimed(common) || common.notAfter || account.quietHours || context.resumed;
    const hours = mayWait ? account : undefined;
    const deadlineMs = deps.monotonicMs() + TIME_LIMIT_MS;
    const running = { common, context, hours, deadlineMs, ending };
    const attempts = await mapLimit(recipients, PARALLEL, async (recipient, part) => {
      if (isOver(deps, running)) return undefined;
      const made = await attempt(deps, running, recipient, part);
      if (made.endsBatch) ended.abort();
      return made;
    });
    const unknown = attempts.find((one) => one?.notKnownYet);
    if (unknown) throw unknown.notKnownYet;
    // Of several recipients that met a final cap only the first is reported.
    const firstCapped = attempts.find((one) => one?.endsBatch && one.result);
    return attempts.flatMap((one) =>
      one?.result && (!one.endsBatch || one === firstCapped) ? [one.result] : [],
    );
  },
});

export type Batches = ReturnType<typeof createBatches>;
