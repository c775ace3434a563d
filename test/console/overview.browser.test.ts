import { expect } from 'chai';
import { mustBeAccessible, useConsole } from '../support/browser.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

describe('A journey through the console: how are we doing? @alone', () => {
  const stage = useConsole();
  const statistic = (name: string) => `.stat:has(.stat-name:text-is("${name}")) .stat-value`;

  it('the overview shows sends as they happen, in a browser whose language Intl refuses too', async () => {
    await stage.send();
    const page = await stage.page();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true }),
    );
    await stage.signIn(page, ADMIN_TOKEN);
    await page.locator('main canvas').first().waitFor();
    await page.getByText('connected', { exact: true }).waitFor();
    const sends = page.locator(statistic('Sends'));
    const before = Number(await sends.textContent());
    await stage.send();
    await page.locator('.feed').getByText('taken by WhatsApp').first().waitFor();
    await page.locator(`${statistic('Sends')}:text-is("${before + 1}")`).waitFor();
    await page.getByText(/\d+ parts are ready/).waitFor();
  });

  it('the overview says that it is not live while there is no place for it, and tries again', async () => {
    const { call } = stage.waybill;
    const places = new AbortController();
    const held: Response[] = [];
    for (let count = 0; count < 16; count += 1) {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      const { signal } = places;
      held.push(await fetch(`${stage.waybill.url}/api/admin/v1/live`, { headers, signal }));
    }
    expect(held.map(({ status }) => status)).to.deep.equal(Array(16).fill(200));
    stage.expectStatus(503);
    const page = await stage.open(ADMIN_TOKEN);
    await page.getByText('not live').waitFor();
    expect((await call('GET', '/admin/v1/live', { token: ADMIN_TOKEN })).status).to.equal(503);
    places.abort();
    await page.getByText('connected', { exact: true }).waitFor();
  });

  it('row 76: every page says that the service is not ready, and stops when it is', async () => {
    const page = await stage.open(ADMIN_TOKEN);
    let ok = false;
    const checks = { log: { ok }, views: { ok: true } };
    await page.route('**/health/ready', (route) =>
      route.fulfill({ status: ok ? 200 : 503, json: ok ? { ok } : { ok, checks } }),
    );
    stage.expectStatus(503);
    await page.reload();
    await page.getByRole('alert').getByText('Waybill is not ready: log.').waitFor();
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('alert').getByText('Waybill is not ready: log.').waitFor();
    await mustBeAccessible(page);
    ok = true;
    await page.reload();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect(await page.getByText('Waybill is not ready').count()).to.equal(0);
    // A proxy whose service is away answers in its own words.
    stage.expectStatus(502);
    await page.route('**/health/ready', (route) => route.fulfill({ status: 502, body: 'away' }));
    await page.reload();
    await page.getByRole('alert').getByText('Waybill cannot be reached').waitFor();
  });

  it('a link leaves the session of its viewer as it is, until the viewer uses it', async () => {
    const page = await stage.open(ADMIN_TOKEN);
    const linkOf = async (path: string, token: string) =>
      (await stage.waybill.call('POST', path, { token })).body.path as string;
    const link = await linkOf('/v1/console-links', stage.tenant.apiKey);
    const open = async () => {
      await page.goto('about:blank');
      await page.goto(`${stage.waybill.url}${link}`);
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    };
    await open();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('link', { name: 'Administrators' }).waitFor();
    await open();
    await page.getByRole('button', { name: 'Use the link' }).click();
    await page.getByRole('link', { name: 'Send', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Administrators' }).count()).to.equal(0);
  });

  it('an auditor sees administrators, and no button that changes them', async () => {
    const ada = { name: 'Ada', email: 'overview@shop.example', role: 'auditor' };
    const { body: auditor } = await stage.waybill.admin('POST', '/administrators', ada);
    const page = await stage.open(auditor.token, { path: '/administrators' });
    await page.getByRole('cell', { name: 'overview@shop.example' }).waitFor();
    expect(await page.getByRole('button', { name: 'New administrator' }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('an administrator makes another one, by keyboard alone', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/administrators' });
    await page.getByRole('button', { name: 'New administrator' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New administrator' });
    await dialog.waitFor();
    await page.keyboard.type('Bob');
    await page.keyboard.press('Tab');
    await page.keyboard.type('bob@shop.example');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: 'The token' })
      .getByText(/^wb_adm_/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'bob@shop.example' }).waitFor();
  });

  it('an operator ends all sessions, and is signed out at once', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/administrators' });
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('button', { name: 'End them' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('a session that ends leads to the way in', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/administrators' });
    await page.getByRole('heading', { name: 'Administrators' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('The session has ended').waitFor();
  });
});
