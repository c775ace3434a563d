import { expect } from 'chai';
import { z } from 'zod';
import { defineEvent } from '../../src/events/define.ts';
import { decode, versionOf } from '../../src/events/index.ts';
import { UNREADABLE } from '../../src/events/store.ts';

const schema = z.object({ orderId: z.string(), amount: z.int(), currency: z.string() });

/** First the amount was a decimal string in dollars, then an integer in dollars. */
const OrderPaid = defineEvent('OrderPaid', schema, [
  ({ price, ...rest }) => ({ ...rest, amount: Math.round(Number(price) * 100) }),
  (stored) => ({ ...stored, currency: 'USD' }),
]);

describe('an event definition', () => {
  it('counts its version from its upcasts', () => {
    expect(OrderPaid.version).to.equal(3);
    expect(defineEvent('OrderLost', schema).version).to.equal(1);
  });

  const today = { orderId: '7', amount: 1250, currency: 'USD' };

  it('reads each stored version as today’s shape', () => {
    expect(OrderPaid.decode(1, { orderId: '7', price: '12.50' })).to.deep.equal(today);
    expect(OrderPaid.decode(2, { orderId: '7', amount: 1250 })).to.deep.equal(today);
    const inRupees = { ...today, currency: 'INR' };
    expect(OrderPaid.decode(3, inRupees)).to.deep.equal(inRupees);
  });

  it('refuses a version that it does not know', () => {
    for (const version of [0, 4, -1, 1.5, Number.NaN]) {
      expect(() => OrderPaid.decode(version, today)).to.throw(/knows 1 to 3/);
    }
  });

  it('refuses a stored shape that does not fit its version', () => {
    expect(() => OrderPaid.decode(3, { orderId: '7', price: '12.50' })).to.throw();
    expect(() => OrderPaid.decode(1, null)).to.throw();
  });

  it('makes facts of the shape, and of nothing else', () => {
    const data = { ...today, extra: true };
    expect(OrderPaid.of(data)).to.deep.equal({ type: 'OrderPaid', data: today });
    expect(() => OrderPaid.of({ ...today, amount: 12.5 })).to.throw();
  });
});

describe('the registry of events', () => {
  const stored = {
    id: '1',
    version: 1,
    stream: 'organisation-1',
    revision: 0,
    position: '1',
    meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'r-1' },
  };

  it('knows under which version an event is written', () => {
    expect(versionOf('OrganisationCreated')).to.equal(1);
    expect(() => versionOf('NeverDefined')).to.throw(/NeverDefined/);
  });

  it('keeps the place of an event that it cannot read, and says why', () => {
    const data = { organisationId: 'o-1', name: 7 };
    const { data: told, ...rest } = decode({ ...stored, type: 'OrganisationCreated', data });
    expect(rest).to.deep.equal({ ...stored, type: UNREADABLE });
    expect(told).to.deep.include({ type: 'OrganisationCreated', raw: data });
    expect((told as { reason: string }).reason).to.match(/name/);
  });
});
