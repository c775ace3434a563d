import { expect } from 'chai';
import { createNumberLinks, isSameLink } from '../../../src/commands/numbers/number-links.ts';

describe('the link of a number', () => {
  const linkOf = (state: object) => {
    const writer = { load: async () => ({ state, revision: 0 }) } as never;
    return createNumberLinks({ writer }).linkOf('10');
  };

  it('is the current one, and none of an unlinked number', async () => {
    const state = { accountId: 'acc_1', links: 3, holders: ['acc_2', 'acc_1'] };
    expect(await linkOf(state)).to.deep.equal({ accountId: 'acc_1', link: 3, moved: true });
    expect(await linkOf({ ...state, accountId: null })).to.equal(null);
  });

  it('is the same where account and count are, or the log said no count', () => {
    const now = { accountId: 'acc_1', link: 3 };
    expect(isSameLink({ accountId: 'acc_1', link: 3 }, now)).to.equal(true);
    expect(isSameLink({ accountId: 'acc_1', link: null }, now)).to.equal(true);
    expect(isSameLink({ accountId: 'acc_1', link: 2 }, now)).to.equal(false);
    expect(isSameLink({ accountId: 'acc_2', link: 3 }, now)).to.equal(false);
    expect(isSameLink({ accountId: 'acc_2', link: null }, now)).to.equal(false);
    expect(isSameLink({ accountId: 'acc_1', link: 3 }, null)).to.equal(false);
    expect(isSameLink({ accountId: 'acc_1', link: null }, null)).to.equal(false);
  });
});
