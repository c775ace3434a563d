import { type AccountFact, ChargeReserved } from '../../events/account.ts';
import type { Encode } from '../../events/define.ts';
import { splitIntent } from '../../events/intent.ts';
import type { Price } from '../../events/price.ts';
import { isoTime } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { countOf, type Limits, type UsageCounts } from '../../shared/usage.ts';
import { chargeIdOf } from '../core/identifiers.ts';
import { dayOf, windows } from './evolve.ts';
import { link } from './funds-moved.ts';
import { pauseReasonOf } from './pauses.ts';
import type { AccountCommand, AccountState } from './state.ts';

/** The account has left the plan of the price; the caller prices again. */
export class StalePrice extends Error {
  constructor() {
    super('the price was made under another plan');
    this.name = 'StalePrice';
  }
}

const DAY_MS = 86_400_000;

/** The refusal of an account that has written as much for free as its plan allows in a UTC day. */
export const freeWritesUsedUp = (at: number): AppError => {
  const midnight = Date.parse(`${dayOf(isoTime(at))}T00:00:00.000Z`) + DAY_MS;
  return new AppError(
    'account.free_writes',
    'This account has stored as much without paying as its plan allows in a UTC day: refused sends, bots, templates. Go on tomorrow',
    { retryAfterSeconds: Math.ceil((midnight - at) / 1000) },
  );
};

/** Refuses in the contract's order: caps, free writes, balance. */
export const mayReserve = (
  { price, at, freeBytesMax = null }: Extract<AccountCommand, { type: 'Reserve' | 'MayReserve' }>,
  state: AccountState,
): void => {
  if (price.planId !== state.planId) throw new StalePrice();
  refuseOverCap(state, at);
  const written = countOf(state.freeWrites, dayOf(isoTime(at)));
  if (freeBytesMax !== null && written >= freeBytesMax) throw freeWritesUsedUp(at);
  refuseUncovered(state, price);
};

export const reserve = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'Reserve' }>,
  state: AccountState,
  encode?: Encode,
): readonly AccountFact[] => {
  const { price, reason, contactRef, intent, otherRefs, named, at } = command;
  mayReserve(command, state);
  const taken = costOf(price);
  return [
    link(
      ChargeReserved,
      accountId,
      state,
      at,
      {
        amount: taken === 0 ? 0 : -taken,
        chargeId: chargeIdOf(accountId, state.revision + 1),
        reason,
        price,
        contactRef,
        ...splitIntent(intent),
        ...(otherRefs && { otherRefs, named }),
      },
      encode,
    ),
  ];
};

/** What a message takes from the balance, in the balance's unit. */
export const costOf = (price: Price): number =>
  price.billing === 'credits' ? price.creditsRequired : price.sellPrice;

const capMessages = {
  paused: 'Sending is paused for this account',
  perMinute: 'The per-minute sending cap of this account is reached',
  daily: 'The daily sending cap of this account is reached',
  monthly: 'The monthly sending cap of this account is reached',
};

const RESUMED_BY =
  'Stop sending until an administrator resumes the account: waybill account limits <account> --no-paused.';

const messageOf = (limit: keyof typeof capMessages, { pausedFor }: AccountState): string =>
  limit === 'paused' && pausedFor
    ? `${capMessages.paused}: ${pauseReasonOf(pausedFor)}. Wait for each answer, and ask the operator to resume it`
    : capMessages[limit];

const refuseOverCap = (state: AccountState, at: number) => {
  const { limits } = state;
  const usage = windows.at(state.usage, at);
  const limit = capReached(limits, usage);
  if (!limit) return;
  throw new AppError('account.cap_reached', messageOf(limit, state), {
    limit,
    usage,
    limits,
    ...(limit === 'perMinute' && { retryAfterSeconds: 60 }),
    ...(limit === 'paused' && { hint: RESUMED_BY }),
  });
};

/** The first cap that one more message would pass: paused, minute, day, month. */
const capReached = (limits: Limits, usage: UsageCounts) => {
  if (limits.paused) return 'paused';
  if (limits.perMinute !== null && usage.minute >= limits.perMinute) return 'perMinute';
  if (limits.daily !== null && usage.day >= limits.daily) return 'daily';
  if (limits.monthly !== null && usage.month >= limits.monthly) return 'monthly';
  return undefined;
};

const refuseUncovered = (state: AccountState, price: Price) => {
  if (costOf(price) <= state.balance) return;
  const credits = price.billing === 'credits';
  throw new AppError(
    'account.insufficient',
    credits
      ? `Not enough credits: ${price.creditsRequired} needed, ${state.balance} left`
      : `Not enough balance: ${formatMicros(price.sellPrice)} ${price.currency} needed, ${formatMicros(state.balance)} left`,
    {
      reason: credits ? 'INSUFFICIENT_CREDITS' : 'INSUFFICIENT_BALANCE',
      category: price.category,
      creditsRequired: price.creditsRequired,
      price: formatMicros(price.sellPrice),
      currency: price.currency,
      balance: credits ? state.balance : formatMicros(state.balance),
    },
  );
};
