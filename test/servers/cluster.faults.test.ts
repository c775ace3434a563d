import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openConnection } from '../../src/projections/mongodb/connection.ts';
import { viewsOver } from '../../src/projections/mongodb/views.ts';
import { lagIn } from '../support/lag.ts';
import { useRealConnections } from '../support/network.ts';
import { testServers } from '../support/servers.ts';
import { untilTrue } from '../support/until.ts';
import { type Answer, type Json, orderShipped, type Tenant } from '../support/waybill.ts';
import { type Cluster, type Node, openCluster } from './cluster.ts';

const servers = testServers();
/** More than the log passes over before it says so. */
const OTHERS = 300;

(servers ? describe : describe.skip)('faults of several instances on both servers', () => {
  useRealConnections();
  let cluster: Cluster;
  const api = (index: number): Node => cluster.apis[index % cluster.apis.length]!;

  before(async () => {
    cluster = await openCluster(servers!);
  });
  after(() => cluster?.close());

  const get = (node: Node, path: string, { apiKey: token }: Tenant) =>
    node.call('GET', path, { token });
  const typesOf = async ({ accountId }: Tenant) =>
    (await cluster.store.read(`account-${accountId}`)).map(({ type }) => type);
  const count = (types: readonly string[], type: string) =>
    types.filter((one) => one === type).length;
  /** All of them know the tenant, and each has sent once; the first last, so that it knows best. */
  const knownToAll = async (tenant: Tenant) => {
    for (const index of [1, 2, 0]) {
      await untilTrue(
        'it sends',
        async () => (await cluster.send(api(index), tenant)).status === 200,
      );
    }
    // Those sends may still have met news of the tenant itself; what is looked up is kept after.
    for (const index of [0, 1, 2]) {
      expect((await get(api(index), '/v1/notifications/events', tenant)).status).to.equal(200);
    }
  };
  const shown = async (node: Node, tenant: Tenant): Promise<number> =>
    (await get(node, '/v1/messages?limit=100', tenant)).body.messages?.length;
  const lagsOf = async (node: Node) => {
    const { body } = await node.ready();
    const text = await (await fetch(`${node.child.url}/metrics`)).text();
    const { lag } = body.checks.projections.detail.messages;
    return { inHealth: lag, inMetrics: lagIn(text, 'messages') };
  };

  for (const idempotencyKey of [undefined, 'order-78']) {
    const how = idempotencyKey ? 'under a key of idempotency' : 'without a key';
    it(`row 11: appends are stored and their answers lost: one charge, one message, ${how}`, async () => {
      const tenant = await cluster.tenant({ credits: 100 });
      await knownToAll(tenant);
      const sent = cluster.simulator.sends().length;
      const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
      const before = await cluster.store.head();
      cluster.logWire.mute();
      const sending = cluster.send(api(0), tenant, headers);
      await untilTrue('it is stored', async () => (await cluster.store.head()) > before);
      cluster.logWire.cut();
      expect((await sending).status).to.equal(200);
      if (idempotencyKey) {
        // The answer is stored beside the response: until then another instance refuses the key.
        const repeat = () => cluster.send(api(1), tenant, headers);
        let again = await repeat();
        await untilTrue('the answer is stored', async () => {
          if (again.status === 409) again = await repeat();
          return again.status !== 409;
        });
        expect([again.status, again.headers['idempotency-replayed']]).to.deep.equal([200, 'true']);
      }
      expect(cluster.simulator.sends().length - sent).to.equal(1);
      const types = await typesOf(tenant);
      expect(count(types, 'ChargeReserved')).to.equal(4);
      expect(count(types, 'ChargeRefunded')).to.equal(0);
      // An instance that the cut has parted from the log shows what it knows until it is back.
      await untilTrue('the balance is shown', async () => {
        const { body } = await get(api(2), '/v1/credits', tenant);
        return body.balance === 96;
      });
    });
  }

  it('row 13: while nobody folds, the lag shows in /health/ready and /metrics of all', async () => {
    const tenant = await cluster.tenant();
    await knownToAll(tenant);
    await untilTrue('all are shown', async () => (await shown(api(1), tenant)) === 3);
    for (const { child } of cluster.workers) child.process.kill('SIGSTOP');
    try {
      expect((await cluster.send(api(0), tenant)).status).to.equal(200);
      for (const index of [0, 1, 2]) {
        await untilTrue('it lags', async () => {
          const { inHealth, inMetrics } = await lagsOf(api(index));
          return inHealth > 0 && inMetrics > 0;
        });
      }
    } finally {
      for (const { child } of cluster.workers) child.process.kill('SIGCONT');
    }
    await untilTrue('it has caught up', async () => {
      const { inHealth, inMetrics } = await lagsOf(api(1));
      return inHealth === 0 && inMetrics === 0;
    });
    expect(await shown(api(1), tenant)).to.equal(4);
  });

  it('row 14: all read models are filled anew while all of them send, to the same end', async () => {
    const tenant = await cluster.tenant();
    await knownToAll(tenant);
    const { projections } = await api(0).admin('GET', '/projections');
    for (const [index, { name }] of projections.entries()) {
      await api(index).admin('POST', `/projections/${name}/rebuild`);
    }
    const sending = Array.from({ length: 30 }, (_, index) => cluster.send(api(index), tenant));
    for (const { status } of await Promise.all(sending)) expect(status).to.equal(200);
    const all = async (): Promise<Json[]> =>
      (await api(1).admin('GET', '/projections')).projections;
    await untilTrue('all are filled', async () =>
      (await all()).every(({ state }) => state === 'live'),
    );
    expect(await shown(api(2), tenant)).to.equal(33);
    expect(await cluster.problems()).to.deep.equal([]);
  });

  it('row 25: an organisation suspended on another one in the middle of a batch', async () => {
    const credits = 500;
    const tenant = await cluster.tenant({ credits, messagesPerSecond: 40 });
    await knownToAll(tenant);
    const ofTenant = () =>
      cluster.simulator.sends().filter((one) => one.phoneNumberId === tenant.phoneNumberId).length;
    const recipients = Array.from({ length: 400 }, (_, index) => ({
      to: `+9198123${10_000 + index}`,
    }));
    const { event, variables } = orderShipped();
    const body = { event, variables, recipients };
    const token = tenant.apiKey;
    const sending = api(0).call('POST', '/v1/notifications/send/batch', { token, body });
    await untilTrue('some have gone', async () => ofTenant() >= 10);
    await api(1).admin('POST', `/organisations/${tenant.organisationId}/suspend`, {
      reason: 'test',
    });
    const answer = await sending;
    expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).to.equal(200);
    const { sent, results } = answer.body;
    expect(results.length).to.be.below(recipients.length);
    expect(sent).to.equal(results.filter(({ ok }: Json) => ok).length);
    for (const index of [0, 1, 2]) {
      await untilTrue(
        'it is refused',
        async () => (await cluster.send(api(index), tenant)).body.code === 'ORG_SUSPENDED',
      );
    }
    const types = await typesOf(tenant);
    const kept = count(types, 'ChargeReserved') - count(types, 'ChargeRefunded');
    expect(kept).to.equal(sent + 3);
    expect(ofTenant()).to.equal(sent + 3);
    const account = await api(2).admin('GET', `/accounts/${tenant.accountId}`);
    expect(account.balance).to.equal(credits - sent - 3);
  });

  it('row 14: the read models are lost while all of them run, and are filled again', async () => {
    const tenant = await cluster.tenant();
    await knownToAll(tenant);
    await untilTrue('all are shown', async () => (await shown(api(0), tenant)) === 3);
    const mongo = await new MongoClient(cluster.viewsUrl).connect();
    for (const { collectionName } of await mongo.db().collections()) {
      // The data keys cannot be filled again from the log.
      if (collectionName.startsWith('keys.')) continue;
      await mongo
        .db()
        .dropCollection(collectionName)
        .catch((error) => {
          // A worker has already replaced it.
          if (error.message !== 'ns not found') throw error;
        });
    }
    await mongo.close();
    await untilTrue('it sends', async () => (await cluster.send(api(1), tenant)).status === 200);
    for (const index of [0, 1, 2]) {
      await untilTrue('all are shown', async () => (await shown(api(index), tenant)) === 4);
    }
    expect(await cluster.problems()).to.deep.equal([]);
  });

  it('row 14: all workers start again after events of others, and no read model is filled anew', async () => {
    const tenant = await cluster.tenant();
    await knownToAll(tenant);
    await untilTrue('all are shown', async () => (await shown(api(0), tenant)) === 3);
    const views = viewsOver(await openConnection(cluster.viewsUrl));
    try {
      const [live, collections] = [await views.live(), await views.collections()];
      const last = await cluster.store.head();
      for (let revision = 0; revision < OTHERS; revision += 1) {
        await cluster.store.saveSnapshot('others', { revision, version: 1, state: null });
      }
      await untilTrue('all have passed those', async () => {
        const places = await Promise.all(Object.values(live).map((one) => views.checkpoint(one)));
        return places.every((place) => place > last);
      });
      const { length } = cluster.workers;
      for (const worker of cluster.workers.splice(0)) await worker.child.stop();
      while (cluster.workers.length < length) {
        cluster.workers.push(await cluster.startNode('worker'));
      }
      // Nobody folded meanwhile: until one does again, an instance may answer 503.
      await untilTrue('it sends', async () => (await cluster.send(api(1), tenant)).status === 200);
      await untilTrue('it is shown', async () => (await shown(api(0), tenant)) === 4);
      expect(await views.live()).to.deep.equal(live);
      const isNew = (name: string) => !collections.includes(name);
      expect((await views.collections()).filter(isNew)).to.deep.equal([]);
    } finally {
      await views.close();
    }
  });

  describe('row 12: one that starts', () => {
    const warnings = (node: Node): Json[] =>
      node.child
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line))
        .filter(({ level }) => ['warn', 'error'].includes(level));
    const isRefused = ({ status, headers }: Answer) =>
      status === 503 && Number(headers['retry-after']) >= 1;
    let late: Node | undefined;
    afterEach(async () => {
      await late?.child.stop();
      late = undefined;
    });

    for (const [part, check] of [
      ['logWire', 'log'],
      ['viewsWire', 'views'],
    ] as const) {
      it(`while its ${check} is down says so in one line, refuses sends and recovers alone`, async () => {
        const tenant = await cluster.tenant();
        await knownToAll(tenant);
        await cluster[part].down();
        try {
          const node = await cluster.startNode('api');
          late = node;
          for (let round = 0; round < 2; round += 1) {
            const { status, body } = await node.ready();
            expect([status, body.checks[check].ok]).to.deep.equal([503, false]);
            const sent = await cluster.send(node, tenant);
            expect(isRefused(sent), JSON.stringify(sent)).to.equal(true);
          }
          const line = check === 'log' ? 'The log cannot be followed' : 'The read models cannot be';
          expect(warnings(node).filter(({ msg }) => msg.startsWith(line))).to.have.length(1);
        } finally {
          await cluster[part].up();
        }
        const node = late!;
        await untilTrue('it sends', async () => (await cluster.send(node, tenant)).status === 200);
        await untilTrue('it is ready', async () => (await node.ready()).status === 200);
      });
    }

    it('as a worker while both are down takes up its duties once they are there', async () => {
      const others = cluster.workers.splice(0);
      for (const { child } of others) await child.stop();
      await cluster.logWire.down();
      await cluster.viewsWire.down();
      try {
        const node = await cluster.startNode('worker');
        cluster.workers.push(node);
        await untilTrue('it says so', async () => warnings(node).length > 0);
        const said = warnings(node).filter(({ msg }) => msg.includes('cannot run'));
        expect(said).to.have.length(1);
        expect((await node.ready()).status).to.equal(503);
      } finally {
        await cluster.logWire.up();
        await cluster.viewsWire.up();
      }
      const tenant = await cluster.tenant();
      await knownToAll(tenant);
      await untilTrue('all are shown', async () => (await shown(api(0), tenant)) >= 3);
    });
  });

  describe('after all of that', () => {
    it('every invariant holds', async () => {
      expect(await cluster.problems()).to.deep.equal([]);
    });
  });
});
