import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clientAddress } from '../../../src/http/edge/address.ts';
import { useEdge } from '../../support/edge.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('Client addresses', () => {
  const edge = useEdge({ trustProxyHops: 1 });

  for (const [what, request, hops, expected] of [
    ['the peer', from('203.0.113.9'), 0, '203.0.113.9'],
    ['the peer, whatever it claims', from('203.0.113.9', '198.51.100.1'), 0, '203.0.113.9'],
    ['the last entry behind one proxy', from('10.0.0.1', '1.1.1.1, 2.2.2.2'), 1, '2.2.2.2'],
    ['the last but one behind two', from('10.0.0.1', '1.1.1.1, 2.2.2.2, 3.3.3.3'), 2, '2.2.2.2'],
    ['the first when there are fewer', from('10.0.0.1', '1.1.1.1'), 3, '1.1.1.1'],
    ['the peer without the header', from('10.0.0.1'), 2, '10.0.0.1'],
    ['the peer when the entry is none', from('10.0.0.1', 'x'.repeat(9_000)), 1, '10.0.0.1'],
    ['a mapped IPv4 address as IPv4', from('::ffff:203.0.113.9'), 0, '203.0.113.9'],
    ['an entry with a port', from('10.0.0.1', '198.51.100.7:4711'), 1, '198.51.100.7'],
    ['an IPv6 address by its /64', from('2001:db8:1:2:aaaa::1'), 0, '2001:db8:1:2::/64'],
    ['IPv6 in brackets', from('10.0.0.1', '[2001:db8:1:2::9]:443'), 1, '2001:db8:1:2::/64'],
    ['nobody, once the peer has gone', from(undefined), 0, 'unknown'],
  ] as const) {
    it(`are ${what}`, () => expect(clientAddress(request, hops)).to.equal(expected));
  }

  it('separate the clients behind a believed proxy', async () => {
    const left: unknown[] = [];
    for (const client of ['1.1.1.1', '2.2.2.2', '1.1.1.1']) {
      const headers = { 'x-forwarded-for': `6.6.6.6, ${client}` };
      left.push(
        (await edge.call('GET', '/api/v1/ping', { headers })).headers['ratelimit-remaining'],
      );
    }
    expect(left).to.deep.equal(['119', '119', '118']);
  });
});
