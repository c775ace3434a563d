import { expect } from 'chai';
import { LEASE_MS, SILENT_AFTER_MS } from '../../src/commands/core/lease.ts';
import type { EventStore } from '../../src/events/store.ts';
import { createProcessLeases } from '../../src/projections/mongodb/lease.ts';
import { killChildren } from '../support/faults/child.ts';
import { openCrashes } from '../support/faults/crash.ts';
import { isSend, type Passing } from '../support/faults/gate.ts';
import { type Instance, startInstance } from '../support/faults/instance.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { createFakeMongo } from '../support/mongodb/fake.ts';
import { useRealConnections } from '../support/network.ts';
import { notify, typesOf } from '../support/surface.ts';
import { until, untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN, type Answer, statusPayload, type Tenant } from '../support/waybill.ts';

type Call = Instance['call'];

const grantTo = (call: Call, { accountId }: Tenant): Promise<Answer> =>
  call('POST', `/admin/v1/accounts/${accountId}/credits/grant`, {
    token: ADMIN_TOKEN,
    body: { amount: 7 },
    headers: { 'idempotency-key': 'thanks-7' },
  });

const sendTo = (call: Call, tenant: Tenant, signal?: AbortSignal): Promise<Answer> =>
  notify({ call }, tenant, {}, { 'idempotency-key': 'order-1042-shipped' }, signal);

/** Repeats until the first is said to be in progress no longer. */
const repeat = async (
  call: Call,
  tenant: Tenant,
  onWait = () => {},
  ask: typeof grantTo = sendTo,
): Promise<Answer> => {
  let answer = await ask(call, tenant);
  await untilTrue('an answer', async () => {
    if (answer.status === 409) onWait();
    if (answer.status === 409) answer = await ask(call, tenant);
    return answer.status !== 409;
  });
  return answer;
};

describe('a send with a key whose process is killed @long', () => {
  useRealConnections();
  const crashes = inSuite(openCrashes);

  it('row 67: is repeated at once after the restart: sent where nothing was reserved, else refunded @series', async () => {
    const first = await crashes.start();
    const [preparing, sending] = [await crashes.tenant(), await crashes.tenant()];
    // The mirror knows no template yet, so that the provider is asked before all else.
    const isRead = ({ method, path }: Passing) =>
      method === 'GET' && path.includes(`${preparing.wabaId}/message_templates`);
    const read = crashes.gate.hold('before', isRead);
    const accepted = crashes.gate.hold('after');
    const gone = [sendTo(crashes.call, preparing), sendTo(crashes.call, sending)].map((one) =>
      one.catch(() => 'gone'),
    );
    await read.arrived();
    await accepted.arrived();
    await first.kill();
    expect(await Promise.all(gone)).to.deep.equal(['gone', 'gone']);
    read.release();
    accepted.release();
    await crashes.start();

    const again = await repeat(crashes.call, preparing);
    expect(again.status).to.equal(200);
    const answer = await repeat(crashes.call, sending);
    expect([answer.status, answer.body.code]).to.deep.equal([504, 'OUTCOME_UNKNOWN']);
    const { headers } = await repeat(crashes.call, sending);
    expect(headers).to.include({ 'idempotency-replayed': 'true' });
    const { body } = await crashes.call('GET', '/v1/credits', { token: sending.apiKey });
    expect(typesOf(body.transactions)).to.deep.equal(['REFUND', 'DEDUCT', 'GRANT']);
    expect(crashes.sendsOf(sending)).to.have.length(1);
    await killChildren();
    expect(await crashes.inspect(0)).to.deep.equal([]);
  });
});

/** What an instance does at the log and at its lease goes on only while it is not frozen. */
const createFreezer = () => {
  let frozen: Promise<void> | undefined;
  let thaw = () => {};
  let at: string | undefined;
  let after: string | undefined;
  const pass = async () => {
    while (frozen) await frozen;
  };
  const freeze = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    frozen = promise;
    thaw = () => {
      frozen = undefined;
      resolve();
    };
  };
  return {
    pass,
    freeze,
    /** Freezes it when it is about to append such an event. */
    freezeAt(type: string) {
      at = type;
    },
    /** Freezes it when such an event is in the log, before it hears of that. */
    freezeAfter(type: string) {
      after = type;
    },
    isFrozen: () => frozen !== undefined,
    thaw: () => thaw(),
    through: (store: EventStore): EventStore => ({
      ...store,
      async append(...what) {
        if (what[2].some(({ type }) => type === at)) {
          at = undefined;
          freeze();
        }
        await pass();
        const done = await store.append(...what);
        if (what[2].some(({ type }) => type === after)) {
          after = undefined;
          freeze();
        }
        await pass();
        return done;
      },
    }),
  };
};

