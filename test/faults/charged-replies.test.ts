import { expect } from 'chai';
import type { KnownEvent } from '../../src/events/index.ts';
import { edge, node } from '../commands/bots/graphs.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { streamOfMessage } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { customerWrites, typesOf } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Answer, Json, Tenant } from '../support/waybill.ts';

const TO = '919812345678';
const UNDELIVERABLE = '15550199901';
const FAILS_LATER = '15550199921';
/** The price of a reply to India: 0.0014 with a fifth on top. */
const PRICE = '0.00168';

const forms: Json[] = [
  { type: 'text', text: { body: 'On its way' } },
  { type: 'media', media: { type: 'image', link: 'https://shop.example/a.png' } },
  { type: 'location', location: { latitude: 18.5, longitude: 73.8 } },
  {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: 'Pick' },
      action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] },
    },
  },
  { type: 'reaction', reaction: { messageId: 'wamid.ASKED', emoji: '👍' } },
];

describe('a reply on a plan that charges free-form messages @long', () => {
  useRealConnections();
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => {
    const problems = await world.problems().finally(() => world.close());
    expect(problems).to.deep.equal([]);
  });

  const open = async (options: Parameters<World['tenant']>[0] = {}) => {
    const tenant = await world.tenant({ chargeService: true, credits: 10, ...options });
    const { phoneNumberId } = tenant;
    await world.simulator.inbound(TO, {
      phoneNumberId,
      text: 'Where is it?',
      messageId: 'wamid.ASKED',
    });
    return tenant;
  };
  const reply = ({ apiKey: token }: Tenant, change: Json = {}): Promise<Answer> =>
    world.call('POST', '/v1/messages/send', {
      token,
      body: { to: `+${TO}`, ...forms[0], ...change },
    });
  const rows = async ({ accountId }: Tenant): Promise<Json[]> =>
    (await world.admin('GET', `/accounts/${accountId}/ledger`)).entries;
  /** What the account has in the log beside its opening and its money. */
  const charges = async ({ accountId }: Tenant): Promise<KnownEvent[]> =>
    ((await world.waybill.events(`account-${accountId}`)) as KnownEvent[]).filter(({ type }) =>
      type.startsWith('Charge'),
    );

  for (const form of forms) {
    it(`of type ${form.type} takes a credit, says so, and has a row of its type`, async () => {
      const tenant = await open();
      const { status, headers } = await reply(tenant, form);
      expect(status).to.equal(200);
      expect(headers).to.include({
        'x-message-category': 'SERVICE',
        'x-message-price': PRICE,
        'x-credits-charged': '1',
        'x-credits-remaining': '9',
      });
      const [row] = await rows(tenant);
      expect(row).to.include({ type: 'DEDUCT', amount: -1, balanceAfter: 9, reason: form.type });
      const { chargeId } = JSON.parse(row.metadata);
      expect(JSON.parse(row.metadata)).to.deep.equal({
        category: 'SERVICE',
        countryCode: 'IN',
        providerCost: '0.0014',
        sellPrice: PRICE,
        chargeId,
      });
      const history = await world.call('GET', '/v1/messages', { token: tenant.apiKey });
      const [sent] = history.body.messages.filter((one: Json) => one.direction === 'outbound');
      expect(sent).to.include({ category: 'SERVICE', price: PRICE, creditsCharged: 1, chargeId });
    });
  }

  it('takes money from a wallet', async () => {
    const tenant = await open({ wallet: '0.0040' });
    const { headers } = await reply(tenant);
    expect(headers).to.include({ 'x-message-price': PRICE, 'x-wallet-balance': '0.00232' });
    expect(headers).not.to.have.property('x-credits-charged');
    expect((await rows(tenant))[0]).to.include({ amount: '-0.00168', balanceAfter: '0.00232' });
    expect((await reply(tenant)).status).to.equal(200);
    const { status, body } = await reply(tenant);
    expect(status).to.equal(402);
    expect({ ...body, error: '' }).to.deep.equal({
      error: '',
      reason: 'INSUFFICIENT_BALANCE',
      category: 'SERVICE',
      creditsRequired: 0,
      price: PRICE,
      currency: 'USD',
      balance: '0.00064',
    });
  });

  it('is 402 without a credit, and neither stored nor sent', async () => {
    const tenant = await open({ credits: 1 });
    await reply(tenant);
    const { status, body } = await reply(tenant);
    expect([status, body.reason, body.category]).to.deep.equal([
      ...[402, 'INSUFFICIENT_CREDITS', 'SERVICE'],
    ]);
    expect(body).to.include({ creditsRequired: 1, price: PRICE, balance: 0 });
    expect(await charges(tenant)).to.have.length(1);
    expect(world.sendsOf(tenant)).to.have.length(1);
  });

  it('into a closed window, or from no number, is refused before anything is stored', async () => {
    const tenant = await world.tenant({ chargeService: true, credits: 1 });
    for (const [change, refusal] of [
      [{}, 403],
      [{ phoneNumberId: '1' }, 404],
    ] as const) {
      expect((await reply(tenant, change)).status).to.equal(refusal);
    }
    expect(await charges(tenant)).to.deep.equal([]);
    const poor = await world.tenant({ chargeService: true, credits: 0 });
    expect((await reply(poor)).status).to.equal(402);
    expect(await charges(poor)).to.deep.equal([]);
  });

  it('that the provider refuses is given back', async () => {
    const tenant = await open();
    await customerWrites(world.waybill, tenant, { from: UNDELIVERABLE });
    expect((await reply(tenant, { to: UNDELIVERABLE })).status).to.equal(502);
    const [back, taken] = await rows(tenant);
    expect([back.type, back.amount, back.cause]).to.deep.equal(['REFUND', 1, 'not_sent']);
    expect([taken.type, taken.amount, back.reason]).to.deep.equal(['DEDUCT', -1, taken.reason]);
    expect(await world.balance(tenant)).to.equal(10);
  });

  it('whose delivery fails later is given back, unless the plan keeps it', async () => {
    for (const refundFailedDeliveries of [true, false]) {
      const tenant = await open({ refundFailedDeliveries });
      await customerWrites(world.waybill, tenant, { from: FAILS_LATER });
      const { body } = await reply(tenant, { to: FAILS_LATER });
      await world.simulator.status(body.messageId, 131026);
      if (refundFailedDeliveries) {
        await untilTrue('the refund', async () => (await world.balance(tenant)) === 10);
        expect((await rows(tenant))[0]).to.include({ type: 'REFUND', cause: 'delivery_failed' });
      } else expect(await world.balance(tenant)).to.equal(9);
    }
  });

  it('as the text of a notification has the event as its reason', async () => {
    const tenant = await open({ template: false });
    const { status, headers, body } = await world.send(tenant, { allowTextFallback: true });
    expect([status, body.channel]).to.deep.equal([200, 'text']);
    expect(headers).to.include({ 'x-message-category': 'SERVICE', 'x-credits-charged': '1' });
    expect((await rows(tenant))[0]).to.include({ amount: -1, reason: 'order_shipped' });
  });

  it('is charged from the version of the plan on that says so, and free before and after', async () => {
    const tenant = await open();
    const { planId } = await world.admin('GET', `/accounts/${tenant.accountId}`);
    const terms = { billing: 'credits', currency: 'USD', markupPercent: '20', creditValue: '0.01' };
    const charged: unknown[] = [];
    for (const chargeService of [true, false, undefined, true]) {
      await world.admin('PUT', `/plans/${planId}`, { name: 'Changing', ...terms, chargeService });
      charged.push((await reply(tenant)).headers['x-credits-charged']);
    }
    expect(charged).to.deep.equal(['1', '0', '0', '1']);
    const priced = (await charges(tenant)) as Extract<KnownEvent, { type: 'ChargeReserved' }>[];
    // Free ones too have what the provider takes.
    expect(priced.map(({ data }) => data.price.providerCost)).to.deep.equal([
      ...[1400, 1400, 1400, 1400],
    ]);
    expect(typesOf(priced)).to.deep.equal(Array.from({ length: 4 }, () => 'ChargeReserved'));
  });

  describe('of a bot', () => {
    const call = async (tenant: Tenant, method: string, path: string, body?: Json) => {
      const how = { token: tenant.apiKey, ...(body !== undefined && { body }) };
      return (await world.waybill.call(method, `/v1${path}`, how)).body;
    };
    const make = (tenant: Tenant, nodes: Json[], edges: string[]): Promise<Json> => {
      world.waybill.clock.advance(1);
      const graph = { nodes, edges: edges.map(edge) };
      return call(tenant, 'POST', '/bots', { name: 'Helper', trigger: 'ANY_MESSAGE', ...graph });
    };
    const ended = async (tenant: Tenant, { id }: Json, count: number): Promise<Json[]> => {
      let runs: Json[] = [];
      await untilTrue(`${count} runs to end`, async () => {
        ({ runs } = await call(tenant, 'GET', `/bots/${id}/runs`));
        return runs.length === count && runs.every(({ state }) => state === 'ended');
      });
      return runs;
    };

    it('is charged with the bot as its reason', async () => {
      const tenant = await open();
      const bot = await make(tenant, [node('m', 'message', { text: 'Hi' })], []);
      await customerWrites(world.waybill, tenant);
      await ended(tenant, bot, 1);
      expect((await rows(tenant))[0]).to.include({ amount: -1, reason: `bot:${bot.id}` });
    });

    it('that the balance no longer covers ends the run in sight, and starts nothing again', async () => {
      const tenant = await open({ credits: 1 });
      const texts = ['one', 'two'].map((id) => node(id, 'message', { text: id }));
      const nodes = [node('start', 'start'), ...texts];
      const bot = await make(tenant, nodes, ['start -> one', 'one -> two', 'two -> one']);
      await customerWrites(world.waybill, tenant);
      const [run] = await ended(tenant, bot, 1);
      expect(run).to.include({ reason: 'failed' });
      expect(run!.detail).to.contain('Not enough credits: 1 needed, 0 left');
      expect(world.sendsOf(tenant)).to.have.length(1);
      expect(await charges(tenant)).to.have.length(1);
      // The next message of the customer is one more run, which ends at once; money lets it go on.
      await customerWrites(world.waybill, tenant);
      await ended(tenant, bot, 2);
      expect(world.sendsOf(tenant)).to.have.length(1);
      await world.admin('POST', `/accounts/${tenant.accountId}/credits/grant`, { amount: 2 });
      await customerWrites(world.waybill, tenant);
      await ended(tenant, bot, 3);
      expect(world.sendsOf(tenant)).to.have.length(3);
      expect(await world.balance(tenant)).to.equal(0);
    });
  });
});

