import { setTimeout as pause } from 'node:timers/promises';
import type { RefundCause } from '../../events/account.ts';
import type { Category, Content, Intent } from '../../events/content.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { Provider, ProviderRefusal, Sender, Slot } from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError, type ExpectedError, type SendDetails } from '../../shared/errors.ts';
import type { AccountDecider } from '../account/account.ts';
import { costOf, StalePrice } from '../account/charges.ts';
import { bytesOf } from '../account/free-writes.ts';
import type { Refunds } from '../account/refunds.ts';
import { type Reversal, reverseOnHangUp, WORD_WITHIN_MS } from '../account/reversal.ts';
import type { Reservation } from '../account/state.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { IdempotencyRecovery } from '../idempotency/recovery.ts';
import { priceMessage } from '../pricing/pricing.ts';
import { cardInForce } from '../pricing/rate-card.ts';
import { IdTaken, messageDecider, type SentRecord } from './message.ts';
import type { SendsUnderWay } from './sends-under-way.ts';
import type { Charge, Transmitted } from './transmitted.ts';

/** A message before it has a price: what is to be sent, for whom, and why. */
export interface Draft {
  accountId: string;
  category: Category;
  /** The ledger's reason: event key, `template:<name>` or `bot:<id>`. */
  reason: string;
  intent: Intent;
  /** Why it cannot be sent, where that is known before anything is reserved. */
  refused?: AppError | undefined;
}

/** The rest of what sending needs; found out after the reservation, and may refuse. */
export interface Ready {
  sender: Sender;
  /** With everything in it, also what the log must not keep. */
  content: Content;
  /** The same as the log keeps it. */
  kept: Content;
  /** What a refused send's `details` say beside the provider's words. */
  details: SendDetails;
  /** A slot in the sender's pace that was waited for already. */
  slot?: Slot | undefined;
}

export interface SendContext extends CommandContext {
  accountId: string;
  /** Fires when the caller has gone before its answer was written: the charge is reversed. */
  signal?: AbortSignal | undefined;
}

export interface Transmitter {
  /**
   * Reserves the price, sends once, and records what came of it. Throws a refusal after giving
   * the charge back; the charge stays taken only when the message went out.
   */
  transmit(draft: Draft, context: SendContext, prepare: () => Promise<Ready>): Promise<Transmitted>;
}

/** What a reservation and its refund take in the log beside the content of the message. */
const CHARGE_BYTES = 2_000;
const PRICE_ATTEMPTS = 3;
/** Pauses before a record that the log could not take is written again. */
const RECORD_RETRY_MS = [50, 200, 1000, 3000, 5000];

interface Reserved {
  reservation: Reservation;
  charge: Charge;
  intent: Intent;
}

