import type { RateCard } from '../../events/pricing.ts';
import type { Actor } from '../../events/store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { IdempotencyRecovery } from '../idempotency/recovery.ts';
import { type PlanDraft, planDecider, rateCardDecider } from '../pricing/plan.ts';
import type { AccountDecider } from './account.ts';
import type { AccountCommand } from './state.ts';

/** Money and prices by administrators: credits, wallets, plans and rate cards. */
export const createFunds = (deps: {
  writer: Writer;
  account: AccountDecider;
  recovery: Pick<IdempotencyRecovery, 'moved' | 'wrote'>;
  clock: Clock;
  ids: Ids;
}) => {
  const { writer, account, recovery, clock, ids } = deps;

  /** An id that a second run of the same idempotent request makes again. */
  const freshId = ({ claim }: CommandContext) => (claim?.id ?? ids.uuid()).replaceAll('-', '');

  /** Resolves to the id of the ledger row. */
  const move = async (accountId: string, command: AccountCommand, context: CommandContext) => {
    const earlier = context.claim && (await recovery.moved(context.claim, accountId));
    if (earlier) return earlier;
    const on = { ...context, accountId };
    const done = await writer.execute(account(accountId), accountId, command, on);
    const fact = done.facts[0];
    if (!fact || !('entryId' in fact.data)) throw new Error('a movement came without its fact');
    return fact.data.entryId;
  };

  const by = (context: CommandContext): Actor | null => context.by ?? null;

  return {
    /** Credits given, or with a negative amount taken back; never below zero. */
    moveCredits(
      accountId: string,
      amount: number,
      reason: string | null,
      context: CommandContext,
    ): Promise<string> {
      const type = amount > 0 ? ('GrantCredits' as const) : ('RevokeCredits' as const);
      const change = { amount: Math.abs(amount), reason, by: by(context), at: clock.now() };
      return move(accountId, { type, ...change }, context);
    },

    /** Millionths of the wallet's currency; only an adjustment may be negative. */
    moveWallet(
      accountId: string,
      kind: 'top_up' | 'adjustment',
      amount: number,
      reason: string | null,
      context: CommandContext,
    ): Promise<string> {
      const change = { kind, amount, reason, by: by(context), at: clock.now() };
      return move(accountId, { type: 'MoveWallet', ...change }, context);
    },

    async publishPlan(
      draft: Omit<PlanDraft, 'planId'> & { planId?: string | undefined },
      context: CommandContext,
    ): Promise<string> {
      const planId = draft.planId ?? `plan_${freshId(context)}`;
      if (context.claim && (await recovery.wrote(context.claim, `plan-${planId}`))) return planId;
      const command = { type: 'Publish' as const, draft: { ...draft, planId } };
      await writer.execute(planDecider, planId, command, context);
      return planId;
    },

    async revisePlan(draft: PlanDraft, context: CommandContext): Promise<void> {
      const command = { type: 'Revise' as const, draft };
      await writer.execute(planDecider, draft.planId, command, context);
    },

    async publishRateCard(
      card: Omit<RateCard, 'rateCardId'>,
      context: CommandContext,
    ): Promise<string> {
      const rateCardId = `card_${freshId(context)}`;
      const { claim } = context;
      if (claim && (await recovery.wrote(claim, `ratecard-${rateCardId}`))) return rateCardId;
      await writer.execute(rateCardDecider, rateCardId, { rateCardId, ...card }, context);
      return rateCardId;
    },
  };
};

export type Funds = ReturnType<typeof createFunds>;
