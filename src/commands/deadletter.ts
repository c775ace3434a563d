import { AppError } from '../errors.ts';
import { type DeadLetterFact, DeadLetterKept, DeadLetterRetried } from '../events/deadletter.ts';
import type { FactOf } from '../events/define.ts';
import type { Decider } from './decider.ts';

export type DeadLetter = FactOf<typeof DeadLetterKept>['data'];

export interface DeadLetterState {
  kept: DeadLetter | null;
  resolved: boolean;
}

export type DeadLetterCommand =
  | { type: 'Keep'; letter: DeadLetter }
  | { type: 'NoteRetry'; deadLetterId: string; resolved: boolean; reason: string | null };

/** Something the provider sent that could not be taken in. The same item again is no second one. */
export const deadLetterDecider: Decider<DeadLetterState, DeadLetterCommand, DeadLetterFact> = {
  category: 'deadletter',
  initial: { kept: null, resolved: false },
  evolve: (state, fact) =>
    fact.type === 'DeadLetterKept'
      ? { ...state, kept: fact.data }
      : { ...state, resolved: fact.data.resolved },
  decide(command, state) {
    if (command.type === 'Keep') return state.kept ? [] : [DeadLetterKept.of(command.letter)];
    if (!state.kept) throw new AppError('resource.unknown', 'Dead letter not found');
    if (state.resolved) return [];
    const { deadLetterId, resolved, reason } = command;
    return [DeadLetterRetried.of({ deadLetterId, resolved, reason })];
  },
};
