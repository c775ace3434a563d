import { once } from 'node:events';
import { expect } from 'chai';
import { z } from 'zod';
import type { Ingress } from '../../../src/commands/inbound/ingress.ts';
import { reply } from '../../../src/http/edge/respond.ts';
import { webhookRoutes } from '../../../src/http/provider/webhook.ts';
import { defineRawRoute, type RawRequest } from '../../../src/http/route/raw-route.ts';
import { defineRoute } from '../../../src/http/route/route.ts';
import { answered } from '../../support/answered.ts';
import { openEdge, useEdges } from '../../support/edge.ts';

describe('Raw routes', () => {
  useEdges();
  const received: RawRequest[] = [];
  const webhook = (handle: (request: RawRequest) => object) => [
    defineRawRoute({
      method: 'POST',
      path: '/api/provider/webhook',
      limitBytes: 1000,
      handle: (request) => {
        received.push(request);
        return reply(200, handle(request));
      },
    }),
    defineRawRoute({
      method: 'GET',
      path: '/api/provider/webhook',
      limitBytes: 0,
      handle: ({ query }) => reply(200, query['hub.challenge'] ?? ''),
    }),
  ];

  it('receive the bytes unchanged', async () => {
    const edge = await openEdge({ rawRoutes: webhook(() => ({ ok: true })) });
    const bytes = Buffer.from([0xff, 0x00, 0x7b, 0x20, 0xc3, 0xa9]);
    const answer = await edge.call('POST', '/api/provider/webhook?a=1&a=2&b=%C3%A9', {
      body: bytes,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': 'sha256=00' },
    });
    expect([answer.status, answer.body]).to.deep.equal([200, { ok: true }]);
    const request = received.at(-1)!;
    expect(request.rawBody.equals(bytes)).to.equal(true);
    expect(request.query).to.deep.equal({ a: '1', b: 'é' });
    expect(request.headers['x-hub-signature-256']).to.equal('sha256=00');
    expect(request.requestId).to.equal(answer.headers['x-request-id']);
  });

  it('answer text without keys and rate limits', async () => {
    const edge = await openEdge({ rawRoutes: webhook(() => ({})) });
    for (let time = 0; time < 130; time += 1) {
      const answer = await edge.call('GET', '/api/provider/webhook?hub.challenge=42');
      expect([answer.status, answer.text]).to.deep.equal([200, '42']);
      expect(answer.headers['content-type']).to.equal('text/plain; charset=utf-8');
      expect(answer.headers).not.to.have.property('ratelimit-limit');
    }
  });

  it('answer a fault with 500 in JSON, and another method with 405', async () => {
    const edge = await openEdge({
      rawRoutes: webhook(() => {
        throw new Error('not stored');
      }),
    });
    const failed = await edge.call('POST', '/api/provider/webhook', { body: '{}' });
    expect([failed.status, failed.body]).to.deep.equal([500, { error: 'Internal server error' }]);
    const refused = await answered(405, edge.call('DELETE', '/api/provider/webhook'));
    expect(refused.headers.allow).to.equal('GET, HEAD, OPTIONS, POST');
  });

  it('are refused by the head alone, with a body of any length', async () => {
    const ingress = { ingestAll: () => expect.fail('nothing was signed') } as unknown as Ingress;
    const rawRoutes = webhookRoutes({
      ingress,
      appSecrets: ['secret'],
      verifyTokens: ['token'],
      signatures: { accepted: 0, onRefused() {} },
    });
    const edge = await openEdge({ rawRoutes, bodyTimeoutMs: 60_000 });
    const answer = await edge.exchange(
      'POST /api/provider/webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n{',
    );
    expect(answer).to.match(/^HTTP\/1\.1 401 /);
  });

  it('leave the connection usable when the body of an unknown path is small', async () => {
    const edge = await openEdge();
    const socket = await edge.dial();
    for (let time = 0; time < 2; time += 1) {
      socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello');
      const [chunk] = await once(socket, 'data');
      expect(String(chunk)).to.match(/^HTTP\/1\.1 404 /);
    }
    socket.destroy();
  });

  it('share the server with open JSON routes', async () => {
    const described = defineRoute({
      method: 'GET',
      path: '/openapi.json',
      access: 'open',
      summary: 'The description',
      tags: ['Meta'],
      responses: { 200: z.object({ openapi: z.string() }) },
      errors: [],
      handle: () => ({ openapi: '3.1.0' }),
    });
    const edge = await openEdge({ routes: [described], rawRoutes: webhook(() => ({})) });
    expect((await edge.call('GET', '/api/openapi.json')).body).to.deep.equal({ openapi: '3.1.0' });
    expect((await edge.call('POST', '/api/openapi.json')).status).to.equal(405);
  });
});
