import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import nock from 'nock';
import { request } from 'undici';
import { TRANSFERS_PER_KEY_MAX } from '../../src/http/edge/transfers.ts';
import { FORM_END, FORM_TYPE, formHead } from '../support/form.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { startServer } from '../support/server.ts';
import { customerWrites } from '../support/surface.ts';
import { until, untilTrue } from '../support/until.ts';
import {
  type Json,
  numberAnswer,
  openTenant,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../support/waybill.ts';

const MB = 1_048_576;
const CHUNK = Buffer.alloc(64 * 1024, 7);
const FILE = '/api/v1/media/55001';

describe('files from hostile hands @long', () => {
  useRealConnections();
  let waybill: Waybill;
  let tenant: Tenant;
  /** What the provider says of the file. */
  let described: Json;
  let serve: (request: IncomingMessage, response: ServerResponse) => unknown;
  let take: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Calls for the file that are open at the provider. */
  let reading = 0;

  const json = (response: ServerResponse, body: Json) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };
  after(async () => {
    await waybill.stop();
    nock.cleanAll();
  });
  const answer = (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(incoming.url!, 'http://x');
    if (pathname.endsWith('/media')) take(incoming, response);
    else if (pathname === '/file') {
      reading += 1;
      response.once('close', () => (reading -= 1));
      serve(incoming, response);
    } else if (pathname.endsWith('/55001')) json(response, described);
    else json(response, numberAnswer(pathname.split('/').at(-1)!));
  };
  const provider = inSuite(() => startServer(answer));
  before(async () => {
    waybill = await startWaybill({ providerUrl: provider.url });
    tenant = await openTenant(waybill);
    const document = { id: '55001', mime_type: 'application/pdf' };
    await customerWrites(waybill, tenant, { rest: { type: 'document', document } });
  });
  beforeEach(() => {
    described = { url: `${provider.url}/file`, mime_type: 'application/pdf', file_size: 1 };
    take = (incoming, response) => {
      incoming.resume();
      incoming.once('end', () => json(response, { id: '77001' }));
    };
  });
  afterEach(() => until('no call at the provider is left', () => reading === 0));

  const headers = () => ({ authorization: `Bearer ${tenant.apiKey}` });
  const download = async () => {
    const answer = await request(waybill.url + FILE, { headers: headers() });
    const { statusCode: status, headers: answered, body } = answer;
    let bytes = 0;
    let text = '';
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes < 1000) text += chunk;
      }
      return { status, answered, bytes, text, isWhole: true };
    } catch {
      return { status, answered, bytes, text, isWhole: false };
    }
  };
  const dial = async (head: string): Promise<Socket> => {
    const socket = connect(Number(new URL(waybill.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`${head}\r\nHost: x\r\nAuthorization: Bearer ${tenant.apiKey}\r\n\r\n`);
    return socket;
  };
  const uploadHead = `POST /api/v1/media HTTP/1.1\r\nContent-Type: ${FORM_TYPE}\r\nTransfer-Encoding: chunked`;

  it('row 41: a provider that sends less than it announced breaks the connection of the caller', async () => {
    serve = (_, response) => {
      response.setHeader('content-length', 1000);
      response.write('half', () => response.destroy());
    };
    const { answered, bytes, isWhole } = await download();
    expect([answered['content-length'], bytes, isWhole]).to.deep.equal(['1000', 4, false]);
  });

  it('row 41: the type is the one that the provider stored, whatever comes with the bytes', async () => {
    serve = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<p>');
    const { answered } = await download();
    expect(answered['content-type']).to.equal('application/pdf');
    expect(answered['content-disposition']).to.equal('attachment');
    expect(answered).not.to.have.property('set-cookie');
  });

  it('row 41: callers that read nothing hold a few MB each, four files of a key, and no other call', async () => {
    let made = 0;
    serve = (_, response) => {
      const source = Readable.from(
        (function* () {
          for (let index = 0; index < 1600; index += 1) {
            made += CHUNK.length;
            yield CHUNK;
          }
        })(),
        { objectMode: false },
      );
      source.pipe(response).once('close', () => source.destroy());
    };
    const sockets: Socket[] = [];
    for (let index = 0; index < TRANSFERS_PER_KEY_MAX; index += 1) {
      const socket = await dial(`GET ${FILE} HTTP/1.1`);
      socket.pause();
      sockets.push(socket);
    }
    await until('the provider is read for all', () => reading === TRANSFERS_PER_KEY_MAX);
    let before = -1;
    let same = 0;
    await untilTrue('the files to stand still', async () => {
      same = made === before ? same + 1 : 0;
      before = made;
      return same > 30;
    });
    expect(made).to.be.below(TRANSFERS_PER_KEY_MAX * 40 * MB);
    const further = await request(waybill.url + FILE, { headers: headers() });
    expect(further.statusCode).to.equal(503);
    expect(further.headers['retry-after']).to.equal('1');
    expect(await further.body.json()).to.have.property('error');
    const upload = await request(`${waybill.url}/api/v1/media`, {
      method: 'POST',
      body: Buffer.concat([formHead('image/png'), FORM_END]),
      headers: { ...headers(), 'content-type': FORM_TYPE },
    });
    expect(upload.statusCode).to.equal(503);
    await upload.body.text();
    const { status } = await waybill.call('GET', '/v1/credits', { token: tenant.apiKey });
    expect(status).to.equal(200);
    const other = await openTenant(waybill);
    const ofOther = await waybill.call('GET', '/v1/media/1', { token: other.apiKey });
    expect(ofOther.status).to.equal(404);
    const { body: metrics } = await waybill.call('GET', '/../metrics');
    expect(metrics).to.include('waybill_media_transfers{direction="download"} 4');
    for (const socket of sockets) socket.destroy();
    await until('the provider is free', () => reading === 0);
    serve = (_, response) => response.end('bytes');
    await untilTrue('files of the key to be free', async () => (await download()).status === 200);
  });

  it('row 41: callers that leave in the middle of an upload leave nothing at the provider', async () => {
    let open = 0;
    let whole = 0;
    take = (incoming) => {
      open += 1;
      incoming.on('error', () => undefined).resume();
      incoming.once('end', () => (whole += 1));
      incoming.once('close', () => (open -= 1));
    };
    for (let index = 0; index < 2 * TRANSFERS_PER_KEY_MAX; index += 1) {
      const socket = await dial(uploadHead);
      const start = Buffer.concat([formHead('image/png'), CHUNK]);
      socket.write(`${start.length.toString(16)}\r\n`);
      socket.write(start);
      await until('the provider takes it', () => open === 1);
      socket.destroy();
      await until('the call ends', () => open === 0);
    }
    expect(whole).to.equal(0);
    const events = await waybill.log();
    expect(events.map(({ type }) => type)).not.to.include('MediaUploaded');
  });

  it('row 41: a provider that refuses in the middle of an upload ends it, with its reason', async () => {
    take = (_, response) => {
      response.statusCode = 400;
      json(response, { error: { code: 100, message: 'No more files today' } });
    };
    let made = 0;
    async function* form() {
      yield formHead('application/pdf');
      for (; made < 1600; made += 1) yield CHUNK;
      yield Buffer.concat([Buffer.from('\r\n'), FORM_END]);
    }
    const { statusCode, body } = await request(`${waybill.url}/api/v1/media`, {
      method: 'POST',
      body: Readable.from(form(), { objectMode: false }),
      headers: { ...headers(), 'content-type': FORM_TYPE },
    });
    const { error } = (await body.json()) as Json;
    expect(statusCode).to.equal(502);
    expect(error).to.include('No more files today');
    expect(made).to.be.below(1600);
  });
});
