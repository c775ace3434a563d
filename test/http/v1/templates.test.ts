import { expect } from 'chai';
import nock from 'nock';
import { answered } from '../../support/answered.ts';
import { fieldErrorsOf, typesOf, useTenant } from '../../support/surface.ts';
import {
  type Json,
  numberAnswer,
  openTenant,
  PROVIDER,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

const NOT_FOUND = { error: 'Phone number not found or not configured' };
const components = [{ type: 'BODY', text: 'Hi {{1}}', example: { body_text: [['Mia']] } }];

describe('Templates @long', () => {
  const on = useTenant();
  const get = (path: string, token = on.tenant.apiKey) => on.waybill.call('GET', path, { token });
  const pathOf = ({ wabaId }: Tenant) => `/${VERSION}/${wabaId}/message_templates`;

  describe('GET /v1/templates', () => {
    const list = (phoneNumberId = on.tenant.phoneNumberId) =>
      get(`/v1/templates?phoneNumberId=${phoneNumberId}`);

    it('shows the provider’s current templates, with the states of the contract', async () => {
      providerHasTemplates(
        on.tenant,
        templateAnswer('a', { id: '1', components }),
        templateAnswer('b', { id: '2', language: 'de', category: 'MARKETING', status: 'PAUSED' }),
        templateAnswer('c', { id: '3', status: 'IN_APPEAL' }),
        templateAnswer('d', { id: '4', status: 'PENDING_DELETION' }),
      );
      const { status, body } = await list();
      expect(status).to.equal(200);
      expect(body).to.deep.equal([
        { id: '1', name: 'a', language: 'en_US', category: 'UTILITY', status: 'APPROVED' },
        { id: '2', name: 'b', language: 'de', category: 'MARKETING', status: 'REJECTED' },
        { id: '3', name: 'c', language: 'en_US', category: 'UTILITY', status: 'PENDING' },
      ]);
    });

    it('answers from the mirror when the provider is out of reach', async () => {
      providerHasTemplates(on.tenant, templateAnswer('a', { id: '1' }));
      const live = await list();
      nock.cleanAll();
      nock(PROVIDER).persist().get(pathOf(on.tenant)).query(true).reply(503, 'down');
      expect((await answered(200, list())).body).to.deep.equal(live.body);
      const other = await openTenant(on.waybill);
      nock(PROVIDER).persist().get(pathOf(other)).query(true).reply(503, 'down');
      const empty = await get(`/v1/templates?phoneNumberId=${other.phoneNumberId}`, other.apiKey);
      expect(empty.body).to.deep.equal([]);
    });

    it('needs a number of the account', async () => {
      for (const path of ['/v1/templates', '/v1/templates?phoneNumberId=']) {
        const { body } = await answered(400, get(path));
        expect(body).to.deep.equal({ error: '`phoneNumberId` query param is required' });
      }
      const other = await openTenant(on.waybill);
      for (const phoneNumberId of ['1', other.phoneNumberId]) {
        expect((await answered(404, list(phoneNumberId))).body).to.deep.equal(NOT_FOUND);
      }
    });
  });

  describe('GET /v1/templates/:id', () => {
    const read = (id: string, query = '', token = on.tenant.apiKey) =>
      get(`/v1/templates/${id}${query}`, token);
    const providerShows = (answer: Json) =>
      nock(PROVIDER).get(`/${VERSION}/${answer.id}`).query(true).reply(200, answer);

    it('shows a template with its components', async () => {
      const answer = templateAnswer('a', { id: '4711', components });
      providerShows(answer);
      providerHasTemplates(on.tenant, answer);
      const { status, body } = await read('4711');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        id: '4711',
        name: 'a',
        language: 'en_US',
        category: 'UTILITY',
        status: 'APPROVED',
        components,
      });
    });

    it('hides a template of another business account that the token can see', async () => {
      const other = await openTenant(on.waybill);
      const answer = templateAnswer('secret', { id: '4712', components });
      providerShows(answer);
      providerHasTemplates(other, answer);
      providerHasTemplates(on.tenant, templateAnswer('secret', { id: '9' }));
      const { status, body } = await read('4712');
      expect([status, body]).to.deep.equal([404, { error: 'Template not found' }]);
    });

    it('404 Template not found for an unknown or malformed id', async () => {
      nock(PROVIDER)
        .persist()
        .get(/.*/)
        .query(true)
        .reply(400, {
          error: { code: 100, error_subcode: 33, message: 'Unsupported get request' },
        });
      for (const id of ['1', 'a_name', '..%2Fme', '%00', 'x'.repeat(300)]) {
        const { status, body } = await read(id);
        expect([status, body], id).to.deep.equal([404, { error: 'Template not found' }]);
      }
    });

    it('404 No configured phone number without a configured one', async () => {
      const bare = await openTenant(on.waybill, { number: false });
      const other = await openTenant(on.waybill);
      for (const answer of [
        await read('1', '', bare.apiKey),
        await read('1', `?phoneNumberId=${other.phoneNumberId}`),
      ]) {
        expect(answer.status).to.equal(404);
        expect(answer.body).to.deep.equal({ error: 'No configured phone number' });
      }
    });

    it('reads with the token of the newest number, or of the named one', async () => {
      const newest = `${on.tenant.phoneNumberId}5`;
      nock(PROVIDER).get(`/${VERSION}/${newest}`).query(true).reply(200, numberAnswer(newest));
      await on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/numbers`, {
        phoneNumberId: newest,
        wabaId: on.tenant.wabaId,
        accessToken: 'token-of-newest',
      });
      const tokens: (string | null)[] = [];
      const answer = templateAnswer('a', { id: '4713' });
      nock(PROVIDER)
        .persist()
        .get(`/${VERSION}/4713`)
        .query(true)
        .reply(200, (request: Request) => {
          tokens.push(request.headers.get('authorization'));
          return answer;
        });
      providerHasTemplates(on.tenant, answer);
      await read('4713');
      await read('4713', `?phoneNumberId=${on.tenant.phoneNumberId}`);
      expect(tokens).to.deep.equal([
        'Bearer token-of-newest',
        `Bearer token-of-${on.tenant.phoneNumberId}`,
      ]);
    });
  });

  describe('POST /v1/templates', () => {
    const create = (change: Json = {}) =>
      on.call('POST', '/v1/templates', {
        phoneNumberId: on.tenant.phoneNumberId,
        name: 'my_sale_2',
        category: 'UTILITY',
        components,
        ...change,
      });

    it('201 with the id and the category that the provider gave', async () => {
      let draft: Json;
      nock(PROVIDER)
        .post(pathOf(on.tenant))
        .reply(200, async (request: Request) => {
          draft = await request.json();
          return { id: '4714', status: 'PENDING', category: 'MARKETING' };
        });
      const { status, body } = await create();
      expect(status).to.equal(201);
      expect(body).to.deep.equal({
        id: '4714',
        name: 'my_sale_2',
        language: 'en_US',
        category: 'MARKETING',
        status: 'PENDING',
      });
      expect(draft).to.deep.equal({
        name: 'my_sale_2',
        language: 'en_US',
        category: 'UTILITY',
        components,
      });
      const stream = `template-${on.tenant.wabaId}.my_sale_2.en_US`;
      expect(typesOf(await on.waybill.events(stream))).to.deep.equal([
        'TemplateClaimed',
        'TemplateSubmitted',
      ]);
    });

    it('400 for named placeholders without their format, before the provider is called', async () => {
      for (const components of [
        [{ type: 'BODY', text: 'Hi {{ first_name }}, welcome.' }],
        [{ type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://shop.example/{{code}}' }] }],
      ]) {
        for (const change of [{}, { parameterFormat: 'POSITIONAL' }]) {
          const { body } = await answered(400, create({ components, ...change }));
          expect(body.error).to.match(/^The placeholder \{\{.*parameterFormat.*NAMED/);
        }
      }
      expect(fieldErrorsOf(await create({ parameterFormat: 'named' }))).to.deep.equal([
        'parameterFormat',
      ]);
      expect(fieldErrorsOf(await create({ messageSendTtlSeconds: 1.5 }))).to.deep.equal([
        'messageSendTtlSeconds',
      ]);
    });

    it('400 with a string when the provider refuses, and no template is stored', async () => {
      const refusals: [number, Json][] = [
        [400, { code: 100, error_subcode: 2388024, message: 'name exists' }],
        [400, { code: 100, message: 'bad example' }],
        [401, { code: 190, message: 'token expired' }],
      ];
      const head = await on.waybill.store.head();
      for (const [httpStatus, error] of refusals) {
        nock(PROVIDER).post(pathOf(on.tenant)).reply(httpStatus, { error });
        const { body } = await answered(400, create());
        expect(body).to.have.all.keys('error');
        expect(body.error).to.match(/^Template submission failed: ./);
      }
      const later = (await on.waybill.store.readAll(head, 100)).events;
      const stored = typesOf(later).filter((type) => type !== 'ApiKeyUsed');
      expect(stored).to.deep.equal(refusals.flatMap(() => ['TemplateClaimed', 'TemplateReleased']));
    });

    it('400 with a validation object, the name’s rule under its name', async () => {
      const wrong: [Json, string][] = [
        [{ name: 'My Sale' }, 'name'],
        [{ name: '' }, 'name'],
        [{ name: 'sale\n' }, 'name'],
        [{ category: 'utility' }, 'category'],
        [{ category: 'SERVICE' }, 'category'],
        [{ components: [] }, 'components'],
        [{ components: ['BODY'] }, 'components'],
        [{ components: undefined }, 'components'],
        [{ phoneNumberId: undefined }, 'phoneNumberId'],
        [{ language: 5 }, 'language'],
      ];
      for (const [change, field] of wrong) {
        expect(fieldErrorsOf(await create(change)), JSON.stringify(change)).to.deep.equal([field]);
      }
      const named = (await create({ name: 'My Sale' })).body.error.fieldErrors.name[0];
      expect(named).to.be.a('string').and.not.equal('');
    });

    it('404 for a number that is not the account’s', async () => {
      const other = await openTenant(on.waybill);
      for (const phoneNumberId of ['1', other.phoneNumberId]) {
        expect((await answered(404, create({ phoneNumberId }))).body).to.deep.equal(NOT_FOUND);
      }
    });
  });
});
