import { expect } from 'chai';
import nock from 'nock';
import { useWaybill } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  orderShipped,
  PROVIDER,
  providerAccepts,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

const ADVERT = [{ type: 'BODY', text: 'Our sale is on: {{1}} {{2}} {{3}} !' }];
const DUPLICATE = { code: 100, error_subcode: 2388024, message: 'name exists' };

describe('templates of one business account that accounts of two organisations use @long', () => {
  const on = useWaybill();
  let author: Tenant;
  let other: Tenant;
  /** What the provider has now. */
  let there: ReturnType<typeof templateAnswer>[];
  beforeEach(async () => {
    author = await openTenant(on.waybill);
    other = await openTenant(on.waybill, { wabaId: author.wabaId });
    there = [];
  });

  const path = () => `/${VERSION}/${author.wabaId}/message_templates`;
  const call = (of: Tenant, method: string, where: string, body?: Json) =>
    on.waybill.call(method, `/v1${where}`, { token: of.apiKey, ...(body && { body }) });
  /** The provider lists what it has, and refuses a name of that. */
  const providerKeepsTemplates = () => {
    nock.cleanAll();
    nock(PROVIDER)
      .persist()
      .get(path())
      .query(true)
      .reply(200, () => ({ data: there, paging: {} }));
    nock(PROVIDER)
      .persist()
      .post(path())
      .reply(async (request: Request) => {
        const draft = (await request.json()) as Json;
        const same = ({ name, language }: Json) =>
          name === draft.name && language === draft.language;
        if (there.some(same)) return [400, { error: DUPLICATE }];
        const row = { ...draft, id: `51${there.length}`, status: 'APPROVED' };
        there.push(templateAnswer(draft.name, row));
        return [200, { id: row.id, status: row.status, category: row.category }];
      });
  };
  const write = async (language: string) => {
    const draft = { name: 'order_shipped', language, category: 'MARKETING', components: ADVERT };
    const { phoneNumberId } = author;
    const answer = await call(author, 'POST', '/templates', { ...draft, phoneNumberId });
    expect(answer.status).to.equal(201);
  };
  const submit = async (of: Tenant) => {
    const events = { events: ['order_shipped'] };
    const { status, body } = await call(of, 'POST', '/notifications/templates/submit', events);
    expect(status).to.equal(200);
    return body;
  };
  const readiness = async (of: Tenant) => {
    const { body } = await call(of, 'GET', '/notifications/events?refresh=true');
    return body.events.find(({ event }: Json) => event === 'order_shipped').status;
  };
  const send = (of: Tenant, change: Json = {}) =>
    call(of, 'POST', '/notifications/send', orderShipped(change));
  const names = async (of: Tenant): Promise<string[]> =>
    (await call(of, 'GET', `/templates?phoneNumberId=${of.phoneNumberId}`)).body
      .map(({ name, language }: Json) => `${name} ${language}`)
      .sort();

  for (const [language, asked] of [
    ['en', {}],
    ['hi', { languageCode: 'hi' }],
  ] as const) {
    it(`one wrote itself under a catalog’s name, in ${language}: no other sends it by its event`, async () => {
      providerKeepsTemplates();
      await write(language);
      expect((await send(other, asked)).body.code).to.equal('TEMPLATE_NOT_APPROVED');
      expect(await names(other)).to.deep.equal([]);
      expect(await readiness(other)).to.equal('NOT_CREATED');
      providerAccepts(author);
      const { status, headers } = await send(author, asked);
      expect(status).to.equal(200);
      expect(headers['x-message-category']).to.equal('MARKETING');
    });
  }

  it('one wrote itself: the other’s submission of the catalog is no success, and changes nothing', async () => {
    providerKeepsTemplates();
    await write('en_US');
    for (const status of ['APPROVED', 'REJECTED']) {
      there[0]!.status = status;
      const { failed, results } = await submit(other);
      expect(failed).to.equal(1);
      expect(results[0].state).to.equal('failed');
      expect(results[0].error).to.match(/of this name and language already/);
    }
    there[0]!.status = 'APPROVED';
    expect(await submit(author)).to.include({ failed: 0 });
    expect(await names(author)).to.deep.equal(['order_shipped en_US']);
    expect(await names(other)).to.deep.equal([]);
  });
});
