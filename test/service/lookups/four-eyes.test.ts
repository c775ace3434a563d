import { expect } from 'chai';
import type { Reader, Shown } from '../../../src/projections/engine/reader.ts';
import { type Query, ViewsUnavailable } from '../../../src/projections/views.ts';
import { fourEyesLookups } from '../../../src/service/lookups/four-eyes.ts';
import { failureOf } from '../../support/spec.ts';

type Stores = Parameters<typeof fourEyesLookups>[0];

const ORGANISATIONS = 2_500;
const orderOf = (at: number) => String(at).padStart(6, '0');

/** Lookups over many organisations, of which one asks for two people. */
const open = ({ asks, shown = 'all' }: { asks?: number; shown?: Shown } = {}) => {
  const rows = Array.from({ length: ORGANISATIONS }, (_, at) => ({
    order: orderOf(at),
    fourEyes: at === asks ? ['erasure'] : [],
  }));
  const reader = {
    reached: async () => shown,
    async find(_projection: unknown, { where, order, limit }: Query) {
      const { gt = '' } = (where.order ?? {}) as { gt?: string };
      const found = rows.filter((row) => row.order > gt);
      return (order.direction === 'ascending' ? found : found.toReversed()).slice(0, limit);
    },
  } as unknown as Reader;
  return fourEyesLookups({ reader, store: { head: async () => '9' } } as unknown as Stores);
};

describe('whether any organisation asks for two people', () => {
  it('is asked of every one, however many there are', async () => {
    for (const asks of [0, ORGANISATIONS - 1]) {
      expect(await open({ asks }).anyAsks('erasure')).to.equal(true);
      expect(await open({ asks }).anyAsks('grant')).to.equal(false);
    }
  });

  it('is not known where not all of them are shown', async () => {
    for (const shown of ['halted', 'older'] as const) {
      const { anyAsks, mayApprove } = open({ shown });
      for (const asked of [anyAsks('erasure'), mayApprove()]) {
        expect(await failureOf(asked)).to.be.instanceOf(ViewsUnavailable);
      }
    }
  });
});
