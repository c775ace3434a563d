import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import nock from 'nock';
import { backUp, restore, verifyDirectory } from '../../../src/audit/offline.ts';
import { temporaryFolder } from '../../support/folder.ts';
import {
  type Json,
  onlyLoopback,
  openTenant,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  providerRefuses,
  startWaybill,
  type Tenant,
  templateAnswer,
  type Waybill,
} from '../../support/waybill.ts';

describe('the audit @long', () => {
  let waybill: Waybill;
  let tenant: Tenant;
  before(async () => {
    onlyLoopback();
    waybill = await startWaybill();
    tenant = await openTenant(waybill);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    providerAccepts(tenant, 4);
    const send = () =>
      waybill.call('POST', '/v1/notifications/send', {
        token: tenant.apiKey,
        body: orderShipped(),
      });
    for (let count = 0; count < 4; count += 1) expect((await send()).status).to.equal(200);
    providerRefuses(tenant);
    expect((await send()).status).to.equal(502);
    const of = `/accounts/${tenant.accountId}`;
    await waybill.admin('POST', `${of}/credits/revoke`, { amount: 10 });
    await waybill.admin('PATCH', `${of}/limits`, { daily: 100 });
    await waybill.admin('POST', `${of}/credits/grant`, { amount: 3 });
  });
  after(async () => {
    await waybill.stop();
    nock.cleanAll();
    nock.enableNetConnect();
  });

  const verify = async (body: object = {}) => {
    const answer = await waybill.admin('POST', '/ledger/verify', body);
    expect(answer.status).to.equal(200);
    return answer.body;
  };

  describe('of the running service', () => {
    it('finds the books in order', async () => {
      const found = await verify();
      expect(found).to.deep.include({ ok: true, problems: [], problemCount: 0, readModel: true });
      expect(found.accounts).to.equal(1);
      // Granted twice, revoked, five times deducted and once given back.
      expect(found.movements).to.equal(9);
      expect(await verify({ accountId: tenant.accountId })).to.deep.equal(found);
    });

    it('answers 404 for an unknown account', async () => {
      const unknown = { accountId: 'acc_0' };
      expect((await waybill.admin('POST', '/ledger/verify', unknown)).status).to.equal(404);
      expect((await waybill.admin('GET', '/accounts/acc_0/events')).status).to.equal(404);
    });

    it('reads the events of an account page by page', async () => {
      const stored = await waybill.events(`account-${tenant.accountId}`);
      const read: Json[] = [];
      for (let from: number | null = 0; from !== null; ) {
        const path = `/accounts/${tenant.accountId}/events?limit=4&from=${from}`;
        const { body }: Json = await waybill.admin('GET', path);
        expect(body.events.length).to.be.at.most(4);
        read.push(...body.events);
        from = body.nextFrom;
      }
      const places = (events: readonly Json[]) =>
        events.map(({ id, type, stream, revision, position, meta }) => ({
          id,
          type,
          stream,
          revision,
          position,
          meta,
        }));
      expect(places(read)).to.deep.equal(places(JSON.parse(JSON.stringify(stored))));
      expect(JSON.stringify(read)).not.to.contain('919812345678');
    });
  });

  describe('of a copy', () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let copy: string;
    beforeEach(async () => {
      folder = temporaryFolder();
      copy = join(folder.path, 'copy');
      await backUp(waybill.directory, copy, '2026-11-21T12:00:00.000Z');
    });
    afterEach(() => folder.remove());

    const change = (sql: string, ...values: (string | number)[]) => {
      const database = new DatabaseSync(join(copy, 'events.db'));
      const { changes } = database.prepare(sql).run(...values);
      database.close();
      expect(Number(changes)).to.be.above(0);
    };
    /** The books of the copy, read by one thread and by several: they say the same. */
    const verifyCopy = async () => {
      const report = await verifyDirectory(copy, { threads: 1 });
      expect(await verifyDirectory(copy, { threads: 2 })).to.deep.equal(report);
      return report;
    };
    const chain = async () => {
      const events = await waybill.events(`account-${tenant.accountId}`);
      return events.filter(({ data }) => 'sequence' in (data as object));
    };

    it('finds the books in order', async () => {
      const report = await verifyCopy();
      expect(report).to.deep.include({ ok: true, accounts: 1, movements: 9, readModel: false });
    });

    it('names a changed event', async () => {
      const [, target] = await chain();
      change(
        `UPDATE events SET data = json_set(data, '$.reason', 'order_status') WHERE position = ?`,
        Number(target!.position),
      );
      const { problems } = await verifyCopy();
      expect(problems).to.have.length(1);
      expect(problems[0]).to.deep.include({
        accountId: tenant.accountId,
        kind: 'hash',
        at: target!.position,
      });
    });

    it('is restored whole from a backup, and refused where it would do harm', async () => {
      const target = join(folder.path, 'restored');
      const { report, manifest } = await restore(copy, target);
      expect(report).to.deep.include({ ok: true, movements: 9 });
      expect(manifest.events).to.equal((await waybill.log()).length);
      const refused = (from: string, to: string) =>
        restore(from, to).then(
          () => 'done',
          (error: Error) => error.message,
        );
      expect(await refused(copy, target)).to.include('is not empty');
      expect(await refused(copy, waybill.directory)).to.include('already in use');
      change(`UPDATE events SET id = 'x' WHERE position = 1`);
      expect(await refused(copy, join(folder.path, 'other'))).to.include('damaged');
      expect(await refused(folder.path, join(folder.path, 'other'))).to.include('no finished');
    });
  });

  it('restores a backup that was taken under load into a service that goes on @series', async () => {
    const folder = temporaryFolder();
    const busy = await startWaybill();
    const customer = await openTenant(busy);
    providerHasTemplates(customer, templateAnswer('order_shipped'));
    providerAccepts(customer, 400);
    const load = Promise.all(
      Array.from({ length: 200 }, () =>
        busy.call('POST', '/v1/notifications/send', {
          token: customer.apiKey,
          body: orderShipped(),
        }),
      ),
    );
    const copy = join(folder.path, 'copy');
    const keys = join(folder.path, 'keys.db');
    const { report } = await backUp(busy.directory, copy, '2026-11-21T12:00:00.000Z', keys);
    expect(report.ok, JSON.stringify(report.problems)).to.equal(true);
    await load;
    const data = join(folder.path, 'data');
    const restored = await restore(copy, data, keys);
    expect(restored.report).to.deep.equal(report);
    await busy.stop();
    const again = await startWaybill({ directory: data });
    const books = await again.admin('POST', '/ledger/verify', {});
    expect(books.body).to.deep.include({ ok: true, readModel: true, movements: report.movements });
    const sent = await again.call('POST', '/v1/notifications/send', {
      token: customer.apiKey,
      body: orderShipped(),
    });
    expect(sent.status).to.equal(200);
    await again.stop();
    folder.remove();
  });
});
