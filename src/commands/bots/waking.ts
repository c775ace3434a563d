import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import type { DueRun, Lookups } from '../core/lookups.ts';
import type { Unsettled } from '../core/unsettled.ts';
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

const conversationOf = (
  { conversationId, accountId, phoneNumberId, contactRef }: DueRun,
  ids: Ids,
): Conversation => ({
  conversationId,
  accountId,
  phoneNumberId,
  contactRef,
  contact: { waId: null, userId: null, name: null },
  context: { requestId: ids.uuid(), accountId, cause: 'bot-timer' },
});

/**
 * Wakes the runs whose time has come, those of other processes left out. The first look-up after
 * `begin` also finds the runs of new accounts whose process died during an action: the outcome of the
 * action is unknown, and it is not tried again.
 */
export const createWaking = (deps: {
  lookups: Pick<Lookups, 'dueRuns'>;
  clock: Clock;
  ids: Ids;
  /** Whether this process runs the bots of the account. */
  isOurs: (accountId: string) => boolean;
  /** Undefined while the account has no room. */
  resume: (
    conversation: Conversation,
    runId: string,
    type: 'due' | 'unknown',
  ) => Unsettled<boolean> | undefined;
}): { wakeDue(): Promise<void>; begin(isNew: (accountId: string) => boolean): void } => {
  const { lookups, clock, ids, isOurs, resume } = deps;
  /** Until when look-ups pass over these runs, in ms: they are in the queue, failed, or had no room. */
  const passedOver = new Map<string, number>();
  /** Accounts whose runs this process has not looked for yet. */
  let isNew: ((accountId: string) => boolean) | undefined;

  const wake = (run: DueRun): void => {
    const { runId, phase } = run;
    const conversation = conversationOf(run, ids);
    const passOver = (delayMs: number) => passedOver.set(runId, clock.now() + delayMs);
    const resumed = resume(conversation, runId, phase === 'waiting' ? 'due' : 'unknown');
    passOver(resumed ? Number.POSITIVE_INFINITY : FULL_PAUSE_MS);
    resumed?.settled.then((succeeded) => {
      if (succeeded) passedOver.delete(runId);
      else passOver(FAILED_PAUSE_MS);
    });
  };

  const look = async (): Promise<void> => {
    const now = clock.now();
    const looksFor = isNew;
    for (const [runId, until] of passedOver) if (until <= now) passedOver.delete(runId);
    const actingSince = isoTime(looksFor ? now : now - ABANDONED_MS);
    // The longest due come first; without room for others, stuck runs would hide them.
    const limit = Math.min(DUE_MAX + passedOver.size, DUE_AND_PASSED_OVER_MAX);
    const question = { waitingUntil: isoTime(now), actingSince, limit };
    const due = await lookups.dueRuns(question, { fresh: looksFor !== undefined });
    if (due.length < limit && isNew === looksFor) isNew = undefined;
    for (const run of due) {
      const { runId, accountId, phase } = run;
      if (passedOver.has(runId)) continue;
      if (!isOurs(accountId)) passedOver.set(runId, now + FULL_PAUSE_MS);
      // What this process does itself is not abandoned: the next look-up asks for that.
      else if (phase === 'waiting' || !looksFor || looksFor(accountId)) wake(run);
    }
  };

  return {
    wakeDue: look,
    begin(added) {
      const before = isNew;
      isNew = (accountId) => added(accountId) || (before?.(accountId) ?? false);
    },
  };
};
