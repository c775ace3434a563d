import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect } from 'chai';
import { certificateEnd, serversAt, usesTls } from '../../src/net/certificates.ts';
import { makeCertificate } from '../support/grpc/certificate.ts';
import { useRealConnections } from '../support/network.ts';

describe('the servers that are called by TLS', () => {
  const cases: [url: string, servers: string[] | null][] = [
    ['https://graph.facebook.com', ['graph.facebook.com:443']],
    ['https://[::1]:8443/issuer', ['::1:8443']],
    ['http://127.0.0.1:4000', null],
    ['esdb://user:p%40ss@store:2113?tls=true', ['store:2113']],
    ['esdb+discover://one,two:2114', ['one:2113', 'two:2114']],
    ['esdb://store:2113?tls=false', null],
    [
      'mongodb://user:pass@one,two:27018/waybill?replicaSet=rs0&tls=true',
      ['one:27017', 'two:27018'],
    ],
    ['mongodb://one/waybill?ssl=true', ['one:27017']],
    ['mongodb://mongodb:27017/waybill', null],
  ];
  for (const [url, servers] of cases) {
    it(`are ${servers?.join(' and ') ?? 'none'} at ${url}`, async () => {
      expect(usesTls(url)).to.equal(servers !== null);
      if (!servers) return;
      const found = await serversAt(url);
      expect(found.map(({ host, port }) => `${host}:${port}`)).to.deep.equal(servers);
    });
  }

  it('may be those of a record of the name', () => {
    expect(usesTls('mongodb+srv://user:pass@cluster.example/waybill')).to.equal(true);
    expect(usesTls('mongodb+srv://cluster.example/?tls=false')).to.equal(false);
  });

  describe('tell', () => {
    useRealConnections();

    it('when their certificate ends, also one that nobody signed', async () => {
      const { key, certificate: cert } = makeCertificate();
      const server = createServer({ key, cert }).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      const end = await certificateEnd({ host: '127.0.0.1', port });
      expect(new Date(end).toISOString()).to.equal('2049-12-31T23:59:59.000Z');
      await new Promise((resolve) => server.close(resolve));
      const failure = await certificateEnd({ host: '127.0.0.1', port }).catch(({ code }) => code);
      expect(failure).to.equal('ECONNREFUSED');
    });
  });
});
