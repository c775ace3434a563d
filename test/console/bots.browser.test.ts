import { expect } from 'chai';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';

describe('A journey through the console: a bot is made, tried, let go, and watched', () => {
  const stage = useConsole();

  it('by clicking: a problem is shown and mended, a customer is answered, the run’s path is lit', async () => {
    const { tenant, simulator } = stage;
    const page = await stage.open(tenant.apiKey, { path: '/bots' });
    await page.getByRole('button', { name: 'New bot' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Hours');
    await page.getByLabel('Keywords').fill('open');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Hours' }).click();

    const palette = page.locator('.palette');
    await palette.getByRole('button', { name: 'start' }).click();
    await palette.getByRole('button', { name: 'message' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('');
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.locator('.node-problem').first().waitFor();
    await page.getByRole('textbox', { name: 'Text' }).fill('We open at nine.');
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.locator('.outline').getByRole('button', { name: 'start' }).click();
    await page.getByLabel('On “default” go to').selectOption('message');
    await page.getByText('No problem').waitFor();

    await page.getByLabel('What the customer writes').fill('open?');
    await page.getByRole('button', { name: 'Say' }).click();
    await page.locator('.try-outbound').getByText('We open at nine.').waitFor();
    await stage.picture(page, 'bot');
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The graph is saved').waitFor();

    await page.getByRole('link', { name: 'Bots' }).click();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText('active', { exact: true }).waitFor();
    await simulator.inbound('919812345678', {
      text: 'open',
      name: 'Mia',
      phoneNumberId: tenant.phoneNumberId,
    });
    await page.getByRole('link', { name: 'Hours' }).click();
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('row').filter({ hasText: 'Mia' }).click();
    await page.locator('.node-lit').nth(1).waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('row').last().click();
    await page.getByText('message was added since').waitFor();
    await mustBeAccessible(page);
  });

  it('fits a telephone, where its nodes are a list', async () => {
    const { tenant, waybill } = stage;
    const { body: list } = await waybill.call('GET', '/v1/bots', { token: tenant.apiKey });
    for (const path of ['/bots', `/bots/${list[0].id}`]) {
      const page = await stage.open(tenant.apiKey, {
        path,
        viewport: { width: 390, height: 800 },
        colorScheme: 'dark',
      });
      await page.getByRole('heading', { level: 1, name: /Bots|Hours/ }).waitFor();
      expect(await overflow(page), path).to.equal(0);
    }
  });
});
