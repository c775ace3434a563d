import type { SendsRefused } from '../../events/account.ts';
import type { FactOf } from '../../events/define.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { eachLimit } from '../../shared/concurrency.ts';
import { type AppError, type ErrorCode, isRefusal } from '../../shared/errors.ts';
import type { AccountDecider } from '../account/account.ts';
import type { FreeWrites } from '../account/free-writes.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { Writer } from '../core/execute.ts';

// What is refused before a charge leaves no event of its own: it is counted in memory by account, code
// and minute, and each count is one event when its minute is over.

/** Marks a refusal of the schema by `strict`, as the cause of the error. */
export const BY_STRICT = new Error('strict');

const capCodes = {
  paused: 'PAUSED',
  perMinute: 'CAP_PER_MINUTE',
  daily: 'CAP_DAILY',
  monthly: 'CAP_MONTHLY',
} as const;

const codes: Partial<Record<ErrorCode, string>> = {
  'organisation.suspended': 'SUSPENDED',
  'message.window_closed': 'WINDOW_CLOSED',
  'message.not_allowed': 'PROVIDER_RULE',
  'number.none': 'NO_PHONE',
  'template.not_approved': 'TEMPLATE_NOT_APPROVED',
  'quote.changed': 'QUOTE_CHANGED',
};

/** The code under which a refusal counts; undefined for what is not counted. */
export const refusalCodeOf = (error: AppError): string | undefined => {
  if (isRefusal(error, 'account.cap_reached')) return capCodes[error.details.limit];
  if (isRefusal(error, 'account.insufficient')) return error.details.reason;
  if (error.code === 'request.invalid') return error.cause === BY_STRICT ? 'STRICT' : undefined;
  return codes[error.code];
};

/** The refused send, as far as it is known. */
export interface RefusedSend {
  accountId: string;
  requestId: string;
  /** Digits or a user id. */
  to: string | null;
}

/** Refusals of one account, code and minute. */
type Count = Omit<FactOf<typeof SendsRefused>['data'], 'contactRef'>;

/** Counts that are in memory; further ones are left out until some are written. */
const COUNTS_MAX = 10_000;
/** Counts that are written at the same time. */
const WRITES_MAX = 16;
const MINUTE_MS = 60_000;

interface Deps {
  writer: Pick<Writer, 'execute'>;
  account: AccountDecider;
  subjects: Pick<Subjects, 'of'>;
  freeWrites: Pick<FreeWrites, 'run'>;
  clock: Clock;
  /** For tests: instead of the end of the minute. */
  afterMs: number | undefined;
  onFailure: (accountId: string, error: unknown) => void;
}

/** Writes a count into its account's stream, which costs the account's free writes. */
const writeCount = (
  { writer, account, subjects, freeWrites }: Deps,
  { accountId, to, ...counted }: Count,
): Promise<unknown> =>
  freeWrites.run(accountId, async () => {
    const subject = to === null ? undefined : await subjects.of(accountId, to);
    const contactRef = subject?.ref ?? null;
    const command = { type: 'CountRefusals' as const, ...counted, contactRef, to };
    const by = { requestId: 'refusals', cause: 'refusals', accountId };
    const on = { ...by, subjects: subject ? [subject] : [] };
    return writer.execute(account(accountId), accountId, command, on);
  });

export const createRefusals = (deps: Deps) => {
  const { clock, afterMs, onFailure } = deps;
  let counts = new Map<string, Count>();
  const counted = new WeakSet<AppError>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const keep = (one: Count): void => {
    const key = `${one.accountId} ${one.code} ${one.minute}`;
    const known = counts.get(key);
    if (!known && counts.size >= COUNTS_MAX) return;
    if (!known) counts.set(key, one);
    else {
      known.count += one.count;
      known.lastRequestId = one.lastRequestId;
      known.to = one.to ?? known.to;
    }
    // At the end of the minute, so that there is one event for it.
    timer ??= setTimeout(flush, afterMs ?? MINUTE_MS - (clock.now() % MINUTE_MS)).unref();
  };

  const write = async (one: Count): Promise<void> => {
    try {
      await writeCount(deps, one);
    } catch (error) {
      // The counting stops where the account may write no more for free.
      if (isRefusal(error, 'account.free_writes')) return;
      if (error instanceof StoreUnavailable) keep(one);
      else onFailure(one.accountId, error);
    }
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const left = counts.values();
    counts = new Map();
    writing = writing.then(() => eachLimit(left, WRITES_MAX, write));
  };

  return {
    /** Counts a refusal, once however often it is told. Other errors are not counted. */
    note(error: unknown, { accountId, requestId, to }: RefusedSend): void {
      if (!isRefusal(error) || counted.has(error)) return;
      const code = refusalCodeOf(error);
      if (code === undefined) return;
      counted.add(error);
      const minute = isoTime(clock.now() - (clock.now() % MINUTE_MS));
      const ids = { firstRequestId: requestId, lastRequestId: requestId };
      keep({ accountId, code, minute, count: 1, ...ids, to });
    },
    /** Writes what was counted, when the service stops too. */
    async flush(): Promise<void> {
      flush();
      await writing;
    },
  };
};

export type Refusals = ReturnType<typeof createRefusals>;
