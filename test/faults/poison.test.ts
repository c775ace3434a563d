import { expect } from 'chai';
import type { NewEvent } from '../../src/events/store.ts';
import { systemIds } from '../../src/shared/system.ts';
import { openWorld } from '../support/faults/world.ts';
import { inEachTest } from '../support/in-suite.ts';
import { streamOfMessage } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

/** As no program of ours would write it. */
const poison = (type: string, data: object): NewEvent => ({
  id: systemIds.uuid(),
  type,
  version: 1,
  data,
  meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'poison' },
});

describe('an event that cannot be read @long', () => {
  useRealConnections();
  let tenant: Tenant;
  const world = inEachTest(openWorld);
  beforeEach(async () => {
    tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
  });

  const states = async (): Promise<Record<string, Json>> => {
    const { projections } = await world.admin('GET', '/projections');
    return Object.fromEntries(projections.map((one: Json) => [one.name, one]));
  };
  const haltedNames = async () =>
    Object.values(await states())
      .filter(({ state }) => state === 'halted')
      .map(({ name }) => name);
  const ready = async () => {
    const answer = await fetch(`${world.waybill.url}/health/ready`);
    return { status: answer.status, body: (await answer.json()) as Json };
  };

  it('row 15: of a shape nobody knows: what handles its type halts in sight, no other', async () => {
    expect((await ready()).status).to.equal(200);
    await world.waybill.store.append(streamOfMessage(tenant, 'wamid.P'), -1, [
      poison('StatusUpdated', { messageId: 'wamid.P' }),
    ]);
    await untilTrue('the halt', async () => (await haltedNames()).length > 0);
    const all = await states();
    const halted = await haltedNames();
    expect(halted).to.include('messages').and.not.to.include('accounts');
    expect(all.messages.error.message ?? all.messages.error).to.contain('StatusUpdated');
    await untilTrue('that it is seen', async () => (await ready()).status === 503);
    const { body } = await ready();
    expect(body.checks.projections.ok).to.equal(false);
    expect(body.checks.projections.detail.messages.state).to.equal('halted');
    expect(body.checks.log.ok).to.equal(true);

    // Money goes on, and everything that does not hang on it.
    expect((await world.send(tenant)).status).to.equal(200);
    expect((await world.send(tenant, { to: '+15550199901' })).status).to.equal(502);
    expect(await world.balance(tenant)).to.equal(998);
    expect(await world.problems({ halted })).to.deep.equal([]);
    await world.restart(1000);
    await untilTrue('the halt after a restart', async () => (await haltedNames()).length > 0);
    expect(await haltedNames()).to.have.members(halted);
  });

  it("row 15: in an account's stream: that account's sends stop before the provider", async () => {
    const other = await world.tenant();
    const stream = `account-${tenant.accountId}`;
    const revision = (await world.waybill.events(stream)).length - 1;
    await world.waybill.store.append(stream, revision, [
      poison('ChargeRefunded', { accountId: tenant.accountId }),
    ]);
    const { status, body } = await world.send(tenant);
    expect(status).to.equal(500);
    expect(body).to.deep.equal({ error: 'Internal server error' });
    expect(world.sendsOf(tenant)).to.have.length(1);
    expect((await world.send(other)).status).to.equal(200);
  });

  it("row 15: in an account's stream: its refunds wait in sight, everybody else's are given", async () => {
    const other = await world.tenant();
    const sent = [await world.send(tenant), await world.send(other)];
    const stream = `account-${tenant.accountId}`;
    const revision = (await world.waybill.events(stream)).length - 1;
    await world.waybill.store.append(stream, revision, [
      poison('ChargeRefunded', { accountId: tenant.accountId }),
    ]);
    await world.restart(1000);
    for (const { body } of sent) await world.simulator.status(body.messageId, 131026);
    // What is shown of accounts has halted too; the log has not.
    const given = async () => (await world.charges(other)).refunded === 1;
    await untilTrue('the refund of the other', given);
    const stuck = `waybill_stuck_refunds{account="${tenant.accountId}"} 1`;
    const metrics = async () => (await fetch(`${world.waybill.url}/metrics`)).text();
    await untilTrue('that it is seen', async () => (await metrics()).includes(stuck));
    // One account is no reason for the others to be sent elsewhere.
    expect((await ready()).body.checks.reactors.ok).to.equal(true);
  });
});
