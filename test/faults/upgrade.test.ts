import { expect } from 'chai';
import type { Views } from '../../src/projections/views.ts';
import { systemIds } from '../../src/shared/system.ts';
import { type Instance, type InstanceOptions, startInstance } from '../support/faults/instance.ts';
import { startRollingLoad } from '../support/faults/rolling-load.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { streamOfMessage } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { gate } from '../support/projections-engine.ts';
import { notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import { statusPayload, type Tenant } from '../support/waybill.ts';

describe('an upgrade of instances on one log @long', () => {
  useRealConnections();
  let world: World;
  let started: Instance[];
  /** Before the writes of the read models. */
  const folding = gate();
  beforeEach(async () => {
    const wrapViews = (views: Views): Views => ({
      ...views,
      commit: (commits) => folding.pass().then(() => views.commit(commits)),
    });
    world = await openWorld({ wrapViews });
    started = [];
  });
  afterEach(async () => {
    folding.open();
    for (const one of started) await one.stop();
    await world.close();
  });

  const start = async (options: InstanceOptions = {}) => {
    const one = await startInstance(world, options);
    started.push(one);
    return one;
  };
  /** Holds up the messages of one number before the provider has seen them. */
  const holdSendsOf = ({ phoneNumberId }: Tenant) =>
    world.gate.hold('before', ({ path }) => path.endsWith(`/${phoneNumberId}/messages`));

  it('row 61: shows callers no error: each old one finishes what it has, a new one goes on', async () => {
    const [busy, slow] = [await world.tenant({ credits: 100_000 }), await world.tenant()];
    const upstreams = [await start(), await start()];
    const load = startRollingLoad(upstreams, (to) => notify(to, busy));
    try {
      for (const old of [...upstreams]) {
        await load.more(20);
        const held = holdSendsOf(slow);
        const last = notify(old, slow);
        await held.arrived();
        upstreams.splice(upstreams.indexOf(old), 1, await start());
        await load.left(old);
        const stopped = old.stop();
        await load.more(20);
        held.release();
        expect((await last).status).to.equal(200);
        await stopped;
      }
    } finally {
      await load.end();
    }
    expect(load.errors()).to.deep.equal([]);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 61: answers 503 before any charge on a connection that stays, and the repeat is sent once', async () => {
    const [tenant, slow] = [await world.tenant(), await world.tenant()];
    const [old, other] = [await start(), await start()];
    const opening = holdSendsOf(slow);
    const both = [notify(old, slow), notify(old, slow)];
    await opening.arrived(2);
    opening.release();
    await Promise.all(both);
    // Of two open connections this takes one.
    const held = holdSendsOf(slow);
    const last = notify(old, slow);
    await held.arrived();
    const stopped = old.stop();
    const keyed = { 'idempotency-key': 'order-1042-shipped' };
    const refused = await notify(old, tenant, {}, keyed);
    expect([refused.status, refused.body.error]).to.deep.equal([503, 'The service is stopping']);
    expect(refused.headers).to.include({ connection: 'close', 'retry-after': '5' });
    expect(await world.charges(tenant)).to.include({ reserved: 0 });
    held.release();
    expect((await last).status).to.equal(200);
    await stopped;
    expect((await notify(other, tenant, {}, keyed)).status).to.equal(200);
    expect(world.sendsOf(tenant)).to.have.length(1);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 61: answers 503 where a newer instance wrote what it cannot read, and nothing is lost', async () => {
    const tenant = await world.tenant();
    const sent = await world.send(tenant);
    const append = async (stream: string, type: string, data: object) => {
      const { length } = await world.waybill.events(stream);
      const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'newer' };
      const event = { id: systemIds.uuid(), type, version: 99, data, meta };
      await world.waybill.store.append(stream, length - 1, [event]);
    };
    const { accountId } = tenant;
    await append(`account-${accountId}`, 'ChargeRefunded', { accountId });
    const refused = await world.send(tenant);
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '1']);
    expect(world.sendsOf(tenant)).to.have.length(1);
    expect(await world.charges(tenant)).to.include({ reserved: 1 });
    // The provider sends it again, to an instance that can read the message.
    await append(streamOfMessage(tenant, sent.body.messageId), 'StatusUpdated', { accountId });
    const status = { id: sent.body.messageId, status: 'delivered' };
    const told = await world.waybill.webhook(statusPayload(tenant, status));
    expect([told.status, told.headers['retry-after']]).to.deep.equal([503, '1']);
    const types = (await world.waybill.log()).map(({ type }) => type);
    expect(types).to.not.include('DeadLetterKept');
  });

  it('row 64: an instance that starts while nobody folds is not ready, one that knows its callers is', async () => {
    const tenant = await world.tenant();
    const ready = ({ call }: Instance) => call('GET', '/../health/ready');
    const known = await start();
    expect((await notify(known, tenant)).status).to.equal(200);
    folding.close();
    // Its events are in no read model.
    expect((await notify(known, tenant)).status).to.equal(200);
    const late = await start();
    const { status, body } = await ready(late);
    expect([status, body.checks.lookups.ok]).to.deep.equal([503, false]);
    expect((await notify(late, tenant)).status).to.equal(503);
    expect((await ready(known)).status).to.equal(200);
    folding.open();
    await untilTrue('it is ready', async () => (await ready(late)).status === 200);
    expect((await notify(late, tenant)).status).to.equal(200);
  });
});
