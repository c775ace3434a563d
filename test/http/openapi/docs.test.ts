import { expect } from 'chai';
import { docsRoutes } from '../../../src/http/openapi/docs.ts';
import { openApiRoute } from '../../../src/http/openapi/route.ts';
import { describedRoutes } from '../../../src/http/openapi/routes.ts';
import { closeEdges, type Edge, openEdge } from '../../support/edge.ts';
import { readReference } from '../../support/openapi.ts';

describe('the reference, served', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge({ rawRoutes: [openApiRoute(describedRoutes()), ...docsRoutes()] });
  });
  after(closeEdges);

  it('is served without a credential, equal to the file', async () => {
    const { status, headers, body } = await edge.call('GET', '/api/openapi.json');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(headers['access-control-allow-origin']).to.equal('*');
    expect(body).to.deep.equal(readReference());
  });

  it('is answered 304 to a reader that has it', async () => {
    for (const path of ['/api/openapi.json', '/docs', '/docs/swagger-ui.css']) {
      const { headers } = await edge.call('GET', path);
      const etag = headers.etag!;
      const again = await edge.call('GET', path, {
        headers: { 'if-none-match': `"x", W/${etag}` },
      });
      expect({ status: again.status, text: again.text }, path).to.deep.equal({
        status: 304,
        text: '',
      });
      expect(again.headers, path).to.include({ etag, 'cache-control': 'no-cache' });
      expect(again.headers, path).to.not.have.any.keys('content-type', 'content-length');
      const changed = await edge.call('GET', path, { headers: { 'if-none-match': '"old"' } });
      expect(changed.status, path).to.equal(200);
    }
  });

  it('is a page that loads nothing from other addresses', async () => {
    const { status, headers, text } = await edge.call('GET', '/docs');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).not.to.match(/https?:\/\//);
    const policy = headers['content-security-policy']!;
    expect(policy).to.include("default-src 'none'").and.include("connect-src 'self'");
    expect(policy).not.to.match(/https?:|\*|unsafe-eval/);
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target!);
    expect(loaded).to.have.length.of.at.least(4);
    for (const target of loaded) {
      const answer = await edge.call('GET', target);
      expect(answer.status, target).to.equal(200);
      expect(answer.headers['x-content-type-options'], target).to.equal('nosniff');
      expect(answer.headers['content-type'], target).not.to.include('text/plain');
    }
  });

  it('serves nothing else from the folder of the page', async () => {
    for (const name of ['package.json', 'index.html', '..%2f..%2fpackage.json', 'nothing']) {
      const { status } = await edge.call('GET', `/docs/${name}`);
      expect(status, name).to.equal(404);
    }
  });
});
