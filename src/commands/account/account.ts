import { isDeepStrictEqual } from 'node:util';
import {
  type AccountFact,
  AccountOpened,
  BalanceFell,
  BalanceThresholdSet,
  type DirectSend,
  DirectSendSet,
  FreeWritesCounted,
  LimitsSet,
  PlanAssigned,
  SendingHoursSet,
  SendsRefused,
  StrictSendingSet,
} from '../../events/account.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import type { Limits } from '../../shared/usage.ts';
import type { Decider } from '../core/decider.ts';
import { evolveAccount } from './evolve.ts';
import {
  countRefundedSend,
  mayReserve,
  moveCredits,
  moveWallet,
  mustBeOwn,
  refund,
  reserve,
} from './movements.ts';
import {
  type AccountBounds,
  type AccountCommand,
  type AccountState,
  accountBounds,
  initialAccount,
  isSameUnit,
  type LimitsChange,
  type OpenCharges,
} from './state.ts';

/** Sets the balance below which the owner is warned. Refuses an amount of another unit. */
const setThreshold = (
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
const withBalanceFell = (
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

/** Makes the decider of one account's stream. */
export type AccountDecider = (
  accountId: string,
) => Decider<AccountState, AccountCommand, AccountFact>;

/**
 * "May this account send this, now, at this price": balance, caps, reservations and refunds are
 * one consistency boundary.
 */
export const createAccountDecider =
  (bounds: AccountBounds): AccountDecider =>
  (accountId) => ({
    category: 'account',
    initial: initialAccount,
    evolve: (state, fact) => evolveAccount(bounds, state, fact),
    decide: (command, state) => withBalanceFell(state, decide(accountId, command, state, bounds)),
    snapshot: { version: 12, every: 1000 },
  });

export const accountDecider = createAccountDecider(accountBounds);

/** The plan counts in another unit, and no look-up of open charges is newer than the last charge. */
export class OpenChargesUnknown extends Error {
  constructor(accountId: string) {
    super(`open charges of ${accountId} must be looked for`);
    this.name = 'OpenChargesUnknown';
  }
}

const decide = (
  accountId: string,
  command: AccountCommand,
  state: AccountState,
  bounds: AccountBounds,
): readonly AccountFact[] => {
  if (command.type === 'Open') {
    if (state.opened) throw new AppError('account.conflict', 'The account exists already');
    const { organisationId, name, terms } = command;
    return [AccountOpened.of({ accountId, organisationId, name, ...terms })];
  }
  if (!state.opened) throw new AppError('resource.unknown', 'Account not found');
  switch (command.type) {
    case 'AssignPlan':
      return assignPlan(accountId, command, state);
    case 'SetLimits':
      return [
        ...setThreshold(accountId, command.balanceLow, state),
        ...setStrict(accountId, command.strict, state),
        ...setDirectSend(accountId, command.directSend, state),
        ...setHours(accountId, command, state),
        ...setLimits(accountId, command.limits, state),
      ];
    case 'GrantCredits':
    case 'RevokeCredits':
      mustBeOwn(command);
      return moveCredits(accountId, command, state, bounds);
    case 'MoveWallet':
      mustBeOwn(command);
      return moveWallet(accountId, command, state, bounds);
    case 'Reserve':
      return reserve(accountId, command, state);
    case 'MayReserve':
      mayReserve(command, state);
      return [];
    case 'CountFreeWrites': {
      const { day, bytes } = command;
      return [FreeWritesCounted.of({ accountId, day, bytes })];
    }
    case 'CountRefusals': {
      const { type: _, ...counted } = command;
      return [SendsRefused.of({ accountId, ...counted })];
    }
    case 'Refund':
      mustBeOwn(command);
      return refund(accountId, command, state);
    case 'CountRefundedSend':
      return countRefundedSend(accountId, command, state);
  }
};

/** Open charges must be settled before the account counts in another unit. */
const refuseOpenCharges = (
  accountId: string,
  found: OpenCharges | undefined,
  { chargedRevision }: AccountState,
): void => {
  if (!found || found.asOfRevision < chargedRevision) throw new OpenChargesUnknown(accountId);
  if (found.open) throw chargesAreOpen();
};

/** The refusal while a charge is open, or may be open. */
export const chargesAreOpen = () =>
  new AppError(
    'account.conflict',
    'A send of this account is under way, and its charge must be given back in its own unit if it fails: try again in a minute',
    { retryAfterSeconds: 60 },
  );

const assignPlan = (
  accountId: string,
  { terms, found }: Extract<AccountCommand, { type: 'AssignPlan' }>,
  state: AccountState,
) => {
  const { planId, billing, currency } = terms;
  if (planId === state.planId) return [];
  if (!isSameUnit(terms, state)) {
    if (state.balance !== 0) {
      throw new AppError(
        'account.conflict',
        'The plan counts in another unit than the balance that is left on the account: take the balance back first',
      );
    }
    refuseOpenCharges(accountId, found, state);
  }
  return [PlanAssigned.of({ accountId, planId, billing, currency })];
};

const setStrict = (accountId: string, strict: boolean | undefined, state: AccountState) =>
  strict === undefined || strict === state.strict
    ? []
    : [StrictSendingSet.of({ accountId, strict })];

const setDirectSend = (
  accountId: string,
  directSend: DirectSend | undefined,
  state: AccountState,
) =>
  directSend === undefined || directSend === state.directSend
    ? []
    : [DirectSendSet.of({ accountId, directSend })];

const setHours = (
  accountId: string,
  change: Pick<LimitsChange, 'timeZone' | 'quietHours'>,
  state: AccountState,
) => {
  const { timeZone = state.timeZone, quietHours = state.quietHours } = change;
  const isSame = timeZone === state.timeZone && isDeepStrictEqual(quietHours, state.quietHours);
  return isSame ? [] : [SendingHoursSet.of({ accountId, timeZone, quietHours })];
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
