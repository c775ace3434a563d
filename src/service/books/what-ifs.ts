import { LRUCache } from 'lru-cache';
import type { SealAfter } from '../../audit/read-statement.ts';
import { type WhatIf, type WhatIfProgress, whatIf } from '../../audit/what-if.ts';
import { readRules } from '../../audit/what-if-rules.ts';
import type { EventReader } from '../../events/store.ts';
import type { WhatIfQuestion, WhatIfState } from '../../http/admin/what-if.ts';
import { accounts } from '../../projections/accounts.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

interface Deps {
  log: Pick<EventReader, 'read'>;
  reader: Pick<Reader, 'find'>;
  sealAfter: SealAfter;
  logger: Logger;
  stopping: AbortSignal;
}

/** Answers that are kept, and for how long. */
const KEPT_MAX = 16;
const KEPT_MS = 10 * 60_000;
const ACCOUNTS_PAGE = 1_000;
/** Few enough that other requests wait 2 ms at most for one page of events. */
const PAGE = 200;

/** The ids of the accounts that were opened before a time, in order. */
const accountsBefore = async ({ reader }: Deps, before: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let from = ''; ; ) {
    const page = await reader.find(accounts, {
      where: from === '' ? {} : { order: { gt: from } },
      order: { field: 'order', direction: 'ascending' },
      limit: ACCOUNTS_PAGE,
    });
    for (const { id, createdAt } of page) if (createdAt < before) ids.push(id);
    if (page.length < ACCOUNTS_PAGE) return ids.sort();
    from = page.at(-1)!.order;
  }
};

/**
 * Answers questions under ids that hold the question, one at a time in an instance. Nothing is stored: an
 * instance that does not know an id begins its work when it is asked for it.
 */
export const createWhatIfs = (deps: Deps) => {
  const states = new LRUCache<string, WhatIfState>({ max: KEPT_MAX, ttl: KEPT_MS });
  let running: string | undefined;

  const run = async ({ period, accountIds, rules }: WhatIfQuestion, id: string) => {
    const { log, sealAfter, stopping: signal } = deps;
    const onProgress = (progress: WhatIfProgress) => states.set(id, { state: 'running', progress });
    onProgress({ events: 0, accounts: 0, ofAccounts: accountIds?.length ?? 0 });
    const result: WhatIf = await whatIf(log, {
      period,
      rules: await readRules(log, rules),
      accountIds: accountIds ?? (await accountsBefore(deps, period.to)),
      sealAfter,
      pageSize: PAGE,
      signal,
      onProgress,
    });
    states.set(id, { state: 'done', result });
  };

  const begin = (id: string, question: WhatIfQuestion): void => {
    running = id;
    void run(question, id)
      .catch((error: unknown) => {
        const isExpected = error instanceof AppError;
        if (!isExpected) deps.logger.error({ err: error }, 'A what-if was interrupted');
        states.set(id, { state: 'failed', error: isExpected ? error.message : 'Interrupted' });
      })
      .finally(() => {
        running = undefined;
      });
  };

  return (id: string, question: WhatIfQuestion): WhatIfState => {
    if (running === undefined && !states.has(id)) begin(id, question);
    return states.get(id) ?? { state: 'waiting' };
  };
};
