import { expect } from 'chai';
import { createPasswords } from '../../src/shared/passwords.ts';

describe('Passwords', () => {
  const { hash, matches } = createPasswords({ N: 2, r: 1, p: 1 });

  it('match their own hash alone, however they are written', async () => {
    const stored = await hash('cafe\u0301 au lait');
    expect(stored).to.match(/^scrypt\$2\$1\$1\$/);
    expect(await matches('caf\u00e9 au lait', stored)).to.equal(true);
    expect(await matches('cafe au lait', stored)).to.equal(false);
    expect(await hash('cafe\u0301 au lait')).not.to.equal(stored);
  });

  it('without a stored hash never match', async () => {
    expect(await matches('', null)).to.equal(false);
  });

  it('are compared at the cost of their hash, which may be an older one', async () => {
    const stored = await createPasswords({ N: 4, r: 1, p: 2 }).hash('twelve letters');
    expect(await matches('twelve letters', stored)).to.equal(true);
  });
});
