import { setImmediate as othersHaveRun } from 'node:timers/promises';
import type { Billing, MoneyFact } from '../../events/account.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { EventReader, ReadOptions } from '../../events/store.ts';

export interface BalanceAt {
  /** In the unit that the account counted in then. */
  balance: number;
  billing: Billing;
  /** The movement that made it; null before the first. */
  entryId: string | null;
}

/** How far the times of an account's events may stand out of the order of its stream. */
const OUT_OF_ORDER_MAX = 1000;

type Movement = Extract<KnownEvent, { type: MoneyFact['type'] }>;

const isMovement = (event: KnownEvent): event is Movement => 'balanceAfter' in event.data;

const billingOf = (event: Movement): Billing => {
  if (event.type === 'WalletMoved') return 'wallet';
  return 'price' in event.data ? event.data.price.billing : 'credits';
};

const timeOf = (event: KnownEvent): string =>
  isMovement(event) ? event.data.at : (event as KnownEvent).meta.at;

/**
 * The balance of an account as it stood at a moment, from its event stream: that of the last
 * movement, in the order of the log, which was made at or before it. Undefined for an account that
 * is unknown.
 *
 * Finds the moment by halving the stream, so that a long history costs no more than a short one.
 * Clocks may disagree: the events around it are looked at one by one.
 */
export const createBalanceAt = (store: EventReader) => {
  const read = async (stream: string, options: ReadOptions): Promise<readonly KnownEvent[]> =>
    (await store.read(stream, options)) as KnownEvent[];

  /** The first event that was made after the moment, as if all were in the order of their times. */
  const revisionAfter = async (stream: string, at: string, newest: number): Promise<number> => {
    let [low, high] = [0, newest + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [event] = await read(stream, { from: middle, limit: 1 });
      if (event && timeOf(event) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return async (accountId: string, at: string): Promise<BalanceAt | undefined> => {
    const stream = `account-${accountId}`;
    const [newest] = await read(stream, { direction: 'backwards', limit: 1 });
    if (!newest) return undefined;
    const after = await revisionAfter(stream, at, newest.revision);
    const limit = OUT_OF_ORDER_MAX;
    let page = (await read(stream, { from: after, limit })).toReversed();
    for (let before = after - 1; ; before = page.at(-1)!.revision - 1) {
      const last = page.filter(isMovement).find((event) => event.data.at <= at);
      if (last) {
        const { balanceAfter: balance, entryId } = last.data;
        return { balance, billing: billingOf(last), entryId };
      }
      if (before < 0) break;
      // Mostly the first page before the moment holds a movement.
      page = [...(await read(stream, { direction: 'backwards', from: before, limit }))];
      await othersHaveRun();
    }
    const [opened] = await read(stream, { from: 0, limit: 1 });
    if (opened?.type !== 'AccountOpened') return undefined;
    return { balance: 0, billing: opened.data.billing, entryId: null };
  };
};
