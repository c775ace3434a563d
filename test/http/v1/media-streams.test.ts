import type { RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import nock from 'nock';
import { request } from 'undici';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { startServer } from '../../support/server.ts';
import { customerWrites } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Json,
  numberAnswer,
  openTenant,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

const MB = 1_048_576;
const TOTAL = 100 * MB;
/** The buffers of the kernel at both sockets, which grow on a busy machine, and the streams in between. */
const UNDER_WAY_MAX = 60 * MB;

/** Bytes that are made when they are asked for, and counted. */
const source = () => {
  const made = { bytes: 0, isClosed: false };
  const chunk = Buffer.alloc(64 * 1024, 7);
  function* chunks() {
    try {
      while (made.bytes < TOTAL) {
        made.bytes += chunk.length;
        yield chunk;
      }
    } finally {
      made.isClosed = true;
    }
  }
  return { made, stream: () => Readable.from(chunks(), { objectMode: false }) };
};

/** Waits until nothing more is made: a reader that holds the source up, or the end. */
const untilStill = async (made: { bytes: number }): Promise<void> => {
  let before = -1;
  let same = 0;
  await untilTrue('the source to stand still', async () => {
    same = made.bytes > 0 && made.bytes === before ? same + 1 : 0;
    before = made.bytes;
    return same > 30;
  });
};

describe('media of 100 MB @long', () => {
  useRealConnections();
  let waybill: Waybill;
  let tenant: Tenant;
  let file: ReturnType<typeof source>;
  /** Lets the provider read an upload. */
  let mayRead: PromiseWithResolvers<void>;
  let received = 0;
  let isCut = false;

  const json = (response: ServerResponse, body: Json) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };
  const answer: RequestListener = async (incoming, response) => {
    const { pathname } = new URL(incoming.url!, 'http://x');
    if (pathname.endsWith('/media')) {
      await mayRead.promise;
      for await (const chunk of incoming) received += chunk.length;
      json(response, { id: '77001' });
    } else if (pathname === '/file') {
      response.setHeader('content-length', TOTAL);
      response.on('close', () => {
        isCut = !response.writableFinished;
      });
      file.stream().pipe(response);
    } else if (pathname.endsWith('/55001')) {
      const url = `${provider.url}/file`;
      json(response, { url, mime_type: 'application/pdf', file_size: TOTAL });
    } else json(response, numberAnswer(pathname.split('/').at(-1)!));
  };
  after(async () => {
    await waybill.stop();
    nock.cleanAll();
  });
  const provider = inSuite(() => startServer(answer));
  before(async () => {
    waybill = await startWaybill({ providerUrl: provider.url });
    tenant = await openTenant(waybill);
    const document = { id: '55001', mime_type: 'application/pdf' };
    await customerWrites(waybill, tenant, { rest: { type: 'document', document } });
  });
  beforeEach(() => {
    file = source();
    mayRead = Promise.withResolvers();
    received = 0;
    isCut = false;
  });

  const headers = () => ({ authorization: `Bearer ${tenant.apiKey}` });
  const open = (signal?: AbortSignal) =>
    request(`${waybill.url}/api/v1/media/55001`, { headers: headers(), ...(signal && { signal }) });

  it('are read from the provider no faster than the caller takes them @series', async () => {
    const { statusCode, body } = await open();
    expect(statusCode).to.equal(200);
    await untilStill(file.made);
    expect(file.made.bytes).to.be.lessThan(UNDER_WAY_MAX);
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    expect(bytes).to.equal(TOTAL);
  });

  it('are read no further once the caller has gone', async () => {
    const gone = new AbortController();
    const { body } = await open(gone.signal);
    body.on('error', () => undefined);
    await untilStill(file.made);
    gone.abort();
    await untilTrue('the call to the provider to end', async () => isCut);
    expect(file.made.bytes).to.be.lessThan(UNDER_WAY_MAX);
  });

  it('are read from the caller no faster than the provider takes them @series', async () => {
    const head =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n' +
      'Content-Type: application/pdf\r\n\r\n';
    async function* form() {
      yield Buffer.from(head);
      yield* file.stream();
      yield Buffer.from('\r\n--b--\r\n');
    }
    const answering = request(`${waybill.url}/api/v1/media`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'multipart/form-data; boundary=b' },
      body: Readable.from(form(), { objectMode: false }),
    });
    await untilStill(file.made);
    expect(file.made.bytes).to.be.lessThan(UNDER_WAY_MAX);
    mayRead.resolve();
    const { statusCode, body } = await answering;
    expect(statusCode).to.equal(201);
    expect(((await body.json()) as Json).bytes).to.equal(TOTAL);
    expect(received).to.be.greaterThan(TOTAL);
  });
});
