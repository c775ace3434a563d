import { expect } from 'chai';
import nock from 'nock';
import { answered } from '../../support/answered.ts';
import { providerHasNumber, useTenant } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  PROVIDER,
  providerHasTemplates,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

const NO_NUMBER =
  'No configured messaging number exists on this account. Link one in the dashboard.';

describe('GET /v1/notifications/events', () => {
  const on = useTenant();

  const read = (query = '', token = on.tenant.apiKey) =>
    on.waybill.call('GET', `/v1/notifications/events${query}`, { token });
  const entry = (body: Json, event: string) => body.events.find((one: Json) => one.event === event);
  const link = (phoneNumberId: string, change: Json = {}) =>
    on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/numbers`, {
      phoneNumberId,
      wabaId: on.tenant.wabaId,
      ...change,
    });

  it('shows all events as not created before anything was submitted', async () => {
    const { body } = await answered(200, read());
    expect(body).to.have.all.keys('phoneNumberId', 'total', 'ready', 'health', 'events');
    expect(body).to.deep.include({ phoneNumberId: on.tenant.phoneNumberId, total: 18, ready: 0 });
    expect(body.health).to.deep.equal({ canSend: true, blockers: [] });
    expect(body.events).to.have.length(18);
    for (const one of body.events) {
      expect(one).to.deep.include({ status: 'NOT_CREATED', statusReason: null, ready: false });
    }
    expect(body.events[0]).to.include.keys('title', 'group', 'variables', 'preview');
  });

  it('reads the provider only with refresh=true', async () => {
    providerHasNumber(on.tenant);
    const scope = providerHasTemplates(
      on.tenant,
      templateAnswer('order_shipped'),
      templateAnswer('order_status_update'),
      templateAnswer('cart_recovery', { status: 'REJECTED', rejected_reason: 'TAG_CONTENT' }),
      templateAnswer('order_delivered', { status: 'PENDING', rejected_reason: 'NONE' }),
    );
    for (const query of ['', '?refresh=false', '?refresh=1', '?refresh=TRUE']) {
      expect((await read(query)).body.ready).to.equal(0);
    }
    expect(scope.isDone()).to.equal(false);
    for (const query of ['?refresh=true', '']) {
      const { body } = await read(query);
      expect(body.ready).to.equal(2);
      expect(entry(body, 'order_shipped')).to.deep.include({ status: 'APPROVED', ready: true });
      expect(entry(body, 'order_status')).to.deep.include({ status: 'APPROVED', ready: true });
      const rejected = { status: 'REJECTED', statusReason: 'TAG_CONTENT', ready: false };
      expect(entry(body, 'cart_recovery')).to.deep.include(rejected);
      const pending = { status: 'PENDING', statusReason: null, ready: false };
      expect(entry(body, 'order_delivered')).to.deep.include(pending);
    }
  });

  describe('health', () => {
    /** After the provider has said this of the number, because of this entity. */
    const healthAt = async (can_send_message: string, entity: Json): Promise<Json> => {
      const entities = [{ can_send_message, ...entity }];
      providerHasNumber(on.tenant, { health_status: { can_send_message, entities } });
      providerHasTemplates(on.tenant);
      return (await read('?refresh=true')).body.health;
    };

    it('names error 133010 and the PIN for a number that is not registered', async () => {
      providerHasNumber(on.tenant, { status: 'DISCONNECTED', platform_type: 'NOT_APPLICABLE' });
      providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
      const { health, ready } = (await read('?refresh=true')).body;
      expect(health.canSend).to.equal(false);
      expect(health.blockers).to.have.length(1);
      expect(health.blockers[0]).to.contain('133010').and.contain('6-digit two-step PIN');
      expect(ready).to.equal(1);
    });

    it('shows the provider’s own obstacles, with their fix', async () => {
      const error = {
        error_code: 141006,
        error_description: 'There is an error with the payment method.',
        possible_solution: 'Add a payment method in the billing settings.',
      };
      const health = await healthAt('BLOCKED', { entity_type: 'WABA', errors: [error] });
      expect(health.canSend).to.equal(false);
      expect(health.blockers[0]).to.contain('141006').and.contain(error.possible_solution);
    });

    it('shows where the provider limits the number, which can send', async () => {
      const additional_info = ['Business not verified'];
      const health = await healthAt('LIMITED', { entity_type: 'BUSINESS', additional_info });
      expect(health).to.deep.include({ canSend: true, blockers: [], status: 'LIMITED' });
      expect(health.limits[0]).to.contain('Business not verified');
      const { body } = await on.call('GET', '/v1/phones');
      expect(body[0].health).to.deep.equal(health);
    });
  });

  describe('the number', () => {
    it('is by default the oldest that has a token', async () => {
      on.tenant = await openTenant(on.waybill, { number: false });
      const [first, second, third] = ['501', '502', '503'].map(
        (id) => on.tenant.phoneNumberId + id,
      );
      await link(first!);
      for (const phoneNumberId of [second!, third!]) {
        nock(PROVIDER).get(`/${VERSION}/${phoneNumberId}`).query(true).reply(503);
        await link(phoneNumberId, { accessToken: 'a-token' });
      }
      expect((await read()).body.phoneNumberId).to.equal(second);
      expect((await read(`?phoneNumberId=${third}`)).body.phoneNumberId).to.equal(third);
    });

    it('is 404 without any number, and the error says what to do', async () => {
      const bare = await openTenant(on.waybill, { number: false });
      expect((await answered(404, read('', bare.apiKey))).body).to.deep.equal({ error: NO_NUMBER });
    });

    it('is 404 when it is unknown, another account’s, or lacks its token', async () => {
      const other = await openTenant(on.waybill);
      const tokenless = `${on.tenant.phoneNumberId}9`;
      await link(tokenless);
      for (const phoneNumberId of ['1', other.phoneNumberId, tokenless]) {
        const { body } = await answered(404, read(`?phoneNumberId=${phoneNumberId}`));
        expect(body).to.deep.equal({ error: 'Phone number not found or not configured' });
      }
    });
  });
});
