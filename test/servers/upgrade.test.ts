import { expect } from 'chai';
import { runHere } from '../cli/support.ts';
import { startRollingLoad } from '../support/faults/rolling-load.ts';
import { useRealConnections } from '../support/network.ts';
import { testServers } from '../support/servers.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN, type Tenant } from '../support/waybill.ts';
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

(servers ? describe : describe.skip)(
  'an upgrade, or another secret, instance by instance',
  function () {
    // Some twenty processes start, one after the other.
    this.timeout(600_000);
    useRealConnections();
    let cluster: Cluster;
    before(async () => {
      cluster = await openCluster(servers!, PATIENT);
    });
    after(() => cluster?.close());

    /** One instance at a time: a new one is ready before an old one is told to stop. */
    const replaceAll = async (
      load: ReturnType<typeof startRollingLoad<Node>>,
      settings: Record<string, string> = {},
    ): Promise<void> => {
      const { apis, workers } = cluster;
      for (const old of [...apis]) {
        const started = await cluster.startNode('api', { settings });
        await untilTrue('the new one is ready', async () => (await started.ready()).status === 200);
        // As a balancer does: the old one gets no new request, and is told to stop once all came to it.
        apis.splice(apis.indexOf(old), 1, started);
        await load.left(old);
        await expectStopped(old);
        await load.more(10);
      }
      for (const old of [...workers]) {
        workers.splice(workers.indexOf(old), 1, await cluster.startNode('worker', { settings }));
        await expectStopped(old);
        await load.more(10);
      }
    };
    /** Callers of all instances, who must not notice what is done meanwhile. */
    const underLoad = async (
      work: (load: ReturnType<typeof startRollingLoad<Node>>, tenant: Tenant) => Promise<void>,
    ) => {
      const tenant = await cluster.tenant({ credits: 100_000 });
      const old = [...cluster.apis];
      const { apiKey: token } = tenant;
      // Each looks at its message, too: no more is sent than the read models keep up with.
      const load = startRollingLoad(cluster.apis, async (node) => {
        const answer = await cluster.send(node, tenant);
        const path = `/v1/notifications/status/${encodeURIComponent(answer.body.messageId)}`;
        await node.call('GET', path, { token });
        return answer;
      });
      try {
        await load.more(20);
        await work(load, tenant);
        await load.more(20);
      } finally {
        await load.end();
      }
      const reasons = [...old, ...cluster.apis].flatMap(({ child }) =>
        child
          .output()
          .split('\n')
          .filter((line) => line.includes('Request failed')),
      );
      expect(reasons.slice(0, SHOWN_MAX).join('\n'), `${reasons.length} failed`).to.equal('');
      expect(load.errors(), JSON.stringify(load.errors().slice(0, SHOWN_MAX))).to.deep.equal([]);
      expect(await cluster.problems()).to.deep.equal([]);
    };

    it('row 61: shows callers no error: old ones finish what they have, new ones take over the leases', () =>
      underLoad(async (load) => {
        const old = [...cluster.workers];
        await replaceAll(load);
        expect(old).to.not.include(await cluster.holder());
      }));

    it('row 61: answers 503 before any charge on a connection that stays, and the repeat is sent once', async () => {
      const tenant = await cluster.tenant({ credits: 10 });
      const [other] = cluster.apis as [Node];
      const old = cluster.apis.pop()!;
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

    it('row 79: nor when the secret changes, instance by instance, and the keys below it after that', () =>
      underLoad(async (load, { accountId, apiKey: token }) => {
        const WAYBILL_SECRET = '08'.repeat(32);
        await replaceAll(load, { WAYBILL_SECRET, WAYBILL_SECRET_PREVIOUS: '07'.repeat(32) });
        const refused = await cluster.startNode('api').catch(({ message }: Error) => message);
        expect(refused).to.include('WAYBILL_SECRET is not the secret');

        const [api] = cluster.apis as [Node];
        const env = { WAYBILL_URL: `${api.child.url}/api`, WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN };
        const rotated = await runHere(['secret', 'rotate', '--deep'], { env });
        expect(rotated.stdout, rotated.stderr).to.match(
          /^[1-9]\d* tokens and hashes .* the key v2/,
        );
        const again = await api.admin('POST', `/accounts/${accountId}/renew-secrets`);
        expect(again).to.deep.equal({ renewed: 0 });

        await replaceAll(load, { WAYBILL_SECRET });
        for (const { call } of cluster.apis) {
          expect((await call('GET', '/v1/credits', { token })).status).to.equal(200);
        }
      }));
  },
);
