import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { RefundCause } from '../../src/events/account.ts';
import type { ScenarioName } from '../../src/provider/simulator/scenarios.ts';
import { createFaultyStore, withType } from '../support/faults/store.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import { orderShipped, type Tenant } from '../support/waybill.ts';

const refunded = { writes: 'ChargeRefunded', sent: 0 } as const;

/** How the provider takes a message, and the first event that is written because of it. */
const outcomes: {
  scenario: ScenarioName;
  writes: 'MessageSent' | 'ChargeRefunded';
  sent: number;
  answer: number;
  cause: RefundCause;
}[] = [
  { scenario: 'normal', writes: 'MessageSent', sent: 1, answer: 200, cause: 'disconnected' },
  { scenario: 'undeliverable', ...refunded, answer: 502, cause: 'not_sent' },
  { scenario: 'reset', ...refunded, answer: 504, cause: 'unknown_outcome' },
];

describe('a caller who does not wait @long', () => {
  useRealConnections();
  const log = createFaultyStore();
  const world = inSuite(() => openWorld({ wrapStore: log.wrap }));
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
  });
  afterEach(async () => {
    expect((await world.send(tenant)).status, 'it goes on').to.equal(200);
    expect(await world.problems()).to.deep.equal([]);
  });

  /** Charges but for that of the first message. */
  const charges = async () => {
    const { reserved, refunded, sent } = await world.charges(tenant);
    return { reserved: reserved - 1, refunded, sent: sent - 1 };
  };
  /** A whole request later the service has seen whatever happened to a connection before. */
  const noticed = () => world.balance(tenant);
  /** Begins a send; how its caller leaves. */
  const begin = () => {
    const caller = new AbortController();
    const gone = world.send(tenant, {}, caller.signal).then(
      ({ status }) => status,
      () => 'gone',
    );
    return async () => {
      caller.abort();
      expect(await gone).to.equal('gone');
    };
  };
  const ends = async (end: Awaited<ReturnType<typeof charges>>) => {
    await untilTrue('the end', async () => {
      const { refunded, sent } = await charges();
      return refunded === 1 && sent === end.sent;
    });
    expect(await charges()).to.deep.equal(end);
    expect(await world.balance(tenant)).to.equal(999);
  };

  it('row 8: gone before the charge is reserved: nothing is sent', async () => {
    const reserving = log.hold(withType('ChargeReserved', tenant.accountId));
    const leave = begin();
    await reserving.arrived();
    await leave();
    await noticed();
    reserving.release();
    await ends({ reserved: 1, refunded: 1, sent: 0 });
    expect(world.sendsOf(tenant)).to.have.length(1);
  });

  it('row 8: gone while the provider is asked, and the service stops: it is reversed before that', async () => {
    const asking = world.gate.hold('before');
    const leave = begin();
    await asking.arrived();
    await leave();
    const refunding = log.hold(withType('ChargeRefunded', tenant.accountId));
    const restarted = world.restart(0);
    await refunding.arrived();
    refunding.release();
    asking.release();
    await restarted;
    expect(await world.refundCauses(tenant)).to.deep.equal(['disconnected']);
  });

  for (const { scenario, writes, sent, answer, cause } of outcomes) {
    const end = { reserved: 1, refunded: 1, sent };

    it(`row 8: gone while the provider is asked, which ends in ${answer}`, async () => {
      world.simulator.fault(tenant.phoneNumberId, scenario, 1);
      const asking = world.gate.hold('before');
      const leave = begin();
      await asking.arrived();
      await leave();
      await noticed();
      asking.release();
      await ends(end);
      expect(await world.refundCauses(tenant)).to.deep.equal([cause]);
    });

    it(`row 8: gone while the outcome is written, which is ${answer}`, async () => {
      world.simulator.fault(tenant.phoneNumberId, scenario, 1);
      const writing = log.hold((stream, events) => {
        return stream.includes(tenant.accountId) && withType(writes)(stream, events);
      });
      const leave = begin();
      await writing.arrived();
      await leave();
      await noticed();
      writing.release();
      await ends(end);
    });

    it(`row 8: gone with the first bytes of the ${answer}: that answer counts`, async () => {
      world.simulator.fault(tenant.phoneNumberId, scenario, 1);
      const { hostname, port } = new URL(world.waybill.url);
      const socket = connect(Number(port), hostname);
      const body = JSON.stringify(orderShipped());
      socket.write(
        `POST /api/v1/notifications/send HTTP/1.1\r\nHost: x\r\n` +
          `Authorization: Bearer ${tenant.apiKey}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      const [bytes] = await once(socket, 'data');
      socket.resetAndDestroy();
      expect(String(bytes)).to.match(new RegExp(`^HTTP/1.1 ${answer} `));
      await noticed();
      expect(await charges()).to.deep.equal({ ...end, refunded: 1 - sent });
    });
  }

  const billings = [
    { unit: 'credits', of: async () => tenant, costs: { 'x-credits-charged': '0' } },
    {
      unit: 'wallet',
      of: () => world.tenant({ wallet: '5' }),
      costs: { 'x-wallet-balance': '5.0000' },
    },
  ];
  for (const { unit, of, costs } of billings) {
    it(`row 8: who asks again for a send that a hang-up reversed is never told of its charge: ${unit}`, async () => {
      const owner = await of();
      const before = (await world.charges(owner)).sent;
      const send = (signal?: AbortSignal) =>
        notify(world, owner, {}, { 'idempotency-key': 'k' }, signal);
      const recording = log.hold(
        (stream, events) =>
          withType('MessageSent')(stream, events) && stream.includes(owner.accountId),
      );
      const refunding = log.hold(withType('ChargeRefunded', owner.accountId));
      const caller = new AbortController();
      const gone = send(caller.signal).catch(() => 'gone');
      await recording.arrived();
      caller.abort();
      expect(await gone).to.equal('gone');
      await refunding.arrived();
      recording.release();
      await untilTrue('the record', async () => (await world.charges(owner)).sent > before);
      for (let again = 0; again < 5; again += 1) {
        const { status, body } = await send();
        expect([status, body.code]).to.deep.equal([409, 'IDEMPOTENCY_IN_PROGRESS']);
      }
      refunding.release();
      let last = await send();
      await untilTrue('the outcome', async () => {
        last = await send();
        return last.status === 200;
      });
      expect(last.headers).to.include({ 'x-message-price': '0.0000', ...costs });
      const { headers } = await send();
      expect(headers).to.include({ 'x-message-price': '0.0000', ...costs });
      expect(headers).to.include({ 'idempotency-replayed': 'true' });
    });
  }
});
