import type { AccountPaused, RefundCause, SendFailure } from '../../events/account.ts';
import { locateCharge } from '../../events/charge-form.ts';
import { type ReservedCharge, readCharge } from '../../events/completed.ts';
import type { FactOf } from '../../events/define.ts';
import { planBounds } from '../../events/pricing.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { retry } from '../../shared/retry.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { AccountDecider } from './account.ts';
import { RefundUndecidable } from './movements.ts';
import type { Reservation } from './state.ts';

type Paused = FactOf<typeof AccountPaused>['data'];

interface RefundHow {
  failure?: SendFailure | undefined;
  /** False once another process may answer for the request: then nothing is given back any more. */
  isOwn?: (() => boolean) | undefined;
}

export interface Refunds {
  /** Gives a reservation back, once for all calls. Resolves true if this call did it. */
  refund(
    accountId: string,
    reservation: Reservation,
    cause: RefundCause,
    context: CommandContext,
    how?: RefundHow,
  ): Promise<boolean>;
  /**
   * Counts the message of a charge in the caps, where the charge was refunded as if nothing had
   * gone out. Counts once, however often it is called.
   */
  countSent(charge: ReservedCharge, context: CommandContext): Promise<void>;
  /** The reservation of a charge id; undefined when there is none. */
  find(chargeId: string): Promise<ReservedCharge | undefined>;
}

/** A refund that the log could not take is retried after each of these pauses: about 10 s in all. */
export const RETRY_AFTER_MS = [100, 300, 1000, 3000, 5000];

export const reservationOf = ({
  data,
  revision,
}: Pick<ReservedCharge, 'data' | 'revision'>): Reservation => {
  const { chargeId, amount, reason, price, at } = data;
  return { chargeId, amount, reason, price, reservedAt: at, unrefundedRevision: revision };
};

interface Deps {
  writer: Pick<Writer, 'execute'>;
  account: AccountDecider;
  store: Pick<EventReader, 'read'>;
  lookups: Pick<Lookups, 'refundOf' | 'account' | 'plan'>;
  clock: Clock;
  /** The charge of a message that went out was given back, because its caller had hung up. */
  onReversed: (accountId: string, chargeId: string) => void;
  /** So many charges were reversed that the account was paused. */
  onPaused: (paused: Paused) => void;
  /** Shorter ones, for tests. */
  retryAfterMs?: readonly number[];
}

/** Reversals in a UTC day that the plan allows; the default while the read models are away. */
const reversalsMaxOf = async ({ lookups }: Deps, accountId: string): Promise<number | null> => {
  try {
    const known = await lookups.account(accountId);
    const plan = known && (await lookups.plan(known.planId));
    return (plan ?? planBounds).disconnectRefundsPerDay;
  } catch (error) {
    if (error instanceof StoreUnavailable) return planBounds.disconnectRefundsPerDay;
    throw error;
  }
};

type FoundRefund = Awaited<ReturnType<Lookups['refundOf']>>;

/** Decides on the account's state alone; where the state has forgotten too much, on a look-up. */
const decideOnRefund = async <T>(
  { lookups }: Deps,
  { accountId, chargeId, revision }: { accountId: string; chargeId: string; revision: number },
  decide: (found: FoundRefund) => Promise<T>,
): Promise<T> => {
  try {
    return await decide({ refunded: false, counted: false, asOfRevision: revision });
  } catch (error) {
    if (!(error instanceof RefundUndecidable)) throw error;
    return decide(await lookups.refundOf(accountId, chargeId));
  }
};

const writeRefund = async (
  deps: Deps,
  accountId: string,
  refund: { cause: RefundCause; reservation: Reservation } & RefundHow,
  context: CommandContext,
): Promise<boolean> => {
  const isReversal = refund.cause === 'disconnected';
  const reversalsMax = isReversal ? await reversalsMaxOf(deps, accountId) : null;
  const command = { type: 'Refund' as const, at: deps.clock.now(), ...refund, reversalsMax };
  const decider = deps.account(accountId);
  const { facts } = await deps.writer.execute(decider, accountId, command, context);
  if (isReversal && facts.length > 0) deps.onReversed(accountId, refund.reservation.chargeId);
  for (const fact of facts) if (fact.type === 'AccountPaused') deps.onPaused(fact.data);
  return facts.length > 0;
};

export const createRefunds = (deps: Deps): Refunds => ({
  refund(accountId, reservation, cause, context, how = {}) {
    const { chargeId, unrefundedRevision: revision } = reservation;
    const refund = () =>
      decideOnRefund(deps, { accountId, chargeId, revision }, async (found) => {
        if (found.refunded) return false;
        const unrefunded = { ...reservation, unrefundedRevision: found.asOfRevision };
        return writeRefund(deps, accountId, { cause, ...how, reservation: unrefunded }, context);
      });
    return retry(refund, {
      delays: deps.retryAfterMs ?? RETRY_AFTER_MS,
      while: (error) => error instanceof StoreUnavailable && (how.isOwn?.() ?? true),
    });
  },

  async countSent({ data, revision }, context) {
    const { accountId, chargeId, at: reservedAt } = data;
    await decideOnRefund(deps, { accountId, chargeId, revision }, (found) => {
      const command = {
        type: 'CountRefundedSend' as const,
        at: deps.clock.now(),
        chargeId,
        reservedAt,
        uncounted: found.refunded && !found.counted,
        asOfRevision: found.asOfRevision,
      };
      return deps.writer.execute(deps.account(accountId), accountId, command, context);
    });
  },

  async find(chargeId) {
    const place = locateCharge(chargeId);
    return place && readCharge(deps.store, { accountId: place.accountId, chargeId });
  },
});
