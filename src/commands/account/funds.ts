import type { RateCard } from '../../events/pricing.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { IdempotencyRecovery } from '../idempotency/recovery.ts';
import { type PlanDraft, planDecider, rateCardDecider } from '../pricing/plan.ts';
import type { AccountDecider } from './account.ts';
import type { AccountCommand } from './state.ts';

interface Deps {
  writer: Writer;
  account: AccountDecider;
  recovery: Pick<IdempotencyRecovery, 'moved' | 'wrote'>;
  clock: Clock;
  ids: Ids;
}

/** An id that a second run of the same idempotent request makes again. */
const freshId = ({ ids }: Deps, { claim }: CommandContext) =>
  (claim?.id ?? ids.uuid()).replaceAll('-', '');

const wroteBefore = async ({ recovery }: Deps, { claim }: CommandContext, stream: string) =>
  claim !== undefined && recovery.wrote(claim, stream);

/** Resolves to the id of the ledger row. */
const move = async (
  { writer, account, recovery }: Deps,
  accountId: string,
  command: AccountCommand,
  context: CommandContext,
): Promise<string> => {
  const earlier = context.claim && (await recovery.moved(context.claim, accountId));
  if (earlier) return earlier;
  const on = { ...context, accountId };
  const { facts } = await writer.execute(account(accountId), accountId, command, on);
  const [fact] = facts;
  if (!fact || !('entryId' in fact.data)) throw new Error('a movement came without its fact');
  return fact.data.entryId;
};

/** Money and prices by administrators: credits, wallets, plans and rate cards. */
export const createFunds = (deps: Deps) => {
  const { writer, clock } = deps;

  return {
    /** Credits given, or with a negative amount taken back; never below zero. */
    moveCredits(
      accountId: string,
      amount: number,
      reason: string | null,
      context: CommandContext,
    ): Promise<string> {
      const type = amount > 0 ? 'GrantCredits' : 'RevokeCredits';
      const { by = null } = context;
      const change = { amount: Math.abs(amount), reason, by, at: clock.now() };
      return move(deps, accountId, { type, ...change }, context);
    },

    /** Millionths of the wallet's currency; only an adjustment may be negative. */
    moveWallet(
      accountId: string,
      kind: 'top_up' | 'adjustment',
      amount: number,
      reason: string | null,
      context: CommandContext,
    ): Promise<string> {
      const { by = null } = context;
      const change = { kind, amount, reason, by, at: clock.now() };
      return move(deps, accountId, { type: 'MoveWallet', ...change }, context);
    },

    async publishPlan(
      draft: Omit<PlanDraft, 'planId'> & { planId?: string | undefined },
      context: CommandContext,
    ): Promise<string> {
      const planId = draft.planId ?? `plan_${freshId(deps, context)}`;
      if (await wroteBefore(deps, context, `plan-${planId}`)) return planId;
      const command = { type: 'Publish' as const, draft: { ...draft, planId } };
      await writer.execute(planDecider, planId, command, context);
      return planId;
    },

    async revisePlan(draft: PlanDraft, context: CommandContext): Promise<void> {
      await writer.execute(planDecider, draft.planId, { type: 'Revise', draft }, context);
    },

    async publishRateCard(
      card: Omit<RateCard, 'rateCardId'>,
      context: CommandContext,
    ): Promise<string> {
      const rateCardId = `card_${freshId(deps, context)}`;
      if (await wroteBefore(deps, context, `ratecard-${rateCardId}`)) return rateCardId;
      await writer.execute(rateCardDecider, rateCardId, { rateCardId, ...card }, context);
      return rateCardId;
    },
  };
};

export type Funds = ReturnType<typeof createFunds>;
