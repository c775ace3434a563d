import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { z } from 'zod';
import { createRequestContext } from '../../../src/http/edge/request.ts';
import { defineRoute } from '../../../src/http/route/route.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { currentTrace, inTrace } from '../../../src/shared/trace-context.ts';
import { openEdge, toy, useEdges } from '../../support/edge.ts';

describe('The context of a request', () => {
  useEdges();

  it('has no getter of its own, which would keep the request in memory', async () => {
    const getters: string[] = [];
    const told = defineRoute({
      ...toy,
      path: '/v1/told',
      responses: { 200: z.object({}) },
      handle(_, context) {
        for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(context))) {
          if (get) getters.push(name);
        }
        return {};
      },
    });
    const edge = await openEdge({ routes: [told] });
    expect((await edge.call('GET', '/api/v1/told', { token: 'good' })).status).to.equal(200);
    expect(getters).to.deep.equal([]);
  });

  it('tells of a disconnect in the trace of the request', async () => {
    const res = new EventEmitter();
    const ctx = { res, state: { requestId: 'r', receivedAt: 0 } } as never;
    const options = { logger: createLogger({ level: 'silent' }), bodyTimeoutMs: 1000 };
    const context = createRequestContext(ctx, { body: {}, bodyBytes: Buffer.alloc(0) }, options);
    const signal = inTrace('its trace', context.signal);
    let trace: string | undefined;
    signal.addEventListener('abort', () => {
      trace = currentTrace();
    });
    const aborted = once(signal, 'abort');
    res.emit('close');
    await aborted;
    expect(trace).to.equal('its trace');
  });
});
