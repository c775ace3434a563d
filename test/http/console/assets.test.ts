import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { request } from 'undici';
import { answered } from '../../support/answered.ts';
import { useWaybill } from '../../support/surface.ts';

const root = join(import.meta.dirname, '../../..');

/** Of script, as it is sent. */
const FIRST_PAGE_BYTES_MAX = 200_000;

const builtFiles = (): string[] => {
  try {
    return readdirSync(join(root, 'console/dist/assets'));
  } catch {
    return [];
  }
};

describe('The files of the console', () => {
  const on = useWaybill();
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const {
      statusCode: status,
      body,
      ...answer
    } = await request(on.waybill.url + path, { headers });
    return { status, headers: answer.headers, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  before(function () {
    // `npm ci` builds them; an installation without its scripts has none.
    if (builtFiles().length === 0) this.skip();
  });

  it('are one page for every address below /console', async () => {
    const shown = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
    for (const path of ['/console', '/console/accounts/acc_1']) {
      const { headers, bytes } = await answered(200, get(path));
      expect(headers).to.include(shown);
      expect(bytes.toString()).to.contain('<div id="console">');
    }
  });

  it('allow no script, style and address but their own', async () => {
    const { headers, bytes } = await get('/console');
    const policy = String(headers['content-security-policy']);
    expect(policy).to.contain("default-src 'none'").and.contain("script-src 'self'");
    expect(policy).not.to.contain('unsafe');
    expect(bytes.toString()).not.to.match(/<script>|<style|\son\w+=|https?:/);
  });

  it('are few for the first page: all of its script is asked for at once, and is small', async () => {
    const page = (await get('/console')).bytes.toString();
    const links = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path!);
    expect(links).to.have.length.within(1, 2);
    expect(page).to.match(/rel="preload" +href="\/api\/console\/session"/);
    // The chart follows the figures.
    const charts = builtFiles().filter((name) => /^chart-.+\.js$/.test(name));
    const paths = [...links, ...charts.map((name) => `/console/assets/${name}`)];
    const files = await Promise.all(paths.map((path) => get(path, { 'Accept-Encoding': 'br' })));
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    expect(charts).to.have.length(1);
    expect(bytes).to.be.greaterThan(50_000).and.lessThan(FIRST_PAGE_BYTES_MAX);
  });

  it('are no others: 404', async () => {
    for (const path of ['/console/assets/none.js', '/console/assets/..%2f..%2fpackage.json']) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });
});
