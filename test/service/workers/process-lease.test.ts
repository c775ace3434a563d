import { expect } from 'chai';
import { LEASE_MS } from '../../../src/commands/core/lease.ts';
import { createProcessLeases } from '../../../src/projections/mongodb/lease.ts';
import { ViewsUnavailable } from '../../../src/projections/views.ts';
import { holdLease } from '../../../src/service/workers/process-lease.ts';
import { countedIds } from '../../support/ambient.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';

describe('the lease of a process', () => {
  let mongo: ReturnType<typeof createFakeMongo>;
  let monotonicMs: number;
  let wallMs: number;
  const ids = countedIds();
  beforeEach(() => {
    mongo = createFakeMongo();
    monotonicMs = 1_000;
    wallMs = 1_000_000;
  });

  const pass = (milliseconds: number) => {
    monotonicMs += milliseconds;
    wallMs += milliseconds;
  };
  /** A process on the shared database; `turn` may hold its calls, or throw. */
  const hold = (turn = async () => {}) => {
    const now = () => monotonicMs;
    const processes = createProcessLeases(mongo.connect(turn), now);
    return holdLease({ processes, clock: { now: () => wallMs }, ids, monotonicMs: now });
  };

  it('is held from its first renewal until a renewal is missing, by the clock that went further', async () => {
    const one = hold();
    expect(one.current()).to.equal(undefined);
    await one.renew();
    const { id } = one.current()!;
    pass(LEASE_MS - 1);
    expect(one.current()?.id).to.equal(id);
    await one.renew();
    pass(LEASE_MS - 1);
    expect(one.current()?.id).to.equal(id);
    pass(1);
    expect(one.current()).to.equal(undefined);
    await one.renew();
    expect(one.current()?.id, 'nobody has ended it').to.equal(id);
    wallMs += LEASE_MS;
    expect(one.current(), 'a machine that slept').to.equal(undefined);
  });

  it('counts from before a renewal that took long', async () => {
    let takes = 0;
    const one = hold(async () => {
      pass(takes);
      takes = 0;
    });
    await one.renew();
    takes = LEASE_MS;
    await one.renew();
    expect(one.current()).to.equal(undefined);
  });

  it('is another one once others have ended it; the ended one stays ended', async () => {
    const [one, other] = [hold(), hold()];
    await one.renew();
    await other.renew();
    const before = one.current()!;
    pass(LEASE_MS);
    await other.renew();
    expect([before.isHeld(), before.mayRecord()]).to.deep.equal([false, true]);
    expect(other.endedForMs(before.id)).to.equal(0);
    await one.renew();
    expect(one.current()?.id).to.not.equal(before.id);
    expect(before.isHeld()).to.equal(false);
    pass(1_000);
    await other.renew();
    expect(other.endedForMs(before.id)).to.equal(1_000);
    expect(other.endedForMs(one.current()!.id)).to.equal(undefined);
    pass(9_000);
    expect(before.mayRecord()).to.equal(false);
  });

  it('is not ended by one who has looked before its renewal', async () => {
    const one = hold();
    let turns = Number.POSITIVE_INFINITY;
    const other = hold(async () => {
      turns -= 1;
      if (turns === 0) await one.renew();
    });
    await one.renew();
    await other.renew();
    const { id } = one.current()!;
    pass(LEASE_MS);
    // Two of its own renewal and one of its look; the fourth is about to end the lease.
    turns = 4;
    await other.renew();
    expect(turns).to.be.at.most(0);
    expect(other.endedForMs(id)).to.equal(undefined);
    expect(one.current()?.id).to.equal(id);
  });

  it('is none while the store of leases is away, and ends none then', async () => {
    let isAway = false;
    const turn = async () => {
      if (isAway) throw new ViewsUnavailable('away');
    };
    const [one, other] = [hold(turn), hold(turn)];
    await one.renew();
    await other.renew();
    const { id } = other.current()!;
    isAway = true;
    pass(LEASE_MS);
    expect(await one.renew().catch(({ name }) => name)).to.equal('ViewsUnavailable');
    expect([one.current(), one.endedForMs(id)]).to.deep.equal([undefined, undefined]);
    isAway = false;
    const renewing = await one.start();
    await renewing.stop();
    expect(one.current()).to.not.equal(undefined);
  });
});
