import { expect } from 'chai';
import { answered, bodyOf, refusedWith } from '../../support/answered.ts';
import { invite, makeAdministrator } from '../../support/people.ts';
import { useTenant } from '../../support/surface.ts';
import { type Json, openTenant } from '../../support/waybill.ts';

const HOUR_MS = 3_600_000;

describe('Two people for one thing @long', () => {
  const on = useTenant({ once: true, number: false });
  let ada: string;
  const path = () => `/organisations/${on.tenant.organisationId}`;
  const asAda = (method: string, to: string, body?: Json) =>
    on.waybill.call(method, `/admin/v1${to}`, { token: ada, ...(body && { body }) });
  const root = (method: string, to: string, body?: Json) => on.waybill.admin(method, to, body);
  const approve = (id: string) => asAda('POST', `/approvals/${id}/approve`);
  const grant = (amount = 5) =>
    root('POST', `/accounts/${on.tenant.accountId}/credits/grant`, { amount });
  const balance = async () => (await root('GET', `/accounts/${on.tenant.accountId}`)).body.balance;

  it('cannot be asked for where one is alone', async () => {
    await refusedWith(409, 'TWO_PEOPLE_NEEDED', root('PATCH', path(), { fourEyes: ['grant'] }));
    ({ token: ada } = await makeAdministrator(on.waybill, 'admin'));
    const fourEyes = ['grant', 'plan', 'erasure'];
    const set = await bodyOf(200, root('PATCH', path(), { fourEyes }));
    expect(set.fourEyes).to.have.members(fourEyes);
  });

  it('let a grant wait for the yes of another, also one of the root token', async () => {
    const before = await balance();
    const { id, state } = (await answered(202, grant())).body.approval;
    expect(state).to.equal('waiting');
    expect(await balance()).to.equal(before);
    await refusedWith(403, 'APPROVAL_OWN', root('POST', `/approvals/${id}/approve`));
    const yes = await answered(200, approve(id));
    // A grant and its opposite have the same body.
    const route = 'POST /admin/v1/accounts/:id/credits/grant';
    expect(yes.body.approval).to.deep.include({ state: 'approved', operation: 'grant', route });
    expect(yes.body.approval.requestedBy.id).to.equal('root');
    expect(yes.body.approval.decidedBy.name).to.equal('Ada');
    expect(yes.body.answer.grantedBy.id).to.equal('root');
    expect(await balance()).to.equal(before + 5);
    await answered(200, approve(id));
    on.waybill.clock.advance(24 * HOUR_MS);
    await refusedWith(409, 'APPROVAL_SETTLED', approve(id));
    expect(await balance()).to.equal(before + 5);
  });

  it('reject, and expire after 24 hours', async () => {
    const before = await balance();
    const first = (await grant()).body.approval.id;
    const no = await asAda('POST', `/approvals/${first}/reject`);
    expect(no.body.state).to.equal('rejected');
    await answered(409, approve(first));
    const second = (await grant()).body.approval.id;
    on.waybill.clock.advance(24 * HOUR_MS);
    await answered(409, approve(second));
    const { body } = await root('GET', '/approvals?limit=2');
    expect(body.approvals.map(({ state }: Json) => state)).to.deep.equal(['expired', 'rejected']);
    expect(await balance()).to.equal(before);
  });

  it('hold for a plan and an erasure, whose contact the log has sealed', async () => {
    const plan = { planId: 'standard' };
    await answered(202, root('PUT', `/accounts/${on.tenant.accountId}/plan`, plan));
    const asked = await answered(202, root('POST', '/erasures', { contact: '919812345678' }));
    const log = JSON.stringify((await on.waybill.sealed.readAll('', 1000)).events);
    expect(log).not.to.contain('919812345678');
    const yes = await answered(200, approve(asked.body.approval.id));
    expect(yes.body.status).to.equal(202);
    expect(yes.body.answer.state).to.be.oneOf(['queued', 'running', 'done']);
  });

  it('change a plan once: a later yes by one alone does not bring it back', async () => {
    const of = `/accounts/${on.tenant.accountId}`;
    const dearer = { id: 'dearer', name: 'Dearer', billing: 'credits', currency: 'USD' };
    const terms = { ...dearer, markupPercent: '50', creditValue: '0.01' };
    await answered(201, root('POST', '/plans', terms));
    const change = async (planId: string): Promise<string> => {
      const { body } = await answered(202, root('PUT', `${of}/plan`, { planId }));
      await answered(200, approve(body.approval.id));
      return body.approval.id;
    };
    const first = await change('dearer');
    await change('standard');
    const again = await answered(200, approve(first));
    expect(again.body.answer.planId).to.equal('dearer');
    expect((await root('GET', of)).body.planId).to.equal('standard');
  });

  it('hold for the erasure of a person', async () => {
    const { organisationId } = on.tenant;
    const { id } = await invite(on.waybill, { role: 'viewer', organisationId });
    const asked = await answered(202, root('POST', `/people/${id}/erase`, {}));
    expect(asked.body.approval.state).to.equal('waiting');
    expect((await root('GET', `/people/${id}`)).body.state).to.equal('invited');
    const yes = await answered(200, approve(asked.body.approval.id));
    expect(yes.body.status).to.equal(202);
    expect((await root('GET', `/people/${id}`)).body.state).to.equal('erased');
  });

  it('bind nobody else’s organisation, and are switched off by two', async () => {
    const other = await openTenant(on.waybill, { number: false });
    await answered(201, root('POST', `/accounts/${other.accountId}/credits/grant`, { amount: 1 }));
    const asked = await answered(202, root('PATCH', path(), { fourEyes: [] }));
    expect((await root('GET', path())).body.fourEyes).to.have.length(3);
    await approve(asked.body.approval.id);
    expect((await root('GET', path())).body.fourEyes).to.deep.equal([]);
    await answered(201, grant(1));
  });
});
