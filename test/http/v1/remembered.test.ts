import { once } from 'node:events';
import { expect } from 'chai';
import nock from 'nock';
import { type EventStore, NO_STREAM } from '../../../src/events/store.ts';
import { TemplateAdopted } from '../../../src/events/template.ts';
import { providerHasNumber, useWaybill } from '../../support/surface.ts';
import {
  openTenant,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
} from '../../support/waybill.ts';

/** What look-ups remember is forgotten by following the log: here that news never comes. */
const withoutNews = (store: EventStore): EventStore => ({
  ...store,
  async *follow(position, signal, types) {
    if (types?.has('OrganisationSuspended')) await once(signal, 'abort');
    else yield* store.follow(position, signal, types);
  },
});

describe('what an instance remembers', () => {
  const on = useWaybill({ wrapStore: withoutNews });
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
  });
  const send = () =>
    on.waybill.call('POST', '/v1/notifications/send', {
      token: tenant.apiKey,
      body: orderShipped(),
    });
  const readiness = async (query = '') =>
    (await on.waybill.call('GET', `/v1/notifications/events${query}`, { token: tenant.apiKey }))
      .body;

  describe('is forgotten as soon as it writes what changes it', () => {
    it('a number that the provider blocks', async () => {
      expect((await readiness()).health.canSend).to.equal(true);
      nock.cleanAll();
      providerHasNumber(tenant, { status: 'DISCONNECTED', platform_type: 'NOT_APPLICABLE' });
      providerHasTemplates(tenant);
      expect((await readiness('?refresh=true')).health.canSend).to.equal(false);
    });

    it('a template that was not there', async () => {
      providerHasTemplates(tenant);
      expect((await send()).status).to.equal(409);
      nock.cleanAll();
      providerHasNumber(tenant);
      providerHasTemplates(tenant, templateAnswer('order_shipped'));
      expect((await readiness('?refresh=true')).ready).to.equal(1);
      providerAccepts(tenant);
      expect((await send()).status).to.equal(200);
    });

    it('a key that is revoked', async () => {
      const credits = () => on.waybill.call('GET', '/v1/credits', { token: tenant.apiKey });
      expect((await credits()).status).to.equal(200);
      const keys = await on.waybill.admin('GET', `/accounts/${tenant.accountId}/keys`);
      await on.waybill.admin('POST', `/keys/${keys.body.keys[0].id}/revoke`);
      expect((await credits()).status).to.equal(401);
    });
  });

  it('is asked again before a template is refused that another instance brought', async () => {
    providerHasTemplates(tenant);
    expect((await send()).status, 'the one read of this minute').to.equal(409);
    const { wabaId } = tenant;
    const fact = TemplateAdopted.of({
      ...{ wabaId, name: 'order_shipped', language: 'en_US', metaTemplateId: '30001' },
      ...{ category: 'UTILITY', status: 'APPROVED', statusReason: null, components: [] },
      accountId: null,
    });
    const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'another-instance' };
    await on.waybill.store.append(`template-${wabaId}.order_shipped.en_US`, NO_STREAM, [
      { ...fact, id: crypto.randomUUID(), version: TemplateAdopted.version, meta },
    ]);
    providerAccepts(tenant);
    expect((await send()).status).to.equal(200);
  });
});
