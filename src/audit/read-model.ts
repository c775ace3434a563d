import { streamPages } from '../events/paging.ts';
import { type Position, START } from '../events/store.ts';
import type { Account } from './account-books.ts';
import type { AuditedLog, Movement } from './movement.ts';
import type { ProblemKind, Problems } from './problems.ts';

/** A row of the ledger in the read model. */
export interface ShownRow
  extends Pick<
    Movement,
    'type' | 'amount' | 'balanceAfter' | 'reason' | 'chargeId' | 'hash' | 'revision' | 'position'
  > {
  id: string;
  accountId: string;
}

export interface ShownAccount {
  id: string;
  balance: number;
  /** The newest revision of the account's stream that the read model has seen. */
  revision: number;
}

/** Reads what callers see, to compare it with the log. */
export interface ReadModel {
  /** True once it shows everything up to the position; false after a time limit, or where it will not soon. */
  reached(position: Position): Promise<boolean>;
  rows(entryIds: readonly string[]): Promise<readonly ShownRow[]>;
  /** Rows of an account after a position, oldest first. */
  rowsAfter(accountId: string, position: Position, limit: number): Promise<readonly ShownRow[]>;
  account(accountId: string): Promise<ShownAccount | undefined>;
}

const PAGE = 1000;
const FIELDS = ['type', 'amount', 'balanceAfter', 'reason', 'chargeId', 'hash'] as const;

/** Compares the rows of the ledger with the movements. */
export const compareRows = async (
  movements: readonly (Movement & { accountId: string })[],
  model: ReadModel,
  problems: Problems,
): Promise<void> => {
  if (movements.length === 0) return;
  const found = await model.rows(movements.map(({ entryId }) => entryId));
  const shown = new Map(found.map((row) => [row.id, row]));
  for (const movement of movements) {
    const { accountId, entryId, position: at } = movement;
    const row = shown.get(entryId);
    if (!row) {
      problems.add({ accountId, kind: 'row-missing', at, detail: `${entryId} is not shown` });
      continue;
    }
    for (const field of FIELDS) {
      if (row[field] === movement[field] && row.accountId === accountId) continue;
      const detail = `${entryId} shows ${field} ${row[field]} of ${row.accountId}, not ${movement[field]}`;
      problems.add({ accountId, kind: 'row-differs', at, detail });
      break;
    }
  }
};

/** Looks for rows without an event, and compares the balance. The account was read to its end. */
export const compareAccount = async (
  account: Account,
  log: AuditedLog,
  model: ReadModel,
  problems: Problems,
  pageSize = PAGE,
): Promise<void> => {
  const { accountId, position: end } = account;
  const say = (kind: ProblemKind, at: string, detail: string) =>
    problems.add({ accountId, kind, at, detail });

  const isInLog = async ({ id, revision }: ShownRow) => {
    const [event] = await log.read(`account-${accountId}`, { from: revision, limit: 1 });
    return (event?.data as { entryId?: string } | undefined)?.entryId === id;
  };

  let rows = 0;
  for (let from = START; ; ) {
    const page = await model.rowsAfter(accountId, from, pageSize);
    for (const row of page) {
      if (row.position <= end) rows += 1;
      else if (!(await isInLog(row))) {
        say('row-without-event', row.position, `${row.id} is shown, but the log has no such event`);
      }
    }
    from = page.at(-1)?.position ?? from;
    if (page.length < pageSize) break;
  }
  if (rows > account.movements) {
    say('row-without-event', end, `${rows} rows are shown for ${account.movements} movements`);
  }

  const shown = await model.account(accountId);
  if (!shown) return say('shown-balance', end, 'the account is not shown');
  if (shown.revision < account.revision) {
    return say('shown-balance', end, `the account is shown as of revision ${shown.revision}`);
  }
  const { balance, isWhole } = await balanceAt(account, shown.revision, log, pageSize);
  if (!isWhole) {
    return say('shown-balance', end, `revision ${shown.revision} is shown; the log ends before it`);
  }
  if (balance !== shown.balance) {
    say('shown-balance', end, `${shown.balance} is shown, the events make ${balance}`);
  }
};

/** The balance at a revision, which may be later than the last one in the books. */
const balanceAt = async (account: Account, revision: number, log: AuditedLog, pageSize: number) => {
  let { balance, revision: at } = account;
  const eventsMax = revision - at;
  const paging = { from: at + 1, eventsMax, pageSize };
  for await (const page of streamPages(log, `account-${account.accountId}`, paging)) {
    for (const { data } of page) {
      balance = (data as { balanceAfter?: number }).balanceAfter ?? balance;
    }
    at = page.at(-1)!.revision;
  }
  return { balance, isWhole: at >= revision };
};
