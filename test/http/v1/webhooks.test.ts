import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../../clients/typescript/src/index.ts';
import { answered } from '../../support/answered.ts';
import type { Called } from '../../support/callee.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { changePayload, fieldErrorsOf, templateNotice } from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import { type Json, openTenant } from '../../support/waybill.ts';
import { openWebhookStage } from '../../support/webhook-stage.ts';

const HOUR_MS = 3_600_000;

/** Whether one of the signatures is of this secret, at whatever time. */
const isSigned = (secret: string, { body, headers }: Called): boolean => {
  // The library knows only the time of the machine.
  const again = new Webhook(secret).sign(
    String(headers['webhook-id']),
    new Date(Number(headers['webhook-timestamp']) * 1000),
    body,
  );
  return String(headers['webhook-signature']).split(' ').includes(again);
};

describe('webhooks @long', () => {
  useRealConnections();
  const stage = inSuite(openWebhookStage);

  const eventsOf = async (id: string) =>
    (await stage.waybill.events(`webhook-${stage.tenant.accountId}.${id}`)).map(({ type }) => type);

  it('are created with a secret that is shown once', async () => {
    const more = { description: 'Order desk' };
    const { secret, ...made } = await stage.create('/made', ['message.sent'], more);
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{44}$/);
    expect(made).to.include({ state: 'active', disabledReason: null, ...more });
    expect((await stage.api('GET', `/${made.id}`)).body).to.deep.equal(made);
    const { body } = await stage.api('GET', '');
    expect(body.webhooks.map(({ id }: Json) => id)).to.include(made.id);
    const [created] = await stage.waybill.events(`webhook-${stage.tenant.accountId}.${made.id}`);
    expect(created!.type).to.equal('WebhookCreated');
    expect(JSON.stringify(created)).not.to.include(secret.slice(6));
    const path = `/accounts/${stage.tenant.accountId}/webhooks`;
    const seen = await stage.waybill.admin('GET', path);
    expect(JSON.stringify(seen.body)).to.include(made.id).and.not.include('whsec_');
  });

  it('are changed and deleted', async () => {
    const { id } = await stage.create('/changed', ['message.sent']);
    const changed = await stage.api('PATCH', `/${id}`, { events: ['message.read'] });
    expect(changed.body).to.deep.include({ events: ['message.read'], state: 'active' });
    await stage.api('PATCH', `/${id}`, { events: ['message.read'] });
    const off = await stage.api('PATCH', `/${id}`, { state: 'disabled' });
    expect(off.body).to.include({ state: 'disabled', disabledReason: 'owner' });
    expect((await stage.api('DELETE', `/${id}`)).body).to.deep.equal({ success: true });
    await answered(404, stage.api('GET', `/${id}`));
    await answered(404, stage.api('DELETE', `/${id}`));
    const types = ['WebhookCreated', 'WebhookChanged', 'WebhookDisabled', 'WebhookDeleted'];
    expect(await eventsOf(id)).to.deep.equal(types);
  });

  it('are refused to a private address, without events, and with unknown ones', async () => {
    const hook = { url: 'https://shop.example/hook', events: ['message.sent'] };
    for (const [change, field] of [
      [{ url: 'https://10.0.0.1/hook' }, 'url'],
      [{ events: [] }, 'events'],
      [{ events: ['message.eaten'] }, 'events'],
    ] as const) {
      const refused = await stage.api('POST', '', { ...hook, ...change });
      expect(fieldErrorsOf(refused)).to.deep.equal([field]);
    }
  });

  describe('deliver', () => {
    it('what a customer wrote, signed so that the client verifies it', async () => {
      const { id, secret } = await stage.create('/in', ['message.received']);
      await stage.receive('Where is my order?');
      const [body] = await stage.bodies('/in', 1);
      const [call] = stage.callsTo('/in') as [Called];
      const headers = call.headers as Record<string, string>;
      const now = stage.waybill.clock.now();
      const event = await verifyWebhook({ body: call.body, headers, secret, now });
      expect(event.id).to.equal(call.headers['webhook-id']);
      expect(event.type).to.equal('message.received');
      expect(body).to.have.all.keys('type', 'timestamp', 'accountId', 'data');
      expect(body.accountId).to.equal(stage.tenant.accountId);
      expect(body.data).to.include({ direction: 'inbound', text: 'Where is my order?' });
      expect(body.data.message).to.deep.include({ type: 'text', from: '919812345678' });
      await untilTrue('the record', async () => (await stage.deliveries(id)).length === 1);
      const [shown] = await stage.deliveries(id);
      expect(shown).to.include({ state: 'delivered', attempts: 1, statusCode: 200 });
      expect(shown.eventId).to.equal(event.id);
      const one = await stage.api('GET', `/${id}/deliveries/${shown.id}`);
      expect(one.body.body).to.deep.equal(body);
      expect(await eventsOf(id)).to.deep.equal(['WebhookCreated', 'WebhookAttempted']);
    });

    it('and show what each call was answered, until the contact is erased', async () => {
      const customer = '919812345699';
      const { id } = await stage.create('/answers', ['message.received']);
      let status = 500;
      stage.callee.answer((response, { path, body }) => {
        if (path !== '/answers') return void response.end();
        response.writeHead(status, { 'x-of': 'the shop', 'set-cookie': 'secret' });
        response.end(status === 500 ? `cannot take ${body}${'.'.repeat(4000)}` : 'ok');
        status = 202;
      });
      await stage.receive('echo me', customer);
      const one = async () => (await stage.api('GET', `/${id}/deliveries/0`)).body;
      const failing = async () => {
        const path = `/accounts/${stage.tenant.accountId}/webhooks`;
        const { body } = await stage.waybill.admin('GET', path);
        return body.webhooks.find((hook: Json) => hook.id === id).failing;
      };
      await untilTrue('the first call', async () => (await one()).attempts === 1);
      expect(await failing()).to.equal(1);
      stage.waybill.clock.advance(10_000);
      await untilTrue('the second call', async () => (await one()).state === 'delivered');
      expect(await failing()).to.equal(0);
      const [second, first, ...others] = (await one()).calls;
      expect(others).to.deep.equal([]);
      expect(second).to.include({ attempt: 2, statusCode: 202 });
      expect(first).to.include({ attempt: 1, statusCode: 500 });
      expect(second.answer.body).to.equal('ok');
      expect(first.answer.head).to.include('x-of: the shop').and.not.include('secret');
      expect(first.answer.body).to.have.length(2048).and.include(`"from":"${customer}"`);
      const stored = await stage.waybill.events(`webhook-${stage.tenant.accountId}.${id}`);
      expect(stored.filter(({ type }) => type === 'WebhookAttempted')).to.have.length(2);
      await eraseContact(stage.waybill, `+${customer}`);
      expect((await one()).calls.map(({ answer }: Json) => answer)).to.deep.equal([null, null]);
      stage.callee.answer((response) => void response.end());
    });

    it('each step of a message with its record of the history', async () => {
      const topics = ['message.sent', 'message.delivered', 'message.read', 'message.failed'];
      await stage.create('/steps', topics);
      await stage.receive('Hi');
      const id = await stage.send('Hello');
      for (const status of ['delivered', 'read']) await stage.status(id, status);
      const bodies = await stage.bodies('/steps', 3);
      expect(bodies.map(({ type }) => type)).to.deep.equal(topics.slice(0, 3));
      expect(bodies.map(({ data }) => data.status)).to.deep.equal(['sent', 'delivered', 'read']);
      const query = '/v1/messages?direction=outbound&limit=1';
      const { body } = await stage.waybill.call('GET', query, { token: stage.tenant.apiKey });
      expect(bodies[2].data).to.deep.equal(body.messages[0]);
      const errors = [{ code: 131026, title: 'Undeliverable' }];
      const failed = await stage.send('Again');
      await stage.status(failed, 'failed', { errors });
      const [, , , , last] = await stage.bodies('/steps', 5);
      expect(last.type).to.equal('message.failed');
      expect(last.data).to.include({ id: failed, status: 'failed', errorCode: '131026' });
    });

    it('low balances, once each time, and pauses', async () => {
      await stage.create('/account', ['account.balance_low', 'account.paused']);
      const of = `/accounts/${stage.tenant.accountId}`;
      const limits = (body: object) => stage.waybill.admin('PATCH', `${of}/limits`, body);
      const revoke = (amount: number) =>
        stage.waybill.admin('POST', `${of}/credits/revoke`, { amount });
      const set = await limits({ balanceLow: 900 });
      expect(set.body.limits).to.include({ balanceLow: 900, paused: false });
      await answered(400, limits({ balanceLow: '25.00' }));
      await revoke(90);
      await revoke(20);
      await revoke(20);
      await limits({ paused: true });
      await limits({ daily: 500 });
      await limits({ paused: false, daily: null, balanceLow: null });
      const bodies = await stage.bodies('/account', 2);
      const low = { balance: 890, balanceLow: 900, billing: 'credits', currency: 'USD' };
      expect(bodies.map(({ type, data }) => ({ type, data }))).to.deep.equal([
        { type: 'account.balance_low', data: low },
        { type: 'account.paused', data: { paused: true, reason: null } },
      ]);
    });

    it('what the provider does with templates and numbers, to whom they belong', async () => {
      const { tenant, waybill } = stage;
      await stage.create('/provider', ['template.status', 'number.quality']);
      const other = await openTenant(waybill);
      const body = { url: `${stage.callee.url}/not-theirs`, events: ['template.status'] };
      await answered(201, stage.api('POST', '', body, other));
      const take = (payload: unknown) => answered(200, waybill.webhook(payload));
      const how = { token: tenant.apiKey, body: { events: ['order_shipped'] } };
      const submitted = await waybill.call('POST', '/v1/notifications/templates/submit', how);
      const [{ metaTemplateId: id }] = submitted.body.results;
      const category = {
        message_template_id: id,
        message_template_name: 'order_shipped',
        message_template_language: 'en_US',
        new_category: 'UTILITY',
        correct_category: 'MARKETING',
      };
      await take(templateNotice(tenant.wabaId, 'order_shipped', 'APPROVED', null, id));
      await take(changePayload(tenant.wabaId, 'template_category_update', category));
      await take(templateNotice(tenant.wabaId, 'order_shipped', 'DELETED', null, id));
      const bodies = await stage.bodies('/provider', 3);
      expect(bodies.map(({ type }) => type)).to.deep.equal(new Array(3).fill('template.status'));
      const [approved, announced, deleted] = bodies.map(({ data }) => data);
      expect(approved).to.include({ name: 'order_shipped', status: 'APPROVED', changingTo: null });
      expect(announced.changingTo).to.include({ category: 'MARKETING' });
      expect(deleted).to.include({ name: 'order_shipped', status: 'DELETED' });
      expect(stage.callsTo('/not-theirs')).to.have.length(0);
    });

    it('the quality of a number, signed, once it has changed', async () => {
      const { tenant, waybill, simulator } = stage;
      const { phoneNumberId, wabaId } = tenant;
      const { secret } = await stage.create('/quality', ['number.quality']);
      const phones = await waybill.call('GET', '/v1/phones', { token: tenant.apiKey });
      const [{ qualityRating: before, displayPhoneNumber, verifiedName }] = phones.body;
      const told = async (event: string) => {
        const value = { display_phone_number: displayPhoneNumber, event };
        const payload = changePayload(wabaId, 'phone_number_quality_update', value);
        await answered(200, waybill.webhook(payload));
      };
      await told('UNFLAGGED');
      simulator.setNumber({ phoneNumberId, wabaId, qualityRating: 'RED' });
      await told('FLAGGED');
      const [body] = await stage.bodies('/quality', 1);
      const data = { phoneNumberId, displayPhoneNumber, verifiedName, qualityRating: 'RED' };
      expect(body).to.deep.include({
        type: 'number.quality',
        accountId: tenant.accountId,
        data: { ...data, previousQualityRating: before },
      });
      const calls = stage.callsTo('/quality');
      expect(calls).to.have.length(1);
      expect(isSigned(secret, calls[0]!)).to.equal(true);
    });

    it('once to a host that cannot be, so that no later event of a contact waits', async () => {
      const body = { url: 'https://listen.invalid/', events: ['message.received'] };
      const { id } = (await stage.api('POST', '', body)).body;
      for (const text of ['first', 'second', 'third']) await stage.receive(text);
      const failed = async () => (await stage.deliveries(id, '?state=failed')).length;
      await untilTrue('all of them', async () => (await failed()) === 3);
      await stage.api('DELETE', `/${id}`);
    });

    it('a test, and nothing of what is not asked for', async () => {
      const { id } = await stage.create('/test', ['number.quality']);
      await stage.receive('Nobody asks for this');
      await answered(202, stage.api('POST', `/${id}/test`));
      const [body] = await stage.bodies('/test', 1);
      expect(body).to.deep.include({ type: 'webhook.test', data: { webhookId: id } });
      expect(stage.callsTo('/test')).to.have.length(1);
    });

    it('with both signatures for 24 hours after a rotation', async () => {
      const { id, secret: first } = await stage.create('/turn', ['message.received']);
      const rotate = async () => (await stage.api('POST', `/${id}/rotate`)).body.secret;
      const second = await rotate();
      const signers = async (count: number, secrets: readonly string[]) => {
        await stage.receive(`turn ${count}`);
        await until('the call', () => stage.callsTo('/turn').length >= count);
        return secrets.map((secret) => isSigned(secret, stage.callsTo('/turn')[count - 1]!));
      };
      expect(await signers(1, [first, second])).to.deep.equal([true, true]);
      const third = await rotate();
      expect(await signers(2, [first, second, third])).to.deep.equal([false, true, true]);
      stage.waybill.clock.advance(24 * HOUR_MS);
      expect(await signers(3, [first, second, third])).to.deep.equal([false, false, true]);
    });
  });

  describe('deliver once more', () => {
    it('one delivery, under the same id', async () => {
      const { id } = await stage.create('/again', ['message.received']);
      await stage.receive('again');
      await untilTrue('the record', async () => (await stage.deliveries(id)).length === 1);
      await answered(202, stage.api('POST', `/${id}/deliveries/0/resend`));
      await stage.bodies('/again', 2);
      const [first, second] = stage.callsTo('/again').map(({ headers }) => headers['webhook-id']);
      expect(second).to.equal(first);
      const delivered = async () => (await stage.deliveries(id, '?state=delivered')).length;
      await untilTrue('both', async () => (await delivered()) === 2);
      await answered(404, stage.api('POST', `/${id}/deliveries/7/resend`));
    });

    it('all events since a time, while new ones arrive', async () => {
      const other = await openTenant(stage.waybill);
      await stage.receive('before', '919812345670', other);
      stage.waybill.clock.advance(1000);
      const since = new Date(stage.waybill.clock.now()).toISOString();
      for (let count = 0; count < 30; count += 1) {
        await stage.receive(`old ${count}`, `9198123456${count % 3}`, other);
      }
      const body = { url: `${stage.callee.url}/replay`, events: ['message.received'] };
      const { id } = (await stage.api('POST', '', body, other)).body;
      await answered(202, stage.api('POST', `/${id}/replay`, { since }, other));
      await stage.receive('new', '919812345671', other);
      const bodies = await stage.bodies('/replay', 31);
      const texts = bodies.map(({ data }) => data.text);
      expect(new Set(texts).size).to.equal(31);
      expect(texts).not.to.include('before');
      const old = texts.filter((text) => /^old \d+$/.test(text) && Number(text.slice(4)) % 3 === 0);
      expect(old).to.deep.equal(Array.from({ length: 10 }, (_, at) => `old ${at * 3}`));
      await untilTrue('the end', async () => {
        return (await stage.api('GET', `/${id}`, undefined, other)).body.replay === null;
      });
    });
  });

  it('do not keep the service from stopping while a replay waits behind a failed call', async () => {
    const other = await openWebhookStage();
    for (const text of ['first', 'second']) await other.receive(text);
    other.callee.answer((response) => void response.writeHead(500).end());
    const { id } = await other.create('/fails', ['message.received']);
    const since = new Date(other.waybill.clock.now()).toISOString();
    await answered(202, other.api('POST', `/${id}/replay`, { since }));
    const failed = async () => (await other.deliveries(id))[0]?.statusCode === 500;
    await untilTrue('the failed call', failed);
    await other.close();
  });
});
