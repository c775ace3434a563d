import { expect } from 'chai';
import nock from 'nock';
import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import {
  type Provider,
  ProviderRefused,
  ProviderUnreachable,
} from '../../../src/provider/provider.ts';
import { startCallee } from '../../support/callee.ts';
import { useRealConnections, useStubbedConnections } from '../../support/network.ts';
import { logSink, sender } from '../../support/provider.ts';
import { failureOf } from '../../support/spec.ts';
import { until } from '../../support/until.ts';

const ORIGIN = 'https://graph.example';
const PATH = '/v25.0/100000000000001/media';
const TOKEN = sender().accessToken;

const openProvider = (baseUrl: string, log = logSink()): Provider =>
  createGraphProvider({ baseUrl, version: 'v25.0', timeoutMs: 2000, logger: log });

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
const file = (change: Partial<Parameters<Provider['uploadMedia']>[1]> = {}) => ({
  content: chunks('one ', 'two'),
  mimeType: 'image/png',
  filename: 'a b/ä.png',
  ...change,
});
const { signal } = new AbortController();

describe('files at the provider', () => {
  useStubbedConnections();
  const log = logSink();
  let provider: Provider;
  before(() => {
    provider = openProvider(ORIGIN, log);
  });
  after(() => provider.close());
  afterEach(() => {
    expect(log.lines.join()).not.to.include(TOKEN);
  });

  describe('are read', () => {
    const reads = (status: number, body: object, times = 1) =>
      nock(ORIGIN)
        .get('/v25.0/55001?phone_number_id=100000000000001')
        .matchHeader('authorization', `Bearer ${TOKEN}`)
        .times(times)
        .reply(status, body);

    it('by their address and type', async () => {
      const url = 'https://cdn.example/file?token=x';
      reads(200, { url, mime_type: 'image/png', sha256: 'ab', file_size: 77, id: '55001' });
      const file = { url, mimeType: 'image/png', sha256: 'ab', bytes: 77 };
      expect(await provider.readMedia(sender(), '55001')).to.deep.equal(file);
    });

    it('as far as the provider tells', async () => {
      const url = 'https://cdn.example/a';
      reads(200, { url, mime_type: {} });
      const file = { url, mimeType: null, sha256: null, bytes: null };
      expect(await provider.readMedia(sender(), '55001')).to.deep.equal(file);
    });

    it('with an id that stays one part of the path', async () => {
      nock(ORIGIN)
        .get('/v25.0/..%2Fme%3Ffields%3Dtoken?phone_number_id=100000000000001')
        .reply(200, { url: 'https://cdn.example/a' });
      await provider.readMedia(sender(), '../me?fields=token');
    });

    for (const [what, status, error] of [
      ['the provider has no such file', 400, { code: 100, error_subcode: 33 }],
      ['the provider answers 404', 404, { code: 1, message: 'gone' }],
    ] as const) {
      it(`as nothing where ${what}`, async () => {
        reads(status, { error });
        expect(await provider.readMedia(sender(), '55001')).to.equal(undefined);
      });
    }

    it('not at all with a dead token, without an address, and without an answer', async () => {
      reads(401, { error: { code: 190, message: `token ${TOKEN} has expired` } });
      const failure = () => failureOf(provider.readMedia(sender(), '55001'));
      const dead = await failure();
      expect(dead).to.be.instanceOf(ProviderRefused);
      expect(dead.message).not.to.include(TOKEN);
      reads(200, { id: '55001' });
      expect(await failure()).to.be.instanceOf(ProviderRefused);
      nock(ORIGIN)
        .get(/55001/)
        .times(2)
        .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }));
      expect(await failure()).to.be.instanceOf(ProviderUnreachable);
      nock.cleanAll();
    });
  });
});

