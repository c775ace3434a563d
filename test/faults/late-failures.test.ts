import { expect } from 'chai';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import { statusPayload, type Tenant } from '../support/waybill.ts';

/** An account's state remembers so few refunds here that a look-up must tell of earlier ones. */
const REFUNDS_KEPT = 2;

describe('a failure after more refunds than an account remembers', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  before(async () => {
    world = await openWorld({ bounds: { account: { refundsKept: REFUNDS_KEPT } } });
  });
  after(() => world.close());
  beforeEach(async () => {
    tenant = await world.tenant();
  });

  const refuseMany = async () => {
    for (let count = 0; count < 2 * REFUNDS_KEPT; count += 1) {
      expect((await world.send(tenant, { to: '+15550199901' })).status).to.equal(502);
    }
  };
  const fails = (id: string) =>
    world.waybill.webhook(statusPayload(tenant, { id, status: 'failed' }));
  const ofCause = async (cause: string) =>
    (await world.refundCauses(tenant)).filter((one) => one === cause).length;

  it('is refunded, once', async () => {
    const ids = [await world.send(tenant), await world.send(tenant)].map(
      ({ body }) => body.messageId as string,
    );
    await refuseMany();
    expect(await world.balance(tenant)).to.equal(998);
    await fails(ids[0]!);
    await untilTrue('the refund', async () => (await ofCause('delivery_failed')) === 1);
    expect(await world.balance(tenant)).to.equal(999);
    await refuseMany();
    await world.restart(0);
    await fails(ids[1]!);
    await untilTrue('the other refund', async () => (await ofCause('delivery_failed')) === 2);
    expect(await world.balance(tenant)).to.equal(1000);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('is not refunded again where its caller had gone before', async () => {
    const caller = new AbortController();
    const asking = world.gate.hold('before');
    const sending = world.send(tenant, {}, caller.signal).catch(() => undefined);
    await asking.arrived();
    caller.abort();
    await sending;
    // A whole request later the service has seen that the caller is gone.
    await world.balance(tenant);
    asking.release();
    await untilTrue('the reversal', async () => (await ofCause('disconnected')) === 1);
    await untilTrue('the record', async () => (await world.charges(tenant)).sent === 1);
    await refuseMany();
    const [sent] = world.sendsOf(tenant).filter(({ code }) => code === null);
    await fails(sent!.messageId!);
    // A second message that fails is refunded after the first was looked at.
    const { body } = await world.send(tenant);
    await fails(body.messageId);
    await untilTrue('the next refund', async () => (await ofCause('delivery_failed')) === 1);
    expect(await world.balance(tenant)).to.equal(1000);
    expect(await world.problems()).to.deep.equal([]);
  });
});
