import { expect } from 'chai';
import { aKey, closeEdges, openEdge, thingRoute } from '../../support/edge.ts';
import { useRealConnections } from '../../support/network.ts';

describe('The access log', () => {
  useRealConnections();
  afterEach(closeEdges);
  const linesOf = async (accessLog: boolean) => {
    const edge = await openEdge({ accessLog, routes: [thingRoute] });
    await edge.call('GET', '/api/v1/things/4917012345678?to=4917012345679', { token: 'good' });
    await edge.call('GET', '/api/v1/things/4917012345678', { token: 'wrong' });
    await edge.call('GET', '/api/4917012345678');
    return edge.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Request');
  };

  it('has one line for each request: route template, status, time, account and id', async () => {
    const lines = await linesOf(true);
    const { accountId } = aKey();
    for (const { ms } of lines) expect(ms).to.be.a('number').and.within(0, 60_000);
    expect(
      lines.map(({ level, method, route, status, accountId: account, requestId }) => [
        level,
        method,
        route,
        status,
        account,
        /^request-\d+$/.test(requestId),
      ]),
    ).to.deep.equal([
      ['info', 'GET', '/api/v1/things/:thingId', 200, accountId, true],
      ['info', 'GET', 'none', 401, undefined, true],
      ['info', 'GET', 'none', 404, undefined, true],
    ]);
    expect(JSON.stringify(lines)).to.not.include('491701234567');
  });

  it('is off unless it is turned on', async () => {
    expect(await linesOf(false)).to.deep.equal([]);
  });
});
