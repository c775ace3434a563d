import { expect } from 'chai';
import { z } from 'zod';
import { reply } from '../../../src/http/edge/respond.ts';
import { defineRoute } from '../../../src/http/route/route.ts';
import { answered } from '../../support/answered.ts';
import { toy, useEdge } from '../../support/edge.ts';

/** A route that sets these headers. */
const headed = (path: `/v1/${string}`, headers: Record<string, string>) =>
  defineRoute({
    ...toy,
    path,
    responses: { 200: z.object({}) },
    handle: () => reply(200, {}, headers),
  });

describe('a response', () => {
  const edge = useEdge({
    routes: [
      headed('/v1/own', { 'Cache-Control': 'private', 'X-Own': 'yes' }),
      headed('/v1/broken', { 'X-Own': 'two\nlines' }),
    ],
  });
  const get = (path: string) => edge.call('GET', path, { token: 'good' });

  it('has each header once, with the value set last', async () => {
    const { headers } = await get('/api/v1/own');
    expect(headers).to.include({ 'cache-control': 'private', 'x-own': 'yes' });
  });

  it('with an invalid header becomes a 500 in JSON', async () => {
    const { headers, body } = await answered(500, get('/api/v1/broken'));
    expect(body).to.deep.equal({ error: 'Internal server error' });
    expect(headers).to.not.have.property('x-own');
    expect(headers).to.have.property('ratelimit-limit');
  });
});
