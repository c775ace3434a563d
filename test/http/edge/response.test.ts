import { expect } from 'chai';
import { z } from 'zod';
import { reply } from '../../../src/http/edge/respond.ts';
import { defineRoute } from '../../../src/http/route/route.ts';
import { closeEdges, openEdge, pingRoute, toy } from '../../support/edge.ts';
import { useRealConnections } from '../../support/network.ts';

/** A route that sets these headers. */
const headed = (path: `/v1/${string}`, headers: Record<string, string>) =>
  defineRoute({
    ...toy,
    path,
    responses: { 200: z.object({}) },
    handle: () => reply(200, {}, headers),
  });

describe('a response', () => {
  useRealConnections();
  afterEach(closeEdges);
  const open = () =>
    openEdge({
      routes: [
        pingRoute,
        headed('/v1/own', { 'Cache-Control': 'private', 'X-Own': 'yes' }),
        headed('/v1/broken', { 'X-Own': 'two\nlines' }),
      ],
    });

  it('has each header once, with the value set last', async () => {
    const { headers } = await (await open()).call('GET', '/api/v1/own', { token: 'good' });
    expect(headers).to.include({ 'cache-control': 'private', 'x-own': 'yes' });
  });

  it('with an invalid header becomes a 500 in JSON', async () => {
    const { status, headers, body } = await (await open()).call('GET', '/api/v1/broken', {
      token: 'good',
    });
    expect(status).to.equal(500);
    expect(body).to.deep.equal({ error: 'Internal server error' });
    expect(headers).to.not.have.property('x-own');
    expect(headers).to.have.property('ratelimit-limit');
  });
});
