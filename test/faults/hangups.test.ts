import { expect } from 'chai';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const COUNT = 30;

describe('callers who hang up after the provider took their messages @long', () => {
  useRealConnections();
  let tenant: Tenant;
  const world = inSuite(openWorld);

  /** So many sends at once, whose callers leave when the provider has the messages. */
  const hangUp = async (count: number) => {
    const reversals = async () =>
      (await world.refundCauses(tenant)).filter((cause) => cause === 'disconnected').length;
    const before = { ...(await world.charges(tenant)), reversed: await reversals() };
    const answering = world.gate.hold('after');
    const callers = Array.from({ length: count }, () => {
      const caller = new AbortController();
      const sending = world.send(tenant, {}, caller.signal).catch(() => undefined);
      return { caller, sending };
    });
    await answering.arrived(count);
    for (const { caller } of callers) caller.abort();
    await Promise.all(callers.map(({ sending }) => sending));
    // A whole request later the service has seen that they are gone.
    await account();
    answering.release();
    await untilTrue('the records', async () => {
      const { sent } = await world.charges(tenant);
      const isSent = sent === before.sent + count;
      return isSent && (await reversals()) === before.reversed + count;
    });
  };
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await world.waybill.call('GET', path, { token: tenant.apiKey });
    expect(status).to.equal(200);
    return body;
  };
  const account = () => world.admin('GET', `/accounts/${tenant.accountId}`);
  /** Of the account; the metrics are made once a second. */
  const reversedSends = async () => {
    const text = await (await fetch(`${world.waybill.url}/metrics`)).text();
    const label = `waybill_reversed_sends_total{account="${tenant.accountId}"}`;
    const line = text.split('\n').find((one) => one.startsWith(label));
    return line && Number(line.split(' ').at(-1));
  };

  it('row 27: each is reversed, counts in the caps, and is in sight', async () => {
    tenant = await world.tenant({ limits: { daily: COUNT } });
    await hangUp(COUNT);
    const { balance, usage } = await account();
    expect(balance).to.equal(1000);
    expect(usage).to.deep.equal({ minute: COUNT, day: COUNT, month: COUNT });
    const { messages } = await get('/v1/messages?limit=100');
    expect(messages).to.have.length(COUNT);
    for (const message of messages) {
      expect(message).to.deep.include({ refunded: true, price: '0.0000', creditsCharged: 0 });
      expect(message.chargeId).to.match(/^chg_/);
    }
    const { transactions } = await get('/v1/credits');
    const refund = transactions.find(({ type }: Json) => type === 'REFUND');
    expect(refund.cause).to.equal('disconnected');
    const ledger = `/accounts/${tenant.accountId}/ledger?type=REFUND&limit=100`;
    const { entries } = await world.admin('GET', ledger);
    const causes = entries.map(({ cause }: Json) => cause);
    expect(causes).to.deep.equal(Array(COUNT).fill('disconnected'));
    await untilTrue('the count', async () => (await reversedSends()) === COUNT);
    const capped = await world.send(tenant);
    expect([capped.status, capped.body.limit]).to.deep.equal([429, 'daily']);
    expect(await world.problems()).to.deep.equal([]);
  });
});
