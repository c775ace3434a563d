import type { MoneyFact } from '../../events/account.ts';
import type { KnownEvent } from '../../events/index.ts';
import { firstRevision, streamPages } from '../../events/paging.ts';
import type { Billing } from '../../events/price.ts';
import type { EventReader, Recorded } from '../../events/store.ts';

export interface BalanceAt {
  /** In the unit that the account counted in then. */
  balance: number;
  billing: Billing;
  /** The movement that made it; null before the first. */
  entryId: string | null;
}

/** Events by which the order of an account's times may differ from the order of its stream. */
const OUT_OF_ORDER_MAX = 1000;

type Movement = Extract<KnownEvent, { type: MoneyFact['type'] }>;

const isMovement = (event: KnownEvent): event is Movement => 'balanceAfter' in event.data;

const billingOf = (event: Movement): Billing => {
  if (event.type === 'WalletMoved') return 'wallet';
  return 'price' in event.data ? event.data.price.billing : 'credits';
};

/** When an event of an account happened: a movement tells it. */
export const timeOf = (event: KnownEvent): string =>
  isMovement(event) ? event.data.at : (event as KnownEvent).meta.at;

/**
 * The balance of an account at a moment, from its stream: that of the last movement, in the order of
 * the log, that was made at or before the moment. Undefined for an unknown account.
 *
 * Finds the moment by bisecting the stream, so that a long history costs no more than a short one,
 * then compares the events around it one by one, because clocks may disagree.
 */
export const createBalanceAt = (store: EventReader) => {
  /** The events before the moment and a bounded number behind it, newest first. */
  async function* around(stream: string, at: string): AsyncGenerator<readonly Recorded[]> {
    // As if all events were in the order of their times.
    const after = await firstRevision(store, stream, (event) => timeOf(event as KnownEvent) > at);
    const later = await store.read(stream, { from: after, limit: OUT_OF_ORDER_MAX });
    yield later.toReversed();
    yield* streamPages(store, stream, { from: after - 1, direction: 'backwards' });
  }

  return async (accountId: string, at: string): Promise<BalanceAt | undefined> => {
    const stream = `account-${accountId}`;
    for await (const page of around(stream, at)) {
      const movements = (page as readonly KnownEvent[]).filter(isMovement);
      const last = movements.find((event) => event.data.at <= at);
      if (!last) continue;
      const { balanceAfter: balance, entryId } = last.data;
      return { balance, billing: billingOf(last), entryId };
    }
    const [opened] = (await store.read(stream, { limit: 1 })) as KnownEvent[];
    if (opened?.type !== 'AccountOpened') return undefined;
    return { balance: 0, billing: opened.data.billing, entryId: null };
  };
};
