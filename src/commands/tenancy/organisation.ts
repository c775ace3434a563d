import {
  OrganisationCreated,
  type OrganisationFact,
  OrganisationReinstated,
  OrganisationSuspended,
} from '../../events/directory.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { sortedId } from '../core/identifiers.ts';

interface OrganisationState {
  created: boolean;
  suspended: boolean;
}

type OrganisationCommand =
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
    if (command.type === 'Create') {
      if (state.created) throw new AppError('resource.conflict', 'The organisation exists already');
      return [OrganisationCreated.of(command)];
    }
    if (!state.created) throw new AppError('resource.unknown', 'Organisation not found');
    if (command.type === 'Suspend') {
      return state.suspended ? [] : [OrganisationSuspended.of(command)];
    }
    return state.suspended ? [OrganisationReinstated.of(command)] : [];
  },
};

export const createOrganisations = ({ writer, ids }: { writer: Writer; ids: Ids }) => ({
  async createOrganisation(name: string, context: CommandContext): Promise<string> {
    const organisationId = sortedId('org', ids);
    const command = { type: 'Create' as const, organisationId, name };
    await writer.execute(organisationDecider, organisationId, command, context);
    return organisationId;
  },

  async setSuspended(
    organisationId: string,
    suspended: boolean,
    reason: string | null,
    context: CommandContext,
  ): Promise<void> {
    const type = suspended ? ('Suspend' as const) : ('Reinstate' as const);
    const command = { type, organisationId, reason };
    await writer.execute(organisationDecider, organisationId, command, context);
  },
});
