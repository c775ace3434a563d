import type { Clock, Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { type AccountDecider, chargesAreOpen, OpenChargesUnknown } from '../account/account.ts';
import type { AccountCommand, LimitsChange, OpenCharges } from '../account/state.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { sortedId } from '../core/identifiers.ts';
import type { Lookups } from '../core/lookups.ts';
import { canPrice } from '../pricing/pricing.ts';
import { organisationDecider } from './organisation.ts';

/** The plan of an account that names none. */
const DEFAULT_PLAN_ID = 'standard';
/** Looks for open charges of an account that is charged again after each look. */
const LOOKS_MAX = 3;

export const createAccounts = (deps: {
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
