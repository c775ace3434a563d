import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { request } from 'undici';
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
      statusCode,
      headers: shown,
      body,
    } = await request(`${on.waybill.url}${path}`, { headers });
    return { status: statusCode, headers: shown, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  before(function () {
    // `npm ci` builds them; an installation without its scripts has none.
    if (builtFiles().length === 0) this.skip();
  });

  it('are one page for every address below /console', async () => {
    const pages = await Promise.all(
      ['/console', '/console/accounts/acc_1'].map((path) => get(path)),
    );
    for (const { status, headers, bytes } of pages) {
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['cache-control']).to.equal('no-cache');
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

  it('are compressed as the browser accepts it, and kept for a year', async () => {
    const name = builtFiles().find((file) => file.endsWith('.js'))!;
    const plain = await get(`/console/assets/${name}`);
    expect(plain.headers['cache-control']).to.contain('immutable');
    expect(plain.headers['content-encoding']).to.equal(undefined);
    const br = await get(`/console/assets/${name}`, { 'Accept-Encoding': 'gzip, br' });
    const gzip = await get(`/console/assets/${name}`, { 'Accept-Encoding': 'gzip' });
    expect(br.headers['content-encoding']).to.equal('br');
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).to.equal(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
    const etag = String(br.headers.etag);
    const again = await get(`/console/assets/${name}`, {
      'Accept-Encoding': 'br',
      'If-None-Match': etag,
    });
    expect(again.status).to.equal(304);
  });

  it('are no others: 404', async () => {
    for (const path of ['/console/assets/none.js', '/console/assets/..%2f..%2fpackage.json']) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });
});
