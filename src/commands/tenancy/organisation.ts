import {
  OrganisationCreated,
  type OrganisationFact,
  OrganisationReinstated,
  OrganisationSuspended,
} from '../../events/directory.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

export interface OrganisationState {
  created: boolean;
  suspended: boolean;
}

export type OrganisationCommand =
  | { type: 'Create'; organisationId: string; name: string }
  | { type: 'Suspend'; organisationId: string; reason: string | null }
  | { type: 'Reinstate'; organisationId: string; reason: string | null };

export const organisationDecider: Decider<
  OrganisationState,
  OrganisationCommand,
  OrganisationFact
> = {
  category: 'organisation',
  initial: { created: false, suspended: false },
  evolve(state, fact) {
    switch (fact.type) {
      case 'OrganisationCreated':
        return { created: true, suspended: false };
      case 'OrganisationSuspended':
        return { ...state, suspended: true };
      case 'OrganisationReinstated':
        return { ...state, suspended: false };
    }
  },
  decide(command, state) {
    const { organisationId } = command;
    if (command.type === 'Create') {
      if (state.created) throw new AppError('resource.conflict', 'The organisation exists already');
      return [OrganisationCreated.of({ organisationId, name: command.name })];
    }
    if (!state.created) throw new AppError('resource.unknown', 'Organisation not found');
    const { reason } = command;
    if (command.type === 'Suspend') {
      return state.suspended ? [] : [OrganisationSuspended.of({ organisationId, reason })];
    }
    return state.suspended ? [OrganisationReinstated.of({ organisationId, reason })] : [];
  },
};
