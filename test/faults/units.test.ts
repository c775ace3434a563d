import { expect } from 'chai';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import { statusPayload, type Tenant } from '../support/waybill.ts';

describe('a plan of another unit', () => {
  useRealConnections();
  let world: World;
  let planId: string;
  before(async () => {
    world = await openWorld();
    const plan = { name: 'W', billing: 'wallet', currency: 'USD', markupPercent: '0' };
    planId = (await world.admin('POST', '/plans', plan)).id;
  });
  after(() => world.close());

  const assign = ({ accountId }: Tenant) =>
    world.waybill.admin('PUT', `/accounts/${accountId}/plan`, { planId });
  const undeliverable = { to: '+15550199901' };

  it('is not assigned while a send is under way: the credit comes back as a credit', async () => {
    const tenant = await world.tenant({ credits: 1 });
    const asking = world.gate.hold('before');
    const sending = world.send(tenant, undeliverable);
    await asking.arrived();
    expect(await world.balance(tenant)).to.equal(0);
    const refused = await assign(tenant);
    expect(refused.status).to.equal(409);
    expect(refused.body.error).to.match(/try again in a minute/);
    expect(refused.headers['retry-after']).to.equal('60');
    asking.release();
    expect((await sending).status).to.equal(502);
    expect(await world.balance(tenant)).to.equal(1);
    expect((await assign(tenant)).status, 'a credit is left').to.equal(409);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('is assigned as soon as the last message has gone out', async () => {
    const tenant = await world.tenant({ credits: 1 });
    expect((await world.send(tenant)).status).to.equal(200);
    const { status, body } = await assign(tenant);
    expect(status).to.equal(200);
    expect([body.planId, body.billing, body.balance]).to.deep.equal([planId, 'wallet', '0.0000']);
  });

  it('closes what fails later without a movement: it was spent in the unit before', async () => {
    const tenant = await world.tenant({ credits: 1 });
    const { body } = await world.send(tenant);
    expect((await assign(tenant)).status).to.equal(200);
    const status = statusPayload(tenant, { id: body.messageId, status: 'failed' });
    await world.waybill.webhook(status);
    await untilTrue('the end', async () => (await world.refundCauses(tenant)).length === 1);
    expect(await world.balance(tenant)).to.equal('0.0000');
    const events = await world.waybill.events(`account-${tenant.accountId}`);
    expect(events.at(-1)!.data).to.deep.include({ cause: 'delivery_failed', amount: 0 });
    expect(await world.problems()).to.deep.equal([]);
  });
});
