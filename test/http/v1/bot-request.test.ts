import { expect } from 'chai';
import { customerWrites, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';

describe('the http_request of a bot', () => {
  const on = useTenant({}, { resolve: async () => ['93.184.216.34'] });
  const { call } = on;

  /** What the run of a bot that calls this URL says of the call. */
  const detailOf = async (url: string) => {
    const data = { method: 'GET', url, headers: {}, timeoutMs: 1000 };
    const { body: bot } = await call('POST', '/v1/bots', {
      name: 'Caller',
      trigger: 'ANY_MESSAGE',
      nodes: [
        { id: 'call', type: 'http_request', data },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [{ id: 'e', source: 'call', sourceHandle: 'error', target: 'done' }],
    });
    await customerWrites(on.waybill, on.tenant);
    const runs = async () => (await call('GET', `/v1/bots/${bot.id}/runs`)).body.runs as Json[];
    await untilTrue('the run to end', async () => (await runs())[0]?.state === 'ended');
    const [{ id }] = (await runs()) as [Json];
    const { body: run } = await call('GET', `/v1/bots/${bot.id}/runs/${id}`);
    await call('DELETE', `/v1/bots/${bot.id}`);
    const [step] = run.steps;
    expect([step.outcome, step.httpStatus]).to.deep.equal(['error', null]);
    return step.detail as string;
  };

  it('goes to ports of the web and to hosts with a dot only', async () => {
    const ports = 'the URL must use one of the ports 443, 8443, 80, 8080';
    expect(await detailOf('https://shop.example:22/')).to.equal(ports);
    expect(await detailOf('http://shop.example:6379/')).to.equal(ports);
    expect(await detailOf('http://redis/')).to.match(/^the URL must name a host with a dot/);
  });
});
