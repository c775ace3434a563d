import { expect } from 'chai';
import { z } from 'zod';
import { defineRoute } from '../../../src/http/route/route.ts';
import { aKey, closeEdges, openEdge } from '../../support/edge.ts';
import { useRealConnections } from '../../support/network.ts';

describe('The context of a request', () => {
  useRealConnections();
  afterEach(closeEdges);

  it('has no getter of its own, which would keep the request in memory', async () => {
    const getters: string[] = [];
    const told = defineRoute({
      method: 'GET',
      path: '/v1/told',
      access: 'key',
      summary: 'Looks at its context',
      tags: ['Test'],
      responses: { 200: z.object({}) },
      errors: [],
      handle(_, context) {
        for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(context))) {
          if (get) getters.push(name);
        }
        return {};
      },
    });
    const edge = await openEdge({ routes: [told], keys: { good: aKey() } });
    expect((await edge.call('GET', '/api/v1/told', { token: 'good' })).status).to.equal(200);
    expect(getters).to.deep.equal([]);
  });
});
