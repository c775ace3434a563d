import type { FourEyes } from '../../events/approval.ts';
import {
  FourEyesSet,
  OrganisationCreated,
  type OrganisationFact,
  OrganisationReinstated,
  OrganisationSuspended,
} from '../../events/directory.ts';
import { type Clock, type Ids, sortedId } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { type AccountDecider, chargesAreOpen, OpenChargesUnknown } from '../account/account.ts';
import type { AccountCommand, LimitsChange, OpenCharges } from '../account/state.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { canPrice } from '../pricing/pricing.ts';
import {
  createAdministrators,
  createApiKeys,
  createSessionCommands,
  type SessionCommandsDeps,
} from './credentials.ts';

interface OrganisationState {
  created: boolean;
  suspended: boolean;
  fourEyes: readonly FourEyes[];
}

type OrganisationCommand =
  | { type: 'Create'; organisationId: string; name: string }
  | { type: 'Suspend'; organisationId: string; reason: string | null }
  | { type: 'Reinstate'; organisationId: string; reason: string | null }
  | { type: 'SetFourEyes'; organisationId: string; fourEyes: readonly FourEyes[] };

export const organisationDecider: Decider<
  OrganisationState,
  OrganisationCommand,
  OrganisationFact
> = {
  category: 'organisation',
  initial: { created: false, suspended: false, fourEyes: [] },
  evolve(state, fact) {
    switch (fact.type) {
      case 'OrganisationCreated':
        return { ...state, created: true };
      case 'OrganisationSuspended':
        return { ...state, suspended: true };
      case 'OrganisationReinstated':
        return { ...state, suspended: false };
      case 'FourEyesSet':
        return { ...state, fourEyes: fact.data.fourEyes };
    }
  },
  decide(command, state) {
    if (command.type === 'Create') {
      if (state.created) throw new AppError('resource.conflict', 'The organisation exists already');
      return [OrganisationCreated.of(command)];
    }
    if (!state.created) throw new AppError('resource.unknown', 'Organisation not found');
    if (command.type === 'SetFourEyes') {
      const fourEyes = [...new Set(command.fourEyes)].toSorted();
      if (JSON.stringify(fourEyes) === JSON.stringify(state.fourEyes)) return [];
      return [FourEyesSet.of({ organisationId: command.organisationId, fourEyes })];
    }
    if (command.type === 'Suspend') {
      return state.suspended ? [] : [OrganisationSuspended.of(command)];
    }
    return state.suspended ? [OrganisationReinstated.of(command)] : [];
  },
};

const createOrganisations = ({ writer, ids }: { writer: Writer; ids: Ids }) => ({
  async createOrganisation(name: string, context: CommandContext): Promise<string> {
    const organisationId = sortedId('org', ids);
    const command = { type: 'Create' as const, organisationId, name };
    await writer.execute(organisationDecider, organisationId, command, context);
    return organisationId;
  },

  async setFourEyes(
    organisationId: string,
    fourEyes: readonly FourEyes[],
    context: CommandContext,
  ): Promise<void> {
    const command = { type: 'SetFourEyes' as const, organisationId, fourEyes };
    await writer.execute(organisationDecider, organisationId, command, context);
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

/** The plan of an account that names none. */
const DEFAULT_PLAN_ID = 'standard';
/** Looks for open charges of an account that is charged again after each look. */
const LOOKS_MAX = 3;

const createAccounts = (deps: {
  writer: Writer;
  account: AccountDecider;
  lookups: Pick<Lookups, 'plan' | 'rateCards' | 'openCharges'>;
  ids: Ids;
  clock: Clock;
}) => {
  const { writer, account, lookups, ids, clock } = deps;

  /** The terms of a plan under which messages can be priced now. */
  const mustKnowPlan = async (planId: string) => {
    const plan = await lookups.plan(planId);
    if (!plan) throw new AppError('resource.unknown', 'Plan not found');
    if (!canPrice(plan, await lookups.rateCards(), clock.now())) {
      throw new AppError('account.conflict', `No rate card in ${plan.currency} is in force`);
    }
    return { planId, billing: plan.billing, currency: plan.currency };
  };

  const execute = (accountId: string, command: AccountCommand, context: CommandContext) =>
    writer.execute(account(accountId), accountId, command, { ...context, accountId });

  return {
    async openAccount(
      organisationId: string,
      { name, planId = DEFAULT_PLAN_ID }: { name: string; planId?: string | undefined },
      context: CommandContext,
    ): Promise<string> {
      const { state } = await writer.load(organisationDecider, organisationId);
      if (!state.created) throw new AppError('resource.unknown', 'Organisation not found');
      const terms = await mustKnowPlan(planId);
      const accountId = sortedId('acc', ids);
      await execute(accountId, { type: 'Open', accountId, organisationId, name, terms }, context);
      return accountId;
    },

    async assignPlan(accountId: string, planId: string, context: CommandContext): Promise<void> {
      const terms = await mustKnowPlan(planId);
      let found: OpenCharges | undefined;
      for (let look = 0; look <= LOOKS_MAX; look += 1) {
        try {
          await execute(accountId, { type: 'AssignPlan', terms, found }, context);
          return;
        } catch (error) {
          if (!(error instanceof OpenChargesUnknown)) throw error;
          found = await lookups.openCharges(accountId);
        }
      }
      throw chargesAreOpen();
    },

    /** All of it or nothing. */
    async setLimits(accountId: string, change: LimitsChange, context: CommandContext) {
      await execute(accountId, { type: 'SetLimits', ...change }, context);
    },
  };
};

type Deps = Parameters<typeof createAccounts>[0] &
  Parameters<typeof createAdministrators>[0] &
  Parameters<typeof createApiKeys>[0] &
  SessionCommandsDeps;

/** Who may use the service: organisations, their accounts and keys, and administrators. */
export const createTenancy = (deps: Deps) => ({
  ...createOrganisations(deps),
  ...createAccounts(deps),
  ...createApiKeys(deps),
  ...createAdministrators(deps),
  ...createSessionCommands(deps),
});

export type Tenancy = ReturnType<typeof createTenancy>;
