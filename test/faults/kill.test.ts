import { expect } from 'chai';
import type { KnownEvent } from '../../src/events/index.ts';
import { killChildren } from '../support/faults/child.ts';
import { openCrashes, SWEPT_AFTER_MS } from '../support/faults/crash.ts';
import { isSendOf } from '../support/faults/gate.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { notify, statusOf } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

/** One send of each, and where it stands when the process is killed. */
interface Tenants {
  /** The provider has not seen the call yet, and never will. */
  preparing: Tenant;
  /** The number's pace holds the second message back. */
  waiting: Tenant;
  /** The provider has taken it; its answer was on the way. A status comes later. */
  accepted: Tenant;
  /** The same, and no status comes before the sweep. */
  silent: Tenant;
}

describe('a process killed in the middle of sends @long', () => {
  useRealConnections();
  const crashes = inSuite(openCrashes);
  let tenants: Tenants;

  const creditsOf = async ({ apiKey: token }: Tenant) =>
    (await crashes.call('GET', '/v1/credits', { token })).body;
  const rowsOf = async (tenant: Tenant): Promise<string[]> =>
    (await creditsOf(tenant)).transactions
      .toReversed()
      .map(({ type, amount }: Json) => `${type} ${amount}`);

  before(async () => {
    const first = await crashes.start();
    tenants = {
      preparing: await crashes.tenant(),
      waiting: await crashes.tenant({ messagesPerSecond: 1 }),
      accepted: await crashes.tenant(),
      silent: await crashes.tenant(),
    };
    const { preparing, waiting, accepted, silent } = tenants;
    expect((await notify(crashes, waiting)).status).to.equal(200);
    const calling = crashes.gate.hold('before', isSendOf(preparing));
    // Whose turn may come before the kill, on a busy machine.
    const paced = crashes.gate.hold('before', ({ path }) => path.includes(waiting.phoneNumberId));
    const answering = crashes.gate.hold('after');
    const gone = [preparing, waiting, accepted, silent].map((tenant) =>
      notify(crashes, tenant).then(
        ({ status }) => status,
        () => 'gone',
      ),
    );
    await calling.arrived();
    await answering.arrived(2);
    await untilTrue('the reservation', async () => (await creditsOf(waiting)).balance === 998);
    await first.kill();
    expect(await Promise.all(gone)).to.deep.equal(['gone', 'gone', 'gone', 'gone']);
    for (const held of [calling, paced, answering]) held.release();
    await crashes.start();
  });

  it('row 1: what was reserved stays reserved, and nothing was sent', async () => {
    expect(await rowsOf(tenants.preparing)).to.deep.equal(['GRANT 1000', 'DEDUCT -1']);
    expect(await rowsOf(tenants.waiting)).to.deep.equal(['GRANT 1000', 'DEDUCT -1', 'DEDUCT -1']);
    expect(crashes.sendsOf(tenants.preparing)).to.have.length(0);
    expect(crashes.sendsOf(tenants.waiting)).to.have.length(1);
  });

  it('row 2: a status brings the message back, by the charge that it carries', async () => {
    const { accepted } = tenants;
    const { messageId } = crashes.sendsOf(accepted)[0]!;
    expect(await statusOf(crashes, accepted, messageId!)).to.equal(404);
    await crashes.simulator.status(messageId!, 'delivered');
    expect(await statusOf(crashes, accepted, messageId!)).to.equal('delivered');
    expect(await rowsOf(accepted)).to.deep.equal(['GRANT 1000', 'DEDUCT -1']);
  });

  describe('and started again when its reservations are 15 minutes old', () => {
    before(async () => {
      await killChildren();
      await crashes.start({ clockOffsetMs: SWEPT_AFTER_MS });
      await untilTrue('the sweep', async () => (await rowsOf(tenants.silent)).length === 3);
    });

    it('row 1: refunds once what it had only reserved, and sends nothing', async () => {
      const refunded = ['GRANT 1000', 'DEDUCT -1', 'REFUND 1'];
      await untilTrue('the refund', async () => (await rowsOf(tenants.preparing)).length === 3);
      expect(await rowsOf(tenants.preparing)).to.deep.equal(refunded);
      expect(await rowsOf(tenants.waiting)).to.deep.equal(refunded.toSpliced(1, 0, 'DEDUCT -1'));
      expect(crashes.sendsOf(tenants.preparing)).to.have.length(0);
      expect(crashes.sendsOf(tenants.waiting)).to.have.length(1);
    });

    it('row 2: keeps the charge that a status has claimed, refunds the other', async () => {
      expect(await rowsOf(tenants.accepted)).to.deep.equal(['GRANT 1000', 'DEDUCT -1']);
      expect(await rowsOf(tenants.silent)).to.deep.equal(['GRANT 1000', 'DEDUCT -1', 'REFUND 1']);
    });

    it('row 2: a later status shows the message, and it stays refunded', async () => {
      const { messageId } = crashes.sendsOf(tenants.silent)[0]!;
      await crashes.simulator.status(messageId!, 'read');
      expect(await statusOf(crashes, tenants.silent, messageId!)).to.equal('read');
      expect(await rowsOf(tenants.silent)).to.deep.equal(['GRANT 1000', 'DEDUCT -1', 'REFUND 1']);
    });

    it('rows 1 and 2: all invariants hold, also after another sweep', async () => {
      await killChildren();
      const problems = await crashes.inspect(4 * SWEPT_AFTER_MS, async (waybill) => {
        await waybill.settled();
        const refunds = ((await waybill.log()) as KnownEvent[]).filter(
          ({ type }) => type === 'ChargeRefunded',
        );
        expect(refunds).to.have.length(3);
      });
      expect(problems).to.deep.equal([]);
    });
  });
});