export const createTransmitter = (deps: {
  writer: Writer;
  account: AccountDecider;
  lookups: Pick<Lookups, 'account' | 'plan' | 'rateCards'>;
  provider: Provider;
  refunds: Refunds;
  /** Knows what an earlier run of an idempotent request has sent. */
  recovery: Pick<IdempotencyRecovery, 'sent' | 'reversible'>;
  sends: Pick<SendsUnderWay, 'reserve' | 'end' | 'mayCall' | 'mayRecord'>;
  clock: Clock;
  /** Told of what could not be recorded or given back now; the sweep mends it later. */
  onLeftOpen: (what: string, chargeId: string, error: unknown) => void;
  /** Told of what was written for a message that was not sent, and so is not paid for. */
  onFree: (accountId: string, bytes: number) => void;
  /** Bytes of a megabyte of the plan; fewer for tests. */
  bytesPerMb: number;
  /** For tests: how long the reversal of a hang-up waits for the provider's word. */
  wordWithinMs?: number | undefined;
}): Transmitter => {
  const { wordWithinMs = WORD_WITHIN_MS, bytesPerMb } = deps;
  const { writer, account, lookups, provider, refunds, sends, clock } = deps;

  const termsOf = async (draft: Draft, attempt: number) => {
    // Where the account has just left the plan that is remembered, it is read again.
    const known = await lookups.account(draft.accountId, { fresh: attempt > 1 });
    const plan = known && (await lookups.plan(known.planId));
    if (!plan) throw new Error(`account ${draft.accountId} has no plan that is known`);
    const card = cardInForce(await lookups.rateCards(), plan.currency, clock.now());
    const price = priceMessage({ category: draft.category, to: draft.intent.to, plan, card });
    const megabytes = plan.freeWritesMbPerDay;
    const freeBytesMax = megabytes === null ? null : megabytes * bytesPerMb;
    return { at: clock.now(), price, freeBytesMax };
  };

  /** Prices anew where the account leaves its plan meanwhile. */
  const underTerms = async <T>(
    draft: Draft,
    act: (terms: Awaited<ReturnType<typeof termsOf>>) => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const terms = await termsOf(draft, attempt);
      try {
        return await act(terms);
      } catch (error) {
        if (!(error instanceof StalePrice)) throw error;
        if (attempt === PRICE_ATTEMPTS) throw planKeepsChanging(error);
      }
    }
  };

  const reserve = (draft: Draft, context: CommandContext): Promise<Reserved> => {
    const { accountId, reason, intent } = draft;
    return underTerms(draft, async (terms) => {
      const command = { type: 'Reserve' as const, ...terms, reason, intent };
      const done = await writer.execute(account(accountId), accountId, command, context);
      const fact = done.facts[0];
      if (fact?.type !== 'ChargeReserved') throw new Error('a reservation came without its fact');
      const { chargeId, amount, balanceAfter, at: reservedAt } = fact.data;
      const { price } = terms;
      const unrefundedAt = done.revision;
      return {
        reservation: { chargeId, amount, reason, price, reservedAt, unrefundedAt },
        charge: { chargeId, price, balanceAfter },
        intent,
      };
    });
  };

  /**
   * A message that is known not to go out. What is free leaves no trace, and so neither does its
   * refusal; what is priced leaves the two rows of the contract, without the content.
   */
  const refuse = async (draft: Draft, refused: AppError, context: CommandContext) => {
    const { accountId, intent } = draft;
    const isFree = await underTerms(draft, async (terms) => {
      if (costOf(terms.price) !== 0) return false;
      const command = { type: 'MayReserve' as const, ...terms };
      await writer.execute(account(accountId), accountId, command, context);
      return true;
    });
    if (isFree) throw refused;
    const reserved = await reserve({ ...draft, intent: withoutContent(intent) }, context);
    noteFree(accountId, reserved.intent);
    await giveBackOf(reserved, accountId, context)('not_sent');
    throw refused;
  };

  const noteFree = (accountId: string, intent: Intent) =>
    deps.onFree(accountId, bytesOf(intent) + CHARGE_BYTES);

  const giveBackOf =
    ({ reservation }: Reserved, accountId: string, context: CommandContext) =>
    async (cause: RefundCause): Promise<void> => {
      try {
        await refunds.refund(accountId, reservation, cause, context);
      } catch (error) {
        deps.onLeftOpen('refund', reservation.chargeId, error);
      }
    };

  const record = async (accountId: string, sent: SentRecord, context: CommandContext) => {
    const write = () => {
      const { chargeId, reservedAt: at } = sent;
      if (!sends.mayRecord({ accountId, chargeId, at })) throw new TookTooLong();
      return writer.execute(
        messageDecider,
        sent.messageId,
        { type: 'RecordSent', record: sent },
        { ...context, accountId },
        { assumeNew: true },
      );
    };
    for (const delayMs of RECORD_RETRY_MS) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await pause(delayMs);
      }
    }
    return write();
  };

  const settle = async (
    reserved: Reserved,
    context: SendContext,
    prepare: () => Promise<Ready>,
    giveBack: (cause: RefundCause) => Promise<void>,
    reversal: Reversal,
  ) => {
    const { accountId, signal } = context;
    const { chargeId } = reserved.charge;
    let ready: Ready;
    try {
      ready = await prepare();
      if (signal?.aborted) throw new AppError('request.timeout', 'The caller has gone');
      const at = reserved.reservation.reservedAt;
      if (!sends.mayCall({ accountId, chargeId, at })) throw notBegun();
    } catch (error) {
      if (signal?.aborted) noteFree(accountId, reserved.intent);
      await giveBack('not_sent');
      throw error;
    }
    const { sender, content, kept, details, slot } = ready;
    const { to, contextMessageId } = reserved.intent;
    const message = { to, content, contextMessageId, chargeId };
    reversal.asked();
    const outcome = await provider.send(sender, message, slot);
    reversal.heard(outcome.kind === 'accepted');
    if (outcome.kind === 'refused') {
      // Without a code it is the provider that is in trouble, and not what the account sent.
      if (outcome.refusal.code !== null) noteFree(accountId, reserved.intent);
      await giveBack('not_sent');
      throw sendFailed(outcome.refusal, details);
    }
    if (outcome.kind === 'unknown') {
      await giveBack('unknown_outcome');
      throw outcomeUnknown(details);
    }
    const intent: Intent = {
      ...reserved.intent,
      phoneNumberId: sender.phoneNumberId,
      wabaId: sender.wabaId,
      content: kept,
    };
    const sent: SentRecord = {
      messageId: outcome.messageId,
      accountId,
      chargeId,
      chargeRevision: reserved.reservation.unrefundedAt,
      chargeAmount: reserved.reservation.amount,
      recipientWaId: outcome.recipientWaId ?? to,
      price: reserved.charge.price,
      intent,
      reservedAt: reserved.reservation.reservedAt,
      recovered: false,
    };
    try {
      await record(accountId, sent, context);
    } catch (error) {
      if (error instanceof IdTaken) {
        // As an answer that names no id: its delivery could never be told, so it is not paid for.
        await giveBack('not_sent');
        throw sendFailed(unusableId, details);
      }
      deps.onLeftOpen('record', chargeId, error);
      throw new AppError(
        'service.unavailable',
        'The message went out, but it could not be recorded yet',
        { retryAfterSeconds: 60, cause: error },
      );
    }
    return { messageId: outcome.messageId, charge: reserved.charge, intent };
  };

  return {
    async transmit(draft, { signal, ...context }, prepare) {
      const earlier = context.claim && (await deps.recovery.sent(context.claim, context));
      if (earlier) return earlier;
      if (draft.refused) return refuse(draft, draft.refused, context);
      const make = () => reserve(draft, context);
      const reserved = await sends.reserve(draft.accountId, make, ({ charge }) => charge.chargeId);
      const { chargeId } = reserved.charge;
      const giveBack = giveBackOf(reserved, draft.accountId, context);
      const reversal = reverseOnHangUp(signal, giveBack, wordWithinMs);
      if (context.claim) deps.recovery.reversible(context.claim, reversal.over);
      try {
        return await settle(reserved, { ...context, signal }, prepare, giveBack, reversal);
      } finally {
        sends.end(chargeId);
      }
    },
  };
};

