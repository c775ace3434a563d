import { expect } from 'chai';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { type Relay, startRelay } from '../support/grpc/relay.ts';
import { lagIn } from '../support/lag.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import type { Tenant } from '../support/waybill.ts';

/** A busy machine is no reason to give up the log, nor a silent one to look whether it has gone on. */
const PATIENCE = { timeoutMs: 60_000, silenceMs: 60_000, quietMs: 600_000 };

describe('a log whose subscriptions fail @long', () => {
  useRealConnections();
  let double: EventStoreDouble;
  let relay: Relay;
  let world: World;
  let tenant: Tenant;
  let closeLog: () => Promise<void>;
  beforeEach(async () => {
    double = await startEventStoreDouble();
    relay = await startRelay(double.port);
    const url = `esdb://127.0.0.1:${relay.port}?tls=false`;
    const log = await openEventStoreDb({ url, ...PATIENCE });
    closeLog = () => log.close();
    world = await openWorld({ wrapStore: () => log });
    tenant = await world.tenant();
    await send();
    await untilTrue('it is shown', async () => (await shown()) === 1);
  });
  afterEach(async () => {
    await world.close();
    await closeLog();
    await relay.close();
    await double.close();
  });

  const send = async () => expect((await world.send(tenant)).status).to.equal(200);
  /** Messages in the read model, as it is: nobody waits for it. */
  const shown = async () => {
    const { messages } = await world.waybill.views.live();
    const order = { field: 'order', direction: 'ascending' as const };
    const where = { accountId: tenant.accountId };
    return (await world.waybill.views.find(messages!, { where, order, limit: 100 })).length;
  };
  const lagInHealth = async (): Promise<number> => {
    const { body } = await world.waybill.call('GET', '/../health/ready');
    return body.checks.projections.detail.messages.lag;
  };
  const lagInMetrics = async (): Promise<number> => {
    const text = await (await fetch(`${world.waybill.url}/metrics`)).text();
    return lagIn(text, 'messages');
  };

  it('row 13: goes on from its checkpoint when subscriptions drop and connections break', async () => {
    for (const fail of [
      () => double.subscriptions.drop('unavailable'),
      () => double.subscriptions.drop('cancelled'),
      () => relay.cut(),
    ]) {
      fail();
      await send();
    }
    await untilTrue('all are shown', async () => (await shown()) === 4);
    expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
  });

  it('row 13: until then the lag shows in /health/ready and /metrics', async () => {
    const bothAre = async (holds: (seconds: number) => boolean) =>
      holds((await lagInHealth()) / 1000) && holds(await lagInMetrics());
    const none = () => bothAre((lag) => lag === 0);
    await untilTrue('no lag', none);
    double.subscriptions.silence();
    await send();
    world.waybill.clock.advance(90_000);
    // Both are made once a second at most.
    await untilTrue('the lag', () => bothAre((lag) => lag >= 90));
    expect(await shown()).to.equal(1);
    double.subscriptions.drop('unavailable');
    await untilTrue('no lag', none);
    expect(await shown()).to.equal(2);
  });
});
