import { expect } from 'chai';
import nock from 'nock';
import { answered, bodyOf } from '../../support/answered.ts';
import { useWaybill } from '../../support/surface.ts';
import {
  type Answer,
  type Json,
  nextMessage,
  openTenant,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

const components = [{ type: 'BODY', text: 'For friends of the house only' }];
const NOT_FOUND = { error: 'Template not found' };

describe('accounts of one business account @long', () => {
  const on = useWaybill();
  let first: Tenant;
  let second: Tenant;
  beforeEach(async () => {
    first = await openTenant(on.waybill);
    second = await openTenant(on.waybill, { wabaId: first.wabaId });
  });

  const call = (of: Tenant, method: string, path: string, body?: Json) =>
    on.waybill.call(method, `/v1${path}`, { token: of.apiKey, ...(body && { body }) });
  const path = () => `/${VERSION}/${first.wabaId}/message_templates`;
  const names = async (of: Tenant): Promise<string[]> => {
    const path = `/templates?phoneNumberId=${of.phoneNumberId}`;
    return (await bodyOf(200, call(of, 'GET', path))).map(({ name }: Json) => name).sort();
  };
  const submit = async (of: Tenant, name: string, id: string) => {
    nock(PROVIDER).post(path()).reply(200, { id, status: 'PENDING', category: 'UTILITY' });
    const { phoneNumberId } = of;
    const draft = { phoneNumberId, name, category: 'UTILITY', components };
    await answered(201, call(of, 'POST', '/templates', draft));
  };
  const providerShowsAll = () => {
    nock.cleanAll();
    const all = ALL.map(([name, id]) => templateAnswer(name, { id, components }));
    providerHasTemplates(first, ...all);
    for (const one of all) {
      nock(PROVIDER).persist().get(`/${VERSION}/${one.id}`).query(true).reply(200, one);
    }
  };
  const providerIsAway = () => {
    nock.cleanAll();
    nock(PROVIDER).persist().get(path()).query(true).reply(503, 'down');
  };
  const send = (of: Tenant, name: string) =>
    call(of, 'POST', '/messages/send', {
      to: '919812345678',
      type: 'template',
      template: { name, language: 'en_US', components: [] },
    });
  const rowsOf = async (of: Tenant): Promise<Json[]> => {
    const { transactions } = await bodyOf(200, call(of, 'GET', '/credits'));
    return transactions.filter(({ type }: Json) => type !== 'GRANT');
  };
  const ALL: [string, string][] = [
    ['spring_sale', '4801'],
    ['autumn_sale', '4802'],
    ['order_shipped', '4803'],
    ['made_in_console', '4804'],
  ];

  it('see the catalog’s templates, nobody’s and their own, live and out of the mirror', async () => {
    await submit(first, 'spring_sale', '4801');
    await submit(second, 'autumn_sale', '4802');
    const shared = ['made_in_console', 'order_shipped'];
    for (const show of [providerShowsAll, providerIsAway]) {
      show();
      expect(await names(first)).to.deep.equal([...shared, 'spring_sale']);
      expect(await names(second)).to.deep.equal(['autumn_sale', ...shared]);
    }
  });

  it('read no template of each other, by id', async () => {
    await submit(first, 'spring_sale', '4801');
    providerShowsAll();
    expect((await call(first, 'GET', '/templates/4801')).body.components).to.deep.equal(components);
    const { status, body } = await call(second, 'GET', '/templates/4801');
    expect([status, body]).to.deep.equal([404, NOT_FOUND]);
    for (const id of ['4803', '4804']) {
      await answered(200, call(second, 'GET', `/templates/${id}`), id);
    }
  });

  it('send each other’s templates no more than one that is not there, at no other price', async () => {
    await submit(first, 'spring_sale', '4801');
    providerShowsAll();
    await names(first);
    providerAccepts(first);
    await answered(200, send(first, 'spring_sale'));
    expect((await rowsOf(first))[0].metadata).to.contain('UTILITY');

    nextMessage(second).reply(404, {
      error: {
        message: '(#132001) Template name does not exist in the translation',
        code: 132001,
        error_data: { details: 'template name (no_such_name) does not exist in en_US' },
      },
    });
    const unknown = await send(second, 'no_such_name');
    // Nothing stands in for the provider here: it is not asked.
    const others = await answered(502, send(second, 'spring_sale'));
    const named = (answer: Answer, name: string) =>
      JSON.parse(JSON.stringify([answer.status, answer.body]).replaceAll(name, 'NAME'));
    expect(named(others, 'spring_sale')).to.deep.equal(named(unknown, 'no_such_name'));
    const rows = await rowsOf(second);
    expect(rows).to.have.length(4);
    const moved = (all: Json[]) => all.map(({ type, amount }) => [type, amount]);
    expect(moved(rows.slice(0, 2))).to.deep.equal(moved(rows.slice(2)));
    for (const { metadata } of rows) expect(metadata).to.contain('MARKETING');
    providerAccepts(second);
    await answered(200, send(second, 'made_in_console'));
  });
});
