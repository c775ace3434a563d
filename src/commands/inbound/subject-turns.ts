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
/** A webhook that waits longer for a place fails, and the provider sends it again. */
const WAIT_MS_MAX = 30_000;
/** Subjects that one place ingests before the event loop runs other work, where none has to wait. */
const IN_A_ROW = 8;

class NoPlace extends StoreUnavailable {
  constructor() {
    super('too many items of the provider wait');
    this.name = 'NoPlace';
  }
}

/**
 * Ingests the subjects of webhooks, a bounded number at a time in the whole process. Business accounts
 * take turns. Tries all subjects of a webhook, and throws the first failure at the end; stops when a
 * subject gets no place in time.
 */
export const createSubjectTurns = (waitMsMax = WAIT_MS_MAX) => {
  const places = createNamedPool(PLACES, SHARE);

  const ingestInPlace = async ({ holder, ingest }: Subject): Promise<void> => {
    if (!places.take(holder) && !(await places.wait(holder, waitMsMax))) throw new NoPlace();
    try {
      await ingest();
    } finally {
      places.release(holder);
    }
  };

  return async (subjects: readonly Subject[]): Promise<void> => {
    const waiting = subjects.entries();
    let failure: unknown;
    const ingestNext = async () => {
      for (const [index, subject] of waiting) {
        if (failure instanceof NoPlace) return;
        if (index % IN_A_ROW === IN_A_ROW - 1) await nextTurn();
        try {
          await ingestInPlace(subject);
        } catch (error) {
          if (failure === undefined || error instanceof NoPlace) failure = error;
        }
      }
    };
    await Promise.all(Array.from({ length: PLACES }, ingestNext));
    if (failure !== undefined) throw failure;
  };
};
