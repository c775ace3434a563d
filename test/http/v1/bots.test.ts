import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
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
  const create = (body: Json = {}) => bodyOf(201, call('POST', '', { name: 'Helper', ...body }));
  const notFound = { status: 404, body: { error: 'Bot not found' } };

  it('creates a bot with nothing but a name', async () => {
    const { status, body } = await call('POST', '', { name: 'Helper' });
    const { id, createdAt, ...bot } = body;
    expect([status, typeof id]).to.deep.equal([201, 'string']);
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
    expect(await create({ nodes, edges })).to.deep.include({ nodes, edges });
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
    const { phoneNumberId } = await openTenant(on.waybill);
    const answer = await call('POST', '', { name: 'Helper', phoneNumberId });
    expect(answer).to.deep.include({ status: 404, body: { error: 'Phone number not found' } });
    await create({ phoneNumberId: on.tenant.phoneNumberId });
  });

  it('lists the account’s bots, newest first, without their graphs', async () => {
    const { phoneNumberId } = on.tenant;
    const first = await create({ name: 'First', triggerKeywords: ['hi'] });
    const second = await create({ name: 'Second', phoneNumberId });
    const { nodes: _, edges: __, triggerMatchType: ___, ...listed } = first;
    const [newest, ...others] = await bodyOf(200, call('GET', ''));
    expect(newest).to.deep.include({
      id: second.id,
      name: 'Second',
      phoneNumber: { phoneNumberId, displayPhoneNumber: '+1 555-010-0001' },
    });
    expect(others).to.deep.equal([{ ...listed, phoneNumber: null }]);
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

  it('changes what is sent, and nothing else', async () => {
    const bot = await create({
      description: 'Helps',
      trigger: 'OPTIN',
      triggerMatchType: 'EXACT',
      triggerKeywords: ['a'],
      isActive: false,
      nodes: [node('a', 'start')],
    });
    const patch = (change: Json) => bodyOf(200, call('PATCH', `/${bot.id}`, change));
    const renamed = { ...bot, name: 'Other' };
    expect(await patch({ name: 'Other' })).to.deep.equal(renamed);
    expect(await patch({})).to.deep.equal(renamed);
    const change = { description: null, isActive: true };
    expect(await patch(change)).to.deep.equal({ ...renamed, ...change });
  });

  it('deletes for good', async () => {
    const { id } = await create();
    expect(await bodyOf(200, call('DELETE', `/${id}`))).to.deep.equal({ success: true });
    expect(await call('GET', `/${id}`)).to.deep.include(notFound);
    expect(await call('DELETE', `/${id}`)).to.deep.include(notFound);
    expect(await call('PATCH', `/${id}`, { name: 'Again' })).to.deep.include(notFound);
    expect((await call('GET', '')).body).to.deep.equal([]);
  });

  it('validates the stored graph, or the one that is sent', async () => {
    const { id } = await create({ nodes: [node('a', 'message', { text: 'hi' })] });
    const stored = await bodyOf(200, call('POST', `/${id}/validate`));
    expect(stored).to.deep.equal({ valid: true, problems: [] });
    const broken = { nodes: [node('a', 'message', {})], edges: [] };
    const { valid, problems } = await bodyOf(200, call('POST', `/${id}/validate`, broken));
    expect(valid).to.equal(false);
    expect(problems[0]).to.include({ nodeId: 'a', edgeId: null });
  });

  describe('in a simulation', () => {
    it('play through, and nothing happens', async () => {
      const { id } = await create({
        nodes: [
          node('q', 'question', { text: 'Your name?', saveAs: 'name' }),
          node('m', 'message', { text: 'Hi {{vars.name}} of {{contact.waId}}' }),
        ],
        edges: [{ id: 'e', source: 'q', target: 'm' }],
      });
      const before = (await on.waybill.log()).length;
      const talk = { messages: [{ text: 'hello' }, { text: 'Asha' }] };
      const contact = { waId: '919812345678' };
      const body = await bodyOf(200, call('POST', `/${id}/simulate`, { ...talk, contact }));
      const texts = body.transcript.map(({ text }: Json) => text);
      expect(texts).to.deep.equal(['hello', 'Your name?', 'Asha', 'Hi Asha of 919812345678']);
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

    it('row 42: run two at a time of an account, and answer further ones with Retry-After', async () => {
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
      const busy = answers.filter(({ status }) => status !== 200);
      expect(busy.length).to.be.within(1, 10);
      for (const { status, headers, body } of busy) {
        expect(status).to.equal(503);
        expect(headers['retry-after']).to.equal('1');
        expect(body.error).to.equal('2 simulations of this account are running');
      }
      await answered(200, call('POST', `/${id}/simulate`, { messages: [{ text: 'Hi' }] }));
    });

    it('do nothing that a customer cannot do', async () => {
      const { id } = await create();
      expect(fieldErrorsOf(await call('POST', `/${id}/simulate`, {}))).to.deep.equal(['messages']);
      const wrong = { messages: [{ shout: 'x' }], contact: { waId: '+1' } };
      const fields = fieldErrorsOf(await call('POST', `/${id}/simulate`, wrong));
      expect(fields).to.have.members(['messages', 'contact']);
    });
  });
});
