import { expect } from 'chai';
import { decodeWebhook, verifySignature } from '../../../src/provider/webhook/webhook.ts';
import { answered, bodyOf } from '../../support/answered.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { inboundPayload, templateNotice } from '../../support/surface.ts';
import { until } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';
import { openWebhookStage } from '../../support/webhook-stage.ts';

const TOKEN = 'a token of mine';
const graph = { format: 'graph', verifyToken: TOKEN };

describe('webhooks in the format of the provider @long', () => {
  useRealConnections();
  const stage = inSuite(openWebhookStage);
  before(async () => {
    stage.callee.answer((response, { method, path }) => {
      const asked = new URL(path, stage.callee.url).searchParams;
      if (method === 'POST') return void response.end();
      const isOurs =
        asked.get('hub.mode') === 'subscribe' && asked.get('hub.verify_token') === TOKEN;
      return void (isOurs
        ? response.end(asked.get('hub.challenge'))
        : response.writeHead(403).end());
    });
  });

  const posts = (path: string) => stage.callsTo(path).filter(({ method }) => method === 'POST');
  const handshakes = () => stage.callee.calls.filter(({ method }) => method === 'GET').length;
  const valuesOf = async (path: string, count: number): Promise<Json[]> => {
    await until(`${count} posts to ${path}`, () => posts(path).length >= count);
    return posts(path).map(({ body }) => {
      const { object, entry } = JSON.parse(body);
      expect(object).to.equal('whatsapp_business_account');
      expect([entry.length, entry[0].changes.length]).to.deep.equal([1, 1]);
      expect(entry[0].id).to.equal(stage.tenant.wabaId);
      return entry[0].changes[0];
    });
  };
  const eventsOf = async (id: string) =>
    (await stage.waybill.events(`webhook-${stage.tenant.accountId}.${id}`)).map(({ type }) => type);
  const list = async () => (await stage.api('GET', '')).body.webhooks as Json[];

  it('are made after the handshake, and the token is kept sealed', async () => {
    const before = handshakes();
    const { secret, ...made } = await stage.create('/made?shop=1', ['message.received'], graph);
    expect(handshakes()).to.equal(before + 1);
    expect(made).to.include({ format: 'graph', state: 'active' });
    expect(secret).to.match(/^whsec_/);
    expect(await eventsOf(made.id)).to.deep.equal(['WebhookCreated']);
    expect(JSON.stringify(await stage.waybill.log())).not.to.include(TOKEN);
    expect(JSON.stringify(await list())).not.to.include(TOKEN);
  });

  it('are not made where the handshake fails, nor for events that the provider has not', async () => {
    const before = (await list()).length;
    const url = `${stage.callee.url}/none`;
    const refused: [Json, string, string][] = [
      [{ ...graph, verifyToken: 'another' }, 'url', 'handshake'],
      [{ ...graph, events: ['account.paused'] }, 'events', 'account.paused'],
      [{ format: 'graph' }, 'verifyToken', 'required'],
      [{ verifyToken: TOKEN }, 'verifyToken', 'format'],
      [{ ...graph, format: 'other' }, 'format', 'graph'],
    ];
    for (const [change, field, words] of refused) {
      const body = { url, events: ['message.sent'], ...change };
      const answer = await answered(400, stage.api('POST', '', body));
      expect(answer.body.error.fieldErrors[field][0]).to.include(words);
    }
    expect(await list()).to.have.length(before);
  });

  it('shake hands again when the URL or the token changes, and else do not', async () => {
    const { id, url } = await stage.create('/first', ['message.sent'], graph);
    const before = handshakes();
    const patch = (body: Json) => stage.api('PATCH', `/${id}`, body);
    const second = { url: `${stage.callee.url}/second` };
    await answered(200, patch(second));
    expect(handshakes()).to.equal(before + 1);
    await answered(200, patch({ description: 'Desk' }));
    await answered(200, patch(second));
    expect(handshakes()).to.equal(before + 1);
    for (const body of [{ verifyToken: 'another', url }, { events: ['account.paused'] }]) {
      await answered(400, patch(body));
    }
    expect((await list()).find((one) => one.id === id)).to.include(second);
    const types = ['WebhookCreated', 'WebhookChanged', 'WebhookChanged'];
    expect(await eventsOf(id)).to.deep.equal(types);
    const { id: plain } = await stage.create('/plain', ['message.sent']);
    const answer = await stage.api('PATCH', `/${plain}`, { verifyToken: TOKEN });
    expect(answer.body.error.fieldErrors.verifyToken[0]).to.include('graph');
  });

  it('have received messages word for word, signed with the secret as it was shown', async () => {
    const { secret, id } = await stage.create('/received', ['message.received'], graph);
    const { tenant, waybill } = stage;
    const sent = inboundPayload(tenant, {
      id: 'wamid.graph1',
      at: waybill.clock.now(),
      body: 'Grüße',
      rest: { odd: [1, { more: true }] },
    }) as Json;
    await answered(200, waybill.webhook(sent));
    const [change] = await valuesOf('/received', 1);
    const value = sent.entry[0].changes[0].value;
    expect(change).to.deep.equal({ field: 'messages', value });
    const isSigned = (by: string) => {
      const { body, headers } = posts('/received').at(-1)!;
      expect(headers).not.to.have.any.keys('webhook-id', 'webhook-signature');
      return verifySignature(Buffer.from(body), String(headers['x-hub-signature-256']), by);
    };
    expect(isSigned(secret)).to.equal(true);

    const rotated = (await stage.api('POST', `/${id}/rotate`)).body.secret;
    await answered(202, stage.api('POST', `/${id}/deliveries/0/resend`));
    await valuesOf('/received', 2);
    expect([isSigned(secret), isSigned(rotated)]).to.deep.equal([false, true]);
    const { body } = await bodyOf(200, stage.api('GET', `/${id}/deliveries/0`));
    expect(body.entry[0].changes).to.deep.equal([change]);
  });

  it('have one status a call, with the fields of the provider and the caller’s own reference', async () => {
    const topics = ['message.sent', 'message.delivered', 'message.read', 'message.failed'];
    await stage.receive('open the window');
    await stage.create('/statuses', topics, graph);
    const { tenant, waybill } = stage;
    const body = { to: '919812345678', type: 'text', text: { body: 'Hi' }, clientReference: 'o-7' };
    const how = { token: tenant.apiKey, body };
    const { body: sent } = await waybill.call('POST', '/v1/messages/send', how);
    await valuesOf('/statuses', 1);
    await stage.status(sent.messageId, 'delivered');
    const errors = [{ code: 131026, title: 'Message undeliverable' }];
    const failing = await stage.send('Again');
    await valuesOf('/statuses', 3);
    await stage.status(failing, 'failed', { errors });
    const changes = await valuesOf('/statuses', 4);
    const told = changes.map(({ value }) => value.statuses[0]);
    expect(told.map(({ id, status }) => `${id} ${status}`)).to.have.members([
      `${sent.messageId} sent`,
      `${sent.messageId} delivered`,
      `${failing} sent`,
      `${failing} failed`,
    ]);
    const { timestamp, ...first } = told[0]!;
    expect(timestamp).to.match(/^\d{10}$/);
    expect(first).to.deep.equal({
      id: sent.messageId,
      status: 'sent',
      recipient_id: '919812345678',
      biz_opaque_callback_data: 'o-7',
    });
    const failed = changes.find(({ value }) => value.statuses[0].status === 'failed')!.value;
    expect(failed).not.to.have.property('contacts');
    expect(failed.statuses[0].errors[0]).to.deep.include({ code: 131026 });
    // The service's own reader of the provider understands them.
    for (const { body: text } of posts('/statuses')) {
      const decoded = decodeWebhook(Buffer.from(text));
      const kinds = decoded.ok ? [...decoded.items].map(({ kind }) => kind) : [];
      expect(kinds).to.deep.equal(['status']);
    }
  });

  it('tell the states of templates in the provider’s words', async () => {
    const { tenant, waybill } = stage;
    await stage.create('/templates', ['template.status'], graph);
    const how = { token: tenant.apiKey, body: { events: ['order_shipped'] } };
    const { body } = await waybill.call('POST', '/v1/notifications/templates/submit', how);
    const [{ metaTemplateId: id }] = body.results;
    const events = ['APPROVED', 'PAUSED'];
    for (const event of events) {
      const notice = templateNotice(tenant.wabaId, 'order_shipped', event, null, id);
      await answered(200, waybill.webhook(notice));
      waybill.clock.advance(1000);
    }
    const changes = await valuesOf('/templates', 2);
    expect(changes.map(({ value }) => value.event)).to.deep.equal(events);
    for (const { field } of changes) expect(field).to.equal('message_template_status_update');
  });
});
