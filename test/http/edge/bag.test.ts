import { expect } from 'chai';
import fc from 'fast-check';
import { createBag } from '../../../src/http/edge/bag.ts';

describe('A bag', () => {
  it('holds what was put in and not taken out, however the two alternate', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat()));
    const holdsAsASetDoes = (asked: [boolean, number][]) => {
      const bag = createBag<number>();
      const model = new Map<number, () => void>();
      for (const [index, [puts, choice]] of asked.entries()) {
        if (puts || model.size === 0) model.set(index, bag.add(index));
        else {
          const [key, remove] = [...model][choice % model.size]!;
          remove();
          model.delete(key);
        }
      }
      const held: number[] = [];
      bag.forEach((item) => void held.push(item));
      expect(held).to.have.members([...model.keys()]);
      expect(bag.size()).to.equal(model.size);
      expect(bag.some((item) => !model.has(item))).to.equal(false);
    };
    fc.assert(fc.property(steps, holdsAsASetDoes));
  });

  it('takes out once: a second time does not touch what came after', () => {
    const bag = createBag<string>();
    const remove = bag.add('first');
    remove();
    bag.add('second');
    remove();
    expect(bag.some((item) => item === 'second')).to.equal(true);
  });
});
