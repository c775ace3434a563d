import type { AccountFact } from '../../events/account.ts';
import { BalanceFell, BalanceThresholdSet } from '../../events/balance-threshold.ts';
import { invalidFields } from '../../shared/errors.ts';
import type { AccountState, LimitsChange } from './state.ts';

/** Sets the balance below which the owner is told. Refuses an amount of another unit. */
export const setThreshold = (
  accountId: string,
  threshold: LimitsChange['balanceLow'],
  { billing, balanceLow }: AccountState,
): readonly AccountFact[] => {
  if (threshold === undefined) return [];
  if (threshold !== null && threshold.billing !== billing) {
    const problem =
      billing === 'credits'
        ? 'must be whole credits, such as 100: the account is on a credit plan'
        : 'must be a decimal string, such as "25.00": the account is on a wallet plan';
    throw invalidFields({ balanceLow: [problem] });
  }
  const amount = threshold?.amount ?? null;
  return amount === balanceLow ? [] : [BalanceThresholdSet.of({ accountId, threshold: amount })];
};

/** The facts of one decision, and that the balance fell below the threshold, if it did. */
export const withBalanceFell = (
  { balanceLow, balance, billing, currency }: AccountState,
  facts: readonly AccountFact[],
): readonly AccountFact[] => {
  if (balanceLow === null || balance < balanceLow) return facts;
  for (const { data } of facts) {
    if (!('balanceAfter' in data) || data.balanceAfter >= balanceLow) continue;
    const { accountId, balanceAfter } = data;
    const fell = { accountId, billing, currency, balance: balanceAfter, threshold: balanceLow };
    return [...facts, BalanceFell.of(fell)];
  }
  return facts;
};
