import { timeOf } from '../commands/account/funds.ts';
import { readCharge } from '../events/completed.ts';
import type { KnownEvent } from '../events/index.ts';
import { streamPages } from '../events/paging.ts';
import type { EventReader } from '../events/store.ts';
import { CLOCKS_DIFFER_MS, mustBeReadable, revisionAt, startAt } from './account-start.ts';
import { isMoneyEvent } from './movement.ts';
import type { Period, Statement, StatementSeal } from './statement.ts';
import { createStatement } from './statement.ts';

// Finds the events of a period in the stream of its account. A movement belongs to the period of its
// time, as in lists and exports, wherever it stands in the stream.

/** The first seal at or after a time; null while there is none. */
export type SealAfter = (time: string) => Promise<StatementSeal | null>;

export interface StatementOptions {
  sealAfter: SealAfter;
  /** Events of a page. */
  pageSize?: number;
  signal?: AbortSignal;
  /** Called after each page with the part that is done, from 0 to 1. */
  onProgress?: (fraction: number, events: number) => void;
}

/** An end of the period. What came after the seal of that time is of later periods, whatever its time. */
interface Edge {
  time: string;
  seal: StatementSeal | null;
}

const isBefore = ({ time, seal }: Edge, event: KnownEvent): boolean =>
  timeOf(event) < time && (seal === null || event.position <= seal.position);

const pricesOf = (log: Pick<EventReader, 'read'>) => async (event: KnownEvent) => {
  if (event.type !== 'RefundedSendCounted') return undefined;
  return (await readCharge(log, event.data))?.data.price;
};

/**
 * Counts a period of an account from its stream alone: reads the events of the period, those within
 * 30 minutes of its ends, and some 20 to find them. Undefined for an unknown account. The result is
 * the same for ever once a seal covers it.
 */
export const readStatement = async (
  log: Pick<EventReader, 'read'>,
  accountId: string,
  period: Period,
  { sealAfter, pageSize, signal, onProgress }: StatementOptions,
): Promise<Statement | undefined> => {
  const stream = `account-${accountId}`;
  const edgeAt = async (time: string): Promise<Edge> => ({ time, seal: await sealAfter(time) });
  const [from, to] = [await edgeAt(period.from), await edgeAt(period.to)];
  const start = await startAt(log, accountId, from.time);
  if (!start) return undefined;
  const first = start.revision;
  const end = await revisionAt(log, accountId, Date.parse(to.time) + CLOCKS_DIFFER_MS);
  const count = createStatement(start, start.balance);
  const priceOf = pricesOf(log);
  const paging = { from: first, eventsMax: end - first, ...(pageSize && { pageSize }) };
  for await (const page of streamPages(log, stream, paging)) {
    signal?.throwIfAborted();
    for (const event of page as readonly KnownEvent[]) {
      mustBeReadable(event);
      if (!isBefore(to, event)) continue;
      const isEarlier = isBefore(from, event);
      if (event.type === 'AccountOpened' || event.type === 'PlanAssigned') {
        count.setUnit(event.data);
      } else if (isMoneyEvent(event)) {
        if (isEarlier) count.movedBefore(event.data.amount);
        else count.link(event);
      } else if (event.type === 'RefundedSendCounted' && !isEarlier) {
        const price = await priceOf(event);
        if (price) count.wentOut(price);
      }
    }
    const done = page.at(-1)!.revision + 1 - first;
    onProgress?.(done / (end - first), done);
  }
  return { accountId, period, ...count.end(), seal: to.seal };
};
