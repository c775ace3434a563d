import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { backUp, restore } from '../../../src/audit/offline.ts';
import { answered, bodyOf } from '../../support/answered.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { notified, notify, useTenant } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  providerHasTemplates,
  providerRefuses,
  startWaybill,
  type Tenant,
  templateAnswer,
  type Waybill,
} from '../../support/waybill.ts';

describe('the audit @long', () => {
  const on = useTenant({ once: true });
  let waybill: Waybill;
  let tenant: Tenant;
  before(async () => {
    ({ waybill, tenant } = on);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    for (let count = 0; count < 4; count += 1) await notified(waybill, tenant);
    providerRefuses(tenant);
    await answered(502, notify(waybill, tenant));
    const of = `/accounts/${tenant.accountId}`;
    await waybill.admin('POST', `${of}/credits/revoke`, { amount: 10 });
    await waybill.admin('PATCH', `${of}/limits`, { daily: 100 });
    await waybill.admin('POST', `${of}/credits/grant`, { amount: 3 });
  });

  const verify = (body: object = {}) => bodyOf(200, waybill.admin('POST', '/ledger/verify', body));

  it('finds the books of the running service in order', async () => {
    const found = await verify();
    expect(found).to.deep.include({ ok: true, problems: [], problemCount: 0, readModel: true });
    expect(found.accounts).to.equal(1);
    // Granted twice, revoked, five times deducted and once given back.
    expect(found.movements).to.equal(9);
    expect(await verify({ accountId: tenant.accountId })).to.deep.equal(found);
  });

  it('answers 404 for an unknown account', async () => {
    const unknown = { accountId: 'acc_0' };
    await answered(404, waybill.admin('POST', '/ledger/verify', unknown));
    await answered(404, waybill.admin('GET', '/accounts/acc_0/events'));
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
      events.map(({ id, type, stream, revision, position, meta }) => {
        return { id, type, stream, revision, position, meta };
      });
    expect(places(read)).to.deep.equal(places(JSON.parse(JSON.stringify(stored))));
    expect(JSON.stringify(read)).not.to.contain('919812345678');
  });

  it('restores a backup whole, and refuses one that would do harm', async () => {
    const folder = temporaryFolder();
    const copy = join(folder.path, 'copy');
    await backUp(waybill.directory, copy, '2026-11-21T12:00:00.000Z');
    const target = join(folder.path, 'restored');
    const { report, manifest } = await restore(copy, target);
    expect(report).to.deep.include({ ok: true, accounts: 1, movements: 9, readModel: false });
    expect(manifest.events).to.equal((await waybill.log()).length);
    const refused = (from: string, to: string) =>
      restore(from, to).then(
        () => 'done',
        (error: Error) => error.message,
      );
    expect(await refused(copy, target)).to.include('is not empty');
    expect(await refused(copy, waybill.directory)).to.include('already in use');
    const database = new DatabaseSync(join(copy, 'events.db'));
    database.exec(`UPDATE events SET id = 'x' WHERE position = 1`);
    database.close();
    expect(await refused(copy, join(folder.path, 'other'))).to.include('damaged');
    expect(await refused(folder.path, join(folder.path, 'other'))).to.include('no finished');
    folder.remove();
  });

  it('restores a backup that was taken under load into a service that goes on @series', async () => {
    const folder = temporaryFolder();
    const busy = await startWaybill();
    const customer = await openTenant(busy, { templates: ['order_shipped'] });
    const load = Promise.all(Array.from({ length: 200 }, () => notified(busy, customer)));
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
    await notified(again, customer);
    await again.stop();
    folder.remove();
  });
});
