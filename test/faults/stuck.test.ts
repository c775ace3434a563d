import { expect } from 'chai';
import { openWorld } from '../support/faults/world.ts';
import { inEachTest } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import type { Tenant } from '../support/waybill.ts';

const HOUR_MS = 3_600_000;
const MOST = Number.MAX_SAFE_INTEGER;

describe('a refund that does not fit, in a log from before balances had a bound @long', () => {
  useRealConnections();
  let full: Tenant;
  let other: Tenant;
  const bounds = { account: { balanceMax: MOST } };
  const world = inEachTest(() => openWorld({ bounds, soleWriter: false }));
  beforeEach(async () => {
    full = await world.tenant({ credits: MOST });
    other = await world.tenant();
  });

  const causes = (tenant: Tenant) => world.refundCauses(tenant);
  const ready = async () => (await fetch(`${world.waybill.url}/health/ready`)).status;
  const stuck = async () => {
    const text = await (await fetch(`${world.waybill.url}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith('waybill_stuck_refunds{'));
  };
  const inSight = () =>
    untilTrue('the account to be in sight', async () => (await stuck()).length === 1);
  const fill = async ({ accountId }: Tenant) => {
    await world.admin('POST', `/accounts/${accountId}/credits/grant`, { amount: 1 });
    expect(await world.balance(full)).to.equal(MOST);
  };
  const makeRoom = ({ accountId }: Tenant) =>
    world.admin('POST', `/accounts/${accountId}/credits/revoke`, { amount: 1 });

  it('row 34: of a failed delivery: others are refunded, the service stays ready', async () => {
    const sends = [await world.send(full), await world.send(other)];
    const sent = sends.map(({ body }) => body.messageId);
    world.waybill.clock.advance(HOUR_MS);
    await fill(full);
    for (const [index, tenant] of [full, other].entries()) {
      expect((await world.say(tenant, sent[index]!, 'failed')).status).to.equal(200);
    }
    await untilTrue('the refund', async () => (await causes(other)).length === 1);
    await inSight();
    expect(await stuck()).to.deep.equal([`waybill_stuck_refunds{account="${full.accountId}"} 1`]);
    expect(await ready()).to.equal(200);
    expect(await causes(full)).to.deep.equal([]);
    await makeRoom(full);
    await untilTrue('room to be used', async () => (await causes(full)).length === 1);
    await untilTrue('nothing to be stuck', async () => (await stuck()).length === 0);
    expect(await world.problems()).to.deep.equal([]);
  });
});
