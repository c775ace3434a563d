import fs, { globSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import { assetRoutes, referenceScript } from '../../../src/http/console/assets.ts';
import { docsRoutes } from '../../../src/http/reference/docs.ts';
import { openApiRoute } from '../../../src/http/reference/openapi.ts';
import { answered } from '../../support/answered.ts';
import { closeEdges, type Edge, openEdge } from '../../support/edge.ts';
import { readReference } from '../../support/openapi.ts';

const PAGES = ['/docs', '/docs/errors', '/docs/runbooks', '/docs/guides', '/docs/guides/api'];
const TEXTS = ['/llms.txt', '/docs/guides/api.md'];

const docs = join(import.meta.dirname, '../../../docs');
const guides = globSync('*.md', { cwd: docs }).map((name) => name.replace('.md', ''));

const demo = { apiKey: 'wb_live_demo', adminToken: 'wb_adm_demo' };

const isBuilt = (): boolean => {
  try {
    return referenceScript() !== '';
  } catch {
    return false;
  }
};

describe('a file for browsers', () => {
  afterEach(closeEdges);

  /** The statuses while no file can be read, and then. */
  const statusesOf = async (path: string, broken: () => unknown): Promise<number[]> => {
    const rawRoutes = [openApiRoute(), ...assetRoutes(), ...docsRoutes()];
    const { call } = await openEdge({ rawRoutes });
    broken();
    syncBuiltinESMExports();
    const first = await call('GET', path).finally(() => {
      mock.restoreAll();
      syncBuiltinESMExports();
    });
    return [first.status, (await call('GET', path)).status];
  };
  const unreadable = () =>
    mock.method(fs.promises, 'readFile', () => Promise.reject(new Error('EMFILE')));
  const unbuilt = () => mock.method(fs, 'readdirSync', () => []);

  it('is read again where it could not be read once', async function () {
    expect(await statusesOf('/api/openapi.json', unreadable)).to.deep.equal([500, 200]);
    if (!isBuilt()) this.skip();
    expect(await statusesOf('/docs', unreadable)).to.deep.equal([500, 200]);
    expect(await statusesOf('/console', unreadable)).to.deep.equal([500, 200]);
    expect(await statusesOf('/console', unbuilt)).to.deep.equal([404, 200]);
  });
});

describe('the reference, served @long', () => {
  let edge: Edge;
  let demoEdge: Edge;
  let page: string;
  let files: readonly string[];
  before(async function () {
    // `npm ci` builds the script; an installation without its scripts has none.
    if (!isBuilt()) this.skip();
    const rawRoutes = [openApiRoute(), ...assetRoutes(), ...docsRoutes()];
    edge = await openEdge({ rawRoutes });
    demoEdge = await openEdge({ rawRoutes: docsRoutes(() => demo) });
    page = (await edge.call('GET', '/docs')).text;
    files = [...filesOf(page), ...filesOf((await edge.call('GET', '/docs/errors')).text)];
  });
  after(closeEdges);

  const bytesOf = async (path: string, encoding: string) => {
    const headers = { 'accept-encoding': encoding };
    const response = await fetch(`${edge.url}${path}`, { headers });
    return { headers: response.headers, text: await response.text() };
  };
  const filesOf = (text: string) =>
    [...text.matchAll(/(?:src|href)="(\/(?:docs|console)\/[^"#]+\.(?:css|js))"/g)].map(
      ([, file]) => file!,
    );

  it('is served without a credential, equal to the file', async () => {
    const { headers, body } = await answered(200, edge.call('GET', '/api/openapi.json'));
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(headers['access-control-allow-origin']).to.equal('*');
    expect(body).to.deep.equal(readReference());
  });

  it('is answered 304 to a reader that has it', async () => {
    for (const path of ['/api/openapi.json', ...PAGES, ...TEXTS, ...files]) {
      const { headers } = await edge.call('GET', path);
      const etag = headers.etag!;
      const known = { 'if-none-match': `"x", W/${etag}` };
      const again = await answered(304, edge.call('GET', path, { headers: known }), path);
      expect(again.text, path).to.equal('');
      const caching = { etag, 'cache-control': headers['cache-control'] };
      expect(again.headers, path).to.include(caching);
      expect(again.headers, path).to.not.have.any.keys('content-type', 'content-length');
      await answered(200, edge.call('GET', path, { headers: { 'if-none-match': '"old"' } }), path);
    }
  });

  it('keeps files for a year, and asks for pages anew', async () => {
    expect(files).to.have.lengthOf(2);
    for (const file of files) {
      expect(file).to.match(/(\.[0-9a-f]{16}\.css|-[\d.]+\.js)$/);
      const { headers } = await edge.call('GET', file);
      expect(headers['cache-control'], file).to.equal('public, max-age=31536000, immutable');
    }
    for (const path of PAGES) {
      const { headers } = await edge.call('GET', path);
      expect(headers['cache-control'], path).to.equal('no-cache');
    }
  });

  it('is compressed as the browser accepts it', async () => {
    for (const path of [...PAGES, ...TEXTS, ...files]) {
      const plain = await edge.call('GET', path, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers['content-encoding'], path).to.equal(undefined);
      const etags = new Set([plain.headers.etag]);
      for (const encoding of ['br', 'gzip']) {
        const { headers, text } = await bytesOf(path, encoding);
        expect(headers.get('content-encoding'), path).to.equal(encoding);
        expect(headers.get('vary'), path).to.include('Accept-Encoding');
        expect(text === plain.text, path).to.equal(true);
        etags.add(headers.get('etag')!);
      }
      expect(etags.size, path).to.equal(3);
    }
  });

  it('loads nothing from other addresses, and runs nothing that stands in the page', async () => {
    for (const path of PAGES) {
      const { headers, text } = await answered(200, edge.call('GET', path));
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      const policy = headers['content-security-policy']!;
      expect(policy).to.include("default-src 'none'").and.include("connect-src 'self'");
      expect(policy)
        .to.include("script-src 'self';")
        .and.not.match(/https?:|\*|unsafe-eval/);
      // Scalar writes styles into its page.
      expect(policy.includes('unsafe'), path).to.equal(path === '/docs');
      expect(text).not.to.match(
        /<script>|<style|\sstyle=|\son\w+=|(src|href|action)="(https?:)?\/\//,
      );
    }
    for (const file of files) {
      const { headers, text } = await answered(200, edge.call('GET', file), file);
      expect(headers['x-content-type-options'], file).to.equal('nosniff');
      expect(text, file).not.to.match(/\beval\(|new Function\(/);
    }
  });

  it('serves nothing else beside the page', async () => {
    const guidesNot = ['nothing', 'nothing.md', '..%2fpackage', '..%2fREADME.md', 'api.md.md'];
    const others = ['pages.css', 'docs.ts', '..%2f..%2fpackage.json', 'nothing'];
    for (const name of [...others, ...guidesNot.map((one) => `guides/${one}`)]) {
      await answered(404, edge.call('GET', `/docs/${name}`), name);
    }
  });

  it('has every guide beside it, whose links lead to what the service has', async () => {
    const pages: Record<string, string> = {};
    const read = async (path: string) => {
      pages[path] ??= (await answered(200, edge.call('GET', path), path)).text;
      return pages[path];
    };
    for (const name of guides) {
      const at = `/docs/guides/${name}`;
      const html = await read(at);
      // All Markdown became HTML.
      const words = html.replaceAll(/<(pre|code)\b.*?<\/\1>/gs, '');
      expect(words, name).not.to.match(/```|\]\(|\*\*|<p>[#|]|&lt;a id/);
      for (const [, path, section] of html.matchAll(/href="(\/docs[\w/-]*)?(?:#([\w.-]+))?"/g)) {
        const target = await read(path ?? at);
        if (section) expect(target, `${name}: ${path} ${section}`).to.include(`id="${section}"`);
      }
    }
  });

  it('has every guide as Markdown, and lists them for programs', async () => {
    const list = await edge.call('GET', '/llms.txt');
    expect(list.headers['content-type']).to.equal('text/plain; charset=utf-8');
    const listed = [...list.text.matchAll(/^- \[([\w-]+)\]\(\/docs\/guides\/\1\.md\): \S/gm)].map(
      ([, name]) => name,
    );
    expect(listed).to.have.members(guides.filter((name) => name !== 'README'));
    for (const name of guides) {
      const { headers, text } = await edge.call('GET', `/docs/guides/${name}.md`);
      expect(headers['content-type'], name).to.equal('text/markdown; charset=utf-8');
      expect(text, name).to.equal(readFileSync(join(docs, `${name}.md`), 'utf8'));
    }
  });

  it('is where / leads a browser; other clients get JSON', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const browser = await answered(302, edge.call('GET', '/', { headers: { accept } }));
    expect(browser.headers).to.include({ location: '/docs', vary: 'Accept' });
    for (const accept of ['*/*', 'application/json']) {
      const { body } = await answered(404, edge.call('GET', '/', { headers: { accept } }), accept);
      expect(body, accept).to.include({ error: 'Not found' });
    }
  });

  it('has the secrets of the demo, and only for callers on the machine', async () => {
    expect(page).not.to.include(demo.apiKey);
    const { text } = await demoEdge.call('GET', '/docs');
    expect(text).to.include(`Bearer ${demo.apiKey}`).and.include(demo.adminToken);
    expect(text).to.include(`${demoEdge.url}/api/v1/notifications/send`);
    const other = await demoEdge.call('GET', '/docs', { headers: { host: 'evil.example' } });
    expect(other.text).not.to.match(new RegExp(`${demo.apiKey}|${demo.adminToken}|evil`));
  });
});
