import { expect } from 'chai';
import type { ScenarioName } from '../../src/provider/simulator/scenarios.ts';
import { openWorld, type WorldOptions } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { statusOf } from '../support/surface.ts';
import type { Answer, Tenant } from '../support/waybill.ts';

/** How many volleys of tries fit in, with the shortest pauses of a number that backs off. */
const volleysWithin = (ms: number): number => {
  let volleys = 0;
  for (let at = 0, pauseMs = 50; at <= ms; at += pauseMs, pauseMs = Math.min(2 * pauseMs, 500)) {
    volleys += 1;
  }
  return volleys;
};

const GIVEN_BACK = { reserved: 1, refunded: 1, sent: 0 };

/** Tests with a tenant of its own for each. */
const useTrouble = (options: WorldOptions = {}) => {
  useRealConnections();
  let tenant: Tenant;
  const world = inSuite(() => openWorld({ direct: true, ...options }));
  beforeEach(async () => {
    tenant = await world.tenant();
  });
  afterEach(async () => expect(await world.problems()).to.deep.equal([]));

  const sendUnder = (scenario: ScenarioName): Promise<Answer> => {
    world.simulator.fault(tenant.phoneNumberId, scenario, 1);
    return world.send(tenant);
  };
  const expectUnknown = async ({ status, body }: Answer) => {
    expect([status, body.code]).to.deep.equal([504, 'OUTCOME_UNKNOWN']);
    expect(await world.refundCauses(tenant)).to.deep.equal(['unknown_outcome']);
    expect(await world.balance(tenant)).to.equal(1000);
  };
  return { world, tenant: () => tenant, sendUnder, expectUnknown };
};

describe('a provider that is silent @long', () => {
  const { world, tenant: of, sendUnder, expectUnknown } = useTrouble({ providerTimeoutMs: 2_000 });

  it('row 4: a black hole is answered in time, refunded, and never asked again', async () => {
    await expectUnknown(await sendUnder('silence'));
    expect(await world.charges(of())).to.deep.equal(GIVEN_BACK);
    expect(world.sendsOf(of())).to.have.length(1);
  });

  it('row 4: what went out nevertheless is shown once a status tells, and stays refunded', async () => {
    const tenant = of();
    await expectUnknown(await sendUnder('silence_sent'));
    const messageId = world.sendsOf(tenant)[0]!.messageId!;
    expect(await statusOf(world, tenant, messageId)).to.equal(404);
    await world.simulator.status(messageId, 'delivered');
    expect(await statusOf(world, tenant, messageId)).to.equal('delivered');
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 1, refunded: 1, sent: 1 });
    expect(await world.balance(tenant)).to.equal(1000);
    expect(world.sendsOf(tenant)).to.have.length(1);
  });
});

describe('a provider in trouble @long', () => {
  const { world, tenant: of, sendUnder, expectUnknown } = useTrouble();

  it('row 5: a reset leaves the outcome open, and is not tried again', async () => {
    await expectUnknown(await sendUnder('reset_sent'));
    expect(world.sendsOf(of())).to.have.length(1);
  });

  for (const scenario of ['bad_gateway', 'cut_json'] as const) {
    it(`row 6: ${scenario} is an answer: 502, refunded, not tried again`, async () => {
      const { status, body } = await sendUnder(scenario);
      expect([status, body.code]).to.deep.equal([502, 'SEND_FAILED']);
      expect(body.details).to.have.all.keys('event', 'template', 'providerCode', 'providerMessage');
      expect(await world.refundCauses(of())).to.deep.equal(['not_sent']);
      expect(await world.charges(of())).to.deep.equal(GIVEN_BACK);
      expect(world.sendsOf(of())).to.have.length(1);
    });
  }
});

describe('a provider that cannot be reached @long', () => {
  useRealConnections();
  const world = inSuite(openWorld);

  it('row 5: refused connections are 502 and refunded; it recovers alone', async () => {
    const tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
    await world.gate.unplug();
    for (let time = 0; time < 3; time += 1) {
      const { status, body } = await world.send(tenant);
      expect([status, body.code]).to.deep.equal([502, 'SEND_FAILED']);
    }
    expect(await world.refundCauses(tenant)).to.deep.equal(new Array(3).fill('not_sent'));
    await world.gate.plugIn();
    expect((await world.send(tenant)).status).to.equal(200);
    expect(world.sendsOf(tenant)).to.have.length(2);
    expect(await world.balance(tenant)).to.equal(998);
    expect(await world.problems()).to.deep.equal([]);
  });
});

describe('a provider in trouble with one number @long', () => {
  useRealConnections();
  const world = inSuite(() => openWorld({ providerTimeoutMs: 5000 }));

  it('row 7: throttled: others keep their speed, and every charge is given back', async () => {
    const [troubled, healthy] = [await world.tenant(), await world.tenant()];
    expect((await world.send(troubled)).status).to.equal(200);
    expect((await world.send(healthy)).status).to.equal(200);
    world.simulator.fault(troubled.phoneNumberId, 'throttled');
    const many = (tenant: Tenant, count: number) =>
      Promise.all(Array.from({ length: count }, () => world.send(tenant)));
    const startedAt = performance.now();
    let tries = 0;
    let tookMs = 0;
    const [refused, sent] = await Promise.all([
      many(troubled, 20),
      many(healthy, 60).finally(() => {
        tries = world.sendsOf(troubled).filter(({ code }) => code !== null).length;
        tookMs = performance.now() - startedAt;
      }),
    ]);
    expect(new Set(sent.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([502]));
    expect(await world.balance(healthy)).to.equal(1000 - 61);
    expect(await world.balance(troubled)).to.equal(999);
    // Its tries come in volleys, with a longer pause after each.
    expect(tries).to.be.at.most(20 * volleysWithin(tookMs));
    expect(await world.problems()).to.deep.equal([]);
  });
});
