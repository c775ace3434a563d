import { expect } from 'chai';
import { actions } from '../../src/projections/actions.ts';
import { useWaybill } from '../support/surface.ts';
import { openTenant } from '../support/waybill.ts';

describe('What administrators did', () => {
  const on = useWaybill();

  it('is listed with who did it, newest first, and for one account', async () => {
    const ada = { name: 'Ada', email: 'ada@shop.example', role: 'admin' };
    const { body: admin } = await on.waybill.admin('POST', '/administrators', ada);
    const { accountId } = await openTenant(on.waybill, { number: false });
    const { accountId: other } = await openTenant(on.waybill, { number: false });
    await on.waybill.call('POST', `/admin/v1/accounts/${accountId}/credits/grant`, {
      token: admin.token,
      body: { amount: 5, reason: 'sorry' },
    });
    const { body: all } = await on.waybill.admin('GET', '/actions');
    expect(all.actions[0]).to.deep.include({ type: 'CreditsGranted', accountId });
    expect(all.actions[0].by).to.deep.include({ id: admin.id, name: 'Ada' });
    const { body: own } = await on.waybill.admin('GET', `/actions?accountId=${accountId}`);
    const types = own.actions.map(({ type }: { type: string }) => type);
    expect(types).to.include.members(['CreditsGranted', 'ApiKeyCreated', 'AccountOpened']);
    expect(JSON.stringify(own)).not.to.contain(other);
    const made = own.actions.find(({ type }: { type: string }) => type === 'ApiKeyCreated');
    const { body: keys } = await on.waybill.admin('GET', `/accounts/${accountId}/keys`);
    expect(made.subject).to.equal(keys.keys[0].id);
    expect(made.subjectName).to.equal(keys.keys[0].name);
  });

  it('leaves out what the service did by itself', () => {
    const { key } = actions.on.ApiKeyStateChanged!;
    const event = { type: 'ApiKeyStateChanged', meta: {}, position: '0001', data: {} };
    expect(key(event as never)).to.deep.equal([]);
  });
});
