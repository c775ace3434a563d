import { expect } from 'chai';
import { useRealConnections } from '../support/network.ts';
import { testServers } from '../support/servers.ts';
import { untilTrue } from '../support/until.ts';
import type { Answer, Tenant } from '../support/waybill.ts';
import { type Cluster, type Node, openCluster } from './cluster.ts';

const servers = testServers();

const SENDERS = 6;

/** Callers that go on sending, each to the next of the instances that the balancer has in turn. */
const startLoad = (cluster: Cluster, tenant: Tenant, upstreams: Node[]) => {
  const answers: Answer[] = [];
  const underWay = new Map<Node, number>();
  let isOver = false;
  let turn = 0;
  const send = async () => {
    while (!isOver) {
      turn += 1;
      const node = upstreams[turn % upstreams.length]!;
      underWay.set(node, (underWay.get(node) ?? 0) + 1);
      answers.push(await cluster.send(node, tenant));
      underWay.set(node, underWay.get(node)! - 1);
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, send));
  return {
    answers,
    /** Waits for so many further answers. */
    async more(count: number) {
      const from = answers.length;
      await untilTrue('further answers', async () => answers.length >= from + count, 15_000);
    },
    /** Waits until an instance has no request of the load. */
    left: (node: Node) => untilTrue('its last answer', async () => !underWay.get(node), 15_000),
    async end() {
      isOver = true;
      await sending;
    },
  };
};

(servers ? describe : describe.skip)('an upgrade, instance by instance', function () {
  // Eight processes start, one after the other.
  this.timeout(180_000);
  useRealConnections();
  let cluster: Cluster;
  before(async () => {
    cluster = await openCluster(servers!);
  });
  after(() => cluster?.close());

  it('row 61: shows callers no error: old ones finish what they have, new ones take over the leases', async () => {
    const tenant = await cluster.tenant({ credits: 100_000 });
    const { apis } = cluster;
    const [oldApis, oldWorkers] = [[...apis], [...cluster.workers]];
    const load = startLoad(cluster, tenant, apis);
    try {
      await load.more(20);
      for (const old of oldApis) {
        const started = await cluster.startNode('api');
        await untilTrue('the new one is ready', async () => (await started.ready()).status === 200);
        // As a balancer does: the old one gets no new request, and is told to stop once all came to it.
        apis.splice(apis.indexOf(old), 1, started);
        await load.left(old);
        expect(await old.child.stop(), 'exit status of an API').to.equal(0);
        await load.more(10);
      }
      for (const old of oldWorkers) {
        await cluster.startNode('worker');
        expect(await old.child.stop(), 'exit status of a worker').to.equal(0);
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
    expect(reasons).to.deep.equal([]);
    const others = load.answers.filter(({ status }) => status !== 200);
    expect(others.map(({ status, body }) => [status, body])).to.deep.equal([]);
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
