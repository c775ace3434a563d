import { expect } from 'chai';
import { refusalHere } from '../support/faults/here.ts';
import { type Instance, startInstance } from '../support/faults/instance.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { notify } from '../support/surface.ts';
import type { Answer, Tenant } from '../support/waybill.ts';

const withStatus = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

const parallel = (count: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

/** Sends of one race: more than the service has in hand at a time. */
const SENDS = 60;

describe('many sends at once @long', () => {
  useRealConnections();
  const world = inSuite(openWorld);

  it('row 9: of parallel sends as many are messages as there is credit for', async () => {
    const credits = 17;
    const tenant = await world.tenant({ credits });
    const answers = await parallel(SENDS, () => world.send(tenant));
    expect(withStatus(answers, 200)).to.have.length(credits);
    expect(withStatus(answers, 402)).to.have.length(SENDS - credits);
    expect(await world.balance(tenant)).to.equal(0);
    const all = { reserved: credits, refunded: 0, sent: credits };
    expect(await world.charges(tenant)).to.deep.equal(all);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 9: what a refusal gives back can be spent again, and no more than that', async () => {
    const tenant = await world.tenant({ credits: 21 });
    const undeliverable = { to: '+15550199901' };
    // Both recipients are known then, so that neither has to wait for its data key.
    for (const to of [{}, undeliverable]) await world.send(tenant, to);
    const answers = await parallel(100, (index) =>
      world.send(tenant, index % 2 === 0 ? undeliverable : {}),
    );
    const taken = withStatus(answers, 200).length;
    expect(taken + withStatus(answers, 402).length + withStatus(answers, 502).length).to.equal(100);
    expect(taken).to.be.within(1, 20);
    expect(await world.balance(tenant)).to.equal(20 - taken);
    expect(await world.problems()).to.deep.equal([]);
  });

  describe('over two instances on one log', () => {
    let other: Instance;
    before(async () => {
      other = await startInstance(world);
    });
    after(() => other.stop());

    /** Who loses the account's stream to the other instance too often is told to try again, and does. */
    const sendOverBoth = (tenant: Tenant, count: number) =>
      parallel(count, async (index) => {
        for (;;) {
          const answer = await notify(index % 2 === 0 ? world : other, tenant);
          if (answer.status !== 503) return answer;
          expect(Number(answer.headers['retry-after'])).to.be.at.least(1);
        }
      });

    it('row 10: the credit is not overspent', async () => {
      const tenant = await world.tenant({ credits: 37 });
      const answers = await sendOverBoth(tenant, SENDS);
      expect(withStatus(answers, 200)).to.have.length(37);
      expect(withStatus(answers, 402)).to.have.length(SENDS - 37);
      expect(await world.balance(tenant)).to.equal(0);
      expect(await world.problems()).to.deep.equal([]);
    });

    it('row 10: a cap is not passed', async () => {
      const tenant = await world.tenant({ limits: { daily: 21 } });
      const answers = await sendOverBoth(tenant, SENDS);
      expect(withStatus(answers, 200)).to.have.length(21);
      const refused = withStatus(answers, 429);
      expect(refused).to.have.length(SENDS - 21);
      for (const { body } of refused) expect(body.limit).to.equal('daily');
      expect(await world.problems()).to.deep.equal([]);
    });

    it('row 10: a key of idempotency is worked on by one of them', async () => {
      const tenant = await world.tenant();
      const headers = { 'idempotency-key': 'order-77' };
      const answers = await parallel(20, (index) =>
        notify(index % 2 === 0 ? world : other, tenant, {}, headers),
      );
      const taken = withStatus(answers, 200).length;
      expect(taken).to.be.at.least(1);
      expect(taken + withStatus(answers, 409).length).to.equal(20);
      expect(await world.charges(tenant)).to.deep.equal({ reserved: 1, refunded: 0, sent: 1 });
      expect(await world.problems()).to.deep.equal([]);
    });

    it('row 10: embedded, a second service on the same files is refused in a line', async () => {
      const { directory } = world.waybill;
      const line = await refusalHere({ directory, providerUrl: world.gate.url });
      expect(line).to.match(/^waybill: the event log in .+ is already in use.*\n$/);
      const tenant = await world.tenant();
      expect((await world.send(tenant)).status).to.equal(200);
      expect(await world.problems()).to.deep.equal([]);
    });
  });
});
