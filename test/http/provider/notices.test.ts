import { expect } from 'chai';
import nock from 'nock';
import {
  changePayload,
  providerHasNumber,
  templateNotice,
  threadOf,
  typesOf,
  useWaybill,
} from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import {
  type Json,
  openTenant,
  orderShipped,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

describe('Notices of the provider @long', () => {
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
      ['FLAGGED', null, 'APPROVED', null],
      ['PAUSED', null, 'REJECTED', /PAUSED/],
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

    describe('of a change of category to come', () => {
      const notice = (rest: Json) =>
        changePayload(tenant.wabaId, 'template_category_update', {
          message_template_id: Number(templateAnswer('order_shipped').id),
          message_template_name: 'order_shipped',
          message_template_language: 'en-US',
          ...rest,
        });
      const AT = 1_795_348_800;
      const at = new Date(AT * 1000).toISOString();
      const changingTo = { category: 'MARKETING', at };
      const announce = (category_update_timestamp = AT) => {
        const categories = { new_category: 'UTILITY', correct_category: 'MARKETING' };
        return take(notice({ ...categories, category_update_timestamp }));
      };
      const listed = async () => {
        providerHasTemplates(tenant, templateAnswer('order_shipped'));
        const path = `/v1/templates?phoneNumberId=${tenant.phoneNumberId}`;
        return (await on.waybill.call('GET', path, { token: tenant.apiKey })).body[0];
      };
      const single = async () => {
        const { id } = templateAnswer('order_shipped');
        nock(PROVIDER)
          .get(`/${VERSION}/${id}`)
          .query(true)
          .reply(200, templateAnswer('order_shipped'));
        providerHasTemplates(tenant, templateAnswer('order_shipped'));
        const path = `/v1/templates/${id}?phoneNumberId=${tenant.phoneNumberId}`;
        return (await on.waybill.call('GET', path, { token: tenant.apiKey })).body;
      };
      /** In readiness, in the live list, of one template, and in the local mirror. */
      const shown = async () => {
        const seen = [await readiness('order_shipped'), await listed(), await single()];
        nock.cleanAll();
        return [...seen, (await rowsOf())[0]! as Json].map((one) => one.changingTo);
      };
      const typesSince = async () =>
        typesOf(await on.waybill.events(`template-${tenant.wabaId}.order_shipped.en_US`)).slice(1);

      it('show it until it comes, and price by the category in force', async () => {
        expect(await shown()).to.deep.equal(Array.from({ length: 4 }, () => undefined));
        await announce();
        await announce();
        expect(await shown()).to.deep.equal(Array.from({ length: 4 }, () => changingTo));
        expect(await typesSince()).to.deep.equal(['TemplateNoticed', 'TemplateChangeAnnounced']);
        providerAccepts(tenant, 2);
        const send = async () => {
          const how = { token: tenant.apiKey, body: orderShipped() };
          const { headers } = await on.waybill.call('POST', '/v1/notifications/send', how);
          return headers['x-message-category'];
        };
        expect(await send()).to.equal('UTILITY');
        await take(notice({ previous_category: 'UTILITY', new_category: 'MARKETING' }));
        expect((await readiness('order_shipped')).changingTo).to.equal(undefined);
        expect(await send()).to.equal('MARKETING');
      });
    });
  });

  describe('of numbers', () => {
    const shown = async () => {
      const { body } = await on.waybill.call('GET', '/v1/phones', { token: tenant.apiKey });
      return body[0];
    };

    const streamOf = () => on.waybill.events(`phone-${tenant.phoneNumberId}`);
    const noticesOf = async () =>
      (await streamOf())
        .filter(({ type }) => type === 'PhoneNoticed')
        .map(({ data }) => {
          const { noticeId, phoneNumberId, ...said } = data as Json;
          expect(phoneNumberId).to.equal(tenant.phoneNumberId);
          expect(noticeId).to.match(/^notice_[0-9a-f]{32}$/);
          return said;
        });
    const at = '2026-11-21T12:00:00.000Z';
    const flagged = { display_phone_number: '15550100001', event: 'FLAGGED', current_limit: 'X' };

    it('of quality are kept, and let the number be read again', async () => {
      providerHasNumber(tenant, { quality_rating: 'RED' });
      await take(changePayload(tenant.wabaId, 'phone_number_quality_update', flagged));
      expect(await noticesOf()).to.deep.equal([
        { about: 'quality', word: 'FLAGGED', noticedAt: at },
      ]);
      await untilTrue('the rating', async () => (await shown()).qualityRating === 'RED');
      expect(typesOf(await streamOf())).to.deep.equal([
        'PhoneLinked',
        'PhoneNoticed',
        'PhoneProfileRead',
      ]);
    });
  });

  describe('of what a customer wants to get', () => {
    const thread = async () => on.waybill.events(await threadOf(on.waybill, tenant));
    const prefer = (value: string, timestamp = '1795262400') => {
      const preference = { wa_id: '919812345678', category: 'marketing_messages', value };
      const { phoneNumberId, wabaId } = tenant;
      const metadata = { display_phone_number: '15550100001', phone_number_id: phoneNumberId };
      const user_preferences = [{ ...preference, timestamp, detail: 'User requested' }];
      return take(changePayload(wabaId, 'user_preferences', { metadata, user_preferences }));
    };

    it('set an opt-in bot to work when they resume, once, and no other bot', async () => {
      const token = tenant.apiKey;
      providerHasTemplates(tenant, templateAnswer('order_shipped'));
      const { ids, bodies } = providerAccepts(tenant, 2);
      const made = async (trigger: string) => {
        const data = { event: 'order_shipped', variables: {} };
        const nodes = [{ id: 't', type: 'template', data }];
        const body = { name: `Bot ${trigger}`, trigger, nodes };
        return (await on.waybill.call('POST', '/v1/bots', { token, body })).body.id;
      };
      const [optIn, any] = [await made('OPTIN'), await made('ANY_MESSAGE')];
      const executions = async (id: string) =>
        (await on.waybill.call('GET', `/v1/bots/${id}`, { token })).body.totalExecutions;
      await prefer('stop');
      await prefer('resume', '1795262460');
      await until('the template', () => ids.length === 1);
      expect(bodies[0]).to.include({ to: '+919812345678', type: 'template' });
      await prefer('resume', '1795262460');
      const over = (count: number) =>
        untilTrue('the run to end', async () => {
          const ended = typesOf(await thread()).filter((type) => type === 'BotRunEnded');
          return ended.length === count;
        });
      await over(1);
      await prefer('resume', '1795262520');
      await over(2);
      expect([await executions(optIn), await executions(any)]).to.deep.equal([2, 0]);
      expect(ids).to.have.length(2);
    });

    it('are no message: they open no window, count for nothing, and stop no send', async () => {
      await prefer('stop');
      const token = tenant.apiKey;
      const get = async (path: string) => (await on.waybill.call('GET', path, { token })).body;
      expect((await get('/v1/messages')).messages).to.deep.equal([]);
      const { conversations } = await get('/v1/conversations?windowOpen=true');
      expect(conversations).to.deep.equal([]);
      const reply = { to: '919812345678', type: 'text', text: { body: 'Hi' } };
      const refused = await on.waybill.call('POST', '/v1/messages/send', { token, body: reply });
      expect(refused.status).to.equal(403);
      providerHasTemplates(tenant, templateAnswer('cart_recovery', { category: 'MARKETING' }));
      providerAccepts(tenant);
      const variables = { customerName: 'Mia', productName: 'Mug', cartLink: 'https://s.example' };
      const body = { to: '+919812345678', event: 'cart_recovery', variables };
      const sent = await on.waybill.call('POST', '/v1/notifications/send', { token, body });
      expect(sent.status).to.equal(200);
    });
  });
});
