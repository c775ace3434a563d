import type { Category } from '../../events/category.ts';
import type { ReservedCharge } from '../../events/completed.ts';
import { type Intent, namingTypes } from '../../events/content.ts';
import type { DataSubject } from '../../events/personal.ts';
import type { Price } from '../../events/price.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AccountDecider } from '../account/account.ts';
import { costOf, StalePrice } from '../account/movements.ts';
import type { QuotedPrices, ReserveTerms } from '../account/state.ts';
import { type NamedOthers, nameOthers } from '../contacts/named.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { createPrices, type PriceAt } from '../pricing/pricing.ts';
import { planKeepsChanging } from './send-errors.ts';

/** A message before it has a price. */
export interface Unpriced {
  category: Category;
  /** The ledger's reason: event key, `template:<name>` or `bot:<id>`. */
  reason: string;
  /** As the log keeps it. */
  intent: Intent;
  /** What the message was quoted at. */
  quoted?: QuotedPrices | undefined;
  /** Throws where the message may not take so much. */
  bound?: ((price: Price) => void) | undefined;
}

/** On whose behalf a message is priced and sent. */
export interface AccountContext extends CommandContext {
  accountId: string;
}

/** A reservation in the log. */
export type Reserved = Pick<ReservedCharge, 'data' | 'revision'>;

const PRICE_ATTEMPTS = 3;

interface ReservationDeps {
  writer: Pick<Writer, 'execute' | 'recall'>;
  account: AccountDecider;
  lookups: Pick<Lookups, 'memo' | 'account' | 'plan' | 'rateCards'>;
  subjects: Pick<Subjects, 'known' | 'of'>;
  clock: Clock;
  /** Bytes of a megabyte of the plan; fewer for tests. */
  bytesPerMb: number;
}

/** The prices of an account, and what of its plan a reservation needs. */
interface AccountPrices extends Required<Pick<ReserveTerms, 'freeBytesMax'>> {
  priceAt: PriceAt;
}

/** Prices messages under the plans of their accounts. */
export const createPricing = ({
  lookups,
  clock,
  bytesPerMb,
}: Pick<ReservationDeps, 'lookups' | 'clock' | 'bytesPerMb'>) => {
  const pricesOf = lookups.memo<AccountPrices>();

  const findPrices = async (accountId: string, fresh: boolean): Promise<AccountPrices> => {
    const known = await lookups.account(accountId, { fresh });
    const plan = known && (await lookups.plan(known.planId));
    if (!plan) throw new Error(`account ${accountId} has no known plan`);
    const megabytes = plan.freeWritesMbPerDay;
    const freeBytesMax = megabytes === null ? null : megabytes * bytesPerMb;
    return { priceAt: createPrices(plan, await lookups.rateCards()), freeBytesMax };
  };

  /** Prices again when the account has left the plan that the cached look-up names. */
  return async <T>(
    { category, intent, quoted, bound }: Unpriced,
    accountId: string,
    act: (terms: ReserveTerms) => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const found =
        attempt === 1
          ? pricesOf(accountId, () => findPrices(accountId, false))
          : findPrices(accountId, true);
      const { priceAt, freeBytesMax } = found instanceof Promise ? await found : found;
      const at = clock.now();
      try {
        const price = priceAt(category, intent.to, at);
        bound?.(price);
        return await act({ at, price, freeBytesMax, quoted });
      } catch (error) {
        if (!(error instanceof StalePrice)) throw error;
        if (attempt === PRICE_ATTEMPTS) throw planKeepsChanging(error);
      }
    }
  };
};

const isRefused = (decide: () => unknown): boolean => {
  try {
    decide();
    return false;
  } catch {
    return true;
  }
};

/** What of a message has fields of the provider that can name others than its recipient. */
const namingParts = ({ contextMessageId, content }: Intent): Partial<Intent> | undefined => {
  if (namingTypes.has(content.type)) return { contextMessageId, content };
  return contextMessageId === null ? undefined : { contextMessageId };
};

/** Prices messages, and reserves their prices. */
export const createReservations = (deps: ReservationDeps) => {
  const { writer, account, subjects } = deps;
  const underTerms = createPricing(deps);

  /**
   * Throws the refusal that a reservation would meet. A state in memory that refuses nothing is
   * believed, so that an accepted send reads no more for it.
   */
  const mayReserve = async (terms: ReserveTerms, context: AccountContext): Promise<void> => {
    const { accountId } = context;
    const decider = account(accountId);
    const command = { type: 'MayReserve' as const, ...terms };
    const known = writer.recall(decider, accountId);
    if (known && !isRefused(() => decider.decide(command, known))) return;
    await writer.execute(decider, accountId, command, context);
  };

  /** A new contact's data key is stored for sends that are not refused: other ones are free. */
  const newSubject = async (to: string, terms: ReserveTerms, context: AccountContext) => {
    await mayReserve(terms, context);
    return subjects.of(context.accountId, to);
  };

  /** Writes the reservation of a message to this contact. `others`: whom its fields name besides. */
  const write = (
    { reason, intent }: Unpriced,
    terms: ReserveTerms,
    subject: DataSubject,
    context: AccountContext,
    others?: NamedOthers<Partial<Intent>>,
  ) => {
    const { accountId } = context;
    const { kept, fields, subjects: further = [] } = others ?? {};
    const whole = kept ? { ...intent, contextMessageId: null, ...kept } : intent;
    const message = { reason, contactRef: subject.ref, intent: whole, ...fields };
    const command = { type: 'Reserve' as const, ...terms, ...message };
    const on = { ...context, subjects: [subject, ...further] };
    return writer.execute(account(accountId), accountId, command, on);
  };

  return {
    async reserve(message: Unpriced, context: AccountContext): Promise<Reserved> {
      const { accountId } = context;
      const { to } = message.intent;
      const parts = namingParts(message.intent);
      const { facts, revision } = await underTerms(message, accountId, async (terms) => {
        const known = parts ? undefined : subjects.known(accountId, to);
        const subject = known ?? (await newSubject(to, terms, context));
        if (!parts) return write(message, terms, subject, context);
        const own = { accountId, subject, ids: new Set([to]) };
        const others = await nameOthers(subjects, own, parts, ['said']);
        return write(message, terms, subject, context, others);
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