describe('a send with a key whose process is frozen, of two on one log @long', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  let freezer: ReturnType<typeof createFreezer>;
  let [one, other]: Instance[] = [];
  beforeEach(async () => {
    world = await openWorld();
    const mongo = createFakeMongo();
    const { now } = world.waybill.clock;
    freezer = createFreezer();
    one = await startInstance(world, {
      store: freezer.through(world.waybill.sealed),
      processes: createProcessLeases(mongo.connect(freezer.pass), now),
    });
    other = await startInstance(world, { processes: createProcessLeases(mongo.connect(), now) });
    tenant = await world.tenant();
  });
  afterEach(async () => {
    freezer.thaw();
    await one!.stop();
    await other!.stop();
    await world.close();
  });

  /** Lets a second pass: the other one may not have seen the last renewal yet. */
  const second = () => world.waybill.clock.advance(1_000);

  it('row 67: a grant with a key is made by the other, and by nobody again', async () => {
    const before = (await world.balance(tenant)) as number;
    freezer.freezeAt('CreditsGranted');
    const first = grantTo(one!.call, tenant);
    await until('the grant', freezer.isFrozen);
    expect((await repeat(other!.call, tenant, second, grantTo)).status).to.equal(201);
    freezer.thaw();
    expect((await first).status).to.equal(503);
    expect((await grantTo(one!.call, tenant)).status).to.equal(201);
    expect(await world.balance(tenant)).to.equal(before + 7);
  });

  it('row 67: is sent by the other 4 s later where nothing was reserved, and by nobody again', async () => {
    freezer.freezeAt('ChargeReserved');
    const first = sendTo(one!.call, tenant);
    await until('the reservation', freezer.isFrozen);
    const early = await sendTo(other!.call, tenant);
    expect([early.status, early.body.code]).to.deep.equal([409, 'IDEMPOTENCY_IN_PROGRESS']);
    const from = world.waybill.clock.now();
    const again = await repeat(other!.call, tenant, second);
    expect(again.status).to.equal(200);
    // Some seconds pass before the other one looks at the leases again.
    expect(world.waybill.clock.now() - from).to.be.within(LEASE_MS, SILENT_AFTER_MS / 2);
    freezer.thaw();
    expect((await first).status).to.equal(503);
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 2, refunded: 1, sent: 1 });
    expect(world.sendsOf(tenant)).to.have.length(1);
    expect((await sendTo(one!.call, tenant)).body).to.deep.equal(again.body);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 67: is unknown and refunded within a minute where a charge is open; its status shows it then', async () => {
    const accepted = world.gate.hold('after', isSend);
    const first = sendTo(one!.call, tenant);
    await accepted.arrived();
    freezer.freeze();
    const from = world.waybill.clock.now();
    await untilTrue('the end of the lease', async () => {
      second();
      const { headers } = await sendTo(other!.call, tenant);
      return headers['retry-after'] === '10';
    });
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 1, refunded: 0, sent: 0 });
    world.waybill.clock.advance(SILENT_AFTER_MS);
    const answer = await repeat(other!.call, tenant, second);
    expect([answer.status, answer.body.code]).to.deep.equal([504, 'OUTCOME_UNKNOWN']);
    expect(world.waybill.clock.now() - from).to.be.below(60_000);
    freezer.thaw();
    accepted.release();
    expect((await first).status).to.equal(503);
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 1, refunded: 1, sent: 0 });

    const { messageId: id, chargeId } = world.sendsOf(tenant)[0]!;
    const sent = { id: id!, status: 'sent', chargeId: chargeId! };
    await world.waybill.webhook(statusPayload(tenant, sent));
    await world.waybill.settled();
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 1, refunded: 1, sent: 1 });
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 67: keeps the charge that a repetition has named, though the first caller has gone', async () => {
    freezer.freezeAfter('MessageSent');
    const caller = new AbortController();
    const gone = sendTo(one!.call, tenant, caller.signal).catch(() => 'gone');
    await until('the record', freezer.isFrozen);
    const again = await repeat(other!.call, tenant, second);
    expect([again.status, again.headers['x-credits-charged']]).to.deep.equal([200, '1']);
    caller.abort();
    expect(await gone).to.equal('gone');
    // What is answered over another connection is answered after the end of this one was noticed.
    for (let count = 0; count < 5; count += 1) await one!.call('GET', '/health/live');
    freezer.thaw();
    await one!.stop();
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 1, refunded: 0, sent: 1 });
    expect(await world.problems()).to.deep.equal([]);
  });
});