const unusableId: ProviderRefusal = {
  code: null,
  subcode: null,
  message: 'The provider named an id that another message has already',
  httpStatus: 200,
};

const planKeepsChanging = (cause: Error) =>
  new AppError(
    'service.unavailable',
    'The plan of the account is being changed: nothing was sent',
    { retryAfterSeconds: 1, cause },
  );

/** The message went out, and its record is left to the recovery: by now the sweep may be at it. */
class TookTooLong extends Error implements ExpectedError {
  readonly isExpected = true;
  constructor() {
    super('the send took too long to be recorded: the next status update records it');
    this.name = 'TookTooLong';
  }
}

const notBegun = () =>
  new AppError('service.unavailable', 'The send took too long to prepare: nothing was sent', {
    retryAfterSeconds: 5,
  });
/** What a send that is not made leaves of its content: its kind and its name. */
const withoutContent = (intent: Intent): Intent => {
  const { content } = intent;
  if (content.type === 'notification') {
    return { ...intent, content: { ...content, parameters: [] }, text: null };
  }
  if (content.type === 'template') {
    return { ...intent, content: { ...content, components: [] }, text: null };
  }
  return intent;
};

/** The provider's no to a message, as an answer of ours: a 502 with its words. */
export const sendFailed = (refusal: ProviderRefusal, details: SendDetails) =>
  new AppError('provider.refused', `The provider rejected the send: ${refusal.message}`, {
    ...details,
    providerCode: refusal.code,
    providerMessage: refusal.message,
  });

const outcomeUnknown = (details: SendDetails) =>
  new AppError(
    'provider.unknown_outcome',
    'The provider did not answer in time: whether the message went out is not known',
    details,
  );
