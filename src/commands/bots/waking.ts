import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import type { DueRun, Lookups } from '../core/lookups.ts';
import type { Unsettled } from '../core/reactor.ts';
import type { Conversation } from './conversation-log.ts';

/** How many due runs one look-up wakes, and how many it reads with those that it passes over. */
const DUE_MAX = 200;
const DUE_AND_PASSED_OVER_MAX = 5000;
/** After 10 min without an outcome, an action counts as abandoned. */
const ABANDONED_MS = 10 * 60_000;
/** Pause before a run that failed is woken again. */
const FAILED_PAUSE_MS = 60_000;
/** Pause before a run whose account had no room is woken again. */
const FULL_PAUSE_MS = 2000;

/**
 * Wakes the runs whose time has come. The first look-up also finds the runs whose process died
 * during an action: the outcome of the action is unknown, and it is not tried again.
 */
export const createWaking = (deps: {
  lookups: Pick<Lookups, 'dueRuns'>;
  clock: Clock;
  ids: Ids;
  /** Undefined while the account has no room. */
  resume: (
    conversation: Conversation,
    runId: string,
    type: 'due' | 'unknown',
  ) => Unsettled<boolean> | undefined;
}): (() => Promise<void>) => {
  const { lookups, clock, ids, resume } = deps;
  /** Until when look-ups pass over these runs, in ms: they are in the queue, failed, or had no room. */
  const passedOver = new Map<string, number>();
  let isFirst = true;

  const wake = ({
    runId,
    conversationId,
    accountId,
    phoneNumberId,
    contactRef,
    phase,
  }: DueRun): void => {
    const conversation: Conversation = {
      conversationId,
      accountId,
      phoneNumberId,
      contactRef,
      contact: { waId: null, userId: null, name: null },
      context: { requestId: ids.uuid(), accountId, cause: 'bot-timer' },
    };
    const passOver = (delayMs: number) => passedOver.set(runId, clock.now() + delayMs);
    const resumed = resume(conversation, runId, phase === 'waiting' ? 'due' : 'unknown');
    passOver(resumed ? Number.POSITIVE_INFINITY : FULL_PAUSE_MS);
    resumed?.settled.then((succeeded) => {
      if (succeeded) passedOver.delete(runId);
      else passOver(FAILED_PAUSE_MS);
    });
  };

  return async () => {
    const now = clock.now();
    for (const [runId, until] of passedOver) if (until <= now) passedOver.delete(runId);
    const actingSince = isoTime(isFirst ? now : now - ABANDONED_MS);
    // The longest due come first; without room for others, stuck runs would hide them.
    const limit = Math.min(DUE_MAX + passedOver.size, DUE_AND_PASSED_OVER_MAX);
    const question = { waitingUntil: isoTime(now), actingSince, limit };
    const due = await lookups.dueRuns(question, { fresh: isFirst });
    if (due.length < limit) isFirst = false;
    for (const run of due) if (!passedOver.has(run.runId)) wake(run);
  };
};
