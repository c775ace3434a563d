import type { Lookups } from '../../commands/core/lookups.ts';
import type { EventReader } from '../../events/store.ts';
import { chargeclaims } from '../../projections/charge-claims.ts';
import type { Projection } from '../../projections/define.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { messages } from '../../projections/messages.ts';
import { refunds } from '../../projections/refunds.ts';
import { reservations } from '../../projections/reservations.ts';
import { ViewsUnavailable } from '../../projections/views.ts';

type ChargeLookups = Pick<
  Lookups,
  | 'refundOf'
  | 'refundCauseOf'
  | 'openCharges'
  | 'openReservations'
  | 'messageOfCharge'
  | 'chargeClaims'
>;

interface Deps {
  store: Pick<EventReader, 'head' | 'read'>;
  reader: Reader;
}

/**
 * Whether the read models show the whole log. `reached` accepts a halted or an older one, which
 * serves to show something, and not to move money.
 */
const showWholeLog = async ({ store, reader }: Deps, source: Projection): Promise<boolean> => {
  const head = await store.head();
  try {
    await reader.reached([source], head);
    return await reader.shows([source], head);
  } catch (error) {
    if (error instanceof ViewsUnavailable) return false;
    throw error;
  }
};

const demandWholeLog = async (deps: Deps, source: Projection): Promise<void> => {
  if (await showWholeLog(deps, source)) return;
  throw new ViewsUnavailable('the read models do not show the whole log');
};

/** The newest revision of an account's stream. Later reads see at least this revision. */
const newestOf = async (store: Deps['store'], accountId: string): Promise<number> => {
  const [last] = await store.read(`account-${accountId}`, { direction: 'backwards', limit: 1 });
  return last?.revision ?? -1;
};

/** Answers what became of charges. No answer is kept, because each one moves money. */
export const createChargeLookups = (deps: Deps): ChargeLookups => {
  const { store, reader } = deps;
  return {
    async refundOf(accountId, chargeId) {
      const newest = await newestOf(store, accountId);
      await reader.reached([refunds], await store.head());
      // `reached` does not wait for halted views: the row says how far they are.
      const known = await reader.get(refunds, accountId);
      const asOfRevision = known?.of === 'account' ? Math.min(known.revision, newest) : -1;
      const refund = await reader.get(refunds, chargeId);
      const counted = refund?.of === 'charge' && refund.counted;
      return { refunded: refund !== undefined, counted, asOfRevision };
    },
    async refundCauseOf(chargeId) {
      try {
        const refund = await reader.get(refunds, chargeId);
        return refund?.of === 'charge' ? refund.cause : undefined;
      } catch (error) {
        if (error instanceof ViewsUnavailable) return undefined;
        throw error;
      }
    },
    async openCharges(accountId) {
      const asOfRevision = await newestOf(store, accountId);
      await demandWholeLog(deps, reservations);
      const open = await reader.find(reservations, {
        where: { accountId, amount: { lt: 0 } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit: 1,
      });
      return { open: open.length > 0, asOfRevision };
    },
    async openReservations(before, limit) {
      await demandWholeLog(deps, reservations);
      return reader.find(reservations, {
        where: { reservedAt: { lt: before } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit,
      });
    },
    async messageOfCharge(accountId, chargeId) {
      if (!(await showWholeLog(deps, messages))) return null;
      const found = await reader.find(messages, {
        where: { accountId, chargeId },
        order: { field: 'order', direction: 'descending' },
        limit: 1,
      });
      return found[0]?.messageRef;
    },
    async chargeClaims(wanted) {
      await demandWholeLog(deps, chargeclaims);
      if ('chargeId' in wanted) {
        return reader.find(chargeclaims, {
          where: { chargeId: wanted.chargeId },
          order: { field: 'order', direction: 'ascending' },
          limit: wanted.limit,
        });
      }
      return reader.find(chargeclaims, {
        where: { reservedAt: { gt: wanted.reservedAfter } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit: wanted.limit,
      });
    },
  };
};
