import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { useRealConnections } from '../support/network.ts';
import { testServers } from '../support/servers.ts';
import { until, untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN, type Answer } from '../support/waybill.ts';
import { type Cluster, type Node, openCluster, workerCount } from './cluster.ts';

const servers = testServers();
if (!servers) {
  console.log('EVENTSTORE_URL or MONGODB_URL is not set: no instances run side by side here');
}

const withStatus = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

const parallel = (count: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

/** Asks again after a 503, as long as it says: a machine that is overloaded refuses some at first. */
const untilTaken = async (ask: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await pause(1000 * Number(answer.headers['retry-after']));
  }
};

(servers ? describe : describe.skip)('several instances on both servers', () => {
  useRealConnections();
  let cluster: Cluster;
  const api = (index: number): Node => cluster.apis[index % cluster.apis.length]!;

  before(async () => {
    // The provider is not slow here, and the log is away with the limits of the service.
    cluster = await openCluster(servers!, { providerTimeoutMs: 60_000 });
  });
  after(() => cluster?.close());

  it('keep to their roles', async () => {
    const ofApi = (await api(0).ready()).body.checks.duties.detail;
    expect(ofApi).to.equal('not done by this process');
    const worker = cluster.workers[0]!;
    const token = ADMIN_TOKEN;
    const asked = [api(0), worker].map((node) => node.call('GET', '/admin/v1/plans', { token }));
    expect((await Promise.all(asked)).map(({ status }) => status)).to.deep.equal([200, 404]);
    const states = await Promise.all(
      cluster.workers.map(async (node) => (await node.ready()).body.checks.duties.detail),
    );
    expect(states.filter((state) => state === 'done by this process')).to.have.length(1);
  });

  it('row 10: of 1,000 parallel sends exactly as many pass as there is credit for', async function () {
    this.timeout(300_000);
    const tenant = await cluster.tenant({ credits: 440 });
    // One each before: all of them know the template then.
    for (const index of [0, 1, 2]) {
      expect((await cluster.send(api(index), tenant)).status).to.equal(200);
    }
    const answers = await parallel(1000, (index) =>
      untilTaken(() => cluster.send(api(index), tenant)),
    );
    const statuses = Map.groupBy(answers, ({ status }) => status);
    expect([...statuses].map(([status, { length }]) => [status, length])).to.have.deep.members([
      [200, 437],
      [402, 563],
    ]);
  });

  for (const limit of ['perMinute', 'daily', 'monthly']) {
    it(`row 10: the cap ${limit} is not passed`, async () => {
      const tenant = await cluster.tenant({ limits: { [limit]: 41 } });
      const answers = await parallel(120, (index) =>
        untilTaken(() => cluster.send(api(index), tenant)),
      );
      expect(withStatus(answers, 200)).to.have.length(41);
      expect(withStatus(answers, 429)).to.have.length(79);
    });
  }

  it('row 10: a key of idempotency is worked on by one of them', async () => {
    const tenant = await cluster.tenant({ credits: 10 });
    const headers = { 'idempotency-key': 'order-77' };
    const answers = await parallel(30, (index) => cluster.send(api(index), tenant, headers));
    const taken = withStatus(answers, 200);
    expect(taken.length + withStatus(answers, 409).length).to.equal(30);
    expect(new Set(taken.map(({ body }) => body.messageId)).size).to.equal(1);
    const { body } = await api(1).call('GET', '/v1/credits', { token: tenant.apiKey });
    expect(body.balance).to.equal(9);
  });

  it('hold one rate limit together', async () => {
    const tenant = await cluster.tenant();
    const key = await api(0).admin('POST', `/accounts/${tenant.accountId}/keys`, {
      name: 'limited',
      rateLimit: 120,
    });
    const answers = await parallel(600, (index) =>
      api(index).call('GET', '/v1/notifications/catalog', { token: key.key }),
    );
    expect(withStatus(answers, 200)).to.have.length(120);
    expect(withStatus(answers, 429)).to.have.length(480);
  });

  it('show a write to the next GET, on whichever of them', async () => {
    const tenant = await cluster.tenant();
    const delays: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const sent = await cluster.send(api(round), tenant);
      expect(sent.status).to.equal(200);
      const at = performance.now();
      const { messageId } = sent.body;
      const path = `/v1/notifications/status/${messageId}`;
      const seen = await api(round + 1).call('GET', path, { token: tenant.apiKey });
      delays.push(performance.now() - at);
      expect(seen.status).to.equal(200);
    }
    delays.sort((one, other) => one - other);
    console.log(
      `      GET after a write elsewhere: p50 ${delays[10]!.toFixed(0)} ms,` +
        ` max ${delays.at(-1)!.toFixed(0)} ms`,
    );
  });

  it('row 25: revoke a key and suspend an organisation for all within a second', async () => {
    const tenant = await cluster.tenant();
    const get = (index: number, token = tenant.apiKey) =>
      api(index).call('GET', '/v1/credits', { token });
    const keyPath = `/accounts/${tenant.accountId}/keys`;
    const key = await api(0).admin('POST', keyPath, { name: 'short-lived' });
    for (const index of [0, 1, 2]) expect((await get(index, key.key)).status).to.equal(200);
    await api(0).admin('POST', `/keys/${key.id}/revoke`, {});
    const within = async (what: string, holds: (index: number) => Promise<boolean>) => {
      const at = performance.now();
      let latestMs = 0;
      await untilTrue(what, async () => {
        const askedMs = performance.now() - at;
        const isSo = (await holds(1)) && (await holds(2));
        if (!isSo) latestMs = askedMs;
        return isSo;
      });
      expect(latestMs, `${what}: the last look, in ms, that did not show it`).to.be.below(1_000);
    };
    await within('revoked', async (index) => (await get(index, key.key)).status === 401);
    for (const index of [0, 1, 2]) expect((await get(index)).status).to.equal(200);
    const path = `/organisations/${tenant.organisationId}/suspend`;
    await api(0).admin('POST', path, { reason: 'test' });
    await within('suspended', async (index) => (await get(index)).status === 403);
  });

  it('row 13: a follower whose connections break goes on where it was', async () => {
    const tenant = await cluster.tenant();
    for (let round = 0; round < 3; round += 1) {
      cluster.logWire.cut();
      await untilTrue(
        'it is sent',
        async () => (await cluster.send(api(round), tenant)).status === 200,
      );
    }
    const seen = async () =>
      (await api(1).call('GET', '/v1/messages', { token: tenant.apiKey })).body.messages?.length;
    await untilTrue('all are shown', async () => (await seen()) >= 3);
  });

  it('row 12: while the log is down sends are 503 and GETs go on; it recovers alone', async () => {
    const tenant = await cluster.tenant();
    const first = await cluster.send(api(0), tenant);
    const path = `/v1/notifications/status/${first.body.messageId}`;
    expect((await api(1).call('GET', path, { token: tenant.apiKey })).status).to.equal(200);
    const before = cluster.simulator.sends().length;
    await cluster.logWire.down();
    const tookMs = { GET: [] as number[], send: [] as number[] };
    const timed = async (what: keyof typeof tookMs, asking: Promise<Answer>) => {
      const at = performance.now();
      const answer = await asking;
      tookMs[what].push(Math.round(performance.now() - at));
      return answer;
    };
    try {
      const until10 = performance.now() + 10_000;
      const read = async () => {
        for (let round = 0; performance.now() < until10; round += 1) {
          const path = '/v1/messages';
          const asking = api(round).call('GET', path, { token: tenant.apiKey });
          const { status, body } = await timed('GET', asking);
          expect(status, JSON.stringify(body)).to.equal(200);
          expect(body.messages).to.have.length(1);
          await pause(20);
        }
      };
      const write = async () => {
        for (let round = 0; performance.now() < until10; round += 1) {
          const { status, headers } = await timed('send', cluster.send(api(round), tenant));
          expect(status).to.equal(503);
          expect(Number(headers['retry-after'])).to.be.at.least(1);
          await pause(20);
        }
      };
      await Promise.all([read(), write()]);
      const { status, body } = await api(0).ready();
      expect([status, body.checks.log.ok]).to.deep.equal([503, false]);
      expect(cluster.simulator.sends()).to.have.length(before);
    } finally {
      await cluster.logWire.up();
    }
    const at = performance.now();
    for (const index of [0, 1, 2]) {
      await untilTrue(
        'it sends again',
        async () => (await cluster.send(api(index), tenant)).status === 200,
      );
    }
    console.log(`      back after ${(performance.now() - at).toFixed(0)} ms`);
    for (const [what, times] of Object.entries(tookMs)) {
      times.sort((one, other) => one - other);
      const middle = times[Math.floor(times.length / 2)];
      console.log(`      ${times.length} × ${what}: p50 ${middle} ms, max ${times.at(-1)} ms`);
    }
    await cluster.holder();
  });

  it('row 12: while the views are down sends go on and GETs are 503; it recovers alone', async () => {
    const tenant = await cluster.tenant();
    // An api that follows the log again forgets what it had looked up and the keys that it had opened.
    for (const index of [0, 1, 2]) {
      await untilTrue('it is ready', async () => (await api(index).ready()).status === 200);
    }
    let sent = 0;
    const sendOverAll = async (): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (const index of [0, 1, 2]) {
        statuses.push((await cluster.send(api(index), tenant)).status);
      }
      sent += statuses.filter((status) => status === 200).length;
      return statuses;
    };
    // News of the tenant itself, which may still come, makes them look up again what they had kept.
    await untilTrue('sends go on without the views', async () => {
      if ((await sendOverAll()).some((status) => status !== 200)) return false;
      await cluster.viewsWire.down();
      try {
        const shown = await api(0).call('GET', '/v1/messages', { token: tenant.apiKey });
        expect(shown.status).to.equal(503);
        return (await sendOverAll()).every((status) => status === 200);
      } finally {
        await cluster.viewsWire.up();
      }
    });
    const seen = async () => {
      const { body } = await api(1).call('GET', '/v1/messages', { token: tenant.apiKey });
      return body.messages?.length === sent;
    };
    await untilTrue('all are shown', seen);
  });

  /** Sends, and waits until what was sent is shown, which takes somebody who does the duties. */
  const sendUntilShown = async (tenant: Awaited<ReturnType<Cluster['tenant']>>) => {
    const at = performance.now();
    const sent = await cluster.send(api(0), tenant);
    expect(sent.status).to.equal(200);
    const path = `/v1/notifications/status/${sent.body.messageId}`;
    const shown = async () =>
      (await api(1).call('GET', path, { token: tenant.apiKey })).status === 200;
    await untilTrue('it is shown', shown);
    return performance.now() - at;
  };

  it('another worker takes over when the holder dies', async () => {
    const tenant = await cluster.tenant();
    await sendUntilShown(tenant);
    const holder = await cluster.holder();
    await holder.child.kill();
    // The next tests need as many workers as before; a lone one has no other to take over.
    const replace = async () => cluster.workers.push(await cluster.startNode('worker'));
    if (workerCount === 1) await replace();
    try {
      const tookMs = await sendUntilShown(tenant);
      console.log(`      shown ${tookMs.toFixed(0)} ms after the kill`);
    } finally {
      if (workerCount > 1) await replace();
    }
  });

  it('row 14: a holder that was paused folds its old batch again when it wakes, to no effect', async () => {
    const tenant = await cluster.tenant();
    await sendUntilShown(tenant);
    const paused = await cluster.holder();
    paused.child.process.kill('SIGSTOP');
    const before = paused.child.output().length;
    try {
      if (workerCount === 1) cluster.workers.push(await cluster.startNode('worker'));
      const tookMs = await sendUntilShown(tenant);
      console.log(`      shown ${tookMs.toFixed(0)} ms after the pause began`);
      // The tenant may be of another worker: its own share goes once its leases end.
      expect(await cluster.holder()).to.not.equal(paused);
      for (let round = 0; round < 5; round += 1) await sendUntilShown(tenant);
    } finally {
      paused.child.process.kill('SIGCONT');
    }
    // All of its share is gone, unless the others had no time to take all of it.
    await until('it notices', () =>
      paused.child.output().slice(before).includes('runs the projections'),
    );
    for (let round = 0; round < 5; round += 1) await sendUntilShown(tenant);
  });

  it('keep every invariant through all of that', async () => {
    await pause(500);
    expect(await cluster.problems()).to.deep.equal([]);
  });

  it('stop cleanly when told', async () => {
    const node = api(2);
    const sending = cluster.send(node, await cluster.tenant());
    expect((await sending).status).to.equal(200);
    expect(await node.child.stop()).to.equal(0);
    expect(node.child.output()).to.include('Stopped');
  });
});
