import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { until } from '../support/until.ts';

describe("A journey through the console: a tenant's system hears of messages @alone", () => {
  const stage = useConsole();
  let callee: Callee;
  before(async () => {
    callee = await startCallee();
  });
  after(() => callee?.close());
  const more = async (page: Page, verb: string) => {
    await page.getByRole('button', { name: 'More to do with the webhook' }).click();
    await page.getByRole('menuitem', { name: verb }).click();
  };

  it('a webhook is created, tested, looked into, resent, changed, disabled and deleted', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/webhooks' });
    await page.getByText('No webhook yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const form = page.getByRole('dialog', { name: 'New webhook' });
    await form.getByLabel('URL').fill(`${callee.url}/hook`);
    await form.getByLabel('Description').fill('Orders <b>\u202egnp');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Choose at least one event').waitFor();
    await form.getByLabel(/^message\.delivered/).check();
    await form.getByRole('button', { name: 'Create' }).click();
    const secret = page.getByRole('dialog', { name: 'The secret' });
    await secret.getByText(/^whsec_/).waitFor();
    await page.keyboard.press('Escape');
    await secret.waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: `${callee.url}/hook` }).click();
    await page.getByText('Orders <b>�gnp').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByRole('cell', { name: '200' }).waitFor();
    expect(callee.calls.filter(({ path }) => path === '/hook')).to.have.lengthOf(1);
    await mustBeAccessible(page);

    await deliveries.getByRole('button', { name: 'Resend' }).click();
    const called = () => callee.calls.filter(({ path }) => path === '/hook').length;
    await until('the test comes again', () => called() === 2);
    await deliveries.getByRole('link', { name: 'webhook.test' }).first().click();
    await page.getByText('"type": "webhook.test"').waitFor();
    await mustBeAccessible(page);

    await page.getByRole('link', { name: 'All of this webhook' }).click();
    await more(page, 'Change');
    const change = page.getByRole('dialog', { name: 'Change the webhook' });
    await change.getByLabel(/^message\.failed/).check();
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('message.failed', { exact: true }).waitFor();
    await more(page, 'Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('It was disabled by its owner.').waitFor();
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();

    await more(page, 'Delete');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No webhook yet').waitFor();
  });

  it('a webhook is red while its server fails, and says what was answered', async () => {
    const { apiKey: token } = stage.tenant;
    callee.answer((response, { path }) => {
      response.statusCode = path === '/broken' ? 500 : 200;
      response.end(path === '/broken' ? 'the order desk <b>is away</b>' : '');
    });
    const body = { url: `${callee.url}/broken`, events: ['message.delivered'] };
    const { body: made } = await stage.waybill.call('POST', '/v1/webhooks', { token, body });
    await stage.waybill.call('POST', `/v1/webhooks/${made.id}/test`, { token, body: {} });
    const page = await stage.open(token, { path: '/webhooks' });
    const row = page.getByRole('row').filter({ hasText: '/broken' });
    await row.getByText('failing').waitFor();
    await row.getByText('500').waitFor();
    await row.getByRole('link').click();
    await page.getByText('1 of the newest 1 deliveries failed.').waitFor();
    await page.getByRole('button', { name: 'Recover what failed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    // It waits for its next call by itself: nothing is sent twice.
    await page.getByText('0 deliveries are sent again').waitFor();
    await page.getByRole('link', { name: 'webhook.test' }).click();
    const answers = page.locator('.card').filter({ hasText: 'Answers' });
    await answers.getByText('the order desk <b>is away</b>').waitFor();
    await answers.getByText('Its headers').click();
    await answers.getByText('content-length: 29').waitFor();
    await mustBeAccessible(page);
  });

  it('a new secret and a replay are asked for; a key that may only read sees no button', async () => {
    const { apiKey: token, accountId } = stage.tenant;
    const body = { url: `${callee.url}/read`, events: ['message.delivered'] };
    const { body: made } = await stage.waybill.call('POST', '/v1/webhooks', { token, body });
    const path = `/webhooks/${made.id}`;
    const page = await stage.open(token, { path });
    await more(page, 'New secret');
    await page.getByRole('button', { name: 'Replace' }).click();
    const secret = page.getByRole('dialog', { name: 'The secret' }).getByText(/^whsec_/);
    expect(await secret.textContent()).to.not.equal(made.secret);
    await page.keyboard.press('Escape');
    await page.getByText('signs too until').waitFor();
    await more(page, 'Replay');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Since').fill('2020-01-01T00:00:00');
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The replay has begun').waitFor();

    const key = await stage.waybill.admin('POST', `/accounts/${accountId}/keys`, {
      name: 'Reader',
      scopes: ['webhooks:read'],
    });
    const seen = await stage.open(key.body.key, { path, viewport: { width: 390, height: 800 } });
    await seen.getByText(made.id, { exact: true }).waitFor();
    await seen.getByText('No delivery', { exact: true }).waitFor();
    expect(
      await seen
        .getByRole('button', { name: /^(More to do with the webhook|Send a test|Resend)$/ })
        .count(),
    ).to.equal(0);
    expect(await overflow(seen)).to.equal(0);
  });
});
