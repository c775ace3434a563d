import { expect } from 'chai';
import fc from 'fast-check';
import { createAddressRules } from '../../src/net/addresses.ts';

const kinds = (addresses: readonly string[], exceptions: readonly string[] = []) => {
  const rules = createAddressRules(exceptions);
  return [...new Set(addresses.map((address) => rules.kindOf(address)))];
};

describe('addresses', () => {
  it('are forbidden in the special ranges of IPv4', () => {
    const addresses = [
      '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1',
      '172.31.255.255 192.0.0.192 192.0.2.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1',
      '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 100.100.100.200 168.63.129.16',
    ];
    expect(kinds(addresses.join(' ').split(' '))).to.deep.equal(['forbidden']);
  });

  it('are forbidden in the special ranges of IPv6, and when they are mapped from such IPv4 addresses', () => {
    const addresses = [
      ':: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 fec0::1 2001:db8::1 100::1',
      '::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1::1',
      '2001:0:7f00:1::1 [::1] ::ffff:0:127.0.0.1',
    ];
    expect(kinds(addresses.join(' ').split(' '))).to.deep.equal(['forbidden']);
  });

  it('are public otherwise', () => {
    const addresses = ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '[2a00:1450::1]'];
    expect(kinds(addresses)).to.deep.equal(['public']);
  });

  it('are told apart from names', () => {
    expect(kinds(['localhost', 'shop.example', ''])).to.deep.equal([undefined]);
  });

  it('are listed by exceptions: addresses and networks, mapped or not', () => {
    const exceptions = ['10.1.0.0/16', '::1', '192.168.7.7', '::ffff:172.16.0.0/108'];
    const listed = ['10.1.255.1', '::1', '192.168.7.7', '::ffff:10.1.0.9', '172.16.3.4'];
    expect(kinds(listed, exceptions)).to.deep.equal(['listed']);
    const others = ['10.2.0.1', '127.0.0.1', '192.168.7.8', 'fe80::1'];
    expect(kinds(others, exceptions)).to.deep.equal(['forbidden']);
  });

  it('match a mapped network by the prefix of its IPv6 form', () => {
    // Ninety-six bits stand before the address of the fourth.
    const addresses = ['10.0.0.1', '9.255.255.255', '11.0.0.0'];
    expect(kinds(addresses, ['::ffff:10.0.0.0/104'])).to.deep.equal(['listed', 'public']);
    for (const network of ['::ffff:1.2.3.4/96', '::ffff:1.2.3.4/90']) {
      expect(kinds(['192.168.0.9'], [network])).to.deep.equal(['listed']);
    }
    expect(kinds(['::3'], ['::2'])).to.deep.equal(['forbidden']);
    expect(kinds(['fd00::1'], ['fd00::1/127', 'fd00::/128'])).to.deep.equal(['listed']);
  });

  it('have exceptions or none', () => {
    expect(createAddressRules([]).hasExceptions).to.equal(false);
    expect(createAddressRules(['10.0.0.1']).hasExceptions).to.equal(true);
    expect(() => createAddressRules(['shop.example'])).to.throw(/neither an address nor a network/);
  });

  it('have the kind of their mapped form', () => {
    const rules = createAddressRules(['10.0.0.0/8']);
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(rules.kindOf(`::ffff:${address}`)).to.equal(rules.kindOf(address));
      }),
    );
  });
});
