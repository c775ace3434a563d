import { expect } from 'chai';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { type Callee, startCallee } from '../support/callee.ts';

describe("A journey through the console: a tenant's system hears of messages", () => {
  const stage = useConsole();
  let callee: Callee;
  before(async () => {
    callee = await startCallee();
  });
  after(() => callee?.close());

  it('a new secret and a replay are asked for; a key that may only read sees no button', async () => {
    const { apiKey: token, accountId } = stage.tenant;
    const body = { url: `${callee.url}/read`, events: ['message.delivered'] };
    const { body: made } = await stage.waybill.call('POST', '/v1/webhooks', { token, body });
    const path = `/webhooks/${made.id}`;
    const page = await stage.open(token, { path });
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Replace' }).click();
    const secret = page.getByRole('dialog', { name: 'The secret' }).getByText(/^whsec_/);
    expect(await secret.textContent()).to.not.equal(made.secret);
    await page.keyboard.press('Escape');
    await page.getByText('signs too until').waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
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
    await seen.getByText('No delivery').waitFor();
    expect(
      await seen
        .getByRole('button', { name: /^(Delete|Change|Disable|Send a test|Resend)$/ })
        .count(),
    ).to.equal(0);
    expect(await overflow(seen)).to.equal(0);
    await mustBeAccessible(seen);
  });
});
