import { expect } from 'chai';
import {
  addCharge,
  noCharges,
  openUnits,
  type RecentCharges,
} from '../../../src/commands/account/recent-charges.ts';

const MINUTE = 60_000;
/** A slot of 20 minutes begins at this moment. */
const START = Date.parse('2026-11-21T12:00:00.000Z');
type Entry = [minutes: number, units: number];
const add = (charges: RecentCharges, [minutes, units]: Entry) =>
  addCharge(charges, new Date(START + minutes * MINUTE).toISOString(), units);
const charged = (...entries: readonly Entry[]) => entries.reduce(add, noCharges);
const openAt = (charges: RecentCharges, minutes: number, ms = 0) =>
  openUnits(charges, START + minutes * MINUTE + ms);

describe('what an account was charged lately', () => {
  it('counts to the end of the next slot of 20 minutes, wherever in its slot it was', () => {
    for (const minutes of [0, 0.001, 10, 19.999]) {
      const charges = charged([minutes, 7]);
      expect(openAt(charges, 20), `${minutes}`).to.equal(7);
      expect(openAt(charges, 40, -1), `${minutes}`).to.equal(7);
      expect(openAt(charges, 40), `${minutes}`).to.equal(0);
    }
  });

  it('is added up within a slot and over the last two', () => {
    const charges = charged([0, 1], [5, 2], [20, 4], [39, 8]);
    expect(charges).to.have.length(2);
    expect(openAt(charges, 39)).to.equal(15);
    expect(openAt(charges, 40)).to.equal(12);
    expect(openAt(charges, 60)).to.equal(0);
  });

  it('keeps the two newest slots, in whatever order the clocks give them', () => {
    const slot = START / (20 * MINUTE);
    const newest = [
      [slot + 1, 2],
      [slot + 2, 3],
    ];
    expect(charged([0, 1], [20, 2], [40, 3])).to.deep.equal(newest);
    expect(charged([40, 3], [20, 2])).to.deep.equal(newest);
    expect(charged([40, 3], [20, 2], [0, 1])).to.deep.equal(newest);
  });

  it('takes a refund out of the slot of its charge, never below nothing', () => {
    const charges = charged([0, 5], [20, 5]);
    expect(openAt(add(charges, [1, -3]), 20)).to.equal(7);
    expect(openAt(add(charges, [1, -9]), 20)).to.equal(5);
    expect(openAt(add(charges, [21, -9]), 20)).to.equal(5);
    expect(add(charges, [-20, -9])).to.equal(charges);
    expect(add(charges, [40, -9])).to.equal(charges);
  });

  it('does not change with what is free', () => {
    expect(charged([0, 0])).to.equal(noCharges);
  });
});
