import type { AccountPaused, RefundCause, SendFailure } from '../../events/account.ts';
import { locateCharge } from '../../events/charge-form.ts';
import { type ReservedCharge, readCharge } from '../../events/completed.ts';
import type { FactOf } from '../../events/define.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { MessageFact } from '../../events/message.ts';
import { planBounds } from '../../events/pricing.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { retry } from '../../shared/retry.ts';
import { createBacklog } from '../core/backlog.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Lookups } from '../core/lookups.ts';
import { type Reactor, toEach } from '../core/reactor.ts';
import { type MessageState, messageDecider } from '../sending/message.ts';
import type { AccountDecider } from './account.ts';
import { RefundUndecidable } from './movements.ts';
import type { Reservation } from './state.ts';

type Paused = FactOf<typeof AccountPaused>['data'];

export interface Refunds {
  /** Gives a reservation back, once for all calls. Resolves true if this call did it. */
  refund(
    accountId: string,
    reservation: Reservation,
    cause: RefundCause,
    context: CommandContext,
    failure?: SendFailure,
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
  return { chargeId, amount, reason, price, reservedAt: at, unrefundedAt: revision };
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

const giveBack = async (
  deps: Deps,
  accountId: string,
  refund: { cause: RefundCause; failure: SendFailure | undefined; reservation: Reservation },
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
  refund(accountId, reservation, cause, context, failure) {
    const { chargeId, unrefundedAt: revision } = reservation;
    const refund = () =>
      decideOnRefund(deps, { accountId, chargeId, revision }, async (found) => {
        if (found.refunded) return false;
        const unrefunded = { ...reservation, unrefundedAt: found.asOfRevision };
        return giveBack(deps, accountId, { cause, failure, reservation: unrefunded }, context);
      });
    return retry(refund, {
      delays: deps.retryAfterMs ?? RETRY_AFTER_MS,
      while: (error) => error instanceof StoreUnavailable,
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

/** A refund that fails because of the account's own state. Its caller retries it. */
export interface StuckRefund {
  accountId: string;
  chargeId: string;
  error: unknown;
}

export interface StuckRefunds {
  failed(accountId: string, chargeId: string, error: unknown): void;
  settled(chargeId: string): void;
  /** Accounts with stuck refunds, and how many of each; the rest together as `other`. */
  counts(): ReadonlyMap<string, number>;
}

/** Bounds of the charges and accounts that are counted one by one. */
const CHARGES_MAX = 10_000;
const ACCOUNTS_SHOWN = 100;

/**
 * Reports each stuck refund once, and counts stuck refunds by account. They do not make the service
 * unready.
 */
export const createStuckRefunds = (onStuck: (refund: StuckRefund) => void): StuckRefunds => {
  const accountOf = new Map<string, string>();
  return {
    failed(accountId, chargeId, error) {
      if (accountOf.has(chargeId) || accountOf.size >= CHARGES_MAX) return;
      accountOf.set(chargeId, accountId);
      onStuck({ accountId, chargeId, error });
    },
    settled(chargeId) {
      accountOf.delete(chargeId);
    },
    counts() {
      const counts = new Map<string, number>();
      for (const accountId of accountOf.values()) {
        const isShown = counts.has(accountId) || counts.size < ACCOUNTS_SHOWN;
        const label = isShown ? accountId : 'other';
        counts.set(label, (counts.get(label) ?? 0) + 1);
      }
      return counts;
    },
  };
};

/** Events that the stream of one message can hold: its record and its statuses. */
const MESSAGE_EVENTS_MAX = 100;
/** The groups are accounts, the keys messages. */
const LIMITS = { runningPerGroup: 8, jobsPerGroup: 1000, jobs: 20_000 };
const RETRY_DELAYS = { minMs: 100, maxMs: 30_000 };

/** An event after which a refund may be due. */
type Failing = Extract<KnownEvent, { type: 'MessageSent' | 'StatusUpdated' }>;

const isFailing = (event: KnownEvent): event is Failing =>
  (event.type === 'MessageSent' && event.revision > 0) ||
  (event.type === 'StatusUpdated' && event.data.status === 'failed');

/** Reports refunds that fail, each until it ends. */
const createFailures = (stuck: StuckRefunds, onFailure: (error: unknown) => void) => {
  /** Why the log does not take a refund, by the event that asks for it. */
  const unavailable = new Map<string, string>();
  return {
    failed({ id, data: { accountId, chargeId } }: Failing, error: unknown): void {
      if (error instanceof StoreUnavailable) {
        if (!unavailable.has(id)) onFailure(error);
        unavailable.set(id, error.message);
      } else {
        unavailable.delete(id);
        stuck.failed(accountId, chargeId ?? id, error);
      }
    },
    ended({ id, data: { chargeId } }: Failing): void {
      unavailable.delete(id);
      stuck.settled(chargeId ?? id);
    },
    first: () => unavailable.values().next().value ?? null,
  };
};

interface DeliveryRefundDeps {
  store: Pick<EventReader, 'read' | 'readAll'>;
  refunds: Pick<Refunds, 'refund' | 'find'>;
  /** Refunds that fail for a reason of their account's own. */
  stuck: StuckRefunds;
  /** The log could not be read or written; the work is tried again. */
  onFailure: (error: unknown) => void;
}

/** Refunds the message of the event, if its delivery failed and its plan says so. */
const refundFailed = async (
  { store, refunds }: DeliveryRefundDeps,
  event: Failing,
): Promise<void> => {
  const { sent, failed } = await stateAt(store, event.stream, event.revision);
  if (!sent || !failed) return;
  const { accountId, chargeId } = sent;
  const charge = await refunds.find(chargeId);
  if (!charge) throw new Error(`${chargeId}, which paid for ${sent.messageRef}, is not in the log`);
  if (!charge.data.price.refundOnFailure) return;
  const context = { requestId: event.meta.requestId, accountId, cause: event.id };
  await refunds.refund(accountId, reservationOf(charge), 'delivery_failed', context);
};

/**
 * Refunds messages that the provider accepted and later reported as failed, where the plan they were
 * sent under says so. A message that was delivered or read before stays charged; a delivery after the
 * failure does not take the refund back. A refund that fails is retried without end, in sight, while
 * other accounts and the readiness of the service are unaffected.
 */
export const createDeliveryRefunds = (deps: DeliveryRefundDeps): Reactor => {
  const { store, stuck, onFailure } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queue = createKeyedQueue({ ...LIMITS, onFault: onFailure });
  const failures = createFailures(stuck, onFailure);

  const refundInTheEnd = (event: Failing): Promise<void> =>
    retry(() => refundFailed(deps, event), {
      delays: RETRY_DELAYS,
      signal,
      onFailure: (error) => failures.failed(event, error),
    }).finally(() => failures.ended(event));

  const offer = (event: Failing) =>
    queue.offer({
      group: event.data.accountId,
      key: event.stream,
      work: () => refundInTheEnd(event),
    });

  const backlog = createBacklog({
    store,
    groupOf: (event) => (isFailing(event) ? event.data.accountId : undefined),
    offer: (event) => offer(event as Failing),
    onChange: () => undefined,
    onFault: onFailure,
    signal,
  });

  return {
    name: 'delivery-refunds',
    on: toEach(['MessageSent', 'StatusUpdated'], backlog.takeInTurn),
    // A failure can only precede a record that is not the first event of its stream.
    from: { MessageSent: 1 },
    failing: failures.first,
    async drain() {
      stopping.abort();
      await Promise.all([queue.drain(), backlog.drain()]);
    },
  };
};

const stateAt = async (store: Pick<EventReader, 'read'>, stream: string, revision: number) => {
  const events = await store.read(stream, { limit: MESSAGE_EVENTS_MAX });
  let state: MessageState = messageDecider.initial;
  for (const event of events) {
    if (event.revision > revision) break;
    state = messageDecider.evolve(state, event as unknown as MessageFact);
  }
  return state;
};