describe('a reply on a plan that does not charge it @long', () => {
  useRealConnections();
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => {
    const problems = await world.problems().finally(() => world.close());
    expect(problems).to.deep.equal([]);
  });

  it('is free at a zero balance, has no row, and the log has what the provider takes', async () => {
    const tenant = await world.tenant({ credits: 0 });
    await customerWrites(world.waybill, tenant);
    const { apiKey: token, accountId } = tenant;
    const body = { to: TO, ...forms[0] };
    const {
      status,
      headers,
      body: answer,
    } = await world.call('POST', '/v1/messages/send', {
      token,
      body,
    });
    expect(status).to.equal(200);
    expect(headers).to.include({ 'x-message-price': '0.0000', 'x-credits-charged': '0' });
    expect((await world.admin('GET', `/accounts/${accountId}/ledger`)).entries).to.deep.equal([]);
    const own = (await world.waybill.events(
      streamOfMessage(tenant, answer.messageId),
    )) as KnownEvent[];
    expect(typesOf(own)).to.deep.equal(['MessageSent']);
    const [charge] = (await world.waybill.events(`account-${accountId}`)).slice(-1);
    expect((charge!.data as Json).price).to.include({
      category: 'SERVICE',
      rateCardId: 'default-usd-2026-10',
      providerCost: 1400,
      sellPrice: 0,
      creditsRequired: 0,
    });
  });
});
