import { expect } from 'chai';
import type { KnownEvent } from '../../src/events/index.ts';
import { edge, node } from '../commands/bots/graphs.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import { customerWrites, makeBot } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Answer, Json, Tenant } from '../support/waybill.ts';

const TO = '919812345678';
/** The price of a reply to India: 0.0014 with a fifth on top. */
const PRICE = '0.00168';

const form = { type: 'text', text: { body: 'On its way' } };

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
    const asked = { text: 'Where is it?', messageId: 'wamid.ASKED' };
    await world.simulator.inbound(TO, { phoneNumberId, ...asked });
    return tenant;
  };
  const reply = ({ apiKey: token }: Tenant, change: Json = {}): Promise<Answer> =>
    world.call('POST', '/v1/messages/send', { token, body: { to: `+${TO}`, ...form, ...change } });
  const rows = async ({ accountId }: Tenant): Promise<Json[]> =>
    (await world.admin('GET', `/accounts/${accountId}/ledger`)).entries;
  /** What the account has in the log beside its opening and its money. */
  const charges = async ({ accountId }: Tenant): Promise<KnownEvent[]> =>
    ((await world.waybill.events(`account-${accountId}`)) as KnownEvent[]).filter(({ type }) =>
      type.startsWith('Charge'),
    );

  it('takes a credit, says so, and has a row of its type', async () => {
    const tenant = await open();
    const { status, headers } = await reply(tenant);
    expect(status).to.equal(200);
    expect(headers).to.include({
      'x-message-category': 'SERVICE',
      'x-message-price': PRICE,
      'x-credits-charged': '1',
      'x-credits-remaining': '9',
    });
    const [row] = await rows(tenant);
    expect(row).to.include({ type: 'DEDUCT', amount: -1, balanceAfter: 9, reason: form.type });
    const { chargeId, ...rest } = JSON.parse(row.metadata);
    const cost = { providerCost: '0.0014', sellPrice: PRICE };
    expect(rest).to.deep.equal({ category: 'SERVICE', countryCode: 'IN', ...cost });
    const history = await world.call('GET', '/v1/messages', { token: tenant.apiKey });
    const [sent] = history.body.messages.filter((one: Json) => one.direction === 'outbound');
    expect(sent).to.include({ category: 'SERVICE', price: PRICE, creditsCharged: 1, chargeId });
  });

  it('is 402 without a credit, and neither stored nor sent', async () => {
    const tenant = await open({ credits: 1 });
    await reply(tenant);
    const { status, body } = await reply(tenant);
    expect(status).to.equal(402);
    expect(body).to.include({ reason: 'INSUFFICIENT_CREDITS', category: 'SERVICE' });
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

  describe('of a bot', () => {
    const ended = async (
      { apiKey: token }: Tenant,
      { id }: Json,
      count: number,
    ): Promise<Json[]> => {
      let runs: Json[] = [];
      await untilTrue(`${count} runs to end`, async () => {
        ({ runs } = (await world.call('GET', `/v1/bots/${id}/runs`, { token })).body);
        return runs.length === count && runs.every(({ state }) => state === 'ended');
      });
      return runs;
    };

    it('that the balance no longer covers ends the run in sight, and starts nothing again', async () => {
      const tenant = await open({ credits: 1 });
      const texts = ['one', 'two'].map((id) => node(id, 'message', { text: id }));
      const nodes = [node('start', 'start'), ...texts];
      const edges = ['start -> one', 'one -> two', 'two -> one'].map(edge);
      const bot = await makeBot(world, tenant, nodes, edges);
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
