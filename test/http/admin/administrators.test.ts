import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { declaredRoutes, filledPath } from '../../support/routes.ts';
import { waysOf } from '../../support/session.ts';
import { fieldErrorsOf, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, openTenant } from '../../support/waybill.ts';

const ADA = { name: 'Ada', email: 'ada@shop.example' };

describe('Administrators', () => {
  const on = useWaybill();
  const create = (role: string, change: Json = {}) =>
    on.waybill.admin('POST', '/administrators', { ...ADA, role, ...change });
  const as = (token: string | undefined, method: string, path: string, body?: Json) =>
    on.waybill.call(method, `/admin/v1${path}`, { token, ...(body && { body }) });

  it('are created with a token that is shown once', async () => {
    const { body } = await answered(201, create('admin'));
    expect(body.token).to.match(/^wb_adm_/);
    expect(body).to.deep.include({ ...ADA, role: 'admin' });
    const { body: list } = await on.waybill.admin('GET', '/administrators');
    expect(list.administrators[0]).to.deep.include({ id: body.id, role: 'admin' });
    const stored = await on.waybill.events(`administrator-${body.id}`);
    expect(JSON.stringify([list, stored])).not.to.contain(body.token.split('_')[3]);
  });

  it('may do everything, and are named in the events that they cause', async () => {
    const { body: ada } = await create('admin');
    const made = await answered(201, as(ada.token, 'POST', '/organisations', { name: 'By Ada' }));
    const [created] = await on.waybill.events(`organisation-${made.body.id}`);
    expect(created!.meta.by).to.deep.equal({ id: ada.id, ...ADA });
    const bob = { name: 'Bob', email: 'bob@shop.example', role: 'auditor' };
    await answered(201, as(ada.token, 'POST', '/administrators', bob));
  });

  it('who are auditors may read everything and change nothing: 403 READ_ONLY', async () => {
    const { body: auditor } = await create('auditor');
    const { accountId } = await openTenant(on.waybill, { number: false });
    const routes = declaredRoutes().filter(({ path }) => path.startsWith('/admin/'));
    const ways = await waysOf(on.waybill, auditor.token);
    const head = await on.waybill.store.head();
    for (const { method, path, access } of routes) {
      const filled = filledPath(path, { id: accountId });
      const body = method === 'GET' ? undefined : {};
      for (const way of ways) {
        const answer = await on.waybill.call(method, filled, { ...way, body });
        const mayCall = method === 'GET' || access === 'auditor';
        const makesLink = path === '/admin/v1/console-links' && 'cookie' in way;
        if (makesLink) expect(answer.body.error).to.contain('not with a session');
        else if (mayCall) expect(answer.status, `${method} ${path}`).not.to.be.oneOf([401, 403]);
        else {
          const refusal = [answer.status, answer.body.code];
          expect(refusal, `${method} ${path}`).to.deep.equal([403, 'READ_ONLY']);
        }
      }
    }
    expect(await on.waybill.store.head()).to.equal(head);
    await answered(200, as(auditor.token, 'GET', `/accounts/${accountId}`));
  });

  it('who were revoked are refused', async () => {
    const { body: ada } = await create('admin');
    await answered(200, as(ada.token, 'GET', '/organisations'));
    const revoking = on.waybill.admin('POST', `/administrators/${ada.id}/revoke`, {});
    expect((await bodyOf(200, revoking)).state).to.equal('revoked');
    await untilTrue('the refusal', async () => {
      return (await as(ada.token, 'GET', '/organisations')).status === 401;
    });
    await answered(404, on.waybill.admin('POST', '/administrators/none/revoke', {}));
  });

  it('are refused when name, email or role are wrong', async () => {
    for (const [change, field] of [
      [{ name: '' }, 'name'],
      [{ email: 'nobody' }, 'email'],
      [{ role: 'owner' }, 'role'],
    ] as const) {
      expect(fieldErrorsOf(await create('admin', change))).to.deep.equal([field]);
    }
  });
});
