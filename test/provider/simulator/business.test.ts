import { expect } from 'chai';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { useRealConnections } from '../../support/network.ts';
import type { Json } from '../../support/waybill.ts';
import { callAt } from './stage.ts';

const NUMBER = '100000000000001';
const WABA = '200000000000001';
const CUSTOMER = '447700900123';
const product = { messaging_product: 'whatsapp' };
const text = { ...product, to: CUSTOMER, type: 'text', text: { body: 'Hi' } };

describe('the simulator and a program of others', () => {
  useRealConnections();
  let simulator: Simulator;
  let baseUrl: string;
  before(async () => {
    simulator = createSimulator({ appSecret: 'secret' });
    baseUrl = await simulator.start();
  });
  after(() => simulator.stop());

  const call = (method: string, path: string, body?: object) => callAt(baseUrl, method, path, body);
  const send = (body: object) => call('POST', `${NUMBER}/messages`, body);
  const errorOf = async (body: object) => (await send(body)).body.error as Json;

  it('keeps a business profile, and refuses a field that there is not', async () => {
    const path = `${NUMBER}/whatsapp_business_profile`;
    expect((await call('POST', path, { ...product, about: 'Shoes' })).body.success).to.equal(true);
    const { body } = await call('GET', `${path}?fields=about,email`);
    expect(body.data).to.deep.equal([{ ...product, about: 'Shoes' }]);
    expect((await call('POST', path, { ...product, colour: 'red' })).body.error.code).to.equal(100);
  });

  it('keeps the settings of a number', async () => {
    const setting = { user_identity_change: { enable_identity_key_check: true } };
    await call('POST', `${NUMBER}/settings`, setting);
    expect((await call('GET', `${NUMBER}/settings`)).body).to.deep.include(setting);
  });

  it('refuses a message to a customer whom the business has blocked', async () => {
    const users = { ...product, block_users: [{ user: `+${CUSTOMER}` }] };
    const { body } = await call('POST', `${NUMBER}/block_users`, users);
    const user = { input: `+${CUSTOMER}`, wa_id: CUSTOMER };
    expect(body.block_users).to.deep.equal({ added_users: [user] });
    expect((await errorOf(text)).code).to.equal(130403);
    const { data } = (await call('GET', `${NUMBER}/block_users`)).body;
    expect(data).to.deep.equal([{ ...product, wa_id: CUSTOMER }]);
    await call('DELETE', `${NUMBER}/block_users`, users);
    expect((await send(text)).status).to.equal(200);
  });

  it('keeps QR codes', async () => {
    const path = `${NUMBER}/message_qrdls`;
    const made = (await call('POST', path, { prefilled_message: 'Order' })).body;
    expect(made.deep_link_url).to.equal(`https://wa.me/message/${made.code}`);
    const changed = { code: made.code, prefilled_message: 'Orders' };
    await call('POST', path, changed);
    const [first] = (await call('GET', `${path}/${made.code}`)).body.data;
    expect(first).to.include(changed);
    expect((await call('DELETE', `${path}/${made.code}`)).body).to.deep.equal({ success: true });
    expect((await call('GET', path)).body.data).to.deep.equal([]);
  });

  it('has no flows', async () => {
    expect((await call('GET', `${WABA}/flows`)).body).to.deep.equal({ data: [] });
  });

  it('removes templates by their ids, up to 100', async () => {
    const draft = { language: 'en', category: 'UTILITY', components: [] };
    const ids = ['one', 'two'].map((name) => simulator.setTemplate(WABA, { ...draft, name }).id);
    const path = (list: readonly string[]) =>
      `${WABA}/message_templates?hsm_ids=${encodeURIComponent(JSON.stringify(list))}`;
    expect((await call('DELETE', path(new Array(101).fill('1')))).body.error.code).to.equal(100);
    expect((await call('DELETE', path(ids))).body.success).to.equal(true);
    expect((await call('GET', `${WABA}/message_templates`)).body.data).to.deep.equal([]);
  });

  it('refuses a field that a message has not, such as a misspelt one', async () => {
    const error = await errorOf({ ...text, contxt: { message_id: 'wamid.A' } });
    expect(error.code).to.equal(100);
    expect(error.error_data.details).to.contain('contxt');
  });

  it('carries the messaging account', async () => {
    expect((await send({ ...text, messaging_account_id: '300' })).status).to.equal(200);
  });

  describe('without a template', () => {
    const direct = { ...text, category: 'utility' };
    beforeEach(() => simulator.configure({ directSend: 'on' }));

    it('is refused where the account is not onboarded, or restricted', async () => {
      simulator.configure({ directSend: 'off' });
      const error = await errorOf(direct);
      expect(error.code).to.equal(100);
      expect(error.error_data.details).to.contain('category');
      simulator.configure({ directSend: 'restricted' });
      expect((await errorOf(direct)).code).to.equal(139200);
    });

    const wrong: [string, object][] = [
      ['another category', { category: 'marketing' }],
      ['a picture', { type: 'image', image: { link: 'https://example.com/a.png' } }],
      ['a long text', { text: { body: 'x'.repeat(1025) } }],
      ['a name of the template with capitals', { direct_send_config: { template_name: 'Hello' } }],
      ['a time that is too short', { ttl_seconds: 29 }],
    ];
    for (const [what, change] of wrong) {
      it(`is refused with ${what}`, async () => {
        expect((await errorOf({ ...direct, ...change })).code).to.equal(100);
      });
    }

    it('makes a template, which is listed apart and cannot be removed', async () => {
      const config = { template_name: 'order_shipped' };
      expect((await send({ ...direct, direct_send_config: config })).status).to.equal(200);
      const list = async (query: string) =>
        (await call('GET', `${WABA}/message_templates?${query}`)).body.data;
      expect(await list('')).to.deep.equal([]);
      const [template] = await list('source=AUTO_GENERATED');
      expect(template).to.include({ name: 'order_shipped', category: 'UTILITY' });
      expect((await call('POST', template.id, { components: [] })).body.error.code).to.equal(100);
    });
  });
});
