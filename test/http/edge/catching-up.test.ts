import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Views } from '../../../src/projections/views.ts';
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
      const made = await first.admin('POST', `/accounts/${accountId}/keys`, { name: `${count}` });
      expect(made.status).to.equal(201);
    }
    const { token } = await makeAdministrator(first);
    await first.stop();
    for (const name of readdirSync(folder.path)) {
      if (name.startsWith('views.db')) rmSync(join(folder.path, name));
    }

    const isHeld = ({ collection }: { collection: string }) =>
      /^(keys|administrators)/.test(collection);
    const holdKeys = (views: Views): Views => ({
      ...views,
      async commit(commits) {
        if (commits.some(isHeld)) await released;
        return views.commit(commits);
      },
    });
    waybill = await startWaybill({ directory: folder.path, wrapViews: holdKeys });
    const [byKey, byToken] = await Promise.all([
      waybill.call('GET', '/v1/notifications/catalog', { token: apiKey }),
      waybill.call('GET', '/admin/v1/projections', { token }),
    ]);
    for (const { status, headers, body } of [byKey, byToken]) {
      expect([status, body.error]).to.deep.equal([503, CATCHING_UP]);
      expect(headers['retry-after']).to.equal('1');
      expect(headers['ratelimit-remaining'], 'no wrong secret was counted').to.equal('120');
    }
    release();
    await untilTrue('the key is known', async () => {
      const { status } = await waybill.call('GET', '/v1/notifications/catalog', { token: apiKey });
      return status === 200;
    });
    const { status } = await waybill.call('GET', '/admin/v1/projections', { token });
    expect(status).to.equal(200);
  });
});
