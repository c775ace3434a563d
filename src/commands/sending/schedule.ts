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
import type { Decider } from '../core/decider.ts';
import type { Planned } from './timing.ts';

type End = (typeof scheduleEnds)[number];

/** A send that waits for its time. */
export interface ScheduleState {
  phase: 'none' | 'waiting' | 'sending' | End;
  /** Its request is null once it is erased. */
  send: ScheduledSend | null;
  /** When a process began to send it. */
  begunAt: string | null;
}

/** What a send came to. */
export interface Result {
  state: End;
  chargeId?: string | null;
  messageId?: string | null;
  error?: ScheduleError | null;
}

export type ScheduleCommand =
  /** Does nothing where the schedule exists: the request was repeated. */
  | { type: 'Schedule'; send: ScheduledSend }
  | { type: 'Change'; send: ScheduledSend }
  | { type: 'Cancel'; at: string }
  /** Begins a send that is due, or finds that it comes to nothing. */
  | {
      type: 'Begin';
      at: string;
      /** A later time, where it must not go out now. */
      held(send: ScheduledSend): Planned | undefined;
    }
  | { type: 'End'; at: string; result: Result };

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
  { at, held }: Extract<ScheduleCommand, { type: 'Begin' }>,
  send: ScheduledSend,
): readonly ScheduleFact[] => {
  const { scheduleId, accountId, category, phoneNumberId } = send;
  if (isErased(send)) return [ended(send, at, { state: 'erased' })];
  if (at < send.dueAt) return [];
  if (at > send.notAfter) return [ended(send, at, { state: 'expired' })];
  const later = held(send);
  if (later) {
    return [ScheduleMoved.of({ scheduleId, accountId, category, phoneNumberId, ...later })];
  }
  return [ScheduleBegun.of({ scheduleId, accountId, at })];
};

/** The life of one scheduled send. The process that appends `ScheduleBegun` first sends it. */
export const scheduleDecider: Decider<ScheduleState, ScheduleCommand, ScheduleFact> = {
  category: 'schedule',
  initial: { phase: 'none', send: null, begunAt: null },
  evolve(state, fact) {
    switch (fact.type) {
      case 'SendScheduled':
      case 'ScheduleChanged':
        return { phase: 'waiting', send: fact.data, begunAt: null };
      case 'ScheduleMoved': {
        const { dueAt, notAfter, timeZone, rule } = fact.data;
        return { ...state, send: state.send && { ...state.send, dueAt, notAfter, timeZone, rule } };
      }
      case 'ScheduleBegun':
        return { ...state, phase: 'sending', begunAt: fact.data.at };
      case 'ScheduleEnded':
        return { ...state, phase: fact.data.state };
    }
  },
  decide(command, { phase, send }) {
    if (command.type === 'Schedule') return send ? [] : [SendScheduled.of(command.send)];
    if (!send) throw unknownSchedule();
    switch (command.type) {
      case 'Change':
        if (phase !== 'waiting' || isErased(send)) throw conflictOf(phase);
        return [ScheduleChanged.of(command.send)];
      case 'Cancel':
        if (phase === 'cancelled') return [];
        if (phase !== 'waiting') throw conflictOf(phase);
        return [ended(send, command.at, { state: 'cancelled' })];
      case 'Begin':
        return phase === 'waiting' ? begin(command, send) : [];
      case 'End':
        return phase === 'sending' ? [ended(send, command.at, command.result)] : [];
    }
  },
};
