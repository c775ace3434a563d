import {
  DeadLetterDismissed,
  type DeadLetterFact,
  DeadLetterKept,
  DeadLetterRetried,
} from '../../events/dead-letter.ts';
import type { FactOf } from '../../events/define.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

export type DeadLetter = FactOf<typeof DeadLetterKept>['data'];

interface DeadLetterState {
  kept: DeadLetter | null;
  resolved: boolean;
  dismissed: boolean;
}

type DeadLetterCommand =
  | { type: 'Keep'; letter: DeadLetter }
  | { type: 'NoteRetry'; deadLetterId: string; resolved: boolean; reason: string | null }
  | { type: 'Dismiss'; deadLetterId: string };

/** An item of the provider that could not be ingested. A repetition adds nothing. */
export const deadLetterDecider: Decider<DeadLetterState, DeadLetterCommand, DeadLetterFact> = {
  category: 'deadletter',
  initial: { kept: null, resolved: false, dismissed: false },
  evolve(state, fact) {
    switch (fact.type) {
      case 'DeadLetterKept':
        return { ...state, kept: fact.data };
      case 'DeadLetterRetried':
        return { ...state, resolved: fact.data.resolved };
      case 'DeadLetterDismissed':
        return { ...state, dismissed: true };
    }
  },
  decide(command, state) {
    if (command.type === 'Keep') return state.kept ? [] : [DeadLetterKept.of(command.letter)];
    if (!state.kept) throw new AppError('resource.unknown', 'Dead letter not found');
    if (state.resolved) return [];
    const { deadLetterId } = command;
    if (command.type === 'Dismiss') {
      return state.dismissed ? [] : [DeadLetterDismissed.of({ deadLetterId })];
    }
    const { resolved, reason } = command;
    return [DeadLetterRetried.of({ deadLetterId, resolved, reason })];
  },
};
