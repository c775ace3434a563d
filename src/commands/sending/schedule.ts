import { isDeepStrictEqual } from 'node:util';
import type { ClaimedRun } from '../../events/idempotency.ts';
import {
  ScheduleBegun,
  ScheduleChanged,
  type ScheduledSend,
  ScheduleEnded,
  type ScheduleError,
  type ScheduleFact,
  ScheduleMoved,
  SendScheduled,
  type scheduleEnds,
} from '../../events/schedule.ts';
import { AppError } from '../../shared/errors.ts';
import { mustBeOwn } from '../account/movements.ts';
import type { Decider } from '../core/decider.ts';
import { type Claiming, inProgress, isWorkedOn } from '../idempotency/idempotency-key.ts';
import type { Planned } from './timing.ts';

type End = (typeof scheduleEnds)[number];

/** A send that waits for its time. */
export interface ScheduleState {
  phase: 'none' | 'waiting' | 'sending' | End;
  /** Its request is null once it is erased. */
  send: ScheduledSend | null;
  /** When a process first began to send it. */
  begunAt: string | null;
  /** The latest run; null where a version before claimed it elsewhere. */
  run: ClaimedRun | null;
  /** Whether an earlier run may have sent it. */
  isResumed: boolean;
}

const initial: ScheduleState = {
  phase: 'none',
  send: null,
  begunAt: null,
  run: null,
  isResumed: false,
};

/** What a send came to. */
export interface Result {
  state: End;
  chargeId?: string | null;
  messageId?: string | null;
  error?: ScheduleError | null;
}

export type ScheduleCommand =
  /** Does nothing where the schedule exists: the request was repeated. */
  | { type: 'Schedule'; send: ScheduledSend; isOwn?: () => boolean }
  /** Replaces `before`, of which the new one was made. */
  | { type: 'Change'; before: ScheduledSend; send: ScheduledSend }
  | { type: 'Cancel'; at: string }
  /** Begins a send that is due, goes on with one whose run is over, or finds that it comes to nothing. */
  | {
      type: 'Begin';
      claiming: Claiming;
      /** A later time, where it must not go out now; its end, where it never can. */
      held(send: ScheduledSend): Planned | Result | undefined;
    }
  /** What a run came to. Does nothing once another one goes on with the send, which may find it sent. */
  | { type: 'End'; claimId: string; at: string; result: Result };

const words: Record<ScheduleState['phase'], string> = {
  none: 'is not known',
  waiting: 'waits',
  sending: 'is being sent',
  sent: 'was sent',
  refused: 'was refused',
  expired: 'has expired',
  cancelled: 'was cancelled',
  erased: 'was erased with its contact',
};

export const unknownSchedule = () => new AppError('resource.unknown', 'Scheduled send not found');

export const conflictOf = (phase: ScheduleState['phase']) =>
  new AppError('resource.conflict', `The scheduled send ${words[phase]}`, {
    hint: 'Only a send that waits can be changed, cancelled or sent now.',
  });

const changedMeanwhile = () =>
  new AppError('resource.conflict', 'The scheduled send was changed by another request', {
    hint: 'Look at what it is now, and change that.',
  });

/** Whether its contact, or one that it names, was erased. */
export const isErased = ({ request, named }: ScheduledSend): boolean =>
  request === null || (named?.some((one) => one.isErased) ?? false);

const ended = (
  { scheduleId, accountId, contactRef, event }: ScheduledSend,
  at: string,
  { state, chargeId = null, messageId = null, error = null }: Result,
): ScheduleFact =>
  ScheduleEnded.of({
    scheduleId,
    accountId,
    contactRef,
    event,
    state,
    at,
    chargeId,
    messageId,
    error,
  });

const begin = (
  { claiming, held }: Extract<ScheduleCommand, { type: 'Begin' }>,
  send: ScheduledSend,
): readonly ScheduleFact[] => {
  const { scheduleId, accountId, category, phoneNumberId } = send;
  const { at } = claiming;
  if (isErased(send)) return [ended(send, at, { state: 'erased' })];
  if (at < send.dueAt) return [];
  if (at > send.notAfter) return [ended(send, at, { state: 'expired' })];
  const later = held(send);
  if (later && 'state' in later) return [ended(send, at, later)];
  if (later) {
    return [ScheduleMoved.of({ scheduleId, accountId, category, phoneNumberId, ...later })];
  }
  return [ScheduleBegun.of({ scheduleId, accountId, run: claiming })];
};

const goOn = (
  claiming: Claiming,
  send: ScheduledSend,
  run: ClaimedRun | null,
): readonly ScheduleFact[] => {
  const { scheduleId, accountId } = send;
  if (!run) return [];
  if (claiming.running.has(scheduleId) || isWorkedOn(run, claiming)) throw inProgress(1);
  if (isErased(send)) return [ended(send, claiming.at, { state: 'erased' })];
  return [ScheduleBegun.of({ scheduleId, accountId, run: claiming })];
};

/** The life of one scheduled send. The process that appends `ScheduleBegun` sends it: one at a time. */
export const scheduleDecider: Decider<ScheduleState, ScheduleCommand, ScheduleFact> = {
  category: 'schedule',
  initial,
  evolve(state, fact) {
    switch (fact.type) {
      case 'SendScheduled':
      case 'ScheduleChanged':
        return { ...initial, phase: 'waiting', send: fact.data };
      case 'ScheduleMoved': {
        const { dueAt, notAfter, timeZone, rule } = fact.data;
        return { ...state, send: state.send && { ...state.send, dueAt, notAfter, timeZone, rule } };
      }
      case 'ScheduleBegun':
        return {
          ...state,
          phase: 'sending',
          begunAt: state.begunAt ?? fact.data.run?.at ?? null,
          run: fact.data.run,
          isResumed: state.phase === 'sending',
        };
      case 'ScheduleEnded':
        return { ...state, phase: fact.data.state };
    }
  },
  decide(command, { phase, send, run }) {
    if (command.type === 'Schedule') {
      if (send) return [];
      mustBeOwn(command);
      return [SendScheduled.of(command.send)];
    }
    if (!send) throw unknownSchedule();
    switch (command.type) {
      case 'Change':
        if (phase !== 'waiting' || isErased(send)) throw conflictOf(phase);
        if (!isDeepStrictEqual(send, command.before)) throw changedMeanwhile();
        return [ScheduleChanged.of(command.send)];
      case 'Cancel':
        if (phase === 'cancelled') return [];
        if (phase !== 'waiting') throw conflictOf(phase);
        return [ended(send, command.at, { state: 'cancelled' })];
      case 'Begin':
        if (phase === 'sending') return goOn(command.claiming, send, run);
        return phase === 'waiting' ? begin(command, send) : [];
      case 'End': {
        const isOvertaken = run !== null && run.claimId !== command.claimId;
        if (phase !== 'sending' || isOvertaken) return [];
        return [ended(send, command.at, command.result)];
      }
    }
  },
};
