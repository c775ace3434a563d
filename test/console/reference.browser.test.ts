import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { overflow, useConsole } from '../support/browser.ts';

const assets = join(import.meta.dirname, '../../console/dist/assets');
const hasReference =
  existsSync(assets) && readdirSync(assets).some((name) => name.startsWith('scalar-'));

const narrow = { viewport: { width: 390, height: 844 } } as const;

describe('The reference in a browser @alone', () => {
  const stage = useConsole();
  before(function () {
    if (!hasReference) this.skip();
  });

  it('opens with a call that sends, fits a telephone, and asks no other host @series', async () => {
    const page = await stage.open(stage.tenant.apiKey, narrow);
    await page.goto(`${stage.waybill.url}/docs`);
    await page.locator('h1').waitFor();
    const first = await page.locator('pre').first().textContent();
    expect(first).to.include('curl -X POST').and.include('/v1/notifications/send');
    expect(await overflow(page)).to.equal(0);
    // The events of a notification are listed in place; the search finds fields and errors.
    await page.keyboard.press('Control+k');
    const words = page.getByRole('dialog').getByRole('combobox');
    const found = page.getByRole('option').filter({ hasText: '/v1/notifications/send' }).first();
    for (const one of ['TEMPLATE_NOT_APPROVED', 'awbCode']) {
      await words.fill(one);
      await found.waitFor();
    }
    await found.click();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^order_shipped: orderId, awbCode, trackingLink$/ })
      .first()
      .waitFor();
    expect(await overflow(page)).to.equal(0);
  });

  it('has guides that fit a telephone', async () => {
    const page = await stage.open(stage.tenant.apiKey, narrow);
    for (const name of ['README', 'api', 'contract', 'reliability', 'running', 'simulator']) {
      await page.goto(`${stage.waybill.url}/docs/guides/${name}`);
      expect(await overflow(page), name).to.equal(0);
    }
  });

  it('sends a request with the key that was typed in @series', async () => {
    const { apiKey } = stage.tenant;
    const page = await stage.open(apiKey);
    await page.goto(`${stage.waybill.url}/docs#tag/billing`);
    await page.getByPlaceholder('Token').first().fill(apiKey);
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const answered = page.waitForResponse((one) => one.url().endsWith('/api/v1/account'));
    await page.getByRole('button', { name: /^Send get request/ }).click();
    const answer = await answered;
    expect(answer.status()).to.equal(200);
    expect(await answer.request().headerValue('authorization')).to.equal(`Bearer ${apiKey}`);
  });
});
