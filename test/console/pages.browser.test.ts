import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

const narrow = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

describe('Every page of the console @alone', () => {
  const stage = useConsole();
  before(async () => {
    await stage.send();
  });

  /** The side bar names the pages, so that a new page is looked at without a word here. */
  const pathsOf = async (page: Page): Promise<string[]> => {
    const links = page.locator('nav a[href^="/console"]');
    await links.first().waitFor({ state: 'attached' });
    const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    return [...new Set(hrefs.map(String))];
  };

  const mustBeWhole = async (page: Page, path: string) => {
    await page.goto(`${stage.waybill.url}${path}`);
    await page.locator('h1').waitFor();
    const loading = page.locator('main [role=status]:has-text("Loading")');
    await untilTrue(`${path} has loaded`, async () => (await loading.count()) === 0);
    expect(await page.locator('h1').count(), path).to.equal(1);
    // A chart fits itself to its box one frame after the box has its size.
    const fits = async () => (await overflow(page)) === 0;
    await untilTrue(`${page.url()} to fit the screen`, fits);
  };

  for (const [who, tokenOf] of [
    ['an administrator', () => ADMIN_TOKEN],
    ['a tenant @series', () => stage.tenant.apiKey],
  ] as const) {
    it(`is accessible for ${who}`, async () => {
      const page = await stage.open(tokenOf());
      const paths = await pathsOf(page);
      expect(paths.length).to.be.greaterThan(2);
      for (const path of paths) {
        await mustBeWhole(page, path);
        await mustBeAccessible(page);
      }
    });
  }

  // The styles are the same everywhere: a page of figures, a list, a form and a conversation stand for all.
  it('has colours that can be read in the dark, on a telephone', async () => {
    const admin = await stage.open(ADMIN_TOKEN, narrow);
    for (const path of ['/console', '/console/accounts']) {
      await mustBeWhole(admin, path);
      await mustBeAccessible(admin, ['color-contrast']);
    }
    const tenant = await stage.open(stage.tenant.apiKey, narrow);
    for (const path of ['/console/send', '/console/conversations']) {
      await mustBeWhole(tenant, path);
      await mustBeAccessible(tenant, ['color-contrast']);
    }
  });

  it('is shown to nobody whom it is not for, and ends no session', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/conversations' });
    await page.getByRole('heading', { name: 'Not for this session' }).waitFor();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });
});
