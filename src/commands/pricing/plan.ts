import {
  type PlanFact,
  PlanPublished,
  type PlanTerms,
  type RateCard,
  type RateCardFact,
  RateCardPublished,
} from '../../events/pricing.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';
import { standardPlan } from './pricing.ts';

/** A plan's terms without the version, which the stream counts. */
export type PlanDraft = Omit<PlanTerms, 'planVersion'>;

type PlanCommand = { type: 'Publish' | 'Revise'; draft: PlanDraft };

/** A plan. A change is a new version; charges made keep the one they were made under. */
export const planDecider: Decider<PlanTerms | null, PlanCommand, PlanFact> = {
  category: 'plan',
  initial: null,
  evolve: (_, fact) => fact.data,
  decide({ type, draft }, stored) {
    // The built-in plan exists without an event.
    const state = stored ?? (draft.planId === standardPlan.planId ? standardPlan : null);
    if (type === 'Publish') {
      if (state) throw new AppError('resource.conflict', 'A plan of that id exists already');
      return [PlanPublished.of({ ...draft, planVersion: 1 })];
    }
    if (!state) throw new AppError('resource.unknown', 'Plan not found');
    // Accounts hold balances in the plan's unit.
    if (draft.billing !== state.billing || draft.currency !== state.currency) {
      throw new AppError(
        'resource.conflict',
        'Billing and currency of a plan are fixed: create another plan and assign it',
      );
    }
    const next = { ...draft, planVersion: state.planVersion + 1 };
    const same =
      JSON.stringify(PlanPublished.of({ ...next, planVersion: 1 }).data) ===
      JSON.stringify(PlanPublished.of({ ...state, planVersion: 1 }).data);
    return same ? [] : [PlanPublished.of(next)];
  },
};

/** A rate card is published once and never changes. */
export const rateCardDecider: Decider<RateCard | null, RateCard, RateCardFact> = {
  category: 'ratecard',
  initial: null,
  evolve: (_, fact) => fact.data,
  decide(card, state) {
    if (state) throw new AppError('resource.conflict', 'A rate card of that id exists already');
    return [RateCardPublished.of(card)];
  },
};
