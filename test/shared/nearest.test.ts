import { expect } from 'chai';
import { nearest } from '../../src/shared/nearest.ts';

const EVENTS = ['order_shipped', 'order_status', 'order_delivered', 'otp_verification'];

describe('nearest', () => {
  it('finds a word with a slip, two swapped letters, another case or another join', () => {
    const near = ['order_shiped', 'ordre_shipped', 'OrderShipped', 'order-shipped', 'rder_shipped'];
    for (const word of near) {
      expect(nearest(word, EVENTS), word).to.equal('order_shipped');
    }
  });

  it('takes the nearer of two', () => {
    expect(nearest('order_statuss', EVENTS)).to.equal('order_status');
    expect(nearest('ab', ['ac', 'ab'])).to.equal('ab');
  });

  it('finds nothing where nothing is near, for no word, and for a very long one', () => {
    for (const word of ['birthday', '', '___', 'x'.repeat(10_000)]) {
      expect(nearest(word, EVENTS), word.slice(0, 10)).to.equal(undefined);
    }
    expect(nearest('order_shipped', [])).to.equal(undefined);
  });
});
