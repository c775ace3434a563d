import { expect } from 'chai';
import { z } from 'zod';
import { reply } from '../../../src/http/edge/respond.ts';
import { defineRoute, type JsonRoute } from '../../../src/http/route/route.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { answered } from '../../support/answered.ts';
import { openEdge, pingRoute, toy, useEdges } from '../../support/edge.ts';

const thingRoutes: JsonRoute[] = [
  defineRoute({
    ...toy,
    path: '/v1/things/:thingId',
    responses: { 200: z.object({ thingId: z.string() }) },
    handle: ({ params }) => ({ thingId: params.thingId }),
  }),
  defineRoute({
    ...toy,
    method: 'DELETE',
    path: '/v1/things/:thingId',
    responses: { 200: z.object({ success: z.literal(true) }) },
    handle: () => ({ success: true as const }),
  }),
  defineRoute({
    ...toy,
    path: '/v1/things/latest',
    responses: { 200: z.object({ latest: z.boolean() }) },
    handle: () => ({ latest: true }),
  }),
  defineRoute({
    ...toy,
    method: 'POST',
    path: '/v1/things',
    request: {
      headers: z.object({ 'idempotency-key': z.string().max(8).optional() }),
      query: z.object({ mode: z.enum(['fast', 'slow']).default('fast') }),
      body: z.object({
        name: z.string().min(2),
        recipients: z
          .array(z.object({ to: z.string().min(5) }))
          .max(3)
          .default([]),
      }),
    },
    responses: {
      201: z.object({ name: z.string(), mode: z.string(), key: z.string().nullable() }),
    },
    handle: ({ headers, query, body }) => ({
      name: body.name,
      mode: query.mode,
      key: headers['idempotency-key'] ?? null,
    }),
  }),
];

const open = (routes: JsonRoute[] = thingRoutes, checkResponses = true) =>
  openEdge({ routes, checkResponses });

