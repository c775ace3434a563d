import { expect } from 'chai';
import type { KnownEvent } from '../../src/events/index.ts';
import { signatureOf } from '../../src/provider/webhook/webhook.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { readLog } from '../support/invariants/log.ts';
import { useRealConnections } from '../support/network.ts';
import { testServers } from '../support/servers.ts';
import { inboundPayload } from '../support/surface.ts';
import { until, untilTrue } from '../support/until.ts';
import { APP_SECRET, type Json, type Tenant } from '../support/waybill.ts';
import { type Cluster, type Node, openCluster, PATIENT, workerCount } from './cluster.ts';

const servers = testServers();
const TENANTS = 8;

(servers ? describe : describe.skip)('reactors of several workers on both servers', () => {
  useRealConnections();
  let cluster: Cluster;
  let callee: Callee;
  let tenants: Tenant[];
  /** Ids of the messages that customers have written. */
  const written: string[] = [];

  /** Asks again while the service is busy. */
  const asTenant = ({ apiKey: token }: Tenant, method: string, path: string, body: Json) =>
    untilTrue(`${method} ${path}`, async () => {
      const { status } = await cluster.apis[0]!.call(method, `/v1${path}`, { token, body });
      if (status !== 503) expect(status, path).to.be.below(300);
      return status !== 503;
    });
  before(async () => {
    cluster = await openCluster(servers!, PATIENT);
    callee = await startCallee();
    tenants = await Promise.all(Array.from({ length: TENANTS }, () => cluster.tenant()));
    for (const one of tenants) {
      const webhookUrl = `${callee.url}/forward`;
      await asTenant(one, 'PATCH', `/phones/${one.phoneNumberId}/webhook`, { webhookUrl });
      const graph = { nodes: [{ id: 'm', type: 'message', data: { text: 'Hi' } }], edges: [] };
      await asTenant(one, 'POST', '/bots', { name: 'Helper', trigger: 'ANY_MESSAGE', ...graph });
      const events = ['message.received'];
      await asTenant(one, 'POST', '/webhooks', { url: `${callee.url}/webhook`, events });
    }
  });
  after(async () => {
    await cluster?.close();
    await callee?.close();
  });

  /** A customer who was never seen writes to each tenant. */
  const write = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const posts = tenants.map(async (tenant) => {
        const nth = written.length;
        const id = `wamid.R${nth}`;
        written.push(id);
        const from = `9198${String(10_000_000 + nth)}`;
        const raw = Buffer.from(
          JSON.stringify(inboundPayload(tenant, { id, from, at: Date.now() })),
        );
        const headers = { 'x-hub-signature-256': signatureOf(raw, APP_SECRET) };
        const node = cluster.apis[nth % cluster.apis.length]!;
        // As the provider does, until it is taken.
        await untilTrue(`webhook ${id}`, async () => {
          const { status } = await node.call('POST', '/provider/webhook', { raw, headers });
          return status === 200;
        });
      });
      await Promise.all(posts);
    }
  };
  const eventsOf = async (...types: readonly string[]): Promise<KnownEvent[]> =>
    ((await readLog(cluster.store)) as unknown as KnownEvent[]).filter(({ type }) =>
      types.includes(type),
    );
  const forwards = () => callee.calls.filter(({ path }) => path === '/forward');
  const delivered = () =>
    new Set(
      callee.calls
        .filter(({ path }) => path === '/webhook')
        .map(({ headers }) => headers['webhook-id']),
    );
  /** Everything that follows from all messages has been done. */
  const allDone = () => {
    const effects = ['MessageForwarded', 'BotRunStarted', 'BotRunEnded'];
    let seen: readonly number[] = [];
    return untilTrue(
      () => `each of ${written.length}: ${effects}, webhooks: ${seen}`,
      async () => {
        const types = (await eventsOf(...effects)).map(({ type }) => type);
        seen = [
          ...effects.map((effect) => types.filter((type) => type === effect).length),
          delivered().size,
        ];
        return seen.every((count) => count === written.length);
      },
    );
  };
  const holders = async (): Promise<(string | null)[]> => {
    const { partitions } = await cluster.apis[0]!.admin('GET', '/projections');
    return partitions.map(({ reactors }: Json) => reactors);
  };
  const reactorsOf = async (node: Node): Promise<readonly number[]> =>
    // While a partition has no worker, the detail says that instead.
    (await node.ready()).body.checks.partitions.detail.reactors ?? [];

  /** Exactly one effect of each message; `lost` may lack one, because their process died in the act. */
  const expectOnce = async (lost = 0): Promise<void> => {
    const ids = forwards().map(({ body }) => JSON.parse(body).message.id);
    expect(new Set(ids).size, 'forwarded twice').to.equal(ids.length);
    expect(ids.length).to.be.at.least(written.length - lost);
    const answered = cluster.simulator.sends().map(({ to }) => to);
    expect(new Set(answered).size, 'answered twice').to.equal(answered.length);
    // A bot's send fails where the read models are late for more than 5 s, as on a busy machine.
    const runs = (await eventsOf('BotRunStarted')).map(({ stream }) => stream);
    expect(runs.length).to.equal(written.length);
    expect(new Set(runs).size, 'ran twice').to.equal(runs.length);
    expect(await cluster.problems({ mayBeOpen: lost > 0 })).to.deep.equal([]);
  };

  it('row 60: are shared evenly, each partition by one, as the health of each says too', async () => {
    await untilTrue('all have a worker', async () => !(await holders()).includes(null));
    const count = async (node: Node) => (await reactorsOf(node)).length;
    await untilTrue('the shares are even', async () => {
      const counts = await Promise.all(cluster.workers.map(count));
      return Math.max(...counts) - Math.min(...counts) <= 1;
    });
    const all = await Promise.all(cluster.workers.map(reactorsOf));
    const numbers = all.flat().sort((one, other) => one - other);
    expect(numbers).to.deep.equal((await holders()).map((_, partition) => partition));
    expect(new Set(await holders()).size).to.equal(workerCount);
  });

  it('row 60: have one effect of each message while a worker ends and another joins', async () => {
    await write(3);
    const leaving = cluster.workers.shift()!;
    const starting = cluster.startNode('worker');
    const stopped = leaving.child.stop();
    await write(3);
    cluster.workers.push(await starting);
    expect(await stopped).to.equal(0);
    await write(3);
    await allDone();
    await expectOnce();
  });

  it('row 60: have one effect at most while a worker dies, and what it had begun gets an end', async () => {
    callee.answer((response, { path }) => void (path === '/forward' || response.end()));
    await write(3);
    // It dies during its calls, so that its successor certainly sees their messages again.
    await until('all are called', () => forwards().length === written.length);
    const dying = cluster.workers.shift()!;
    await dying.child.kill();
    callee.answer((response) => response.end());
    await write(3);
    // Alone, it is replaced as an operator would.
    cluster.workers.push(await cluster.startNode('worker'));
    await write(3);
    await allDone();
    await expectOnce(3 * TENANTS);
  });

  it('row 60: have one effect while a worker freezes for longer than its lease, and wakes', async () => {
    if (workerCount === 1) cluster.workers.push(await cluster.startNode('worker'));
    const isShared = async () =>
      (await Promise.all(cluster.workers.map(reactorsOf))).every(({ length }) => length > 0);
    await untilTrue('all have some', isShared);
    await write(2);
    const frozen = cluster.workers[0]!;
    frozen.child.process.kill('SIGSTOP');
    try {
      await write(2);
      await allDone();
      // Perhaps none of the tenants was its own: then all is done before its leases end.
      await untilTrue('the others have its share', async () => {
        const all = await holders();
        return !all.includes(null) && new Set(all).size === cluster.workers.length - 1;
      });
    } finally {
      frozen.child.process.kill('SIGCONT');
    }
    await write(2);
    await until('it has noticed', () => frozen.child.output().includes('no longer runs'));
    await untilTrue('it has its share again', isShared);
    await write(2);
    await allDone();
    await expectOnce(3 * TENANTS + 2 * TENANTS);
  });
});
