import { expect } from 'chai';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemIds } from '../../src/shared/system.ts';
import { refusalHere, startHere } from '../support/faults/here.ts';
import { type Instance, startInstance } from '../support/faults/instance.ts';
import { startRollingLoad } from '../support/faults/rolling-load.ts';
import { openWorld } from '../support/faults/world.ts';
import { folderInEachTest } from '../support/folder.ts';
import { inEachTest } from '../support/in-suite.ts';
import { SECRET } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { notify } from '../support/surface.ts';
import { ADMIN_TOKEN, type Json } from '../support/waybill.ts';

const [OLD, NEW] = ['07'.repeat(32), '08'.repeat(32)];
const NOWHERE = 'http://127.0.0.1:1';

describe('WAYBILL_SECRET is changed @long', () => {
  useRealConnections();

  describe('on embedded files', () => {
    const folder = folderInEachTest();

    const under = (secret: string, previous?: string) => ({
      directory: folder.path,
      providerUrl: NOWHERE,
      env: {
        WAYBILL_SECRET: secret,
        ...(previous !== undefined && { WAYBILL_SECRET_PREVIOUS: previous }),
      },
    });
    /** Starts it, asks and stops it. */
    const ask = async (
      secret: string,
      previous: string | undefined,
      work: (
        call: (
          method: string,
          path: string,
          body?: unknown,
          token?: string,
        ) => Promise<{ status: number; body: Json }>,
      ) => Promise<unknown>,
    ) => {
      const running = await startHere(under(secret, previous));
      try {
        return await work(async (method, path, body, token = ADMIN_TOKEN) => {
          const answer = await fetch(`http://127.0.0.1:${running.server.port}/api${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          return { status: answer.status, body: await answer.json() };
        });
      } finally {
        await running.stop();
      }
    };
    it('row 79: the new one needs the old one once; then the old one is refused, and nothing is lost', async () => {
      const [key, signer] = (await ask(OLD, undefined, async (call) => {
        const organisation = (await call('POST', '/admin/v1/organisations', { name: 'Shop' })).body;
        const path = `/admin/v1/organisations/${organisation.id}/accounts`;
        const account = (await call('POST', path, { name: 'Shop' })).body;
        const keys = `/admin/v1/accounts/${account.id}/keys`;
        const made = (await call('POST', keys, { name: 'shop' })).body;
        return [made.key, (await call('GET', '/admin/v1/ledger/seals')).body.key];
      })) as [string, string];
      expect(signer).to.match(/^waybill\//);
      const goesOn = (secret: string, previous?: string) =>
        ask(secret, previous, async (call) => {
          expect((await call('GET', '/v1/credits', undefined, key)).status).to.equal(200);
          expect((await call('GET', '/admin/v1/ledger/seals')).body.key).to.equal(signer);
        });

      expect(await refusalHere(under(NEW))).to.match(
        /WAYBILL_SECRET is not the secret .* WAYBILL_SECRET_PREVIOUS/,
      );
      expect(await refusalHere(under(NEW, '09'.repeat(32)))).to.match(/is not the secret/);
      await goesOn(NEW, OLD);
      expect(await refusalHere(under(OLD))).to.match(/WAYBILL_SECRET is not the secret/);
      await goesOn(NEW);
    });

    it('goes on with a log of a program under which the secret itself was the key @series', async () => {
      await (await startHere(under(OLD))).stop();
      // What that program left: no key beside the data keys, and all under the secret itself.
      const keys = await openSqliteKeys({ directory: folder.path });
      const [subject] = await keys.subjects(['installation-key']);
      await keys.destroySubjects([subject!.ref]);
      await keys.close();
      const token = `wb_adm_abcdefgh_${'x'.repeat(32)}`;
      const store = await openSqliteStore({ directory: folder.path });
      const administrator = {
        administratorId: 'adm_abcdefgh',
        name: 'Asha',
        email: 'asha@example.com',
        role: 'admin',
        prefix: 'wb_adm_abcdefgh',
        secretHash: createSecrets(Buffer.from(OLD, 'hex')).hashToken(token),
      };
      await store.append('administrator-adm_abcdefgh', -1, [
        {
          id: systemIds.uuid(),
          type: 'AdministratorCreated',
          version: 1,
          data: administrator,
          meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'earlier' },
        },
      ]);
      await store.close();
      const mayRead = (secret: string, previous?: string) =>
        ask(secret, previous, async (call) => {
          const { status } = await call('GET', '/admin/v1/organisations', undefined, token);
          return status;
        });
      expect(await mayRead(NEW, OLD)).to.equal(200);
      expect(await mayRead(NEW)).to.equal(200);
      expect(await refusalHere(under(OLD))).to.match(/is not the secret/);
    });
  });

  describe('of instances on one log, one at a time', () => {
    const started: Instance[] = [];
    afterEach(async () => {
      for (const one of started.splice(0)) await one.stop();
    });
    const world = inEachTest(openWorld);

    const start = async (secret: Buffer, previousSecret: Buffer | null = null) => {
      const one = await startInstance(world, { secret, previousSecret });
      started.push(one);
      return one;
    };

    it('row 79: no request fails under load, and what each has sealed the others open @series', async () => {
      const tenant = await world.tenant({ credits: 100_000 });
      const [old, next] = [SECRET, Buffer.alloc(32, 8)];
      const upstreams = [await start(old), await start(old)];
      const load = startRollingLoad(upstreams, (to) => notify(to, tenant));
      try {
        for (const [secret, previous] of [[next, old], [next]]) {
          for (const one of [...upstreams]) {
            await load.more(10);
            upstreams.splice(upstreams.indexOf(one), 1, await start(secret!, previous));
            // With the old secret in one of them and the new one in the other, both read what is written.
            const made = await world.tenant();
            expect((await notify(one, made)).status).to.equal(200);
            expect((await notify(upstreams[0]!, made)).status).to.equal(200);
            await load.left(one);
            await one.stop();
          }
        }
        await load.more(10);
      } finally {
        await load.end();
      }
      expect(load.errors()).to.deep.equal([]);
      const refused = await start(old).catch(({ name }: Error) => name);
      expect(refused).to.equal('WrongSecret');
      expect(await world.problems()).to.deep.equal([]);
    });
  });
});