describe('Routes', () => {
  useEdges();

  describe('by path and method', () => {
    it('prefer the path without parameters, whatever the order', async () => {
      for (const routes of [thingRoutes, thingRoutes.toReversed()]) {
        const edge = await open(routes);
        const get = (path: string) => edge.call('GET', path, { token: 'good' });
        expect((await get('/api/v1/things/latest')).body).to.deep.equal({ latest: true });
        expect((await get('/api/v1/things/first')).body).to.deep.equal({ thingId: 'first' });
      }
    });

    it('get their parameters decoded, as far as they can be', async () => {
      const edge = await open();
      const get = (path: string) => edge.call('GET', path, { token: 'good' });
      expect((await get('/api/v1/things/a%2Fb%20c')).body).to.deep.equal({ thingId: 'a/b c' });
      expect((await get('/api/v1/things/%E0%A4%A')).body).to.deep.equal({ thingId: '%E0%A4%A' });
    });

    it('are unknown outside of their exact letters', async () => {
      const edge = await open();
      const paths = ['/', '/api', '/api/v2/things/1', '/API/v1/things/1', '/api//v1/things/1'];
      for (const path of [...paths, '/api/v1/Things/1', '/api/v1/things/1/2', '/api/v1x']) {
        const answer = await answered(404, edge.call('GET', path, { token: 'good' }), path);
        expect(answer.body).to.deep.equal({ error: 'Not found' });
      }
    });

    it('tell the methods that a known path allows', async () => {
      const edge = await open();
      for (const method of ['PUT', 'PATCH', 'PROPFIND']) {
        const answer = await answered(
          405,
          edge.call(method, '/api/v1/things/1', { token: 'good' }),
        );
        expect(answer.headers.allow).to.equal('DELETE, GET, HEAD, OPTIONS');
        expect(answer.body).to.deep.equal({ error: 'Method not allowed' });
      }
    });

    it('answer OPTIONS by themselves, and HEAD like GET without its body', async () => {
      const edge = await open();
      const options = await answered(
        204,
        edge.call('OPTIONS', '/api/v1/things/1', { token: 'good' }),
      );
      expect(options.headers.allow).to.equal('DELETE, GET, HEAD, OPTIONS');
      const head = await edge.call('HEAD', '/api/v1/things/1', { token: 'good' });
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(head.headers['content-length']).to.equal('15');
    });

    it('are refused when they are written wrong', async () => {
      const wrong: [Partial<JsonRoute>, RegExp][] = [
        [{}, /defined twice/],
        [{ path: '/admin/v1/ping' }, /access "key"/],
        [{ path: '/v1/open', access: 'open' }, /access/],
        [{ path: '/v1/x', responses: {} }, /no success/],
      ];
      for (const [change, words] of wrong) {
        const opened = open([pingRoute, { ...pingRoute, ...change }]);
        expect(await opened.catch(({ message }: Error) => message)).to.match(words);
      }
    });
  });

  describe('with schemas', () => {
    const post = async (body: unknown, query = '', headers = {}) => {
      const edge = await open();
      return edge.call('POST', `/api/v1/things${query}`, { token: 'good', body, headers });
    };

    it('hand the parsed parts to the handler', async () => {
      const headers = { 'idempotency-key': 'k1' };
      const given = post({ name: 'Ada', unknown: 1 }, '?mode=slow', headers);
      const answer = await answered(201, given);
      expect(answer.body).to.deep.equal({ name: 'Ada', mode: 'slow', key: 'k1' });
      expect((await post({ name: 'Ada' })).body.mode).to.equal('fast');
    });

    it('report every problem at once, under its top-level field', async () => {
      const recipients = [{ to: '12345' }, { to: '1' }, {}];
      const headers = { 'idempotency-key': 'much too long' };
      const answer = await answered(400, post({ recipients }, '?mode=x&mode=y', headers));
      expect(answer.body).to.have.all.keys('error');
      const { formErrors, fieldErrors } = answer.body.error;
      expect(formErrors).to.deep.equal([]);
      expect(fieldErrors).to.have.all.keys('name', 'recipients', 'mode', 'idempotency-key');
      expect(fieldErrors.recipients).to.have.length(2);
      expect(fieldErrors.recipients[0]).to.match(/^recipients\[1\]\.to: .*5 characters/);
      expect(fieldErrors.recipients[1]).to.match(/^recipients\[2\]\.to: /);
    });

    it('report a body that is no object as a whole', async () => {
      for (const body of ['[]', '"text"', '1', 'null']) {
        const { body: answer } = await answered(400, post(body));
        expect(answer.error.formErrors).to.have.length(1);
        expect(answer.error.fieldErrors).to.deep.equal({});
      }
    });

    it('list a bounded number of problems', async () => {
      const many = defineRoute({
        ...toy,
        method: 'POST',
        path: '/v1/many',
        request: { body: z.object({ list: z.array(z.string()) }) },
        responses: { 200: z.object({}) },
        handle: () => ({}),
      });
      const edge = await open([many]);
      const body = { list: Array(10_000).fill(0) };
      const answer = await edge.call('POST', '/api/v1/many', { token: 'good', body });
      const { formErrors, fieldErrors } = answer.body.error;
      expect(fieldErrors.list).to.have.length(50);
      expect(formErrors).to.deep.equal(['9950 further problems are not listed']);
    });
  });

  describe('in what they answer', () => {
    const answering = (handle: JsonRoute['handle'], over: Partial<JsonRoute> = {}): JsonRoute[] => [
      {
        ...toy,
        path: '/v1/thing',
        responses: {
          200: z.object({ at: z.iso.datetime() }),
          202: z.object({ later: z.boolean() }),
        },
        handle,
        ...over,
      },
    ];
    const call = async (routes: JsonRoute[], checkResponses = true) => {
      const edge = await open(routes, checkResponses);
      const answer = await edge.call('GET', '/api/v1/thing', { token: 'good' });
      return { ...answer, body: answer.body, log: edge.lines.join('') };
    };

    it('may choose status and headers', async () => {
      const later = reply(202, { later: true }, { 'X-Message-Category': 'SERVICE' });
      const answer = await call(answering(() => later));
      expect([answer.status, answer.body]).to.deep.equal([202, { later: true }]);
      expect(answer.headers['x-message-category']).to.equal('SERVICE');
    });

    it('may give an old answer again, an error too', async () => {
      const OLD = { error: 'No credit', hint: 'Top up at last.', docUrl: '/docs/errors#x' };
      const answer = await call(answering(() => reply(402, OLD, {})));
      expect([answer.status, answer.text]).to.deep.equal([402, JSON.stringify(OLD)]);
    });

    it('are held to their schemas in tests: what is written counts', async () => {
      expect((await call(answering(() => ({ at: new Date(0) })))).status).to.equal(200);
      for (const body of [{ at: 'yesterday' }, {}, null]) {
        const answer = await answered(500, call(answering(() => body)));
        expect(answer.body).to.deep.equal({ error: 'Internal server error' });
        expect(answer.log).to.include('GET /v1/thing answered 200 against its schema');
      }
      const undeclared = await call(answering(() => reply(201, {})));
      expect(undeclared.log).to.include('answered 201, which it does not declare');
    });

    it('are not checked in production', async () => {
      const at = 'yesterday';
      const routes = answering(() => ({ at }));
      const answer = await call(routes, false);
      expect([answer.status, answer.body]).to.deep.equal([200, { at }]);
    });

    it('are held to the errors they declare, and to the shape of these', async () => {
      const refusing = () => {
        throw new AppError('message.window_closed', 'Closed', { windowExpiredAt: null });
      };
      expect((await call(answering(refusing))).log).to.include('does not declare message.window_c');
      const declared = { errors: ['message.window_closed'] as const };
      expect((await call(answering(refusing, declared))).status).to.equal(403);
      const responses = { 200: z.object({}), 403: z.object({ windowExpiredAt: z.string() }) };
      const misshapen = await answered(500, call(answering(refusing, { ...declared, responses })));
      expect(misshapen.log).to.include('answered 403 against its schema');
    });
  });
});
