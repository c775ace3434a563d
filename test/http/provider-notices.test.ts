import { expect } from 'chai';
import nock from 'nock';
import {
  changePayload,
  providerHasNumber,
  templateNotice,
  typesOf,
  useWaybill,
} from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import {
  openTenant,
  PROVIDER,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../support/waybill.ts';

describe('Notices of the provider', () => {
  const on = useWaybill();
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
  });

  const take = async (payload: unknown) => {
    const { status } = await on.waybill.webhook(payload);
    expect(status).to.equal(200);
  };

  describe('of templates', () => {
    const rowsOf = async () => {
      nock(PROVIDER).get(`/${VERSION}/${tenant.wabaId}/message_templates`).query(true).reply(503);
      const path = `/v1/templates?phoneNumberId=${tenant.phoneNumberId}`;
      const { body } = await on.waybill.call('GET', path, { token: tenant.apiKey });
      return body as { name: string; status: string; category: string }[];
    };
    const readiness = async (event: string) => {
      const path = '/v1/notifications/events';
      const { body } = await on.waybill.call('GET', path, { token: tenant.apiKey });
      return body.events.find((one: { event: string }) => one.event === event);
    };
    beforeEach(async () => {
      const scope = providerHasTemplates(tenant, templateAnswer('order_shipped'));
      const path = `/v1/templates?phoneNumberId=${tenant.phoneNumberId}`;
      await on.waybill.call('GET', path, { token: tenant.apiKey });
      scope.persist(false);
      nock.cleanAll();
    });

    const states: [string, string | null, string, string | null | RegExp][] = [
      ['REJECTED', 'INVALID_FORMAT', 'REJECTED', 'INVALID_FORMAT'],
      ['REJECTED', 'NONE', 'REJECTED', null],
      ['PENDING', null, 'PENDING', null],
      ['IN_APPEAL', null, 'PENDING', null],
      ['FLAGGED', null, 'APPROVED', null],
      ['PAUSED', null, 'REJECTED', /PAUSED/],
      ['DISABLED', null, 'REJECTED', /DISABLED/],
      ['LIMIT_EXCEEDED', null, 'REJECTED', /LIMIT_EXCEEDED/],
      ['DELETED', null, 'NOT_CREATED', null],
    ];
    for (const [event, reason, status, statusReason] of states) {
      it(`show ${event} (${reason}) as ${status}`, async () => {
        await take(templateNotice(tenant.wabaId, 'order_shipped', event, reason));
        const entry = await readiness('order_shipped');
        expect(entry.status).to.equal(status);
        expect(entry.ready).to.equal(status === 'APPROVED');
        if (statusReason instanceof RegExp) expect(entry.statusReason).to.match(statusReason);
        else expect(entry.statusReason).to.equal(statusReason);
      });
    }

    it('move a template to the category that the provider gave it', async () => {
      const notice = {
        message_template_id: 300_011,
        message_template_name: 'order_shipped',
        message_template_language: 'en-US',
        previous_category: 'UTILITY',
        new_category: 'MARKETING',
      };
      const payload = changePayload(tenant.wabaId, 'template_category_update', notice);
      await take(payload);
      await take(payload);
      expect((await rowsOf())[0]!.category).to.equal('MARKETING');
      const stream = `template-${tenant.wabaId}.order_shipped.en_US`;
      const recategorised = typesOf(await on.waybill.events(stream)).slice(1);
      expect(recategorised.filter((type) => type === 'TemplateRecategorised')).to.have.length(1);
    });
  });

  describe('of numbers', () => {
    const shown = async () => {
      const { body } = await on.waybill.call('GET', '/v1/phones', { token: tenant.apiKey });
      return body[0];
    };

    it('of quality let the number be read again', async () => {
      providerHasNumber(tenant, { quality_rating: 'RED' });
      const value = { display_phone_number: '15550100001', event: 'FLAGGED', current_limit: 'X' };
      await take(changePayload(tenant.wabaId, 'phone_number_quality_update', value));
      await untilTrue('the rating', async () => (await shown()).qualityRating === 'RED');
    });

    it('of the account do so too', async () => {
      providerHasNumber(tenant, { quality_rating: 'YELLOW' });
      await take(changePayload(tenant.wabaId, 'account_update', { event: 'ACCOUNT_RESTRICTION' }));
      await untilTrue('the rating', async () => (await shown()).qualityRating === 'YELLOW');
    });

    it('of an approved name change the name at once', async () => {
      providerHasNumber(tenant, { verified_name: 'Shop Y' });
      const value = {
        display_phone_number: '+1 555-010-0001',
        decision: 'APPROVED',
        requested_verified_name: 'Shop Y',
      };
      await take(changePayload(tenant.wabaId, 'phone_number_name_update', value));
      expect((await shown()).verifiedName).to.equal('Shop Y');
    });
  });

  it('notes what a customer wants to get, once', async () => {
    const thread = `conversation-${tenant.phoneNumberId}.919812345678`;
    const user_preferences = [
      {
        wa_id: '919812345678',
        category: 'marketing_messages',
        value: 'stop',
        timestamp: '1795262400',
      },
    ];
    const { phoneNumberId, wabaId } = tenant;
    const metadata = { display_phone_number: '15550100001', phone_number_id: phoneNumberId };
    const payload = changePayload(wabaId, 'user_preferences', { metadata, user_preferences });
    await take(payload);
    await take(payload);
    expect(typesOf(await on.waybill.events(thread))).to.deep.equal(['PreferenceReceived']);
  });
});
