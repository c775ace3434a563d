import { expect } from 'chai';
import { accountsInDirectory, accountsOnServer, openLog } from '../../src/audit/offline.ts';
import { AccountOpened, LimitsSet } from '../../src/events/account.ts';
import type { Fact } from '../../src/events/define.ts';
import { versionOf } from '../../src/events/index.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { NO_STREAM } from '../../src/events/store.ts';
import { temporaryFolder } from '../support/folder.ts';

describe('the accounts of a log', () => {
  it('are those that were opened before a time, in order, from files and from a server', async () => {
    const folder = temporaryFolder();
    const store = await openSqliteStore({ directory: folder.path });
    const append = (accountId: string, revision: number, fact: Fact, at: string) =>
      store.append(`account-${accountId}`, revision, [
        {
          id: `${accountId}-${revision}`,
          type: fact.type,
          version: versionOf(fact.type),
          data: fact.data,
          meta: { at, requestId: 'r' },
        },
      ]);
    const terms = { planId: 'standard', billing: 'credits', currency: 'USD' } as const;
    try {
      for (const [accountId, at] of [
        ['acc_c', '2026-11-01T00:00:00.000Z'],
        ['acc_a', '2026-11-30T23:59:59.999Z'],
        ['acc_b', '2026-12-01T00:00:00.000Z'],
      ] as const) {
        const opened = AccountOpened.of({ accountId, organisationId: 'o', name: 'n', ...terms });
        await append(accountId, NO_STREAM, opened, at);
        const limits = { perMinute: null, daily: null, monthly: null, paused: false };
        await append(accountId, 0, LimitsSet.of({ accountId, ...limits }), at);
      }
      const before = '2026-12-01T00:00:00.000Z';
      expect(await accountsOnServer(store, before)).to.deep.equal(['acc_a', 'acc_c']);
      const log = openLog(folder.path);
      expect(accountsInDirectory(log, before)).to.deep.equal(['acc_a', 'acc_c']);
      log.close();
    } finally {
      await store.close();
      folder.remove();
    }
  });
});
