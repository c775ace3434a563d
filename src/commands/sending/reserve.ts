import { isUserId } from '../../events/contact.ts';
import type { Category, Intent } from '../../events/content.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AccountDecider } from '../account/account.ts';
import { costOf, StalePrice } from '../account/charges.ts';
import type { ReservedCharge } from '../account/refunds.ts';
import type { ReserveTerms } from '../account/state.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { priceMessage } from '../pricing/pricing.ts';
import { cardInForce } from '../pricing/rate-card.ts';
import type { SentRecord } from './message.ts';
import type { ShownRecipient } from './recorded-contact.ts';
import { planKeepsChanging } from './send-errors.ts';
import { type Held, heldOf } from './transmitted.ts';

/** A message before it has a price. */
export interface Unpriced {
  category: Category;
  /** The ledger's reason: event key, `template:<name>` or `bot:<id>`. */
  reason: string;
  /** As the log keeps it. */
  intent: Intent;
}

/** On whose behalf a message is priced and sent. */
export interface AccountContext extends CommandContext {
  accountId: string;
}

/** A reservation in the log. */
export type Reserved = Pick<ReservedCharge, 'data' | 'revision'>;

/** What the provider says of a message that it accepted. */
export interface Accepted extends Held, ShownRecipient {
  messageId: string;
}

/** The record of the message that a reservation paid for, under the contact that it went to. */
export const sentRecordOf = (
  { data, revision }: Reserved,
  { messageId, recipientUserId, ...held }: Accepted,
  contact: string,
): SentRecord => {
  const { accountId, chargeId, amount, price, intent, at } = data;
  const userId = recipientUserId ?? (isUserId(intent.to) ? intent.to : undefined);
  return {
    messageId,
    accountId,
    chargeId,
    chargeRevision: revision,
    chargeAmount: amount,
    recipientWaId: contact,
    ...(userId !== undefined && { recipientUserId: userId }),
    price,
    intent,
    reservedAt: at,
    recovered: false,
    ...heldOf(held),
  };
};

const PRICE_ATTEMPTS = 3;

/** Prices messages, and reserves their prices. */
export const createReservations = (deps: {
  writer: Pick<Writer, 'execute'>;
  account: AccountDecider;
  lookups: Pick<Lookups, 'account' | 'plan' | 'rateCards'>;
  clock: Clock;
  /** Bytes of a megabyte of the plan; fewer for tests. */
  bytesPerMb: number;
}) => {
  const { writer, account, lookups, clock, bytesPerMb } = deps;

  const termsOf = async (
    { category, intent }: Unpriced,
    accountId: string,
    fresh: boolean,
  ): Promise<ReserveTerms> => {
    const known = await lookups.account(accountId, { fresh });
    const plan = known && (await lookups.plan(known.planId));
    if (!plan) throw new Error(`account ${accountId} has no known plan`);
    const card = cardInForce(await lookups.rateCards(), plan.currency, clock.now());
    const price = priceMessage({ category, to: intent.to, plan, card });
    const megabytes = plan.freeWritesMbPerDay;
    const freeBytesMax = megabytes === null ? null : megabytes * bytesPerMb;
    return { at: clock.now(), price, freeBytesMax };
  };

  /** Prices again when the account has left the plan that the cached look-up names. */
  const underTerms = async <T>(
    message: Unpriced,
    accountId: string,
    act: (terms: ReserveTerms) => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const terms = await termsOf(message, accountId, attempt > 1);
      try {
        return await act(terms);
      } catch (error) {
        if (!(error instanceof StalePrice)) throw error;
        if (attempt === PRICE_ATTEMPTS) throw planKeepsChanging(error);
      }
    }
  };

  return {
    async reserve(message: Unpriced, context: AccountContext): Promise<Reserved> {
      const { accountId } = context;
      const { reason, intent } = message;
      const { facts, revision } = await underTerms(message, accountId, (terms) => {
        const command = { type: 'Reserve' as const, ...terms, reason, intent };
        return writer.execute(account(accountId), accountId, command, context);
      });
      const [fact] = facts;
      if (fact?.type !== 'ChargeReserved') throw new Error('a reservation came without its fact');
      return { data: fact.data, revision };
    },

    /**
     * Whether a message that cannot be sent is refused without a trace: a free-form one, and one that
     * costs nothing. Throws the refusal that a reservation of it would meet.
     */
    leavesNoTrace(message: Unpriced, context: AccountContext): Promise<boolean> {
      const { accountId } = context;
      return underTerms(message, accountId, async (terms) => {
        if (message.category !== 'SERVICE' && costOf(terms.price) !== 0) return false;
        const command = { type: 'MayReserve' as const, ...terms };
        await writer.execute(account(accountId), accountId, command, context);
        return true;
      });
    },
  };
};
