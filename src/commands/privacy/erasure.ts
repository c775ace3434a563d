import type { FactOf } from '../../events/define.ts';
import {
  ErasureDone,
  type ErasureFact,
  ErasureRequested,
  ErasureStarted,
  type Found,
} from '../../events/erasure.ts';
import type { Decider } from '../core/decider.ts';

type Request = FactOf<typeof ErasureRequested>['data'];

export interface ErasureState {
  request: Request | null;
  /** What was counted before anything was emptied; null until then. */
  found: Found | null;
  isDone: boolean;
}

type ErasureCommand =
  | { type: 'Request'; request: Request }
  | { type: 'Start'; found: Found }
  | { type: 'Finish' };

/** The steps of one erasure. Each of them may be repeated. */
export const erasureDecider: Decider<ErasureState, ErasureCommand, ErasureFact> = {
  category: 'erasure',
  initial: { request: null, found: null, isDone: false },
  evolve(state, fact) {
    switch (fact.type) {
      case 'ErasureRequested':
        return { ...state, request: fact.data };
      case 'ErasureStarted':
        return { ...state, found: fact.data.found };
      case 'ErasureDone':
        return { ...state, isDone: true };
    }
  },
  decide(command, { request, found, isDone }) {
    if (command.type === 'Request') return request ? [] : [ErasureRequested.of(command.request)];
    if (!request) throw new Error('this erasure was never requested');
    const { erasureId } = request;
    if (command.type === 'Start') {
      return found ? [] : [ErasureStarted.of({ erasureId, found: command.found })];
    }
    if (isDone) return [];
    if (!found) throw new Error(`the erasure ${erasureId} has not started`);
    return [ErasureDone.of({ erasureId, found })];
  },
};
