import { expect } from 'chai';
import { graphMessagesRoute } from '../../../src/http/graph/messages.ts';
import { graphProblemOf } from '../../../src/http/graph/problem.ts';
import { ProviderUnreachable } from '../../../src/provider/provider.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { answered, bodyOf } from '../../support/answered.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { openSimulated } from '../../support/simulated.ts';
import { accountEvents, typesOf } from '../../support/surface.ts';
import { until } from '../../support/until.ts';
import { type Call, type Json, openTenant, type Tenant } from '../../support/waybill.ts';

const CUSTOMER = '447700900123';
const product = { messaging_product: 'whatsapp' };
const text = { ...product, to: `+${CUSTOMER}`, type: 'text', text: { body: 'Hi' } };
const link = 'https://shop.example/a.png';
const hello = { name: 'hello', language: { code: 'en' } };
const template = { ...product, to: CUSTOMER, type: 'template', template: hello };

describe('a stored answer of the gateway', () => {
  const { idempotent } = graphMessagesRoute({} as never);
  const recipient = 'GB.7700';
  const cases: [Json, string[]][] = [
    [{ to: `+${CUSTOMER}`, recipient }, [CUSTOMER]],
    [{ to: Number(CUSTOMER) }, [CUSTOMER]],
    [{ recipient }, [recipient]],
    [{ to: '', recipient }, [recipient]],
    [{ to: 'abc', recipient }, [recipient]],
    [{ to: null, recipient }, [recipient]],
    [{}, []],
  ];
  for (const [body, contacts] of cases) {
    it(`to ${JSON.stringify(body)} is of the contact whom the message is for`, () => {
      expect(idempotent!.contacts!({ body } as never, null)).to.deep.equal(contacts);
    });
  }
});

describe('a template that the gateway cannot submit', () => {
  const answerOf = (cause?: unknown) => {
    const error = new AppError('template.refused', 'Template submission failed: no', { cause });
    const { status, body } = graphProblemOf(error, 'trace');
    return [status, (body.error as Json).code, (body.error as Json).error_subcode];
  };

  it('is refused as the provider refused it', () => {
    const refusal = { code: 190, subcode: 463, message: 'Expired', httpStatus: 401 };
    expect(answerOf(refusal)).to.deep.equal([401, 190, 463]);
    expect(answerOf({ ...refusal, code: null, httpStatus: 502 })[0]).to.equal(502);
  });

  it('is 503 where the provider is out of reach, and 400 where it is there already', () => {
    expect(answerOf(new ProviderUnreachable('away')).slice(0, 2)).to.deep.equal([503, 131016]);
    expect(answerOf().slice(0, 2)).to.deep.equal([400, 100]);
  });
});

