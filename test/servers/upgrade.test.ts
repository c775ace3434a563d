import { expect } from 'chai';
import { startRollingLoad } from '../support/faults/rolling-load.ts';
import { useRealConnections } from '../support/network.ts';
import { testServers } from '../support/servers.ts';
import { untilTrue } from '../support/until.ts';
import { type Cluster, type Node, openCluster, PATIENT } from './cluster.ts';

const servers = testServers();
/** Of errors: all of a kind say the same. */
const SHOWN_MAX = 5;

/** What it wrote while it stopped says why it did not end in order. */
const expectStopped = async ({ role, child }: Node): Promise<void> => {
  const before = child.output().length;
  const status = await child.stop();
  expect(status, `exit status of ${role}, which wrote:\n${child.output().slice(before)}`).to.equal(
    0,
  );
};

(servers ? describe : describe.skip)('an upgrade, instance by instance', function () {
  // Eight processes start, one after the other.
  this.timeout(600_000);
  useRealConnections();
  let cluster: Cluster;
  before(async () => {
    cluster = await openCluster(servers!, PATIENT);
  });
  after(() => cluster?.close());

  it('row 61: shows callers no error: old ones finish what they have, new ones take over the leases', async () => {
    const tenant = await cluster.tenant({ credits: 100_000 });
    const { apis } = cluster;
    const [oldApis, oldWorkers] = [[...apis], [...cluster.workers]];
    const load = startRollingLoad(apis, (node) => cluster.send(node, tenant));
    try {
      await load.more(20);
      for (const old of oldApis) {
        const started = await cluster.startNode('api');
        await untilTrue('the new one is ready', async () => (await started.ready()).status === 200);
        // As a balancer does: the old one gets no new request, and is told to stop once all came to it.
        apis.splice(apis.indexOf(old), 1, started);
        await load.left(old);
        await expectStopped(old);
        await load.more(10);
      }
      for (const old of oldWorkers) {
        await cluster.startNode('worker');
        await expectStopped(old);
        await load.more(10);
      }
      expect(oldWorkers).to.not.include(await cluster.holder());
    } finally {
      await load.end();
    }
    const reasons = [...oldApis, ...apis].flatMap(({ child }) =>
      child
        .output()
        .split('\n')
        .filter((line) => line.includes('Request failed')),
    );
    expect(reasons.slice(0, SHOWN_MAX).join('\n'), `${reasons.length} failed`).to.equal('');
    expect(load.errors(), JSON.stringify(load.errors().slice(0, SHOWN_MAX))).to.deep.equal([]);
    expect(await cluster.problems()).to.deep.equal([]);
  });

  it('row 61: answers 503 before any charge on a connection that stays, and the repeat is sent once', async () => {
    const tenant = await cluster.tenant({ credits: 10 });
    const [other, , old] = cluster.apis as [Node, Node, Node];
    expect((await cluster.send(old, tenant)).status).to.equal(200);
    const sentBefore = cluster.simulator.sends().length;
    const stopping = old.child.stop();
    const keyed = { 'idempotency-key': 'order-1042-shipped' };
    const answers: (number | string)[] = [];
    // The first ones may still be taken.
    while (answers.at(-1) !== 503 && answers.at(-1) !== 'refused' && answers.length < 1_000) {
      const answer = await cluster.send(old, tenant, keyed).catch(() => undefined);
      answers.push(answer?.status ?? 'refused');
    }
    expect(answers.filter((one) => one !== 200 && one !== 503 && one !== 'refused')).to.be.empty;
    expect(await stopping).to.equal(0);
    const repeated = await cluster.send(other, tenant, keyed);
    expect(repeated.status).to.equal(200);
    expect(cluster.simulator.sends().length).to.equal(sentBefore + 1);
    expect(await cluster.problems()).to.deep.equal([]);
  });
});
