import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../events/store.ts';
import { createNamedPool } from '../../shared/fair-pool.ts';

/** Items of a webhook that are ingested in order. */
export interface Subject {
  /** The business account, whose share of the places the subject takes. */
  holder: string;
  ingest(): Promise<void>;
}

/**
 * Subjects that are ingested at a time, of all webhooks. Each makes one call of the log at a time, so
 * that of the 64 appends that the log carries at once, sends always have most.
 */
const PLACES = 8;
/** A business account may hold three times as many places as it leaves free: 6 of 8 while alone. */
const SHARE = 3;
/** A webhook that is not done by then fails, and the provider sends it again: what is stored stays. */
const WEBHOOK_MS_MAX = 30_000;
/** The same for one that has failed already: its other subjects may each wait as long as the failed one. */
const FAILED_MS_MAX = 5_000;
/** Subjects that one place ingests before the event loop runs other work, where none has to wait. */
const IN_A_ROW = 8;

const tooLate = () => new StoreUnavailable('too many items of the provider wait');

/** Other times, for tests. */
export interface TurnTimes {
  webhookMsMax?: number;
  monotonicMs?: () => number;
}

/**
 * Ingests the subjects of webhooks, a bounded number at a time in the whole process. Business accounts
 * take turns. A failure of one subject does not keep the others of a webhook from being tried, unless
 * they take long; throws the first failure at the end.
 */
export const createSubjectTurns = ({
  webhookMsMax = WEBHOOK_MS_MAX,
  monotonicMs = () => performance.now(),
}: TurnTimes = {}) => {
  const places = createNamedPool(PLACES, SHARE);

  const ingestInPlace = async ({ holder, ingest }: Subject, leftMs: number): Promise<void> => {
    if (!places.take(holder) && !(await places.wait(holder, leftMs))) throw tooLate();
    try {
      await ingest();
    } finally {
      places.release(holder);
    }
  };

  return async (subjects: readonly Subject[]): Promise<void> => {
    const waiting = subjects.entries();
    const begunMs = monotonicMs();
    let failure: unknown;
    const leftMs = () => {
      const mayTakeMs =
        failure === undefined ? webhookMsMax : Math.min(webhookMsMax, FAILED_MS_MAX);
      return begunMs + mayTakeMs - monotonicMs();
    };
    const ingestNext = async () => {
      for (const [index, subject] of waiting) {
        if (index % IN_A_ROW === IN_A_ROW - 1) await nextTurn();
        if (leftMs() <= 0) {
          failure ??= tooLate();
          return;
        }
        try {
          await ingestInPlace(subject, leftMs());
        } catch (error) {
          failure ??= error;
        }
      }
    };
    await Promise.all(Array.from({ length: PLACES }, ingestNext));
    if (failure !== undefined) throw failure;
  };
};
