import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { aPerson } from '../../support/people.ts';
import {
  accountEvents,
  customerWrites,
  messagesPayload,
  notified,
  notify,
  useTenant,
} from '../../support/surface.ts';
import {
  openTenant,
  providerHasTemplates,
  providerRefuses,
  type Tenant,
  templateAnswer,
} from '../../support/waybill.ts';

type Found = { kind: string; id: string; accountId: string | null };

describe('What an id stands for', () => {
  const on = useTenant({ once: true });
  const kindsOf = (results: readonly Found[]) => results.map(({ kind, id }) => [kind, id]);
  const find = async ({ apiKey: token }: Tenant, q: string): Promise<Found[]> =>
    (await on.waybill.call('GET', `/v1/find?q=${encodeURIComponent(q)}`, { token })).body.results;
  const findAnywhere = async (q: string): Promise<Found[]> =>
    (await on.waybill.admin('GET', `/find?q=${encodeURIComponent(q)}`)).body.results;
  const charge = ({ apiKey: token }: Tenant, id: string) =>
    on.waybill.call('GET', `/v1/charges/${id}`, { token });
  let other: Tenant;
  let messageId: string;
  let chargeId: string;
  before(async () => {
    other = await openTenant(on.waybill);
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    const { body } = await notified(on.waybill, on.tenant, { clientReference: 'order-7' });
    ({ messageId } = body);
    const { body: list } = await on.call('GET', '/v1/messages');
    chargeId = list.messages[0].chargeId;
  });

  it('is found for the account that owns it, and for administrators', async () => {
    const wanted: [string, string, string][] = [
      [messageId, 'message', messageId],
      [chargeId, 'charge', chargeId],
      [chargeId.replace('chg_', 'led_'), 'charge', chargeId],
      ['order-7', 'message', messageId],
      ['+91 98123 45678', 'contact', '919812345678'],
      [on.tenant.phoneNumberId, 'number', on.tenant.phoneNumberId],
    ];
    for (const [q, kind, id] of wanted) {
      expect(kindsOf(await find(on.tenant, q)), q).to.deep.include([kind, id]);
      const anywhere = await findAnywhere(q);
      const found = anywhere.find((one) => one.kind === kind && one.id === id);
      expect(found?.accountId, q).to.equal(on.tenant.accountId);
    }
  });

  it('is found by a key that may read it: numbers by phones:read, bots by bots:read', async () => {
    const bot = await on.call('POST', '/v1/bots', { name: 'Porter' });
    const kindsFor = async (...scopes: string[]) => {
      const path = `/accounts/${on.tenant.accountId}/keys`;
      const made = await on.waybill.admin('POST', path, { name: scopes.join(), scopes });
      const found = await Promise.all(
        [on.tenant.phoneNumberId, 'porter', bot.body.id, chargeId].map((q) =>
          find({ ...on.tenant, apiKey: made.body.key }, q),
        ),
      );
      return [...new Set(found.flat().map(({ kind }) => kind))].sort();
    };
    expect(await kindsFor('messages:read')).to.deep.equal(['charge']);
    expect(await kindsFor('messages:read', 'phones:read')).to.deep.equal(['charge', 'number']);
    expect(await kindsFor('messages:read', 'bots:read')).to.deep.equal(['bot', 'charge']);
  });

  it('is found by a part of a name: accounts and organisations', async () => {
    const { body: account } = await on.waybill.admin('GET', `/accounts/${on.tenant.accountId}`);
    const found = await findAnywhere(account.name.toUpperCase());
    expect(kindsOf(found)).to.deep.include(['account', on.tenant.accountId]);
    expect(await find(on.tenant, 'nothing of the kind')).to.deep.equal([]);
  });

  it('is found by a part of a customer’s name, by operators who see names', async () => {
    const from = '919800000017';
    await customerWrites(on.waybill, on.tenant, { from, name: 'Oluwaseun Adeyemi' });
    await on.waybill.settled();
    const named = { kind: 'contact', id: from, accountId: on.tenant.accountId };
    const title = 'Oluwaseun Adeyemi';
    expect(await findAnywhere('seun ade')).to.deep.equal([{ ...named, title }]);
    // One without a number is found, too.
    const id = 'GB.1017';
    const timestamp = String(on.waybill.clock.now() / 1000);
    const written = { from_user_id: id, timestamp, type: 'text', text: { body: 'Hello' } };
    const hidden = messagesPayload(on.tenant, {
      contacts: [{ user_id: id, profile: { name: 'Folake' } }],
      messages: [{ id: 'wamid.HIDDEN', ...written }],
    });
    await answered(200, on.waybill.webhook(hidden));
    await on.waybill.settled();
    expect(await findAnywhere('folak')).to.deep.equal([{ ...named, id, title: 'Folake' }]);
    // A part of a number is no name.
    expect(await findAnywhere('0017')).to.deep.equal([]);
    const { cookie } = await aPerson(on.waybill, { role: 'support' });
    const asSupport = await on.waybill.call('GET', '/admin/v1/find?q=seun%20ade', { cookie });
    expect(asSupport.body).to.deep.equal({ results: [] });
  });

  describe('of a request', () => {
    /** As the service would make it at this time. */
    const idAt = (timeMs: number) => {
      const hex = timeMs.toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
    };
    const chargesOf = (found: readonly Found[]) =>
      found.filter(({ kind }) => kind === 'charge').map(({ id }) => id);

    it('leads to what it charged, for its account and for administrators', async () => {
      const named = { 'X-Request-Id': 'checkout-17' };
      const sent = await notified(on.waybill, on.tenant, {}, named);
      expect(sent.headers['x-request-id']).to.equal('checkout-17');
      const [id] = chargesOf(await find(on.tenant, 'checkout-17'));
      const { body } = await charge(on.tenant, id!);
      expect(body.requestId).to.equal('checkout-17');
      expect(chargesOf(await findAnywhere('checkout-17'))).to.deep.equal([id]);
      expect(await find(other, 'checkout-17')).to.deep.equal([]);
    });

    it('leads to the charge that was given back when the provider refused', async () => {
      providerRefuses(on.tenant);
      const named = { 'X-Request-Id': idAt(on.waybill.clock.now()) };
      const { headers } = await answered(502, notify(on.waybill, on.tenant, {}, named));
      const [id] = chargesOf(await find(on.tenant, String(headers['x-request-id'])));
      expect((await charge(on.tenant, id!)).body.state).to.equal('refunded');
    });

    it('leads to what an administrator did with it', async () => {
      const made = await on.waybill.admin('POST', '/organisations', { name: 'Requested' });
      const found = await findAnywhere(String(made.headers['x-request-id']));
      expect(kindsOf(found).map(([kind]) => kind)).to.deep.equal(['action']);
    });
  });

  it('is told of a charge: its price, its message, its request, its place in the log', async () => {
    const { body } = await charge(on.tenant, chargeId);
    const cost = { state: 'kept', amount: '1', unit: 'credits', refund: null };
    expect(body).to.deep.include({ id: chargeId, ...cost, recipient: '919812345678' });
    expect(body.message.id).to.equal(messageId);
    const reserved = await accountEvents(on.waybill, on.tenant, 'ChargeReserved');
    const { position, meta } = reserved.find(({ data }) => data.chargeId === chargeId);
    expect([body.position, body.requestId]).to.deep.equal([position, meta.requestId]);
    const { body: anywhere } = await on.waybill.admin('GET', `/charges/${chargeId}`);
    expect(anywhere.accountId).to.equal(on.tenant.accountId);
  });

  it('is told of a charge without a message: why it was given back', async () => {
    providerRefuses(on.tenant);
    await answered(502, notify(on.waybill, on.tenant));
    const { body: credits } = await on.call('GET', '/v1/credits');
    const { chargeId: id } = JSON.parse(credits.transactions[0].metadata);
    const { body } = await charge(on.tenant, id);
    expect(body).to.deep.include({ state: 'refunded', message: null });
    expect(body.refund.cause).to.equal('not_sent');
  });
});
