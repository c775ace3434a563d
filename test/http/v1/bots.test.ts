import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { fieldErrorsOf, useTenant } from '../../support/surface.ts';
import { type Json, openTenant } from '../../support/waybill.ts';

const node = (id: string, type: string, data: object = {}) => ({
  id,
  type,
  position: { x: 1, y: 2 },
  data,
});

describe('bots over HTTP @long', () => {
  const on = useTenant();

  const call = (method: string, path: string, body?: unknown, token = on.tenant.apiKey) =>
    on.waybill.call(method, `/v1/bots${path}`, { token, ...(body !== undefined && { body }) });
  const create = async (body: Json = {}): Promise<Json> => {
    const answer = await answered(201, call('POST', '', { name: 'Helper', ...body }));
    return answer.body;
  };
  const notFound = { status: 404, body: { error: 'Bot not found' } };

  describe('POST /v1/bots', () => {
    it('creates a bot with nothing but a name', async () => {
      const { id, createdAt, ...bot } = await create();
      expect(id).to.be.a('string');
      expect(Date.parse(createdAt)).to.equal(on.waybill.clock.now());
      expect(bot).to.deep.equal({
        name: 'Helper',
        description: null,
        trigger: 'KEYWORD',
        triggerKeywords: [],
        triggerMatchType: 'CONTAINS',
        isActive: true,
        totalExecutions: 0,
        lastExecutedAt: null,
        nodes: [],
        edges: [],
      });
    });

    it('keeps the graph verbatim, whatever an editor puts there', async () => {
      const nodes = [{ ...node('a', 'no such type'), width: 40, data: { x: [null, { y: 'é' }] } }];
      const edges = [{ id: 'e', source: 'a', target: 'nowhere', animated: true }];
      const bot = await create({ nodes, edges });
      expect(bot.nodes).to.deep.equal(nodes);
      expect(bot.edges).to.deep.equal(edges);
    });

    it('says what is wrong with which field', async () => {
      expect(fieldErrorsOf(await call('POST', '', {}))).to.deep.equal(['name']);
      const wrong = {
        name: 'x',
        description: 7,
        phoneNumberId: 7,
        trigger: 'keyword',
        triggerKeywords: 'hi',
        triggerMatchType: 'Contains',
        isActive: 'yes',
        nodes: {},
        edges: ['a'],
      };
      expect(fieldErrorsOf(await call('POST', '', wrong))).to.have.members(Object.keys(wrong));
    });

    it('knows the account’s own numbers only', async () => {
      const stranger = await openTenant(on.waybill);
      const { phoneNumberId } = stranger;
      const answer = await call('POST', '', { name: 'Helper', phoneNumberId });
      expect(answer).to.deep.include({ status: 404, body: { error: 'Phone number not found' } });
      await create({ phoneNumberId: on.tenant.phoneNumberId });
    });
  });

  describe('GET /v1/bots', () => {
    it('lists the account’s bots, newest first, without their graphs', async () => {
      const first = await create({ name: 'First', triggerKeywords: ['hi'] });
      const second = await create({ name: 'Second', phoneNumberId: on.tenant.phoneNumberId });
      const { body } = await answered(200, call('GET', ''));
      const { nodes: _, edges: __, triggerMatchType: ___, ...listed } = first;
      expect(body).to.have.lengthOf(2);
      expect(body[0]).to.include({ id: second.id, name: 'Second' });
      expect(body[0].phoneNumber).to.deep.equal({
        phoneNumberId: on.tenant.phoneNumberId,
        displayPhoneNumber: '+1 555-010-0001',
      });
      expect(body[1]).to.deep.equal({ ...listed, phoneNumber: null });
    });
  });

  it('keeps bots to their account', async () => {
    const { id } = await create();
    const stranger = await openTenant(on.waybill);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/validate'],
      ['POST', '/simulate', { messages: [] }],
      ['GET', '/versions'],
      ['GET', '/runs'],
      ['GET', '/runs/any'],
    ] as const) {
      const answer = await call(method, `/${id}${path}`, body, stranger.apiKey);
      expect(answer, `${method} ${path}`).to.deep.include(notFound);
      expect(await call(method, `/nobody${path}`, body)).to.deep.include(notFound);
    }
    expect((await call('GET', `/${id}`)).body.name).to.equal('Helper');
    expect((await call('GET', '', undefined, stranger.apiKey)).body).to.deep.equal([]);
  });

  describe('PATCH /v1/bots/:botId', () => {
    it('changes what is sent, and nothing else', async () => {
      const bot = await create({
        description: 'Helps',
        trigger: 'OPTIN',
        triggerMatchType: 'EXACT',
        triggerKeywords: ['a'],
        isActive: false,
        nodes: [node('a', 'start')],
      });
      const renamed = await answered(200, call('PATCH', `/${bot.id}`, { name: 'Other' }));
      expect(renamed.body).to.deep.equal({ ...bot, name: 'Other' });
      const same = await call('PATCH', `/${bot.id}`, {});
      expect(same.body).to.deep.equal({ ...bot, name: 'Other' });
      const cleared = await call('PATCH', `/${bot.id}`, { description: null, isActive: true });
      expect(cleared.body).to.deep.equal({
        ...bot,
        name: 'Other',
        description: null,
        isActive: true,
      });
    });
  });

  describe('DELETE /v1/bots/:botId', () => {
    it('deletes for good', async () => {
      const { id } = await create();
      expect(await call('DELETE', `/${id}`)).to.deep.include({
        status: 200,
        body: { success: true },
      });
      expect(await call('GET', `/${id}`)).to.deep.include(notFound);
      expect(await call('DELETE', `/${id}`)).to.deep.include(notFound);
      expect(await call('PATCH', `/${id}`, { name: 'Again' })).to.deep.include(notFound);
      expect((await call('GET', '')).body).to.deep.equal([]);
    });
  });

  describe('POST /v1/bots/:botId/validate', () => {
    const broken = [node('a', 'message', {})];
    it('looks at the stored graph, or at the one that is sent', async () => {
      const { id } = await create({ nodes: [node('a', 'message', { text: 'hi' })] });
      const stored = await call('POST', `/${id}/validate`);
      expect(stored).to.deep.include({ status: 200, body: { valid: true, problems: [] } });
      const given = await call('POST', `/${id}/validate`, { nodes: broken, edges: [] });
      expect(given.body.valid).to.equal(false);
      expect(given.body.problems[0]).to.include({ nodeId: 'a', edgeId: null });
    });
  });

  describe('POST /v1/bots/:botId/simulate', () => {
    it('plays the bot through, and nothing happens', async () => {
      const { id } = await create({
        nodes: [
          node('q', 'question', { text: 'Your name?', saveAs: 'name' }),
          node('m', 'message', { text: 'Hi {{vars.name}} of {{contact.waId}}' }),
        ],
        edges: [{ id: 'e', source: 'q', target: 'm' }],
      });
      const before = (await on.waybill.log()).length;
      const { status, body } = await call('POST', `/${id}/simulate`, {
        messages: [{ text: 'hello' }, { text: 'Asha' }],
        contact: { waId: '919812345678' },
      });
      expect(status).to.equal(200);
      expect(body.transcript.map(({ text }: Json) => text)).to.deep.equal([
        'hello',
        'Your name?',
        'Asha',
        'Hi Asha of 919812345678',
      ]);
      expect(body).to.deep.include({
        path: ['q', 'm'],
        variables: { name: 'Asha' },
        ended: true,
        reason: 'completed',
        detail: null,
      });
      expect((await on.waybill.log()).length).to.equal(before);
      expect((await call('GET', `/${id}`)).body.totalExecutions).to.equal(0);
    });

    it('row 42: lets an account run two at a time, and answers further ones with Retry-After', async () => {
      const { id } = await create({
        nodes: [node('q', 'question', { text: 'More?' }), node('m', 'message', { text: 'Go on' })],
        edges: [
          { id: 'e1', source: 'q', target: 'm' },
          { id: 'e2', source: 'm', target: 'q' },
        ],
      });
      const messages = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(4000) }));
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => call('POST', `/${id}/simulate`, { messages })),
      );
      const busy = answers.filter(({ status }) => status === 503);
      const played = answers.filter(({ status }) => status === 200);
      expect([played.length >= 2, busy.length > 0]).to.deep.equal([true, true]);
      expect(played.length + busy.length).to.equal(12);
      for (const { headers, body } of busy) {
        expect(headers['retry-after']).to.equal('1');
        expect(body.error).to.equal('2 simulations of this account are running');
      }
      await answered(200, call('POST', `/${id}/simulate`, { messages: [{ text: 'Hi' }] }));
    });

    it('refuses what a customer cannot do', async () => {
      const { id } = await create();
      expect(fieldErrorsOf(await call('POST', `/${id}/simulate`, {}))).to.deep.equal(['messages']);
      const wrong = { messages: [{ shout: 'x' }], contact: { waId: '+1' } };
      expect(fieldErrorsOf(await call('POST', `/${id}/simulate`, wrong))).to.have.members([
        'messages',
        'contact',
      ]);
    });
  });
});
