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

    for (const [reason, words] of [
      ['INVALID_FORMAT', 'INVALID_FORMAT: No samples.; Give samples.'],
      ['NONE', 'No samples.; Give samples.'],
    ] as const) {
      it(`explain a rejection (${reason}) in words, which a read of the provider keeps`, async () => {
        const notice = {
          event: 'REJECTED',
          reason,
          message_template_id: Number(templateAnswer('order_shipped').id),
          message_template_name: 'order_shipped',
          message_template_language: 'en_US',
          rejection_info: { reason: 'No samples.', recommendation: 'Give samples.' },
        };
        await take(changePayload(tenant.wabaId, 'message_template_status_update', notice));
        expect((await readiness('order_shipped')).statusReason).to.equal(words);
        const change = { status: 'REJECTED', rejected_reason: reason };
        providerHasNumber(tenant);
        providerHasTemplates(tenant, templateAnswer('order_shipped', change));
        const path = '/v1/notifications/events?refresh=true';
        await on.waybill.call('GET', path, { token: tenant.apiKey });
        expect((await readiness('order_shipped')).statusReason).to.equal(words);
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

      it('end with a notice of the category in force alone', async () => {
        await announce();
        await take(notice({ new_category: 'UTILITY' }));
        expect(await shown()).to.deep.equal(Array.from({ length: 4 }, () => undefined));
      });

      it('end where the provider shows the old category a day after the time', async () => {
        await announce(on.waybill.clock.now() / 1000 - 86_401);
        const before = await readiness('order_shipped');
        expect(before.changingTo).to.include({ category: 'MARKETING' });
        expect((await listed()).changingTo).to.equal(undefined);
        expect((await readiness('order_shipped')).changingTo).to.equal(undefined);
      });
    });

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

    const notice = (change: Json) => ({
      message_template_id: 300_011,
      message_template_name: 'order_shipped',
      message_template_language: 'en-US',
      ...change,
    });
    const streamOf = (name: string) => on.waybill.events(`template-${tenant.wabaId}.${name}.en_US`);

    it('that announce a category leave the one in force until it comes', async () => {
      const coming = { new_category: 'UTILITY', correct_category: 'MARKETING' };
      await take(changePayload(tenant.wabaId, 'template_category_update', notice(coming)));
      expect((await rowsOf())[0]!.category).to.equal('UTILITY');
      const types = typesOf(await streamOf('order_shipped'));
      expect(types).to.deep.equal([
        ...['TemplateAdopted', 'TemplateNoticed', 'TemplateChangeAnnounced'],
      ]);
    });

    it('of quality are kept, once for each change, and leave the template as sendable as it was', async () => {
      const before = [await rowsOf(), await readiness('order_shipped')];
      const rate = (from: string, to: string) =>
        take(
          changePayload(
            tenant.wabaId,
            'message_template_quality_update',
            notice({ previous_quality_score: from, new_quality_score: to }),
          ),
        );
      await rate('UNKNOWN', 'YELLOW');
      await rate('UNKNOWN', 'YELLOW');
      await rate('YELLOW', 'RED');
      const stream = await streamOf('order_shipped');
      expect(typesOf(stream)).to.deep.equal([
        'TemplateAdopted',
        'TemplateNoticed',
        'TemplateNoticed',
      ]);
      const said = { about: 'quality', noticedAt: '2026-11-21T12:00:00.000Z' };
      const name = { wabaId: tenant.wabaId, name: 'order_shipped', language: 'en_US' };
      expect(stream[1]!.data).to.deep.include({ ...name, ...said, word: 'YELLOW' });
      expect(stream[2]!.data).to.deep.include({ ...name, ...said, word: 'RED' });
      expect([await rowsOf(), await readiness('order_shipped')]).to.deep.equal(before);
      providerAccepts(tenant);
      const sent = { token: tenant.apiKey, body: orderShipped() };
      expect((await on.waybill.call('POST', '/v1/notifications/send', sent)).status).to.equal(200);
    });

    it('that come late or again lead nothing back', async () => {
      const said = (event: string, minute: number) => {
        const payload = templateNotice(tenant.wabaId, 'order_shipped', event, null);
        payload.entry[0]!.time += 60 * minute;
        return payload;
      };
      const [approved, paused, removed] = [
        said('APPROVED', 1),
        said('PAUSED', 2),
        said('DELETED', 3),
      ];
      await take(approved);
      await take(paused);
      for (const late of [paused, said('REINSTATED', 1), approved]) await take(late);
      expect((await readiness('order_shipped')).statusReason).to.match(/PAUSED/);
      const again = { event: 'APPROVED', message_template_category: 'UTILITY' };
      const back = (minute: number) => {
        const field = 'message_template_status_update';
        const payload = changePayload(tenant.wabaId, field, notice(again));
        payload.entry[0]!.time += 60 * minute;
        return payload;
      };
      await take(removed);
      for (const late of [removed, paused, approved, back(2)]) await take(late);
      expect((await readiness('order_shipped')).status).to.equal('NOT_CREATED');
      await take(back(4));
      expect((await readiness('order_shipped')).ready).to.equal(true);
    });

    it('of one that nobody has seen yet put it into the mirror, where they say its category', async () => {
      const of = { ...notice({}), message_template_name: 'order_delivered' };
      const said = { ...of, event: 'APPROVED', message_template_category: 'utility' };
      await take(changePayload(tenant.wabaId, 'message_template_status_update', said));
      const types = typesOf(await streamOf('order_delivered'));
      expect(types).to.deep.equal(['TemplateNoticed', 'TemplateAdopted']);
      expect((await readiness('order_delivered')).ready).to.equal(true);
      const row = (await rowsOf()).find(({ name }) => name === 'order_delivered');
      expect(row).to.include({ status: 'APPROVED', category: 'UTILITY', id: '300011' });
      const unsaid = { ...of, event: 'APPROVED', message_template_name: 'refund_processed' };
      await take(changePayload(tenant.wabaId, 'message_template_status_update', unsaid));
      expect(typesOf(await streamOf('refund_processed'))).to.deep.equal(['TemplateNoticed']);
      expect((await readiness('refund_processed')).status).to.equal('NOT_CREATED');
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

    it('have no second effect when they come again', async () => {
      providerHasNumber(tenant);
      const payload = changePayload(tenant.wabaId, 'phone_number_quality_update', flagged);
      await Promise.all([take(payload), take(payload), take(payload)]);
      await take(payload);
      expect(await noticesOf()).to.have.length(1);
      payload.entry[0]!.time += 60;
      await take(payload);
      expect(await noticesOf()).to.have.length(2);
    });

    it('are not lost when the provider cannot be read at first', async () => {
      const path = `/${VERSION}/${tenant.phoneNumberId}`;
      nock(PROVIDER).get(path).query(true).reply(503, 'down');
      const unflagged = { ...flagged, event: 'UNFLAGGED' };
      await take(changePayload(tenant.wabaId, 'phone_number_quality_update', unflagged));
      await until('the first try', () => nock.isDone());
      providerHasNumber(tenant, { quality_rating: 'YELLOW' });
      await untilTrue('the rating', async () => (await shown()).qualityRating === 'YELLOW');
    });

    it('of the account do so too', async () => {
      providerHasNumber(tenant, { quality_rating: 'YELLOW' });
      await take(changePayload(tenant.wabaId, 'account_update', { event: 'ACCOUNT_RESTRICTION' }));
      await untilTrue('the rating', async () => (await shown()).qualityRating === 'YELLOW');
      expect(await noticesOf()).to.deep.equal([
        { about: 'account', word: 'ACCOUNT_RESTRICTION', noticedAt: at },
      ]);
    });

    it('of the account concern each of its numbers, and nobody else’s', async () => {
      const second = await openTenant(on.waybill);
      const stranger = (await on.waybill.events(`phone-${second.phoneNumberId}`)).length;
      const place = { phoneNumberId: `${tenant.phoneNumberId}9`, wabaId: tenant.wabaId };
      providerHasNumber(place);
      await on.waybill.admin('POST', `/accounts/${tenant.accountId}/numbers`, place);
      await take(changePayload(tenant.wabaId, 'account_update', { event: 'DISABLED_UPDATE' }));
      for (const { phoneNumberId } of [tenant, place]) {
        const types = typesOf(await on.waybill.events(`phone-${phoneNumberId}`));
        expect(types).to.include('PhoneNoticed');
      }
      const theirs = await on.waybill.events(`phone-${second.phoneNumberId}`);
      expect(theirs).to.have.length(stranger);
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
      expect(await noticesOf()).to.deep.equal([{ about: 'name', word: 'APPROVED', noticedAt: at }]);
    });

    it('of a name, come again after a newer one, bring back no old name', async () => {
      providerHasNumber(tenant, { verified_name: 'Shop Z' });
      const named = (name: string, minute: number) => {
        const value = { display_phone_number: '15550100001', decision: 'APPROVED' };
        const payload = changePayload(tenant.wabaId, 'phone_number_name_update', {
          ...value,
          requested_verified_name: name,
        });
        payload.entry[0]!.time += 60 * minute;
        return payload;
      };
      await take(named('Shop Y', 1));
      await take(named('Shop Z', 2));
      await take(named('Shop Y', 1));
      expect((await shown()).verifiedName).to.equal('Shop Z');
    });

    for (const decision of ['REJECTED', 'DEFERRED', 'PENDING']) {
      it(`of a name that is ${decision} leave the name`, async () => {
        providerHasNumber(tenant);
        const value = {
          display_phone_number: '15550100001',
          decision,
          requested_verified_name: 'Shop Z',
          rejection_reason: 'NAME_NOT_CONSISTENT',
        };
        await take(changePayload(tenant.wabaId, 'phone_number_name_update', value));
        expect((await shown()).verifiedName).to.equal('Shop X');
        expect(await noticesOf()).to.deep.equal([{ about: 'name', word: decision, noticedAt: at }]);
      });
    }

    it('of a number that is not linked go to the dead letters, whole', async () => {
      const value = { display_phone_number: '15550999999', event: 'FLAGGED' };
      await take(changePayload(tenant.wabaId, 'phone_number_quality_update', value));
      const { body } = await on.waybill.admin('GET', '/dead-letters?limit=1');
      const [letter] = body.deadLetters;
      expect(letter).to.include({ field: 'phone_quality', reason: 'the number is not linked' });
      expect(JSON.parse(letter.raw).entry[0].changes[0].value).to.deep.equal(value);
      expect(await noticesOf()).to.deep.equal([]);
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

    it('are kept once each, in order, with the provider’s words', async () => {
      await prefer('stop');
      await prefer('stop');
      await prefer('resume', '1795262460');
      const events = await thread();
      expect(typesOf(events)).to.deep.equal(['PreferenceReceived', 'PreferenceReceived']);
      const [stop, resume] = events.map(({ data }) => data as Json);
      expect(stop).to.include({
        waId: '919812345678',
        category: 'marketing_messages',
        value: 'stop',
        detail: 'User requested',
        wabaId: tenant.wabaId,
        receivedAt: '2026-11-21T12:00:00.000Z',
      });
      expect(resume).to.include({ value: 'resume', receivedAt: '2026-11-21T12:01:00.000Z' });
    });

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
