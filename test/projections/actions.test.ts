import { expect } from 'chai';
import { actions } from '../../src/projections/actions.ts';
import { aPerson } from '../support/people.ts';
import { useWaybill } from '../support/surface.ts';
import { type Json, openTenant, orderShipped } from '../support/waybill.ts';

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

  it('is listed of the settings and jobs of an account that its people change', async () => {
    const { accountId, organisationId } = await openTenant(on.waybill, { number: false });
    const { id: by, cookie } = await aPerson(on.waybill, { role: 'owner', organisationId });
    const call = async (method: string, path: string, body?: object) =>
      (await on.waybill.call(method, path, { cookie, ...(body && { body }) })).body;
    const webhook = { url: 'https://shop.example/hook', events: ['message.sent'] };
    const { id: webhookId } = await call('POST', '/v1/webhooks', webhook);
    await call('PATCH', `/v1/webhooks/${webhookId}`, { state: 'disabled' });
    const { to, event, variables } = orderShipped();
    const names = Object.keys(variables).map((name) => [name, name]);
    const columns = { to: 'to', variables: Object.fromEntries(names) };
    const job = await call('POST', '/v1/jobs', { event, columns, rows: [{ to, ...variables }] });
    await call('POST', `/v1/jobs/${job.id}/cancel`);
    const { body } = await on.waybill.admin('GET', `/actions?accountId=${accountId}`);
    const own = body.actions.filter((one: Json) => one.by?.id === by);
    expect(own.map(({ type, subject }: Json) => [type, subject])).to.deep.equal([
      ['JobCancelled', job.id],
      ['JobCreated', job.id],
      ['WebhookDisabled', webhookId],
      ['WebhookCreated', webhookId],
    ]);
  });

  it('tells a scheduled send that a person cancelled from one that was sent', () => {
    const keyOf = (state: string, meta = {}) =>
      actions.on.ScheduleEnded!.key({ meta, position: '0001', data: { state } } as never);
    const meta = { by: { id: 'per_1' } };
    expect(keyOf('cancelled', meta)).to.equal('0001');
    expect(keyOf('cancelled')).to.deep.equal([]);
    expect(keyOf('sent', meta)).to.deep.equal([]);
  });

  it('names what has an id of its own by that, also where it has a number', () => {
    const { fold } = actions.on.JobCreated!;
    const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'r', by: { id: 'per_1' } };
    const data = { jobId: 'job_1', phoneNumberId: '10', accountId: 'acc_1' };
    const event = { type: 'JobCreated', meta, position: '0001', data };
    const shown = fold(undefined, event as never, '0001', () => undefined);
    expect(shown).to.include({ subject: 'job_1' });
  });

  it('leaves out what the service did by itself', () => {
    const { key } = actions.on.ApiKeyStateChanged!;
    const event = { type: 'ApiKeyStateChanged', meta: {}, position: '0001', data: {} };
    expect(key(event as never)).to.deep.equal([]);
  });
});
