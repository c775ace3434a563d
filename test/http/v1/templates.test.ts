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
      const { body } = await answered(200, list());
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
      const { body } = await answered(200, read('4711'));
      const about = { id: '4711', name: 'a', language: 'en_US', category: 'UTILITY' };
      expect(body).to.deep.equal({ ...about, status: 'APPROVED', components });
    });

    it('hides a template of another business account that the token can see', async () => {
      const other = await openTenant(on.waybill);
      const answer = templateAnswer('secret', { id: '4712', components });
      providerShows(answer);
      providerHasTemplates(other, answer);
      providerHasTemplates(on.tenant, templateAnswer('secret', { id: '9' }));
      const { body } = await answered(404, read('4712'));
      expect(body).to.deep.equal({ error: 'Template not found' });
    });

    it('404 Template not found for an unknown or malformed id', async () => {
      const error = { code: 100, error_subcode: 33, message: 'Unsupported get request' };
      nock(PROVIDER).persist().get(/.*/).query(true).reply(400, { error });
      for (const id of ['1', 'a_name', '..%2Fme', '%00', 'x'.repeat(300)]) {
        const { body } = await answered(404, read(id), id);
        expect(body).to.deep.equal({ error: 'Template not found' });
      }
    });

    it('404 No configured phone number without a configured one', async () => {
      const bare = await openTenant(on.waybill, { number: false });
      const other = await openTenant(on.waybill);
      const ofOther = `?phoneNumberId=${other.phoneNumberId}`;
      for (const asked of [read('1', '', bare.apiKey), read('1', ofOther)]) {
        const { body } = await answered(404, asked);
        expect(body).to.deep.equal({ error: 'No configured phone number' });
      }
    });

    it('reads with the token of the newest number, or of the named one', async () => {
      const newest = `${on.tenant.phoneNumberId}5`;
      nock(PROVIDER).get(`/${VERSION}/${newest}`).query(true).reply(200, numberAnswer(newest));
      const { accountId, wabaId, phoneNumberId } = on.tenant;
      const number = { phoneNumberId: newest, wabaId, accessToken: 'token-of-newest' };
      await on.waybill.admin('POST', `/accounts/${accountId}/numbers`, number);
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
      await read('4713', `?phoneNumberId=${phoneNumberId}`);
      const sent = ['Bearer token-of-newest', `Bearer token-of-${phoneNumberId}`];
      expect(tokens).to.deep.equal(sent);
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
      const { body } = await answered(201, create());
      const named = { name: 'my_sale_2', language: 'en_US' };
      const given = { id: '4714', category: 'MARKETING', status: 'PENDING' };
      expect(body).to.deep.equal({ ...named, ...given });
      expect(draft).to.deep.equal({ ...named, category: 'UTILITY', components });
      const events = await on.waybill.events(`template-${on.tenant.wabaId}.my_sale_2.en_US`);
      expect(typesOf(events)).to.deep.equal(['TemplateClaimed', 'TemplateSubmitted']);
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
    });

    it('400 with a string when the provider refuses, and no template is stored', async () => {
      const error = { code: 100, message: 'bad example' };
      nock(PROVIDER).post(pathOf(on.tenant)).reply(400, { error });
      const head = await on.waybill.store.head();
      const { body } = await answered(400, create());
      expect(body).to.deep.equal({ error: 'Template submission failed: bad example' });
      const later = (await on.waybill.store.readAll(head, 100)).events;
      const stored = typesOf(later).filter((type) => type !== 'ApiKeyUsed');
      expect(stored).to.deep.equal(['TemplateClaimed', 'TemplateReleased']);
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
        [{ parameterFormat: 'named' }, 'parameterFormat'],
        [{ messageSendTtlSeconds: 1.5 }, 'messageSendTtlSeconds'],
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
