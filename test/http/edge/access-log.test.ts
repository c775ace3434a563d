import { expect } from 'chai';
import { aKey, openEdge, thingRoute, useEdges } from '../../support/edge.ts';

describe('The access log', () => {
  useEdges();
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
    const told = lines.map(({ level, method, route, status, accountId: account, requestId }) => {
      expect(requestId).to.match(/^request-\d+$/);
      return [level, method, route, status, account];
    });
    expect(told).to.deep.equal([
      ['info', 'GET', '/api/v1/things/:thingId', 200, accountId],
      ['info', 'GET', 'none', 401, undefined],
      ['info', 'GET', 'none', 404, undefined],
    ]);
    expect(JSON.stringify(lines)).to.not.include('491701234567');
  });

  it('is off unless it is turned on', async () => {
    expect(await linesOf(false)).to.deep.equal([]);
  });
});
