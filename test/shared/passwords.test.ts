import { expect } from 'chai';
import { createPasswords } from '../../src/shared/passwords.ts';

describe('Passwords', () => {
  const { hash, matches } = createPasswords({ N: 2, r: 1, p: 1 });

  it('match their own hash alone, however they are written', async () => {
    const stored = await hash('cafe\u0301 au lait', 'a');
    expect(stored).to.match(/^scrypt\$2\$1\$1\$/);
    expect(await matches('caf\u00e9 au lait', stored, 'a')).to.equal(true);
    expect(await matches('cafe au lait', stored, 'a')).to.equal(false);
    expect(await hash('cafe\u0301 au lait', 'a')).not.to.equal(stored);
  });

  it('without a stored hash never match', async () => {
    expect(await matches('', null, 'a')).to.equal(false);
  });

  it('are compared at the cost of their hash, which may be an older one', async () => {
    const stored = await createPasswords({ N: 4, r: 1, p: 2 }).hash('twelve letters', 'a');
    expect(await matches('twelve letters', stored, 'a')).to.equal(true);
  });

  it('of others wait for no queue of one address, which has a bound', async () => {
    const ended: string[] = [];
    const guess = (address: string) =>
      matches('a guess', null, address).then(
        () => ended.push(address),
        ({ code }) => ended.push(code),
      );
    await Promise.all([...Array(300).fill('a'), 'b'].map(guess));
    const compared = ended.filter((one) => one !== 'service.busy');
    expect(compared).to.have.length(122);
    expect(compared.indexOf('b')).to.be.at.most(2);
  });

  it('of very many addresses are refused', async () => {
    const guesses = Array.from({ length: 2_100 }, (_, at) => matches('a guess', null, `at ${at}`));
    const ended = await Promise.allSettled(guesses);
    expect(ended.filter(({ status }) => status === 'rejected')).to.have.length(99);
  });
});
