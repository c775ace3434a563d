import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Download } from '../../src/commands/core/outbound.ts';
import { createDownloads } from '../../src/net/download.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { useRealConnections } from '../support/network.ts';
import { until } from '../support/until.ts';

type Options = Parameters<typeof createDownloads>[0];
type Call = Parameters<Download>[0];

const MB = 1_048_576;
const NOT_PUBLIC = 'the address is not a public one';

describe('downloads', () => {
  useRealConnections();
  let callee: Callee;
  const opened: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    callee = await startCallee();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await callee.close();
  });

  const elsewhere = { trustedOrigin: 'https://graph.example' };
  const open = (options: Partial<Options> = {}): Download => {
    const downloads = createDownloads({ exceptions: [], trustedOrigin: callee.url, ...options });
    opened.push(downloads);
    return downloads.download;
  };
  const call = (change: Partial<Call> = {}): Call => ({
    url: `${callee.url}/file`,
    headers: { authorization: 'Bearer secret-token' },
    bytesMax: MB,
    signal: new AbortController().signal,
    ...change,
  });
  const failure = async (downloading: ReturnType<Download>): Promise<string> => {
    const outcome = await downloading;
    return outcome.kind === 'failed' ? outcome.reason : 'it was opened';
  };
  const contentOf = async (downloading: ReturnType<Download>): Promise<Readable> => {
    const outcome = await downloading;
    if (outcome.kind === 'failed') throw new Error(outcome.reason);
    return outcome.content;
  };
  /** The bytes up to the end, and the error that ended them. */
  const readAll = async (downloading: ReturnType<Download>) => {
    const content = await contentOf(downloading);
    let bytes = 0;
    try {
      for await (const chunk of content) bytes += chunk.length;
      return { bytes };
    } catch (error) {
      return { bytes, error: String(error) };
    }
  };
  const closed = () => until('the connection is closed', () => callee.open() === 0);

  it('pass a file on with its length, and show the token and a user agent to its server', async () => {
    callee.answer((response) => response.writeHead(200, { 'content-length': 5 }).end('bytes'));
    const downloading = open()(call());
    expect(await downloading).to.include({ kind: 'opened', bytes: 5 });
    expect(await readAll(downloading)).to.deep.equal({ bytes: 5 });
    const { method, headers } = callee.calls[0]!;
    expect(method).to.equal('GET');
    const shown = { authorization: 'Bearer secret-token', 'user-agent': 'Waybill' };
    expect(headers).to.include(shown).and.not.have.property('accept-encoding');
  });

  it('tell no length where the server tells none', async () => {
    callee.answer((response) => {
      response.write('by');
      response.end('tes');
    });
    expect(await open()(call())).to.include({ kind: 'opened', bytes: null });
  });

  describe('go to no other place than the provider’s', () => {
    for (const url of [
      'file:///etc/passwd',
      'ftp://cdn.example/a',
      'not a url',
      '',
      'https://user:word@cdn.example/a',
      `https://cdn.example/${'a'.repeat(3000)}`,
    ]) {
      it(`such as ${url.slice(0, 40) || 'no URL'}`, async () => {
        expect(await failure(open()(call({ url })))).to.equal('the provider named no web address');
      });
    }

    it('as a private address, whatever names it', async () => {
      const download = open({ ...elsewhere, resolve: async () => ['127.0.0.1'] });
      for (const host of ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', 'cdn.example']) {
        for (const scheme of ['http', 'https']) {
          const url = `${scheme}://${host}:${callee.port}/file`;
          expect(await failure(download(call({ url }))), url).to.equal(NOT_PUBLIC);
        }
      }
      expect(callee.connections()).to.equal(0);
    });

    it('as plain http or another port, but for what the operator lists', async () => {
      const download = open({ ...elsewhere, resolve: async () => ['93.184.216.34'] });
      for (const url of ['http://cdn.example/a', 'https://cdn.example:25/a']) {
        expect(await failure(download(call({ url }))), url).to.equal(NOT_PUBLIC);
      }
      callee.answer((response) => response.end('bytes'));
      const listed = open({ ...elsewhere, exceptions: ['127.0.0.1'] });
      expect(await readAll(listed(call()))).to.deep.equal({ bytes: 5 });
    });

    it('by a redirect', async () => {
      const other = await startCallee();
      try {
        for (const status of [301, 302, 307, 308]) {
          const location = `${other.url}/file`;
          callee.answer((response) => response.writeHead(status, { location }).end());
          expect(await failure(open()(call()))).to.equal(`the provider answered HTTP ${status}`);
        }
        expect(other.connections()).to.equal(0);
      } finally {
        await other.close();
      }
    });
  });

  describe('fail', () => {
    it('for another status than 200, and read little of the answer', async () => {
      callee.answer((response) => {
        response.writeHead(404);
        response.write(Buffer.alloc(MB));
      });
      expect(await failure(open()(call()))).to.equal('the provider answered HTTP 404');
      await closed();
    });

    it('for a compressed file', async () => {
      callee.answer((response) => {
        const body = gzipSync(Buffer.alloc(10 * MB));
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length });
        response.end(body);
      });
      expect(await failure(open()(call()))).to.equal('the provider compressed the file');
    });

    it('for a file that announces a byte too many', async () => {
      callee.answer((response) => {
        response.writeHead(200, { 'content-length': MB + 1 });
        response.write('x');
      });
      expect(await failure(open()(call()))).to.equal(`the file is larger than ${MB} bytes`);
      await closed();
    });

    it('for a refused and for a reset connection', async () => {
      callee.answer((response) => response.destroy());
      const download = open();
      expect(await failure(download(call()))).to.equal('the connection was closed');
      await callee.close();
      expect(await failure(download(call()))).to.equal('the connection was refused');
    });

    it('once the caller has gone, before the answer, too', async () => {
      callee.answer(() => undefined);
      const gone = new AbortController();
      const failing = failure(open()(call({ signal: gone.signal })));
      await until('the server is asked', () => callee.calls.length === 1);
      gone.abort();
      expect(await failing).to.equal('no answer in time');
      await closed();
    });
  });

  describe('end with an error', () => {
    it('beyond the limit, whatever was announced', async () => {
      callee.answer((response) => {
        const pour = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
          response.once('drain', pour);
        };
        pour();
      });
      const { bytes, error } = await readAll(open()(call()));
      expect(bytes).to.be.at.most(MB);
      expect(error).to.include(`larger than ${MB} bytes`);
      await closed();
    });

    it('when the server stops in the middle', async () => {
      callee.answer((response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('half', () => response.destroy());
      });
      const { bytes, error } = await readAll(open()(call()));
      expect(bytes).to.equal(4);
      expect(error).to.be.a('string');
    });

    it('when the server falls silent', async () => {
      callee.answer((response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('half');
      });
      const { bytes, error } = await readAll(open({ idleTimeoutMs: 50 })(call()));
      expect(bytes).to.equal(4);
      expect(error).to.match(/timeout/i);
      await closed();
    });

    it('when the whole file takes too long, though bytes keep coming', async () => {
      callee.answer((response) => {
        const timer = setInterval(() => response.write('x'), 5);
        response.once('close', () => clearInterval(timer));
      });
      const download = open({ idleTimeoutMs: 5000, fileTimeoutMs: 300 });
      const { bytes, error } = await readAll(download(call()));
      expect(bytes).to.be.above(0);
      expect(error).to.match(/timeout/i);
      await closed();
    });
  });

  it('read what was announced and no more', async () => {
    callee.answer((response) => {
      response.socket!.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes and more bytes');
    });
    expect(await readAll(open()(call()))).to.deep.equal({ bytes: 5 });
  });

  it('close the connection of a file that nobody reads', async () => {
    callee.answer((response) => {
      response.writeHead(200, { 'content-length': MB });
      response.write(Buffer.alloc(MB / 2));
    });
    const content = await contentOf(open()(call()));
    expect(callee.open()).to.equal(1);
    content.destroy();
    await closed();
  });
});
