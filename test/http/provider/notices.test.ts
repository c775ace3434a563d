import { expect } from 'chai';
import nock from 'nock';
import { answered } from '../../support/answered.ts';
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

  const take = (payload: unknown) => answered(200, on.waybill.webhook(payload));

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

    it('show a change of category until it comes, and price by the category in force', async () => {
      const { phoneNumberId, wabaId } = on.tenant;
      const one = templateAnswer('order_shipped');
      const notice = (rest: Json) =>
        changePayload(wabaId, 'template_category_update', {
          message_template_id: Number(one.id),
          message_template_name: 'order_shipped',
          message_template_language: 'en-US',
          ...rest,
        });
      /** In readiness, in the live list, of one template, and in the local mirror. */
      const shown = async () => {
        providerHasTemplates(on.tenant, one);
        nock(PROVIDER).get(`/${VERSION}/${one.id}`).query(true).reply(200, one);
        const path = `/v1/templates/${one.id}?phoneNumberId=${phoneNumberId}`;
        const [live] = await list();
        const { body: single } = await on.call('GET', path);
        nock.cleanAll();
        nock(PROVIDER).get(`/${VERSION}/${wabaId}/message_templates`).query(true).reply(503);
        const [mirrored] = await list();
        const all = [await readiness('order_shipped'), live, single, mirrored];
        return all.map(({ changingTo }) => changingTo);
      };
      expect(await shown()).to.deep.equal(new Array(4).fill(undefined));
      const seconds = 1_795_348_800;
      const categories = { new_category: 'UTILITY', correct_category: 'MARKETING' };
      const announced = notice({ ...categories, category_update_timestamp: seconds });
      await take(announced);
      await take(announced);
      const changingTo = { category: 'MARKETING', at: new Date(seconds * 1000).toISOString() };
      expect(await shown()).to.deep.equal(new Array(4).fill(changingTo));
      const events = await on.waybill.events(`template-${wabaId}.order_shipped.en_US`);
      const types = ['TemplateNoticed', 'TemplateChangeAnnounced'];
      expect(typesOf(events).slice(1)).to.deep.equal(types);
      const send = async () =>
        (await notified(on.waybill, on.tenant)).headers['x-message-category'];
      expect(await send()).to.equal('UTILITY');
      await take(notice({ previous_category: 'UTILITY', new_category: 'MARKETING' }));
      expect((await readiness('order_shipped')).changingTo).to.equal(undefined);
      expect(await send()).to.equal('MARKETING');
    });
  });
});
