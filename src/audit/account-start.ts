import { timeOf } from '../commands/account/funds.ts';
import { CHAIN_START } from '../events/chain.ts';
import type { KnownEvent } from '../events/index.ts';
import { firstRevision, streamPages } from '../events/paging.ts';
import { type EventReader, UNREADABLE } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import { isMoneyEvent } from './movement.ts';
import type { LinkPlace, Unit } from './statement.ts';

type Log = Pick<EventReader, 'read'>;

/** Where an account's events of a time begin, and the account before them. */
export interface AccountStart extends Unit, LinkPlace {
  /** Of the first event. */
  revision: number;
  balance: number;
}

/** Clocks that write to one log are expected to be right to half of this. */
export const CLOCKS_DIFFER_MS = 30 * 60_000;

/** Bisects for the first event from this time on, in milliseconds since 1970. */
export const revisionAt = (log: Log, accountId: string, timeMs: number): Promise<number> =>
  firstRevision(
    log,
    `account-${accountId}`,
    (event) => Date.parse(timeOf(event as KnownEvent)) >= timeMs,
  );

export const mustBeReadable = (event: KnownEvent): void => {
  if ((event.type as string) !== UNREADABLE) return;
  throw new AppError('resource.conflict', `Event ${event.revision} cannot be read`);
};

/** The state of an account before a revision, from the nearest events that tell it. */
const stateBefore = async (log: Log, accountId: string, revision: number, opened: Unit) => {
  let unit: Unit | undefined;
  let last: (LinkPlace & { balanceAfter: number }) | undefined;
  const paging = { from: revision - 1, direction: 'backwards', pageSize: 50 } as const;
  for await (const page of streamPages(log, `account-${accountId}`, paging)) {
    for (const event of page as readonly KnownEvent[]) {
      mustBeReadable(event);
      const { type, data } = event;
      if (isMoneyEvent(event)) last ??= event.data;
      if (type === 'ChargeReserved') unit ??= data.price;
      if (type === 'AccountOpened' || type === 'PlanAssigned') unit ??= data;
    }
    if (unit && last) break;
  }
  const { billing, currency } = unit ?? opened;
  const {
    balanceAfter: balance,
    sequence,
    hash,
  } = last ?? {
    balanceAfter: 0,
    sequence: 0,
    hash: CHAIN_START,
  };
  return { billing, currency, balance, sequence, hash };
};

/**
 * Where to begin to read an account's events from a time on: at or before the first of them.
 * Undefined for an unknown account.
 */
export const startAt = async (
  log: Log,
  accountId: string,
  time: string,
): Promise<AccountStart | undefined> => {
  const [opened] = (await log.read(`account-${accountId}`, { limit: 1 })) as KnownEvent[];
  if (!opened) return undefined;
  mustBeReadable(opened);
  if (opened.type !== 'AccountOpened') return undefined;
  const revision = await revisionAt(log, accountId, Date.parse(time) - CLOCKS_DIFFER_MS);
  return { revision, ...(await stateBefore(log, accountId, revision, opened.data)) };
};
