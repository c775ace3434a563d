import { expect } from 'chai';
import type { Refunds } from '../../src/commands/account/refunds.ts';
import { createStuckRefunds } from '../../src/commands/account/refunds.ts';
import { createSweep } from '../../src/commands/account/sweep.ts';
import type { ReservedCharge } from '../../src/events/completed.ts';
import { fixedClock } from '../support/ambient.ts';

/** So many reservations stand open; whoever claims or refunds one takes it from the list. */
const openSweep = (count: number, onRefund: (open: Set<string>) => void = () => undefined) => {
  const open = new Set(Array.from({ length: count }, (_, index) => `charge-${index}`));
  const refunded: string[] = [];
  const refunds: Pick<Refunds, 'find'> = {
    find: async (chargeId) =>
      ({ id: 'event', revision: 0, data: { chargeId, accountId: 'acc_1' } }) as ReservedCharge,
  };
  const lookups = {
    openReservations: async (_: string, limit: number) =>
      [...open].slice(0, limit).map((chargeId) => ({ chargeId })) as never,
  };
  const stuck = createStuckRefunds(() => undefined);
  const recoveries = {
    async giveBack({ data: { chargeId } }: ReservedCharge) {
      refunded.push(chargeId);
      open.delete(chargeId);
      onRefund(open);
      return true;
    },
    settleClaims: async () => undefined,
  };
  const sweep = createSweep({ lookups, refunds, recoveries, clock: fixedClock(), stuck });
  return { sweep, refunded };
};

describe('the sweep of open reservations', () => {
  it('row 2: leaves alone what a status claims while it is at work', async () => {
    const { sweep, refunded } = openSweep(500, (open) => open.delete('charge-100'));
    expect(await sweep.run('req_1')).to.equal(499);
    expect(refunded).not.to.include('charge-100');
    expect(new Set(refunded)).to.have.property('size', 499);
  });

  it('row 1: takes all there are, and stops when it is told to', async () => {
    const all = openSweep(1234);
    expect(await all.sweep.run('req_1')).to.equal(1234);
    const stopping = new AbortController();
    const some = openSweep(1234, () => stopping.abort());
    expect(await some.sweep.run('req_1', stopping.signal)).to.be.within(1, 100);
  });
});
