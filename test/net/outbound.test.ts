import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { OutboundRequest } from '../../src/commands/core/outbound.ts';
import { createAddressRules } from '../../src/net/addresses.ts';
import { guardedConnector } from '../../src/net/guard.ts';
import {
  createOutbound,
  type OutboundOptions,
  readUpTo,
  reasonOf,
} from '../../src/net/outbound.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { useRealConnections } from '../support/network.ts';
import { until } from '../support/until.ts';

const LOOPBACK = ['127.0.0.0/8'];
const PRIVATE = 'must not lead to a private, loopback, link-local or metadata address';
const NOT_PUBLIC = 'the address is not a public one';

const failed = (reason: string) => ({ kind: 'failed', reason });

/** For a call that is never answered. */
const IMPATIENT = { timeoutMs: 400 };

describe('outbound calls', () => {
  useRealConnections();
  let callee: Callee;
  const opened: { close(): Promise<void> }[] = [];
  const open = (options: Partial<OutboundOptions> = {}) => {
    const outbound = createOutbound({ exceptions: LOOPBACK, plainHttp: 'any', ...options });
    opened.push(outbound);
    return outbound;
  };
  const post = (url: string, change: Partial<OutboundRequest> = {}): OutboundRequest => ({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    // Longer than a test may take.
    timeoutMs: 600_000,
    bytesMax: 0,
    ...change,
  });
  beforeEach(async () => {
    callee = await startCallee();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await callee.close();
  });

  it('call a URL on a listed address and return its answer', async () => {
    callee.answer((response) => response.writeHead(201).end('thanks'));
    const outcome = await open().request(post(`${callee.url}/hook?x=1`, { bytesMax: 100 }));
    expect(outcome).to.include({ kind: 'answered', status: 201, body: 'thanks' });
    const [call] = callee.calls;
    expect(call).to.include({ method: 'POST', path: '/hook?x=1', body: '{"a":1}' });
    expect(call?.headers['content-type']).to.equal('application/json');
  });

  describe('to private addresses', () => {
    const addresses =
      '127.0.0.1 2130706433 0x7f.1 [::ffff:127.0.0.1] [::1] 169.254.169.254 [fd00:ec2::254]';
    const names = 'localhost api.internal printer.local';
    for (const host of `${addresses} ${names}`.split(' ')) {
      it(`makes no connection to ${host}`, async () => {
        const outbound = open({ exceptions: [] });
        const url = `https://${host}:${callee.port}/`;
        expect(await outbound.problemOf(url)).to.equal(PRIVATE);
        const outcome = await outbound.request(post(url.replace('https', 'http')));
        expect(outcome).to.include(failed(`the URL ${PRIVATE}`));
        const plain = await outbound.request(post(`http://${host}/`));
        const reasons = [NOT_PUBLIC, `the URL ${PRIVATE}`];
        expect(plain.kind === 'failed' && plain.reason).to.be.oneOf(reasons);
        expect(callee.connections()).to.equal(0);
      });
    }

    it('check every address of a name', async () => {
      const resolve = async () => ['93.184.216.34', '10.0.0.1'];
      const outbound = open({ exceptions: [], resolve });
      expect(await outbound.problemOf('https://shop.example/')).to.equal(PRIVATE);
      const outcome = await outbound.request(post('http://shop.example/'));
      expect(outcome).to.include(failed(NOT_PUBLIC));
    });

    it('check again at the connection, because a name may change its addresses', async () => {
      const answers = [['93.184.216.34'], ['127.0.0.1']];
      const resolve = async () => answers.shift() ?? [];
      const outbound = open({ exceptions: [], resolve });
      expect(await outbound.problemOf('https://shop.example/')).to.equal(null);
      const outcome = await outbound.request(post('http://shop.example/'));
      expect(outcome).to.include(failed(NOT_PUBLIC));
      expect(callee.connections()).to.equal(0);
    });

    it('check the peer of the open connection', async () => {
      const rules = createAddressRules(LOOPBACK);
      let asked = 0;
      const changing = {
        ...rules,
        kindOf(text: string) {
          const kind = rules.kindOf(text);
          if (kind !== undefined) asked += 1;
          return asked > 1 && kind === 'listed' ? ('forbidden' as const) : kind;
        },
      };
      const connect = guardedConnector(
        { rules: changing, resolve: async () => ['127.0.0.1'] },
        { timeoutMs: 600_000, needsException: () => false },
      );
      const outcome = await new Promise((resolve) => {
        const target = { hostname: 'shop.example', protocol: 'http:', port: String(callee.port) };
        connect(target, (error, socket) => resolve(error ?? socket));
      });
      expect(outcome).to.be.an('error').with.property('code', 'FORBIDDEN_ADDRESS');
      expect(callee.calls).to.have.lengthOf(0);
      await until('the connection is closed', () => callee.open() === 0);
    });

    it('go to the listed addresses of a name alone', async () => {
      const resolve = async () => ['::1', '127.0.0.1', '10.0.0.1'];
      const outbound = open({ resolve });
      const outcome = await outbound.request(post(`http://orders.internal:${callee.port}/`));
      expect(outcome).to.include({ kind: 'answered', status: 200 });
    });
  });

  describe('over plain http', () => {
    it('go to listed addresses only, when https is required', async () => {
      const resolve = async (host: string) => [host === 'own.example' ? '127.0.0.1' : '1.1.1.1'];
      const outbound = open({ plainHttp: 'listed', resolve });
      const problem = 'must be an https URL';
      expect(await outbound.problemOf('http://own.example/')).to.equal(null);
      expect(await outbound.problemOf('http://shop.example/')).to.equal(problem);
      const outcome = await outbound.request(post('http://shop.example/'));
      expect(outcome).to.include(failed(`the URL ${problem}`));
    });
  });

  describe('on ports and hosts', () => {
    const PUBLIC = '93.184.216.34';
    const resolve = async (host: string) => [host === 'own.example' ? '127.0.0.1' : PUBLIC];
    const TLS = 'must use one of the ports 443, 8443';
    const NO_DOT = 'must name a host with a dot, such as shop.example';

    it('go to ports 443 and 8443, and to 80 and 8080 when http is allowed', async () => {
      const strict = open({ exceptions: [], plainHttp: 'listed', resolve });
      const plain = open({ exceptions: [], plainHttp: 'any', resolve });
      for (const port of ['', ':443', ':8443']) {
        expect(await strict.problemOf(`https://shop.example${port}/`), port).to.equal(null);
        expect(await plain.problemOf(`https://shop.example${port}/`), port).to.equal(null);
      }
      for (const port of [':22', ':25', ':80', ':8080', ':6379', ':9200', ':65535']) {
        expect(await strict.problemOf(`https://shop.example${port}/`), port).to.equal(TLS);
      }
      for (const port of ['', ':80', ':8080', ':443']) {
        expect(await plain.problemOf(`http://shop.example${port}/`), port).to.equal(null);
      }
      const others = ['https://shop.example:22', 'http://shop.example:81', 'http://1.1.1.1:1'];
      for (const url of others) {
        expect(await plain.problemOf(`${url}/`), url).to.equal(`${TLS}, 80, 8080`);
      }
    });

    it('go to any port of a listed address alone', async () => {
      const outbound = open({ plainHttp: 'listed', resolve });
      expect(await outbound.problemOf('https://own.example:22/')).to.equal(null);
      expect(await outbound.problemOf('https://127.0.0.1:9999/')).to.equal(null);
      expect(await outbound.problemOf('https://shop.example:22/')).to.equal(TLS);
      const outcome = await outbound.request(post('https://shop.example:22/'));
      expect(outcome).to.include(failed(`the URL ${TLS}`));
    });

    it('check a listed name again at the connection', async () => {
      const answers = [['127.0.0.1'], [PUBLIC]];
      const changing = open({ plainHttp: 'listed', resolve: async () => answers.shift() ?? [] });
      const outcome = await changing.request(post('https://own.example:22/'));
      expect(outcome).to.include(failed(NOT_PUBLIC));
      expect(answers).to.have.lengthOf(0);
    });

    it('refuse a host without a dot, whatever it resolves to', async () => {
      for (const outbound of [open({ exceptions: [], resolve }), open({ resolve })]) {
        for (const url of ['https://shop/', 'https://shop./hook', 'http://metadata/']) {
          expect(await outbound.problemOf(url), url).to.equal(NO_DOT);
          expect((await outbound.request(post(url))).kind, url).to.equal('failed');
        }
        expect(await outbound.problemOf('https://[2606:4700:4700::1111]/')).to.equal(null);
      }
    });

    it('go to a host without a dot when all its addresses are listed', async () => {
      const inside = open({ resolve: async () => ['127.0.0.1'] });
      const url = `http://receiver:${callee.port}/`;
      expect(await inside.problemOf(url)).to.equal(null);
      expect(await inside.request(post(url))).to.include({ kind: 'answered', status: 200 });
    });
  });

  it('refuse text that is not an http URL', async () => {
    const outbound = open();
    for (const url of ['', 'shop', 'ftp://shop.example/', 'javascript:1', 'file:///etc/passwd']) {
      expect(await outbound.problemOf(url), url).to.be.a('string');
      expect((await outbound.request(post(url))).kind, url).to.equal('failed');
    }
    for (const user of ['a:b', 'a', ':b']) {
      expect(await outbound.problemOf(`https://${user}@shop.example/`), user).to.match(/user name/);
    }
  });

  it('accept URLs of up to 2,048 characters', async () => {
    const outbound = open({ resolve: async () => ['1.1.1.1'] });
    const url = 'https://shop.example/'.padEnd(2048, 'x');
    expect(await outbound.problemOf(url)).to.equal(null);
    expect(await outbound.problemOf(`${url}x`)).to.equal('must be a URL');
  });

  it('resolve no name when the answer does not depend on it', async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return ['10.0.0.1'];
    };
    const strict = open({ exceptions: [], plainHttp: 'listed', resolve });
    expect(await strict.problemOf('http://shop.example/')).to.equal('must be an https URL');
    expect(await strict.problemOf('https://printer.local/')).to.equal(PRIVATE);
    expect(asked).to.deep.equal([]);
    expect(await strict.problemOf('https://shop.example/')).to.equal(PRIVATE);
    expect(asked).to.deep.equal(['shop.example']);
  });

  it('send a User-Agent, unless the caller gives one', async () => {
    const outbound = open();
    await outbound.request(post(callee.url));
    await outbound.request(post(callee.url, { headers: { 'user-agent': 'Shop' } }));
    const agents = callee.calls.map(({ headers }) => headers['user-agent']);
    expect(agents).to.deep.equal(['Waybill', 'Shop']);
  });

  it('row 74: wait for none of the calls that another account makes to the same host', async () => {
    const hanging: ServerResponse[] = [];
    callee.answer((response, { path }) => {
      if (path === '/hangs') hanging.push(response);
      else response.end();
    });
    const outbound = open();
    const hang = post(`${callee.url}/hangs`);
    const calls = Array.from({ length: 64 }, () => outbound.request(hang));
    const other = await outbound.request(post(`${callee.url}/other`));
    expect(other.kind).to.equal('answered');
    await until('all calls arrived', () => hanging.length === 64);
    for (const response of hanging) response.end();
    for (const outcome of await Promise.all(calls)) expect(outcome.kind).to.equal('answered');
  });

  it('report their time in milliseconds', async () => {
    callee.answer((response) => void setTimeout(() => response.end(), 20));
    for (const call of [post(callee.url), post('shop')]) {
      const startedAt = performance.now();
      const { latencyMs } = await open().request(call);
      const least = call.url === 'shop' ? 0 : 19;
      expect(latencyMs).to.be.within(least, performance.now() - startedAt + 1);
    }
  });

  it('read one byte when one is asked for', async () => {
    callee.answer((response) => response.end('thanks'));
    expect(await open().request(post(callee.url, { bytesMax: 1 }))).to.include({ body: 't' });
    expect(await open().request(post(callee.url, { bytesMax: 0 }))).to.include({ body: '' });
  });

  it('keep the connection where no answer is wanted', async () => {
    const answers: ServerResponse[] = [];
    callee.answer((response) => {
      response.write('thanks');
      answers.push(response);
    });
    const outbound = open();
    for (let call = 0; call < 8; call += 1) {
      await outbound.request(post(callee.url, { bytesMax: 0 }));
      await new Promise<void>((resolve) => answers[call]!.end(' a lot', resolve));
    }
    expect(callee.connections()).to.be.below(8);
  });

  describe('reads of a body', () => {
    const parts = async function* (texts: readonly string[], taken: string[]) {
      for (const text of texts) {
        taken.push(text);
        yield Buffer.from(text);
      }
    };
    const read = async (texts: readonly string[], bytesMax: number) => {
      const taken: string[] = [];
      return { text: await readUpTo(parts(texts, taken), bytesMax), taken };
    };

    it('keep the order of its parts', async () => {
      expect((await read(['ab', 'cd', 'e'], 9)).text).to.equal('abcde');
    });

    it('end at the bound', async () => {
      expect(await read(['ab', 'cd', 'e'], 4)).to.deep.equal({ text: 'abcd', taken: ['ab', 'cd'] });
      expect(await read(['ab', 'cd', 'e'], 3)).to.deep.equal({ text: 'abc', taken: ['ab', 'cd'] });
      expect((await read(['ab', 'cd', 'e'], 5)).taken).to.deep.equal(['ab', 'cd', 'e']);
    });
  });

  it('describe failures in the same words for each library', () => {
    const wordsOf = (name: string, code?: string) => reasonOf({ name, code });
    const timeouts = ['CONNECT', 'HEADERS', 'BODY'].map((part) => `UND_ERR_${part}_TIMEOUT`);
    const codes: Record<string, readonly string[]> = {
      'no answer in time': [...timeouts, 'ETIMEDOUT', 'ETIMEOUT'],
      'the connection was refused': ['ECONNREFUSED'],
      'the host name has no address': ['ENOTFOUND'],
      'the connection was closed': ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'],
      'failed: CERT_HAS_EXPIRED': ['CERT_HAS_EXPIRED'],
    };
    for (const [words, known] of Object.entries(codes)) {
      for (const code of known) expect(wordsOf('Error', code)).to.equal(words);
    }
    expect(wordsOf('TimeoutError')).to.equal('no answer in time');
    expect(wordsOf('AbortError')).to.equal('no answer in time');
    expect(wordsOf('TypeError')).to.equal('failed: TypeError');
    for (const error of [undefined, {}]) expect(reasonOf(error)).to.equal('failed: unknown error');
  });

  it('accept a name that cannot be resolved now', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error(), { code: 'ESERVFAIL' }));
    expect(await open({ resolve }).problemOf('https://shop.example/')).to.equal(null);
    const gone = open({ resolve: async () => [] });
    expect(await gone.problemOf('https://shop.example/')).to.equal(null);
    const outcome = await gone.request(post('https://shop.example/'));
    expect(outcome).to.include(failed('the host name has no address'));
  });

  describe('to a faulty server', () => {
    it('end when it never answers', async () => {
      callee.answer(() => undefined);
      const call = open().request(post(callee.url, IMPATIENT));
      expect(await call).to.include(failed('no answer in time'));
    });

    it('end when it sends its headers byte by byte', async () => {
      callee.answer((response) => {
        response.socket?.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => response.socket?.write('x-a: b\r\n'), 20);
        response.socket?.once('close', () => clearInterval(drip));
      });
      const outcome = await open().request(post(callee.url, IMPATIENT));
      expect(outcome).to.include({ kind: 'failed' });
    });

    it('follow no redirects', async () => {
      callee.answer((response, { path }) => {
        if (path === '/again') response.end();
        else response.writeHead(302, { location: `${callee.url}/again` }).end();
      });
      const outcome = await open().request(post(callee.url));
      expect(outcome).to.include({ kind: 'answered', status: 302 });
      expect(callee.calls).to.have.lengthOf(1);
    });

    it('read a few kilobytes at most of an endless unwanted answer', async () => {
      let sent = 0;
      let closed = false;
      callee.answer((response) => {
        response.on('close', () => {
          closed = true;
        });
        const pour = () => {
          while (!closed && response.write('x'.repeat(1024))) sent += 1024;
        };
        response.on('drain', pour);
        pour();
      });
      const call = open().request(post(callee.url));
      expect(await call).to.include({ kind: 'answered', status: 200, body: '' });
      await until('the connection is closed', () => closed);
      // What the sockets on both sides buffer is beyond us.
      expect(sent).to.be.below(8_000_000);
    });

    it('cut an answer at its bound', async () => {
      callee.answer((response) => response.end('é'.repeat(5000)));
      const outcome = await open().request(post(callee.url, { bytesMax: 1000 }));
      expect(outcome.kind === 'answered' && outcome.body.length).to.equal(500);
    });

    it('count from its head on, with what came of its body, where that may be late', async () => {
      callee.answer((response) => {
        response.writeHead(202, { 'x-of': 'the shop', 'set-cookie': 'a=b' });
        response.write('begun');
      });
      const outcome = await open().request(post(callee.url, { bytesMax: 100, bodyMs: 20 }));
      expect(outcome).to.include({ kind: 'answered', status: 202, body: 'begun' });
      expect((outcome as { head: string }).head)
        .to.include('x-of: the shop')
        .and.not.include('a=b');
    });
    it('end when an answer does not end in time', async () => {
      callee.answer((response) => void response.write('x'));
      const call = post(callee.url, { bytesMax: 1000, ...IMPATIENT });
      expect(await open().request(call)).to.include(failed('no answer in time'));
    });

    it('report a refused and a closed connection', async () => {
      callee.answer((response) => response.socket?.destroy());
      const { url } = callee;
      expect(await open().request(post(url))).to.include(failed('the connection was closed'));
      await callee.close();
      expect(await open().request(post(url))).to.include(failed('the connection was refused'));
      callee = await startCallee();
    });
  });
});
