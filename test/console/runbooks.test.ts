import { expect } from 'chai';
import { request } from 'undici';
import { runbooks } from '../../console/src/ui/runbooks.ts';
import { useWaybill } from '../support/surface.ts';

describe('The runbooks, to which red things of the console lead', () => {
  const on = useWaybill();
  const get = async (path: string) => {
    const { statusCode, body } = await request(`${on.waybill.url}${path}`);
    return { status: statusCode, text: await body.text() };
  };

  it('are a page of the service, with a section for each red thing', async () => {
    const { status, text } = await get('/docs/runbooks');
    expect(status).to.equal(200);
    const anchors = [...text.matchAll(/<h2 id="([^"]+)"/g)].map(([, anchor]) => anchor);
    for (const [red, anchor] of Object.entries(runbooks)) {
      expect(anchors, red).to.include(anchor);
    }
    for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) expect(anchors).to.include(anchor);
    // All Markdown became HTML.
    expect(text).not.to.match(/```|\]\(|\*\*|<p>#/);
  });

  it('have a section for every part of readiness', async () => {
    const { checks } = JSON.parse((await get('/health/ready')).text);
    expect(Object.keys(checks)).to.include('log');
    for (const name of Object.keys(checks)) expect(runbooks, name).to.have.property(name);
  });
});
