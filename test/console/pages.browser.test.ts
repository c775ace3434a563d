import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

const narrow = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

describe('Every page of the console', () => {
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

  const mustBeSound = async (page: Page, path: string) => {
    await page.locator('h1').waitFor();
    await page.locator('main [role=status]:has-text("Loading")').waitFor({ state: 'detached' });
    expect(await page.locator('h1').count(), path).to.equal(1);
    // A chart fits itself to its box one frame after the box has its size.
    const fits = async () => (await overflow(page)) === 0;
    await untilTrue(`${page.url()} to fit the screen`, fits);
    await mustBeAccessible(page);
  };

  const mustAllBeSound = async (token: string, options: BrowserContextOptions) => {
    const page = await stage.open(token, options);
    const paths = await pathsOf(page);
    expect(paths.length).to.be.greaterThan(2);
    for (const path of paths) {
      await page.goto(`${stage.waybill.url}${path}`);
      await mustBeSound(page, path);
    }
  };

  it('is accessible for an administrator', () => mustAllBeSound(ADMIN_TOKEN, {}));

  it('is accessible for an auditor, in the dark, on a telephone', async () => {
    const ada = { name: 'Ada', email: 'ada@shop.example', role: 'auditor' };
    const { body: auditor } = await stage.waybill.admin('POST', '/administrators', ada);
    await mustAllBeSound(auditor.token, narrow);
  });

  it('is accessible for a tenant, in the dark, on a telephone', () =>
    mustAllBeSound(stage.tenant.apiKey, narrow));

  it('is shown to nobody whom it is not for, and ends no session', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/conversations' });
    await page.getByRole('heading', { name: 'Not for this session' }).waitFor();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });
});
