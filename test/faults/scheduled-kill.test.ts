import { expect } from 'chai';
import { openCrashes, SWEPT_AFTER_MS } from '../support/faults/crash.ts';
import { isSendOf } from '../support/faults/gate.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

describe('a process killed while scheduled sends are due @long', () => {
  useRealConnections();
  const crashes = inSuite(openCrashes);

  const schedule = async (tenant: Tenant, inMs: number): Promise<string> => {
    const sendAt = new Date(Date.now() + inMs).toISOString();
    const answer = await notify(crashes, tenant, { sendAt });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(202);
    return answer.body.scheduled.id;
  };
  const rowOf = async ({ apiKey: token }: Tenant, id: string): Promise<Json> =>
    (await crashes.call('GET', `/v1/scheduled/${id}`, { token })).body;
  const ended = async (tenant: Tenant, id: string): Promise<Json> => {
    let row: Json = {};
    await untilTrue('the scheduled send is over', async () => {
      row = await rowOf(tenant, id);
      return !['waiting', 'sending'].includes(row.state);
    });
    return row;
  };

  it('row 78: sends what was due once, and calls again for nothing that was under way @series', async () => {
    const first = await crashes.start();
    const waiting = await crashes.tenant();
    const calling = await crashes.tenant();
    const accepted = await crashes.tenant();
    const before = crashes.gate.hold('before', isSendOf(calling));
    const after = crashes.gate.hold('after', isSendOf(accepted));
    const ids = {
      waiting: await schedule(waiting, 2_000),
      calling: await schedule(calling, 0),
      accepted: await schedule(accepted, 0),
    };
    await before.arrived();
    await after.arrived();
    await first.kill();
    before.release();
    after.release();
    const second = await crashes.start();
    expect(await ended(waiting, ids.waiting)).to.include({ state: 'sent' });
    expect(crashes.sendsOf(waiting)).to.have.length(1);
    await crashes.simulator.status(crashes.sendsOf(accepted)[0]!.messageId!, 'delivered');
    expect(await ended(accepted, ids.accepted)).to.include({ state: 'sent' });
    expect(await rowOf(calling, ids.calling)).to.include({ state: 'sending' });
    await second.kill();
    await crashes.start({ clockOffsetMs: SWEPT_AFTER_MS });
    const { state, error } = await ended(calling, ids.calling);
    expect([state, error.code]).to.deep.equal(['refused', 'OUTCOME_UNKNOWN']);
    expect([crashes.sendsOf(calling).length, crashes.sendsOf(accepted).length]).to.deep.equal([
      0, 1,
    ]);
    expect(await crashes.balance(accepted)).to.equal(999);
  });
});
