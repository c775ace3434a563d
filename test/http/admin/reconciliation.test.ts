import { expect } from 'chai';
import nock from 'nock';
import { answered, bodyOf } from '../../support/answered.ts';
import { makeAdministrator } from '../../support/people.ts';
import { notified, useTenant } from '../../support/surface.ts';
import {
  PROVIDER,
  providerHasTemplates,
  statusPayload,
  type Tenant,
  templateAnswer,
  VERSION,
  type Waybill,
} from '../../support/waybill.ts';

describe('GET /admin/v1/reconciliation', () => {
  const on = useTenant({ once: true });
  let waybill: Waybill;
  let tenant: Tenant;
  before(async () => {
    ({ waybill, tenant } = on);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    const { messageId: id } = (await notified(waybill, tenant)).body;
    const timestamp = String(waybill.clock.now() / 1000);
    const pricing = { type: 'regular', category: 'utility' };
    const payload = statusPayload(tenant, { id, status: 'delivered', timestamp, pricing });
    await answered(200, waybill.webhook(payload));
    await waybill.settled();
  });

  const ask = (query: string) => waybill.admin('GET', `/reconciliation?month=2026-11${query}`);
  const analytics = () => nock(PROVIDER).get(`/${VERSION}/${tenant.wabaId}`).query(true);
  const point = (change: object = {}) => ({
    country: 'IN',
    phone_number: '15550100001',
    pricing_category: 'UTILITY',
    pricing_type: 'REGULAR',
    volume: 1,
    cost: 0.0014,
    ...change,
  });
  const points = (...data_points: object[]) => ({ pricing_analytics: { data: [{ data_points }] } });

  it('is settled where statuses and analytics agree with the charges', async () => {
    analytics().reply(200, points(point(), point({ phone_number: '15559999999', volume: 7 })));
    const { body } = await answered(200, ask('&provider=true'));
    expect(body).to.deep.include({ ok: true, charges: 1, differences: [], accountId: null });
    const volume = { billed: 1, free: 0, cost: 0.0014 };
    const same = { isSame: true, ours: volume, difference: '0.0000', theirs: volume };
    expect(body.compared).to.deep.equal({
      source: 'provider',
      rows: [{ category: 'UTILITY', countryCode: 'IN', ...same }],
      missing: [],
    });
    const { accountId } = tenant;
    const own = await bodyOf(200, ask(`&accountId=${accountId}`));
    expect(own).to.deep.include({ ok: true, compared: null, accountId });
  });

  it('is not settled where a business account does not answer, and says why', async () => {
    analytics().reply(401, { error: { message: 'expired', code: 190 } });
    const { body } = await answered(200, ask('&provider=true'));
    expect(body).to.deep.include({ ok: false, differenceCount: 0 });
    const what = `business account ${tenant.wabaId}`;
    expect(body.compared).to.deep.include({ rows: [], missing: [{ what, reason: 'expired' }] });
  });

  it('asks no provider for a number without a token, or one that was unlinked', async () => {
    const of = `/numbers/${tenant.phoneNumberId}`;
    await waybill.admin('PUT', `${of}/access-token`, { accessToken: null });
    await waybill.settled();
    const silent = (await ask('&provider=true')).body.compared.missing;
    expect(silent[0].reason).to.equal('none of its numbers has an access token');
    await answered(200, waybill.admin('DELETE', of));
    await waybill.settled();
    expect((await ask('&provider=true')).body.compared.missing).to.deep.equal([
      { what: `number ${tenant.phoneNumberId}`, reason: 'it is not linked any more' },
    ]);
  });

  it('refuses periods that make no sense, and those that the provider does not tell of', async () => {
    const fieldErrors = async (query: string) => {
      const { body } = await answered(400, waybill.admin('GET', `/reconciliation?${query}`), query);
      return body.error.fieldErrors;
    };
    expect(await fieldErrors('')).to.have.property('month');
    expect(await fieldErrors('month=2026-11&provider=maybe')).to.have.property('provider');
    const { provider } = await fieldErrors('month=2025-11&provider=true');
    expect(provider[0]).to.include('a year back at most: begin at 2025-11-21 or later');
    await answered(404, ask('&accountId=acc_0'));
  });

  it('is open to auditors, and one runs at a time', async () => {
    const { token } = await makeAdministrator(waybill);
    const path = '/admin/v1/reconciliation?month=2026-11';
    await answered(200, waybill.call('GET', path, { token }));
    const answers = await Promise.all([1, 2, 3].map(() => ask('')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).to.include(200).and.to.include(503);
    expect(answers.find(({ status }) => status === 503)?.headers).to.have.property('retry-after');
  });
});
