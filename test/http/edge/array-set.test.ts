import { expect } from 'chai';
import fc from 'fast-check';
import { createArraySet } from '../../../src/http/edge/server.ts';

describe('A set of responses', () => {
  it('holds every added member until it is removed', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat()));
    const holdsAsASetDoes = (asked: [boolean, number][]) => {
      const set = createArraySet<number>();
      const model = new Map<number, () => void>();
      for (const [index, [puts, choice]] of asked.entries()) {
        if (puts || model.size === 0) model.set(index, set.add(index));
        else {
          const [key, remove] = [...model][choice % model.size]!;
          remove();
          model.delete(key);
        }
      }
      const held: number[] = [];
      set.forEach((item) => void held.push(item));
      expect(held).to.have.members([...model.keys()]);
      expect(set.size()).to.equal(model.size);
      expect(set.some((item) => !model.has(item))).to.equal(false);
    };
    fc.assert(fc.property(steps, holdsAsASetDoes));
  });

  it('removes a member once: a second call leaves later members', () => {
    const set = createArraySet<string>();
    const remove = set.add('first');
    remove();
    set.add('second');
    remove();
    expect(set.some((item) => item === 'second')).to.equal(true);
  });
});
