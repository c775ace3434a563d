import { expect } from 'chai';
import { firstPast } from '../../src/events/paging.ts';

describe('the first item that is past', () => {
  for (const count of [0, 1, 2, 7, 8, 9]) {
    it(`is found wherever it stands among ${count}, and after all when there is none`, () => {
      const items = Array.from({ length: count }, (_, index) => index);
      for (let first = 0; first <= count; first += 1) {
        expect(firstPast(items, (item) => item >= first)).to.equal(first);
      }
    });
  }
});
