import { expect } from 'chai';
import { type AddressKind, createAddressRules } from '../../src/net/addresses.ts';
import { guardedLookup, usableAddresses } from '../../src/net/guard.ts';
import { bareHost } from '../../src/net/places.ts';

const found = ['93.184.216.34', '2606:4700::1111', '1.1.1.1'];

const deps = (addresses: readonly string[], exceptions: readonly string[] = []) => ({
  rules: createAddressRules(exceptions),
  resolve: async () => addresses,
});

const lookUp = (
  addresses: readonly string[],
  options: { all?: boolean; family?: number },
  mayUse = (kind: AddressKind) => kind !== 'forbidden',
) =>
  new Promise<unknown>((resolve) => {
    const lookup = guardedLookup(deps(addresses, ['10.0.0.0/8']), mayUse);
    lookup('shop.example', options, (error, address, family) =>
      resolve(error ? error.code : options.all ? address : [address, family]),
    );
  });

describe('the addresses for a socket', () => {
  it('are all, each with its family, when it asks for all', async () => {
    expect(await lookUp(found, { all: true })).to.deep.equal([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1111', family: 6 },
      { address: '1.1.1.1', family: 4 },
    ]);
  });

  it('are the first otherwise, of the family that it asks for', async () => {
    for (const family of [{}, { family: 0 }, { family: 4 }]) {
      expect(await lookUp(found, family)).to.deep.equal(['93.184.216.34', 4]);
    }
    expect(await lookUp(found, { family: 6 })).to.deep.equal(['2606:4700::1111', 6]);
    const reversed = found.toReversed().slice(1);
    expect(await lookUp(reversed, { family: 4 })).to.deep.equal(['93.184.216.34', 4]);
    expect(await lookUp(found, { family: 6, all: true })).to.deep.equal([
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('are none when the name has none of that family, or one is private', async () => {
    expect(await lookUp(['1.1.1.1'], { family: 6 })).to.equal('ENOTFOUND');
    expect(await lookUp([], { all: true })).to.equal('ENOTFOUND');
    expect(await lookUp(['1.1.1.1', '192.168.0.1'], { all: true })).to.equal('FORBIDDEN_ADDRESS');
  });

  it('are the listed ones alone when no others may be used', async () => {
    const listed = (kind: AddressKind) => kind === 'listed';
    expect(await lookUp(['10.0.0.1'], {}, listed)).to.deep.equal(['10.0.0.1', 4]);
    expect(await lookUp(['1.1.1.1'], {}, listed)).to.equal('FORBIDDEN_ADDRESS');
    expect(await lookUp([], {}, listed)).to.equal('ENOTFOUND');
  });
});

describe('the addresses of a host', () => {
  const refusal = (host: string, exceptions: readonly string[], addresses = ['1.1.1.1']) =>
    usableAddresses(host, deps(addresses, exceptions)).catch(({ code }) => code);

  it('are forbidden for private names and names below them', async () => {
    const names = 'localhost localdomain local internal intranet lan home.arpa';
    for (const name of names.split(' ')) {
      for (const host of [name, `a.b.${name}`]) {
        expect(await refusal(host, []), host).to.equal('FORBIDDEN_ADDRESS');
        // The operator's exceptions do not list what it leads to.
        expect(await refusal(host, ['10.0.0.0/8']), host).to.equal('FORBIDDEN_ADDRESS');
      }
    }
  });

  it('are allowed for names that only look similar', async () => {
    const usable = [{ address: '1.1.1.1', kind: 'public' }];
    for (const host of ['mylocal', 'a.xlan', 'internal.example', 'homexarpa']) {
      expect(await refusal(host, []), host).to.deep.equal(usable);
    }
  });

  it('are the listed ones, if there are any', async () => {
    const addresses = ['1.1.1.1', '10.0.0.1', '192.168.0.1'];
    expect(await refusal('orders.lan', ['10.0.0.0/8'], addresses)).to.deep.equal([
      { address: '10.0.0.1', kind: 'listed' },
    ]);
    expect(await refusal('10.0.0.2', ['10.0.0.0/8'])).to.deep.equal([
      { address: '10.0.0.2', kind: 'listed' },
    ]);
  });

  it('are found without brackets, final dot and capital letters', () => {
    expect(bareHost('[::1]')).to.equal('::1');
    expect(bareHost('Shop.Example.')).to.equal('shop.example');
  });
});
