import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { makeAdministrator } from '../support/people.ts';
import { ADMIN_TOKEN, openTenant } from '../support/waybill.ts';

describe('A journey through the console: from nothing to an account that can send @alone', () => {
  const stage = useConsole();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  /** Opens a dialog by its button, fills it in, and confirms. */
  const fill = async (
    page: Page,
    opener: string,
    fields: Record<string, string>,
    action: string,
  ) => {
    await button(page, opener).click();
    const dialog = page.getByRole('dialog');
    for (const [label, value] of Object.entries(fields)) {
      await dialog.getByLabel(label, { exact: true }).fill(value);
    }
    await dialog.getByRole('button', { name: action, exact: true }).click();
    return dialog;
  };

  it('an operator opens an account, links a number, submits the catalog, grants credits and makes a key', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/organisations' });
    await fill(page, 'New organisation', { Name: '<b>Mia & Co</b>' }, 'Create');
    await page.getByRole('heading', { name: '<b>Mia & Co</b>' }).waitFor();
    await fill(page, 'New account', { Name: 'Shoes \u202egnp' }, 'Open the account');
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    const { body } = await stage.waybill.admin('GET', '/accounts');
    expect(body.accounts[0].limits.strict).to.equal(true);
    expect(await page.locator('h1').textContent()).not.to.contain('\u202e');

    await fill(page, 'Grant credits', { Credits: '250', Reason: 'Paid by transfer' }, 'Grant');
    await page.locator('.balance').getByText('250').waitFor();

    await page.getByRole('tab', { name: 'Numbers' }).click();
    const number = { 'Number id': '100000000000077', 'Business account id': '200000000000077' };
    await fill(page, 'Link a number', { ...number, 'Access token': 'a-token' }, 'Link');
    await page.getByText('stored, encrypted').waitFor();

    await page.getByRole('tab', { name: 'Catalog' }).click();
    await page.getByText('0 of 18 ready').waitFor();
    await button(page, 'Submit what is missing').click();
    await page.getByText('18 of 18 ready').waitFor();

    await page.getByRole('tab', { name: 'Keys' }).click();
    await fill(page, 'New key', { Name: 'Shop' }, 'Make the key');
    const secret = page.getByRole('dialog', { name: 'The key' }).getByText(/^wb_live_/);
    const token = (await secret.textContent()) ?? '';
    const credits = await stage.waybill.call('GET', '/v1/credits', { token });
    expect(credits.body.balance).to.equal(250);
    await page.keyboard.press('Escape');
    await fill(page, 'Revoke', {}, 'Revoke');
    await page.getByText('revoked', { exact: true }).waitFor();
    expect((await stage.waybill.call('GET', '/v1/credits', { token })).status).to.equal(401);
  });

  it('a grant whose answer was lost is made once, however often it is tried', async () => {
    const { accountId } = stage.tenant;
    const balance = async () =>
      (await stage.waybill.admin('GET', `/accounts/${accountId}`)).body.balance;
    const before = await balance();
    const page = await stage.open(ADMIN_TOKEN, { path: `/accounts/${accountId}` });
    let tries = 0;
    await page.route('**/credits/grant', async (route) => {
      tries += 1;
      await route.fetch();
      const lost = { status: 429, json: { error: 'The answer was lost' } };
      return tries === 1 ? route.fulfill(lost) : route.continue();
    });
    const dialog = await fill(page, 'Grant credits', { Credits: '10' }, 'Grant');
    await dialog.getByText('The answer was lost').waitFor();
    expect(await dialog.getByLabel('Credits', { exact: true }).inputValue()).to.equal('10');
    await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(tries).to.equal(2);
    expect(await balance()).to.equal(before + 10);
    await page
      .locator('.balance')
      .getByText(String(before + 10))
      .waitFor();
  });

  it('an operator makes a plan of a wallet, gives it to an account, tops that up and adjusts it', async () => {
    const tenant = await openTenant(stage.waybill, { credits: 0 });
    const page = await stage.open(ADMIN_TOKEN, { path: '/plans' });
    await button(page, 'New plan').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Wallet in dollars');
    await dialog.getByLabel('Counts in').selectOption('wallet');
    await dialog.getByLabel('Markup in percent').fill('20');
    await button(page, 'Create').click();
    await page.getByText('Wallet in dollars').waitFor();
    await page.goto(`${stage.waybill.url}/console/accounts/${tenant.accountId}`);
    await button(page, 'Change plan').click();
    const option = dialog.getByRole('option', { name: /Wallet in dollars/ });
    const plan = await option.getAttribute('value');
    await dialog.getByRole('combobox').selectOption(plan);
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await button(page, 'Top up').click();
    await dialog.getByLabel('Amount in USD').fill('12.5');
    await dialog.getByLabel('Reason').fill('Paid by card');
    await dialog.getByRole('button', { name: 'Top up', exact: true }).click();
    await page.locator('.balance').getByText('12.5').waitFor();
    const { body } = await stage.waybill.call('GET', '/v1/wallet', { token: tenant.apiKey });
    expect(Number(body.balance)).to.equal(12.5);
    const less = { 'Amount in USD': '-2.25', Reason: 'A fee' };
    await fill(page, 'Adjust', less, 'Adjust');
    await page.locator('.balance').getByText('10.25').waitFor();
  });

  it('an operator publishes a rate card, and takes credits back that were granted twice', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/rate-cards' });
    const dialog = page.getByRole('dialog');
    const prices = dialog.getByLabel('Prices by market');
    await button(page, 'New rate card').click();
    await dialog.getByLabel('Effective from, UTC').fill('2027-01-01T00:00');
    await prices.fill('Other, 0.06');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('This line needs a market and 3 prices: Other, 0.06').waitFor();
    await prices.fill('India, 0.02, 0.002, 0.0015\nOther, 0.06, 0.01, 0.009, 0.008');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { body } = await stage.waybill.admin('GET', '/rate-cards');
    expect(body.rateCards[0].rates.India).to.include({ MARKETING: '0.0200', UTILITY: '0.0020' });
    await page.getByRole('row').filter({ hasText: '2027' }).click();
    await dialog.getByText('India').waitFor();
    await mustBeAccessible(page);
    await page.goto(`${stage.waybill.url}/console/accounts/${stage.tenant.accountId}`);
    const balance = page.locator('.balance');
    const before = Number((await balance.textContent())!.replace(/[^0-9]/g, ''));
    await fill(page, 'Revoke credits', { Credits: '10', Reason: 'Granted twice' }, 'Revoke');
    await balance.getByText(String(before - 10)).waitFor();
    // What was paused behind the page stays so when a limit is set.
    const { accountId } = stage.tenant;
    await stage.waybill.admin('PATCH', `/accounts/${accountId}/limits`, { paused: true });
    await fill(page, 'Limits', { 'Sends a day': '500' }, 'Save');
    await dialog.waitFor({ state: 'hidden' });
    const { body: limited } = await stage.waybill.admin('GET', `/accounts/${accountId}`);
    expect(limited.limits).to.include({ paused: true, daily: 500, perMinute: null });
  });

  it('an auditor sees every part of an account, and no button that would be refused', async () => {
    const { token } = await makeAdministrator(stage.waybill);
    const path = `/accounts/${stage.tenant.accountId}`;
    const options = { path, viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
    const page = await stage.open(token, options);
    for (const tab of ['Overview', 'Keys', 'Numbers', 'Catalog']) {
      await page.getByRole('tab', { name: tab }).click();
      const panel = page.getByRole('tabpanel');
      await panel.getByRole('status').waitFor({ state: 'detached' });
      const names = await panel.getByRole('button').allTextContents();
      expect(
        names.filter((name) => name !== ''),
        tab,
      ).to.deep.equal([]);
      expect(await overflow(page), tab).to.equal(0);
      await mustBeAccessible(page);
    }
  });
});
