import type { Billing, MoneyFact } from '../../events/account.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { EventStore } from '../../events/store.ts';

export interface BalanceAt {
  /** In the unit that the account counted in then. */
  balance: number;
  billing: Billing;
  /** The movement that made it; null before the first. */
  entryId: string | null;
}

const PAGE = 1000;

type Movement = Extract<KnownEvent, { type: MoneyFact['type'] }>;

const isMovement = (event: KnownEvent): event is Movement => 'balanceAfter' in event.data;

const billingOf = (event: Movement): Billing => {
  if (event.type === 'WalletMoved') return 'wallet';
  return 'price' in event.data ? event.data.price.billing : 'credits';
};

/**
 * The balance of an account as it stood at a moment, from its event stream: that of the last
 * movement, in the order of the log, which was made at or before it. Undefined for an account that
 * is unknown. Reads back from the newest event, one page in memory.
 */
export const createBalanceAt =
  (store: EventStore) =>
  async (accountId: string, at: string): Promise<BalanceAt | undefined> => {
    const stream = `account-${accountId}`;
    let from: number | undefined;
    for (;;) {
      const page = (await store.read(stream, {
        direction: 'backwards',
        limit: PAGE,
        ...(from !== undefined && { from }),
      })) as KnownEvent[];
      for (const event of page) {
        if (!isMovement(event) || event.data.at > at) continue;
        const { balanceAfter: balance, entryId } = event.data;
        return { balance, billing: billingOf(event), entryId };
      }
      const last = page.at(-1);
      if (last?.type === 'AccountOpened') {
        return { balance: 0, billing: last.data.billing, entryId: null };
      }
      if (!last || last.revision === 0) return undefined;
      from = last.revision - 1;
    }
  };
