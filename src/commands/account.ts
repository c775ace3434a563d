import { AppError } from '../errors.ts';
import { type AccountFact, AccountOpened, LimitsSet, PlanAssigned } from '../events/account.ts';
import { refund, reserve } from './accountcharges.ts';
import { moveCredits, moveWallet } from './accountfunds.ts';
import {
  type AccountCommand,
  type AccountState,
  evolveAccount,
  initialAccount,
  type Limits,
  type Terms,
} from './accountstate.ts';
import type { Decider } from './decider.ts';

/**
 * "May this account send this, now, at this price": balance, caps, reservations and refunds are
 * one consistency boundary.
 */
export const accountDecider = (
  accountId: string,
): Decider<AccountState, AccountCommand, AccountFact> => ({
  category: 'account',
  initial: initialAccount,
  evolve: evolveAccount,
  decide: (command, state) => decide(accountId, command, state),
  snapshot: { version: 2, every: 1000 },
});

const decide = (
  accountId: string,
  command: AccountCommand,
  state: AccountState,
): readonly AccountFact[] => {
  if (command.type === 'Open') {
    if (state.opened) throw new AppError('account.conflict', 'The account exists already');
    const { organisationId, name, terms } = command;
    return [AccountOpened.of({ accountId, organisationId, name, ...terms })];
  }
  if (!state.opened) throw new AppError('resource.unknown', 'Account not found');
  switch (command.type) {
    case 'AssignPlan':
      return assignPlan(accountId, command.terms, state);
    case 'SetLimits':
      return setLimits(accountId, command.limits, state);
    case 'GrantCredits':
    case 'RevokeCredits':
      return moveCredits(accountId, command, state);
    case 'MoveWallet':
      return moveWallet(accountId, command, state);
    case 'Reserve':
      return reserve(accountId, command, state);
    case 'Refund':
      return refund(accountId, command, state);
  }
};

const assignPlan = (accountId: string, terms: Terms, state: AccountState) => {
  const { planId, billing, currency } = terms;
  if (planId === state.planId) return [];
  const sameUnit = billing === state.billing && currency === state.currency;
  if (!sameUnit && state.balance !== 0) {
    throw new AppError(
      'account.conflict',
      'The plan counts in another unit than the balance that is left on the account',
    );
  }
  return [PlanAssigned.of({ accountId, planId, billing, currency })];
};

const setLimits = (accountId: string, change: Partial<Limits>, state: AccountState) => {
  const { perMinute, daily, monthly, paused } = { ...state.limits, ...change };
  const before = state.limits;
  const same =
    perMinute === before.perMinute &&
    daily === before.daily &&
    monthly === before.monthly &&
    paused === before.paused;
  return same ? [] : [LimitsSet.of({ accountId, perMinute, daily, monthly, paused })];
};
