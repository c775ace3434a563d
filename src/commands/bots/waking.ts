import type { Clock, Ids } from '../../shared/clock.ts';
import type { Unsettled } from '../core/reactor-checkpoints.ts';
import { createTimers, type DueRow, type DueRows, forEachLane, takeDue } from '../core/timers.ts';
import type { Conversation } from './conversation-log.ts';

/** After 10 min without an outcome, an action counts as abandoned. */
const ABANDONED_MS = 10 * 60_000;
/** Pause before a run that failed is woken again. */
const FAILED_PAUSE_MS = 60_000;

/** A run of a bot in the lane of its account: due at the end of its wait, or at the start of its action. */
export interface DueRun extends DueRow {
  runId: string;
  /** The conversation whose stream holds the run. */
  conversationId: string;
  accountId: string;
  phoneNumberId: string;
  contactRef: string;
  phase: 'waiting' | 'acting';
}

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
 * Wakes the runs whose time has come, and those that a process left during an action: its outcome is
 * unknown, and it is not tried again.
 */
export const createWaking = (deps: {
  rows: DueRows<DueRun>;
  clock: Clock;
  ids: Ids;
  /** Undefined while the account has no room. */
  resume: (
    conversation: Conversation,
    runId: string,
    type: 'due' | 'unknown',
  ) => Unsettled<boolean> | undefined;
  onLookFailed: (error: unknown) => void;
}) => {
  const { rows, clock, ids, resume } = deps;
  const inHand = new Set<string>();
  /** When runs that failed are woken again, in ms. */
  const failedUntil = new Map<string, number>();
  /** Since when this process has accounts in which runs were open then, in ms. */
  const hadSince = new Map<string, number>();

  /** When a run is to be woken, in ms. What this process does itself is not abandoned yet. */
  const wakeAt = ({ runId, accountId, phase, dueAt }: DueRun): number => {
    const isLeft = phase === 'waiting' || dueAt <= (hadSince.get(accountId) ?? 0);
    return Math.max(isLeft ? dueAt : dueAt + ABANDONED_MS, failedUntil.get(runId) ?? 0);
  };

  const offer = (run: DueRun): boolean => {
    const { runId, accountId, phase } = run;
    const at = wakeAt(run);
    if (at > clock.now()) {
      timers.expect(accountId, at);
      return true;
    }
    const type = phase === 'waiting' ? 'due' : 'unknown';
    const resumed = resume(conversationOf(run, ids), runId, type);
    if (!resumed) return false;
    inHand.add(runId);
    resumed.settled.then((succeeded) => {
      inHand.delete(runId);
      if (!succeeded) failedUntil.set(runId, clock.now() + FAILED_PAUSE_MS);
    });
    return true;
  };

  const take = (lane: string) => {
    const now = clock.now();
    for (const [runId, until] of failedUntil) if (until <= now) failedUntil.delete(runId);
    return takeDue(lane, {
      rows,
      until: now,
      inHand() {
        const before = new Set(inHand);
        return ({ runId }) => before.has(runId) || inHand.has(runId);
      },
      offer,
    });
  };
  const timers = createTimers({ take, clock, onFailure: deps.onLookFailed });

  return {
    begin: (isNew: (accountId: string) => boolean) =>
      forEachLane(rows, (accountId) => {
        if (!isNew(accountId)) return;
        hadSince.set(accountId, clock.now());
        timers.expect(accountId, clock.now());
      }),
    expect: timers.expect,
    /** Something went wrong in the account: what it left is looked for. */
    failed: (accountId: string) => timers.expect(accountId, clock.now() + FAILED_PAUSE_MS),
    tick: timers.tick,
    drain: timers.drain,
  };
};
