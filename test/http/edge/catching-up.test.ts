import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Views } from '../../../src/projections/views.ts';
import { answered } from '../../support/answered.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import { makeAdministrator } from '../../support/people.ts';
import { testServers } from '../../support/stores.ts';
import { untilTrue } from '../../support/until.ts';
import { openTenant, startWaybill, type Waybill } from '../../support/waybill.ts';

const KEYS = 30;
const CATCHING_UP = 'The service is catching up with its log';

describe('Authentication while the read models catch up', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let waybill: Waybill;
  before(function () {
    // The read models must go, which on servers are no files of the test.
    if (testServers()) this.skip();
  });
  after(async () => {
    release();
    await waybill?.stop();
    folder.remove();
  });

  it('answers 503 with Retry-After, and as usual once they have caught up', async () => {
    const first = await startWaybill({ directory: folder.path });
    const { accountId, apiKey } = await openTenant(first);
    for (let count = 0; count < KEYS; count += 1) {
      await answered(201, first.admin('POST', `/accounts/${accountId}/keys`, { name: `${count}` }));
    }
    const { token } = await makeAdministrator(first);
    await first.stop();
    for (const name of readdirSync(folder.path)) {
      if (name.startsWith('views.db')) rmSync(join(folder.path, name));
    }

    const holdKeys = (views: Views): Views => ({
      ...views,
      async commit(commits) {
        if (commits.some((one) => /^(keys|administrators)/.test(one.collection))) await released;
        return views.commit(commits);
      },
    });
    waybill = await startWaybill({ directory: folder.path, wrapViews: holdKeys });
    const byKey = () => waybill.call('GET', '/v1/notifications/catalog', { token: apiKey });
    const byToken = () => waybill.call('GET', '/admin/v1/projections', { token });
    for (const { status, headers, body } of await Promise.all([byKey(), byToken()])) {
      expect([status, body.error]).to.deep.equal([503, CATCHING_UP]);
      expect(headers['retry-after']).to.equal('1');
      expect(headers['ratelimit-remaining'], 'no wrong secret was counted').to.equal('120');
    }
    release();
    await untilTrue('the key is known', async () => (await byKey()).status === 200);
    await answered(200, byToken());
  });
});
