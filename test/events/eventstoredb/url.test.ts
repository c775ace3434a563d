import { expect } from 'chai';
import { parseUrl } from '../../../src/events/eventstoredb/connection.ts';
import { openEventStoreDb } from '../../../src/events/eventstoredb/store.ts';
import { outcomeOf } from '../../contract/store-events.ts';
import { useRealConnections } from '../../support/network.ts';

describe('the URL of the log in EventStoreDB', () => {
  useRealConnections();
  const good = {
    'esdb://localhost': 'localhost:2113',
    'esdb://localhost:2113?tls=false': 'localhost:2113',
    'esdb://admin:ch%40ngeit@10.0.0.1:2114': '10.0.0.1:2114',
    'esdb://admin:with/#?:=in@localhost': 'localhost:2113',
    'esdb://admin:x@one,two:2115?nodePreference=leader&gossipTimeout=4': 'one:2113,two:2115',
    'esdb+discover://admin:x@cluster.example:2113?gossipTimeout=3': 'cluster.example:2113',
  };
  for (const [url, hosts] of Object.entries(good)) {
    it(`names the hosts of ${url}, and leaves it as it is`, () => {
      expect(parseUrl(url).hosts).to.equal(hosts);
      expect(parseUrl(url).url(0)).to.equal(url);
    });
  }

  it('takes options by any of their spellings, and a slash before them', () => {
    const { url } = parseUrl(' esdb://localhost/?TLS=false&keep_alive_interval=20000 ');
    expect(url(0)).to.equal('esdb://localhost?tls=false&keepAliveInterval=20000');
  });

  it('has members of a cluster asked with a time limit that leaves time for the others', () => {
    expect(parseUrl('esdb://one,two').url(0)).to.equal('esdb://one,two?gossipTimeout=2');
    const discover = parseUrl('esdb+discover://one?tls=false').url(0);
    expect(discover).to.equal('esdb+discover://one?tls=false&gossipTimeout=2');
  });

  it('differs for each client, so that none gets the dead connection of another', () => {
    const { url } = parseUrl('esdb://localhost?keepAliveTimeout=7000&tls=false');
    expect(url(0)).to.equal('esdb://localhost?keepAliveTimeout=7000&tls=false');
    expect(url(2)).to.equal('esdb://localhost?keepAliveTimeout=7002&tls=false');
    expect(parseUrl('esdb://localhost').url(3)).to.equal('esdb://localhost?keepAliveTimeout=10003');
  });

  const bad = [
    'http://admin:s3cret@localhost:2113',
    'esdb://',
    'esdb://admin:s3cret@',
    'esdb://admin:s3cret@localhost:port',
    'esdb://admin:s3cret@local@host',
    'esdb://admin:s3 cret@localhost',
    'esdb://localhost?admin:s3cret@tls=true',
    'esdb://admin:s3cret@localhost?tls',
    'esdb://admin:s3cret@localhost?tls=maybe',
    'esdb://admin:%s3cret@localhost',
    'esdb://admin:s3cret@localhost?tlsVerifyCert=false',
    'esdb://admin:s3cret@localhost?throwOnAppendFailure=false',
    'esdb://admin:s3cret@localhost?nodePreference=s3cret',
    'esdb://admin:s3cret@localhost?tlsCAFile=/nowhere.pem',
  ];
  for (const url of bad) {
    it(`refuses ${url} without showing any of it`, async () => {
      const printed: unknown[] = [];
      const { warn } = console;
      console.warn = (...texts: unknown[]) => printed.push(...texts);
      try {
        const error = await outcomeOf(openEventStoreDb({ url }));
        expect(error).to.be.instanceOf(Error);
        const { message, stack, cause } = error as Error;
        expect(message).to.match(/^the URL of the event log /);
        for (const text of [message, stack, String(cause), ...printed, JSON.stringify(error)]) {
          expect(text).not.to.match(/s3|cret/);
        }
      } finally {
        console.warn = warn;
      }
    });
  }
});