describe('the gateway @long', () => {
  useRealConnections();
  const on = inSuite(openSimulated);
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
    const { phoneNumberId, wabaId } = tenant;
    on.simulator.setNumber({ phoneNumberId, wabaId });
    on.simulator.setTemplate(wabaId, {
      name: 'hello',
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hello {{1}}, welcome.' }],
    });
  });

  /** A text goes out as it is. */
  const at =
    (root: string, token: string, more: Record<string, string> = {}) =>
    async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${root}/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const { status, headers } = answer;
      return { status, headers, body: (await answer.json()) as Json };
    };
  const call = (
    method: string,
    path: string,
    body?: unknown,
    { token = tenant.apiKey, headers = {} }: Pick<Call, 'token' | 'headers'> = {},
  ) => at(`${on.waybill.url}/api/graph`, token, headers)(method, `v25.0/${path}`, body);
  const direct = (method: string, path: string, body?: unknown) =>
    at(on.providerUrl, 'a-token')(method, `v25.0/${path}`, body);
  const send = (body: unknown, how?: Pick<Call, 'token' | 'headers'>) =>
    call('POST', `${tenant.phoneNumberId}/messages`, body, how);
  /** What a repetition repeats. */
  const replyTo = async (...what: Parameters<typeof send>) => {
    const { status, body } = await send(...what);
    return { status, body };
  };
  const writes = () =>
    on.simulator.inbound(CUSTOMER, { phoneNumberId: tenant.phoneNumberId, text: 'Hello' });
  const history = async (query: string): Promise<Json[]> =>
    (await on.waybill.call('GET', `/v1/messages?${query}`, { token: tenant.apiKey })).body.messages;
  const makeKey = (terms: Json) =>
    bodyOf(201, on.waybill.admin('POST', `/accounts/${tenant.accountId}/keys`, terms));
  const told = ({ status, body }: { status: number; body: Json }) => {
    const { code, error_subcode, error_data, ...rest } = body.error as Json;
    expect(rest).to.have.all.keys('message', 'type', 'fbtrace_id');
    expect(error_data.messaging_product).to.equal('whatsapp');
    return { status, code, subcode: error_subcode, details: error_data.details as string };
  };

  const filled = [{ type: 'body', parameters: [{ type: 'text', text: 'Mia' }] }];
  const forms: [string, Json][] = [
    ['a text', text],
    ['a text to a user id', { ...product, recipient: `GB.7700${CUSTOMER}`, text: { body: 'Hi' } }],
    ['an image', { ...text, type: 'image', image: { link, caption: 'This' } }],
    ['a template', { ...template, template: { ...hello, components: filled } }],
  ];
  for (const [what, { text: _, ...body }] of forms) {
    it(`sends ${what} as the provider has it, and answers as the provider does`, async () => {
      await writes();
      const whole =
        body.type === undefined || body.type === 'text' ? { ...body, text: { body: 'Hi' } } : body;
      const answer = await answered(200, send({ ...whole, biz_opaque_callback_data: 'order 7' }));
      const [{ messageId, body: out }] = on.simulator.sends().slice(-1) as unknown as [Json];
      const { biz_opaque_callback_data: charge, ...sent } = out;
      expect(answer.body.messages[0].id).to.equal(messageId);
      const straight = await direct('POST', `${tenant.phoneNumberId}/messages`, sent);
      const shapeOf = ({ messages, contacts, ...rest }: Json) => ({
        ...rest,
        messages: messages.map(({ id: _id, ...more }: Json) => more),
        contacts: contacts.map(({ input: _input, ...more }: Json) => more),
      });
      expect(shapeOf(answer.body)).to.deep.equal(shapeOf(straight.body));
      expect(answer.body.contacts[0].input).to.equal(whole.to ?? whole.recipient);
      const [record] = await history('direction=outbound');
      const told = { source: 'gateway', clientReference: 'order 7', chargeId: charge };
      expect(record).to.include({ id: messageId, ...told });
      expect(answer.headers.get('x-message-category')).to.equal(record!.category);
    });
  }

  it('names the recipient whom it took', async () => {
    await writes();
    const contactOf = async (change: Json) => (await send({ ...text, ...change })).body.contacts[0];
    const recipient = `GB.7700${CUSTOMER}`;
    const number = { input: CUSTOMER, wa_id: CUSTOMER };
    expect(await contactOf({ to: Number(CUSTOMER), recipient })).to.deep.equal(number);
    const user = { input: recipient, user_id: recipient };
    expect(await contactOf({ to: null, recipient })).to.deep.equal(user);
  });

  it('charges a template once, and gives back what the provider refuses, with its own answer', async () => {
    const sent = { ...template, template: { ...hello, components: filled } };
    expect((await send(sent)).headers.get('x-credits-charged')).to.equal('3');
    const refused = told(await send(template));
    expect(refused).to.include({ status: 400, code: 132000 });
    expect(refused.details).to.match(/number of localizable_params \(0\).*GET \/v1\/templates/);
    const credits = await on.waybill.call('GET', '/v1/credits', { token: tenant.apiKey });
    expect(credits.body.balance).to.equal(997);
  });

  it('marks a message as read, and shows that a reply is being written', async () => {
    const { messageId } = await writes();
    const receipt = { ...product, status: 'read', message_id: messageId };
    const typing = { ...receipt, typing_indicator: { type: 'text' } };
    expect((await send(receipt)).body).to.deep.equal({ success: true });
    expect((await send(typing)).body).to.deep.equal({ success: true });
    const foreign = told(await send({ ...receipt, message_id: 'wamid.A' }));
    expect(foreign).to.include({ status: 400, code: 100, subcode: 33 });
  });

  it('repeats the answer of an Idempotency-Key, refusals of the provider included', async () => {
    await writes();
    const keyed = (body: unknown, key: string) =>
      replyTo(body, { headers: { 'idempotency-key': key } });
    for (const [body, key] of [
      [text, 'one'],
      [template, 'two'],
    ] as const) {
      const first = await keyed(body, key);
      expect(await keyed(body, key)).to.deep.equal(first);
    }
    expect(told(await keyed(template, 'one'))).to.include({ status: 422, code: 100 });
    expect(await history('direction=outbound')).to.have.lengthOf(1);
  });

  it('takes opaque data for the Idempotency-Key of a message without one, where the key is made so', async () => {
    await writes();
    const terms = { name: 'Shop', scopes: ['gateway'], opaqueIsIdempotent: true };
    const { key: token } = await makeKey(terms);
    const post = (body: unknown, headers = {}) => replyTo(body, { token, headers });
    const opaque = { ...text, biz_opaque_callback_data: 'order 7' };
    const first = await answered(200, post(opaque));
    expect(await post(opaque)).to.deep.equal(first);
    const other = await post({ ...opaque, text: { body: 'Bye' } });
    expect(told(other)).to.include({ status: 422, code: 100 });
    const headed = { 'idempotency-key': 'order 7' };
    const keyed = await post(opaque, headed);
    expect(keyed).not.to.deep.equal(first);
    expect(await post(opaque, headed)).to.deep.equal(keyed);
    for (const body of [text, { ...text, biz_opaque_callback_data: '' }]) {
      expect(await post(body)).not.to.deep.equal(await post(body));
    }
    // The tenant's own key is not made so.
    expect((await send(opaque)).body).not.to.deep.equal((await send(opaque)).body);
    expect(await history('direction=outbound&limit=50')).to.have.lengthOf(8);
  });

  it('takes a file, tells where it is, streams it and removes it', async () => {
    const form = new FormData();
    form.append('file', new Blob(['the bytes'], { type: 'image/png' }), 'a.png');
    // As one program in use writes them.
    form.append('typeFile', 'image/png');
    form.append('messaging_product', 'whatsapp');
    const root = `${on.waybill.url}/api/graph/v25.0`;
    const headers = { authorization: `Bearer ${tenant.apiKey}` };
    const how = { method: 'POST', headers, body: form };
    const uploaded = await answered(200, fetch(`${root}/${tenant.phoneNumberId}/media`, how));
    const { id } = (await uploaded.json()) as Json;
    const { body: described } = await call('GET', id);
    expect(described).to.include({ id, mime_type: 'image/png', file_size: '9' });
    expect(described.url).to.equal(`${root}/${id}/file`);
    expect(await (await fetch(described.url, { headers })).text()).to.equal('the bytes');
    const other = await openTenant(on.waybill);
    const foreign = await call('GET', id, undefined, { token: other.apiKey });
    expect(told(foreign)).to.include({ status: 400, code: 100, subcode: 33 });
    expect((await call('DELETE', id)).body).to.deep.equal({ success: true });
    expect(told(await call('GET', id))).to.include({ code: 100, subcode: 33 });
  });

  it('lists, submits and removes templates, and leaves shared ones alone', async () => {
    const path = `${tenant.wabaId}/message_templates`;
    const draft = {
      name: 'own_one',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your order is ready.' }],
    };
    const made = (await call('POST', path, draft)).body;
    expect(made).to.include({ status: 'PENDING', category: 'UTILITY' });
    const listed = (await call('GET', `${path}?fields=name,status&limit=10`)).body;
    expect(listed.data.map(({ name }: Json) => name)).to.have.members(['hello', 'own_one']);
    expect(listed.data[0]).to.have.all.keys('id', 'name', 'status');
    expect(listed.paging).not.to.have.property('next');
    const state = { status: 'PAUSED', category: 'UTILITY', components: [] };
    on.simulator.setTemplate(tenant.wabaId, { name: 'tired', language: 'en', ...state });
    const query = 'status=PAUSED&fields=name,status,rejected_reason';
    const [paused] = (await call('GET', `${path}?${query}`)).body.data;
    expect(paused).to.include({ name: 'tired', status: 'PAUSED', rejected_reason: 'NONE' });
    const remove = (which: string) => call('DELETE', `${path}?${which}`);
    const shared = told(await remove('name=hello'));
    expect(shared).to.include({ status: 400, code: 100 });
    expect(shared.details).to.contain('shared');
    const gone = await remove(`hsm_id=${made.id}&name=own_one`);
    expect(gone.body).to.deep.equal({ success: true });
    await until('the review is over', () => on.simulator.pending() === 0);
    const { id } = (await call('POST', path, { ...draft, name: 'own_two' })).body;
    const twice = await remove(`hsm_ids=${encodeURIComponent(JSON.stringify([id, id]))}`);
    expect(twice.body).to.deep.equal({ success: true });
    const left = (await call('GET', path)).body.data;
    expect(left.map(({ name }: Json) => name)).to.have.members(['hello', 'tired']);
    const coloured = told(await call('POST', path, { ...draft, colour: 'red' }));
    expect(coloured.details).to.contain('colour');
  });

  it('gives the address of the next page of templates, and none on the last', async () => {
    const { apiKey, wabaId } = tenant;
    const state = { language: 'en', category: 'UTILITY', components: [] };
    for (const name of ['two', 'three']) on.simulator.setTemplate(wabaId, { name, ...state });
    const pages: Json[] = [
      (await call('GET', `${wabaId}/message_templates?limit=1&fields=name&access_token=a`)).body,
    ];
    for (let next = pages[0]!.paging.next; next !== undefined; next = pages.at(-1)!.paging.next) {
      expect(next).to.match(/\/api\/graph\/v25\.0\/.*\?limit=1&fields=name&after=\w+$/);
      const answer = await fetch(next, { headers: { authorization: `Bearer ${apiKey}` } });
      pages.push((await answer.json()) as Json);
    }
    const names = pages.flatMap(({ data }) => data.map(({ name }: Json) => name));
    expect(names).to.have.members(['hello', 'two', 'three']);
  });

  it('shows numbers with the fields that are asked for, and holds the subscription', async () => {
    const { phoneNumberId, wabaId } = tenant;
    const { data } = (await call('GET', `${wabaId}/phone_numbers`)).body;
    expect(data).to.have.lengthOf(1);
    expect(data[0]).to.include({ id: phoneNumberId, platform_type: 'CLOUD_API' });
    const one = (await call('GET', `${phoneNumberId}?fields=verified_name`)).body;
    expect(one).to.deep.equal({ id: phoneNumberId, verified_name: data[0].verified_name });
    expect(told(await call('GET', `${phoneNumberId}?fields=pin`)).details).to.contain('pin');
    const path = `${wabaId}/subscribed_apps`;
    expect((await call('POST', path, {})).body).to.deep.equal({ success: true });
    expect((await call('GET', path)).body.data).to.have.lengthOf(1);
    const override = { override_callback_uri: 'https://shop.example' };
    expect(told(await call('POST', path, override))).to.include({ status: 400, code: 100 });
  });

  describe('answers in the provider’s envelope, with what to do', () => {
    it('a wrong key, a key without the scope, and a body that is no JSON', async () => {
      const wrong = told(await call('GET', tenant.phoneNumberId, undefined, { token: 'nobody' }));
      expect(wrong).to.include({ status: 401, code: 190 });
      const { key } = await makeKey({ name: 'few', scopes: ['credits:read'] });
      const few = told(await call('GET', tenant.phoneNumberId, undefined, { token: key }));
      expect(few).to.include({ status: 403, code: 10 });
      expect(told(await send('{"to":'))).to.include({ status: 400, code: 100 });
    });

    it('paths, methods and versions that there are not', async () => {
      const root = at(`${on.waybill.url}/api/graph`, tenant.apiKey);
      const number = tenant.phoneNumberId;
      for (const [method, path] of [
        ['GET', `v21.0/${number}`],
        ['GET', `v99.0/${number}`],
        ['GET', `latest/${number}`],
        ['GET', `v25.0/${number}/calls`],
        ['POST', `v25.0/${number}`],
        ['PUT', `v25.0/${number}/messages`],
        ['GET', 'v25.0'],
      ] as const) {
        const body = method === 'GET' ? undefined : {};
        expect(told(await root(method, path, body)), path).to.include({ status: 400, code: 100 });
      }
      const versions = told(await root('GET', `v21.0/${number}`)).details;
      expect(versions).to.contain('v22.0').and.to.contain('v26.0');
    });

    const wrong: [string, Json, number][] = [
      ['an unknown type', { type: 'poll', poll: {} }, 100],
      ['an unknown field', { contxt: {} }, 100],
      ['a category that the account may not use', { category: 'utility' }, 100],
      ['an identity check, which is not carried', { recipient_identity_key_hash: 'a' }, 100],
      ['a group', { recipient_type: 'group' }, 131009],
      ['no text', { text: {} }, 100],
      ['a long text', { text: { body: 'x'.repeat(4097) } }, 131009],
      ['a long id', { context: { message_id: 'x'.repeat(800_000) } }, 131009],
    ];
    for (const [what, change, code] of wrong) {
      it(`${what}, before any charge and before the window is looked at`, async () => {
        expect(told(await send({ ...text, ...change }))).to.include({ status: 400, code });
      });
    }

    it('a closed window, a foreign number, a suspended organisation, an empty balance', async () => {
      expect(told(await send(text))).to.include({ status: 400, code: 131047 });
      const other = await openTenant(on.waybill, { credits: 0 });
      const path = `${other.phoneNumberId}/messages`;
      const foreign = told(await call('POST', path, text));
      expect(foreign).to.include({ status: 400, code: 100, subcode: 33 });
      const state = { language: 'en', category: 'UTILITY', components: [] };
      on.simulator.setTemplate(other.wabaId, { name: 'hello', ...state });
      const poor = told(await call('POST', path, template, { token: other.apiKey }));
      expect(poor).to.include({ status: 402, code: 131042 });
      await on.waybill.admin('POST', `/organisations/${other.organisationId}/suspend`, {});
      const suspended = told(await call('POST', path, template, { token: other.apiKey }));
      expect(suspended).to.include({ status: 403, code: 368 });
    });

    it('the provider out of order, and one that does not say what became of the message', async () => {
      await writes();
      for (const [fault, status, code] of [
        ['bad_gateway', 502, 131000],
        ['reset', 504, 131000],
      ] as const) {
        on.simulator.fault(tenant.phoneNumberId, fault, 1);
        expect(told(await send(text))).to.include({ status, code });
      }
    });

    it('what the provider refuses, in its own words, with ours beside them', async () => {
      await writes();
      const { phoneNumberId } = tenant;
      on.simulator.fault(phoneNumberId, 'undeliverable', 2);
      const ours = await send(text);
      const its = await direct('POST', `${phoneNumberId}/messages`, text);
      const { error_data: words, ...error } = ours.body.error;
      const { error_data: _, ...same } = its.body.error;
      expect([ours.status, error]).to.deep.equal([its.status, same]);
      expect(words.details).to.match(/^The provider rejected the send: .* \(SEND_FAILED\)$/);
    });
  });

  it('sends without a template where the account may, outside the window, until the provider refuses', async () => {
    const { accountId } = tenant;
    await on.waybill.admin('PATCH', `/accounts/${accountId}/limits`, { directSend: 'fallback' });
    const bodies = [
      { ...text, category: 'utility', direct_send_config: { template_name: 'hello_again' } },
      { ...text, category: 'authentication', text: { body: 'Your code is 739105.' } },
    ];
    on.simulator.configure({ directSend: 'on' });
    for (const body of bodies) {
      const { headers } = await answered(200, send(body));
      const [{ body: out }] = on.simulator.sends().slice(-1) as unknown as [Json];
      const { text: words, ...sent } = body;
      expect(out).to.deep.include(sent);
      expect(out.text).to.include(words);
      expect(headers.get('x-message-category')).to.equal(body.category.toUpperCase());
    }
    const shown = await history('limit=2');
    expect(shown[0]).to.include({ category: 'AUTHENTICATION', text: '••••••' });
    expect(shown[1]).to.include({ category: 'UTILITY', text: 'Hi' });

    on.simulator.configure({ directSend: 'restricted' });
    const refusal = { status: 400, code: 139200 };
    expect(told(await send(bodies[0]))).to.include(refusal);
    const calls = on.simulator.sends().length;
    expect(told(await send(bodies[0]))).to.include(refusal);
    expect(on.simulator.sends()).to.have.length(calls);
    const types = typesOf(await accountEvents(on.waybill, tenant));
    const reserved = new Array(3).fill('ChargeReserved');
    expect(types.slice(-4)).to.deep.equal([...reserved, 'ChargeRefunded']);
    on.simulator.configure({ directSend: 'off' });
  });
});