describe('uploads to the provider', () => {
  useRealConnections();
  let callee: Awaited<ReturnType<typeof startCallee>>;
  let provider: Provider;
  beforeEach(async () => {
    callee = await startCallee();
    provider = openProvider(callee.url);
  });
  afterEach(async () => {
    await provider.close();
    await callee.close();
  });
  const answers = (status: number, body: unknown) =>
    callee.answer((response) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body)),
    );
  const upload = (change: Parameters<typeof file>[0] = {}) =>
    provider.uploadMedia(sender(), file(change), signal);

  it('are a form in chunks, whose names and types cannot break it', async () => {
    answers(200, { id: '77001' });
    expect(await upload({ mimeType: 'image/png\r\nX: y' })).to.deep.equal({ mediaId: '77001' });
    const [{ method, path, headers, body }] = callee.calls as [(typeof callee.calls)[0]];
    expect([method, path]).to.deep.equal(['POST', PATH]);
    expect(headers).to.include({
      authorization: `Bearer ${TOKEN}`,
      'transfer-encoding': 'chunked',
    });
    const boundary = /^multipart\/form-data; boundary=(waybill-\w+)$/.exec(
      headers['content-type']!,
    )![1]!;
    expect(body.split(`--${boundary}`)).to.deep.equal([
      '',
      '\r\nContent-Disposition: form-data; name="messaging_product"\r\n\r\nwhatsapp\r\n',
      '\r\nContent-Disposition: form-data; name="type"\r\n\r\nimage/pngX: y\r\n',
      '\r\nContent-Disposition: form-data; name="file"; filename="a_b_.png"\r\n' +
        'Content-Type: image/pngX: y\r\n\r\none two\r\n',
      '--\r\n',
    ]);
  });

  for (const [what, status, body] of [
    ['refuses', 400, { error: { code: 100, message: `Bad file, ${TOKEN}` } }],
    ['gives no id', 200, {}],
    ['gives no JSON', 502, '<h1>Bad Gateway</h1>'],
  ] as const) {
    it(`fail where the provider ${what}`, async () => {
      answers(status, body);
      const error = await failureOf<ProviderRefused>(upload());
      expect(error).to.be.instanceOf(ProviderRefused);
      expect(error.refusal.httpStatus).to.equal(status);
      expect(error.message).not.to.include(TOKEN);
    });
  }

  it('fail where the provider cannot be reached or gives no answer', async () => {
    callee.answer((response) => response.destroy());
    expect(await failureOf(upload())).to.be.instanceOf(ProviderUnreachable);
    await callee.close();
    expect(await failureOf(upload())).to.be.instanceOf(ProviderUnreachable);
  });

  it('fail with the error of the content, and the provider gets no whole form', async () => {
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('the caller has gone');
    }
    const error = await failureOf(upload({ content: broken() }));
    expect(error.message).to.equal('the caller has gone');
    expect(callee.calls).to.have.length(0);
    await until('the connection is closed', () => callee.open() === 0);
  });

  it('end when the caller leaves, before and in the middle', async () => {
    const gone = new AbortController();
    const gate = Promise.withResolvers<void>();
    let isClosed = false;
    async function* slow() {
      try {
        yield Buffer.alloc(100);
        await gate.promise;
        yield Buffer.alloc(100);
      } finally {
        isClosed = true;
      }
    }
    const failing = failureOf(
      provider.uploadMedia(sender(), file({ content: slow() }), gone.signal),
    );
    await until('the connection stands', () => callee.open() === 1);
    gone.abort();
    expect(await failing).to.be.instanceOf(ProviderUnreachable);
    await until('the connection is closed', () => callee.open() === 0);
    gate.resolve();
    await until('the content is closed', () => isClosed);
    const late = provider.uploadMedia(sender(), file(), gone.signal);
    expect(await failureOf(late)).to.be.instanceOf(ProviderUnreachable);
  });

  it('take no connection that a send needs', async () => {
    const terms = { baseUrl: callee.url, version: 'v25.0', timeoutMs: 2000 };
    const few = createGraphProvider({ ...terms, connections: 1 });
    try {
      const gate = Promise.withResolvers<void>();
      async function* waiting() {
        yield Buffer.alloc(100);
        await gate.promise;
      }
      answers(200, { id: '77001', url: 'https://cdn.example/a' });
      const uploading = few.uploadMedia(sender(), file({ content: waiting() }), signal);
      await until('the upload has begun', () => callee.open() === 1);
      expect(await few.readMedia(sender(), '1')).to.include({ url: 'https://cdn.example/a' });
      gate.resolve();
      expect(await uploading).to.deep.equal({ mediaId: '77001' });
    } finally {
      await few.close();
    }
  });
});
