import { expect } from 'chai';
import nock from 'nock';
import {
  changePayload,
  notified,
  templateNotice,
  threadOf,
  typesOf,
  useTenant,
} from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import {
  type Json,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

describe('Notices of the provider @long', () => {
  const on = useTenant();

  const take = async (payload: unknown) => {
    const { status } = await on.waybill.webhook(payload);
    expect(status).to.equal(200);
  };

  it('of what a customer wants to get set an opt-in bot to work when he resumes, once', async () => {
    const { apiKey: token, phoneNumberId: phone_number_id, wabaId } = on.tenant;
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    const { bodies } = providerAccepts(on.tenant, 2);
    const nodes = [{ id: 't', type: 'template', data: { event: 'order_shipped', variables: {} } }];
    const bot = { name: 'Welcome', trigger: 'OPTIN', nodes };
    await on.waybill.call('POST', '/v1/bots', { token, body: bot });
    const prefer = (value: string, timestamp: string) => {
      const about = { wa_id: '919812345678', category: 'marketing_messages', detail: 'Asked' };
      const user_preferences = [{ ...about, value, timestamp }];
      const metadata = { display_phone_number: '15550100001', phone_number_id };
      return take(changePayload(wabaId, 'user_preferences', { metadata, user_preferences }));
    };
    /** What was asked for again, and what runs of the bot followed. */
    const seen = async () => {
      const events = await on.waybill.events(await threadOf(on.waybill, on.tenant));
      const facts = events as unknown as Json[];
      const resumed = facts.filter(({ data }) => data.value === 'resume');
      const started = facts.filter(({ type }) => type === 'BotRunStarted');
      return {
        resumed: resumed.map(({ revision }) => revision),
        started: started.map(({ data }) => data.messageRevision),
      };
    };
    await prefer('stop', '1795262400');
    for (const [count, timestamp] of ['1795262460', '1795262520'].entries()) {
      await prefer('resume', timestamp);
      await prefer('resume', timestamp);
      await untilTrue('the run to begin', async () => {
        const { resumed, started } = await seen();
        return started.at(-1) === resumed.at(-1);
      });
      await until('the template', () => bodies.length > count);
    }
    const { resumed, started } = await seen();
    expect(bodies[0]).to.include({ to: '+919812345678', type: 'template' });
    expect(resumed).to.have.length(2);
    expect(started).to.deep.equal(resumed);
  });

  describe('of templates', () => {
    const list = async (): Promise<Json[]> =>
      (await on.call('GET', `/v1/templates?phoneNumberId=${on.tenant.phoneNumberId}`)).body;
    /** Of the local mirror, as the provider does not answer. */
    const mirrored = () => {
      nock(PROVIDER)
        .get(`/${VERSION}/${on.tenant.wabaId}/message_templates`)
        .query(true)
        .reply(503);
      return list();
    };
    const readiness = async (event: string) => {
      const { body } = await on.call('GET', '/v1/notifications/events');
      return body.events.find((one: { event: string }) => one.event === event);
    };
    beforeEach(async () => {
      providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
      await list();
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
        await take(templateNotice(on.tenant.wabaId, 'order_shipped', event, reason));
        const entry = await readiness('order_shipped');
        expect(entry.status).to.equal(status);
        expect(entry.ready).to.equal(status === 'APPROVED');
        if (statusReason instanceof RegExp) expect(entry.statusReason).to.match(statusReason);
        else expect(entry.statusReason).to.equal(statusReason);
      });
    }

    describe('of a change of category to come', () => {
      const notice = (rest: Json) =>
        changePayload(on.tenant.wabaId, 'template_category_update', {
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
        providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
        return (await list())[0];
      };
      const single = async () => {
        const { id } = templateAnswer('order_shipped');
        nock(PROVIDER)
          .get(`/${VERSION}/${id}`)
          .query(true)
          .reply(200, templateAnswer('order_shipped'));
        providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
        const path = `/v1/templates/${id}?phoneNumberId=${on.tenant.phoneNumberId}`;
        return (await on.call('GET', path)).body;
      };
      /** In readiness, in the live list, of one template, and in the local mirror. */
      const shown = async () => {
        const seen = [await readiness('order_shipped'), await listed(), await single()];
        nock.cleanAll();
        return [...seen, (await mirrored())[0]].map((one) => one.changingTo);
      };
      const typesSince = async () =>
        typesOf(await on.waybill.events(`template-${on.tenant.wabaId}.order_shipped.en_US`)).slice(
          1,
        );

      it('show it until it comes, and price by the category in force', async () => {
        expect(await shown()).to.deep.equal(Array.from({ length: 4 }, () => undefined));
        await announce();
        await announce();
        expect(await shown()).to.deep.equal(Array.from({ length: 4 }, () => changingTo));
        expect(await typesSince()).to.deep.equal(['TemplateNoticed', 'TemplateChangeAnnounced']);
        const send = async () =>
          (await notified(on.waybill, on.tenant)).headers['x-message-category'];
        expect(await send()).to.equal('UTILITY');
        await take(notice({ previous_category: 'UTILITY', new_category: 'MARKETING' }));
        expect((await readiness('order_shipped')).changingTo).to.equal(undefined);
        expect(await send()).to.equal('MARKETING');
      });
    });
  });
});
