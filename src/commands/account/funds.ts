import type { MoneyFact } from '../../events/account.ts';
import type { KnownEvent } from '../../events/index.ts';
import { firstRevision, streamPages } from '../../events/paging.ts';
import type { Billing } from '../../events/price.ts';
import type { RateCard } from '../../events/pricing.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { type Clock, type Ids, sortedId } from '../../shared/clock.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { type ClaimedRuns, isOwn } from '../idempotency/claimed-runs.ts';
import { type PlanDraft, planDecider, rateCardDecider } from '../pricing/plan.ts';
import type { AccountDecider } from './account.ts';
import type { AccountCommand } from './state.ts';

export interface BalanceAt {
  /** In the unit that the account counted in then. */
  balance: number;
  billing: Billing;
  /** The movement that made it; null before the first. */
  entryId: string | null;
}

/** Events by which the order of an account's times may differ from the order of its stream. */
const OUT_OF_ORDER_MAX = 1000;

type Movement = Extract<KnownEvent, { type: MoneyFact['type'] }>;

export const isLink = (event: KnownEvent): event is Movement => 'balanceAfter' in event.data;

const billingOf = (event: Movement): Billing => {
  if (event.type === 'WalletMoved') return 'wallet';
  return 'price' in event.data ? event.data.price.billing : 'credits';
};

/** The balance after a link of the chain. */
export const balanceAfter = (event: Movement): BalanceAt => {
  const { balanceAfter: balance, entryId } = event.data;
  return { balance, billing: billingOf(event), entryId };
};

/** When an event of an account happened: a movement holds it. */
export const timeOf = (event: KnownEvent): string =>
  isLink(event) ? event.data.at : (event as KnownEvent).meta.at;

/**
 * The balance of an account at a moment, from its stream: that of the last movement, in the order of
 * the log, that was made at or before the moment. Undefined for an unknown account.
 *
 * Finds the moment by bisecting the stream, so that a long history costs no more than a short one,
 * then compares the events around it one by one, because clocks may disagree.
 */
export const createBalanceAt = (store: Pick<EventReader, 'read'>) => {
  /** The events before the moment and a bounded number behind it, newest first. */
  async function* around(stream: string, at: string): AsyncGenerator<readonly Recorded[]> {
    // As if all events were in the order of their times.
    const after = await firstRevision(store, stream, (event) => timeOf(event as KnownEvent) > at);
    const later = await store.read(stream, { from: after, limit: OUT_OF_ORDER_MAX });
    yield later.toReversed();
    yield* streamPages(store, stream, { from: after - 1, direction: 'backwards' });
  }
  async function* newestFirst(stream: string): AsyncGenerator<readonly Recorded[]> {
    const newest = await store.read(stream, { direction: 'backwards', limit: OUT_OF_ORDER_MAX });
    yield newest;
    const from = (newest.at(-1)?.revision ?? 0) - 1;
    yield* streamPages(store, stream, { from, direction: 'backwards' });
  }

  /** Without a moment the last movement counts, whatever its time: a clock may have been wrong. */
  return async (accountId: string, at?: string): Promise<BalanceAt | undefined> => {
    const stream = `account-${accountId}`;
    for await (const page of at === undefined ? newestFirst(stream) : around(stream, at)) {
      const movements = (page as readonly KnownEvent[]).filter(isLink);
      const last = movements.find((event) => at === undefined || event.data.at <= at);
      if (last) return balanceAfter(last);
    }
    const [opened] = (await store.read(stream, { limit: 1 })) as KnownEvent[];
    if (opened?.type !== 'AccountOpened') return undefined;
    return { balance: 0, billing: opened.data.billing, entryId: null };
  };
};

interface Deps {
  writer: Writer;
  account: AccountDecider;
  runs: Pick<ClaimedRuns, 'movedEarlier' | 'wroteEarlier' | 'termOf'>;
  clock: Clock;
  ids: Ids;
}

const wroteBefore = async ({ runs }: Deps, { claim }: CommandContext, stream: string) =>
  claim !== undefined && runs.wroteEarlier(claim, stream);

/** Resolves to the id of the ledger row. */
const move = async (
  { writer, account, runs }: Deps,
  accountId: string,
  command: Extract<AccountCommand, { type: 'GrantCredits' | 'RevokeCredits' | 'MoveWallet' }>,
  context: CommandContext,
): Promise<string> => {
  const { claim } = context;
  const earlier = claim && (await runs.movedEarlier(claim, accountId));
  if (earlier) return earlier;
  const on = { ...context, accountId };
  const moving = { ...command, isOwn: () => isOwn(runs, claim) };
  const { facts } = await writer.execute(account(accountId), accountId, moving, on);
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
      const planId = draft.planId ?? sortedId('plan', deps.ids, context.claim);
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
      const rateCardId = sortedId('card', deps.ids, context.claim);
      if (await wroteBefore(deps, context, `ratecard-${rateCardId}`)) return rateCardId;
      await writer.execute(rateCardDecider, rateCardId, { rateCardId, ...card }, context);
      return rateCardId;
    },
  };
};

export type Funds = ReturnType<typeof createFunds>;
