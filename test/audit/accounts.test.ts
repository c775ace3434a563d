import { expect } from 'chai';
import { accountsInDirectory, accountsOnServer, openLog } from '../../src/audit/offline.ts';
import { LimitsSet } from '../../src/events/account.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { NO_STREAM } from '../../src/events/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { opened, toNewEvent, written } from '../support/projections-facts.ts';

describe('the accounts of a log', () => {
  it('are those that were opened before a time, in order, from files and from a server', async () => {
    const folder = temporaryFolder();
    const store = await openSqliteStore({ directory: folder.path });
    try {
      for (const [accountId, at] of [
        ['acc_c', '2026-11-01T00:00:00.000Z'],
        ['acc_a', '2026-11-30T23:59:59.999Z'],
        ['acc_b', '2026-12-01T00:00:00.000Z'],
      ] as const) {
        const limits = { perMinute: null, daily: null, monthly: null, paused: false };
        const set = written(`account-${accountId}`, LimitsSet.of({ accountId, ...limits }));
        const events = [opened(accountId), set].map((one, index) =>
          toNewEvent({ ...one, at }, `${accountId}-${index}`),
        );
        await store.append(`account-${accountId}`, NO_STREAM, events);
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
