import {
  type AccountFact,
  CreditsGranted,
  CreditsRevoked,
  type MoneyFact,
  WalletMoved,
} from '../../events/account.ts';
import { packHash } from '../../events/charge-form.ts';
import type { Encode, EventDefinition, Fact } from '../../events/define.ts';
import { isoTime } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { entryIdOf } from '../core/identifiers.ts';
import { linkHash } from './chain.ts';
import { openUnits } from './recent-charges.ts';
import type { AccountBounds, AccountCommand, AccountState } from './state.ts';

/**
 * Makes the next link of the account's chain: amount, balance after it, ids, and the hash over its
 * stored form.
 */
export const link = <T extends MoneyFact['type'], D>(
  definition: EventDefinition<T, D>,
  accountId: string,
  state: AccountState,
  at: number,
  data: { amount: number } & Omit<
    D,
    'accountId' | 'entryId' | 'balanceAfter' | 'at' | 'sequence' | 'previousHash' | 'hash'
  >,
  encode?: Encode,
): Fact<T, D> => {
  const unlinked = {
    accountId,
    entryId: entryIdOf(accountId, state.revision + 1),
    ...data,
    balanceAfter: state.balance + data.amount,
    at: isoTime(at),
    sequence: state.sequence + 1,
    previousHash: state.hash,
  };
  const { type } = definition;
  const stored = encode?.({ type, data: unlinked }) ?? unlinked;
  const hash = linkHash(type, stored);
  const fact = definition.of({ ...unlinked, hash } as D);
  return stored === unlinked ? fact : { ...fact, stored: { hash: packHash(hash), ...stored } };
};

export const moveCredits = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'GrantCredits' | 'RevokeCredits' }>,
  state: AccountState,
  bounds: Pick<AccountBounds, 'balanceMax'>,
): readonly AccountFact[] => {
  const { amount, reason, by: grantedBy } = command;
  if (state.billing !== 'credits') {
    throw new AppError('account.conflict', 'The account is on a wallet plan: top up its wallet');
  }
  if (command.type === 'GrantCredits') {
    mustFit(amount, command.at, state, bounds);
    return [link(CreditsGranted, accountId, state, command.at, { amount, reason, grantedBy })];
  }
  mustCover(state, amount);
  return [
    link(CreditsRevoked, accountId, state, command.at, { amount: -amount, reason, grantedBy }),
  ];
};

export const moveWallet = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'MoveWallet' }>,
  state: AccountState,
  bounds: Pick<AccountBounds, 'balanceMax'>,
): readonly AccountFact[] => {
  const { amount, kind, reason, by: grantedBy } = command;
  if (state.billing !== 'wallet') {
    throw new AppError('account.conflict', 'The account is on a credit plan: grant credits');
  }
  if (amount < 0) mustCover(state, -amount);
  else mustFit(amount, command.at, state, bounds);
  return [link(WalletMoved, accountId, state, command.at, { amount, kind, reason, grantedBy })];
};

/** Counts open reservations too, because their refunds must fit as well. */
const mustFit = (
  amount: number,
  at: number,
  { balance, charges, billing, currency }: AccountState,
  { balanceMax }: Pick<AccountBounds, 'balanceMax'>,
) => {
  if (balance + openUnits(charges, at) + amount <= balanceMax) return;
  const most =
    billing === 'credits' ? `${balanceMax} credits` : `${formatMicros(balanceMax)} ${currency}`;
  throw new AppError(
    'account.balance_limit',
    `The balance cannot exceed ${most}, open reservations included: use a smaller amount`,
  );
};

const mustCover = (state: AccountState, amount: number) => {
  if (amount > state.balance) {
    throw new AppError('account.conflict', 'The balance cannot go below zero');
  }
};
