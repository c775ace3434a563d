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

  it('opens with a call that sends, fits a telephone, and asks no other host', async () => {
    const page = await stage.open(stage.tenant.apiKey, narrow);
    await page.goto(`${stage.waybill.url}/docs`);
    await page.locator('h1').waitFor();
    const first = await page.locator('pre').first().textContent();
    expect(first).to.include('curl -X POST').and.include('/v1/notifications/send');
    expect(await overflow(page)).to.equal(0);
  });

  it('sends a request with the key that was typed in', async () => {
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
