import { expect } from 'chai';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

/** The simulator accepts a message to this number, and reports its failure later. */
const FAILS_LATER = '+15550199921';
/** The simulator refuses a message to this number at once. */
const REFUSED = '+15550199901';

describe('A journey through the console: why did this message fail, and what did it cost? @alone', () => {
  const stage = useConsole();
  const failed = async () => {
    const { body } = await stage.send(FAILS_LATER);
    await untilTrue('the failure to arrive', async () => {
      const { body: found } = await stage.waybill.admin(
        'GET',
        `/messages/${encodeURIComponent(body.messageId)}`,
      );
      return found.status === 'failed' && found.refunded;
    });
    return body.messageId;
  };

  it('an operator pastes the id into the one box, and reads the story', async () => {
    const id = await failed();
    const page = await stage.open(ADMIN_TOKEN);
    await page.keyboard.press('/');
    await page.keyboard.type(id);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: id }).click();
    const verdict = page.locator('.verdict');
    await verdict.getByText('It failed with code 131026.').waitFor();
    expect(await verdict.textContent()).to.contain('Its cost, 1 credit, was given back.');
    const steps = await page.locator('.timeline .badge').allTextContents();
    expect(steps).to.deep.equal([
      'charge reserved',
      'accepted by the provider',
      'failed',
      'given back',
    ]);
    await mustBeAccessible(page);
  });

  it('a tenant finds it in the list, and sees the same', async () => {
    await failed();
    const page = await stage.open(stage.tenant.apiKey, { path: '/messages?status=failed' });
    await page.getByRole('row').filter({ hasText: '15550199921' }).first().click();
    await page.locator('.verdict').getByText('It failed with code 131026.').waitFor();
  });

  it('a send that was refused has no message, and its charge tells why', async () => {
    expect((await stage.send(REFUSED)).status).to.equal(502);
    const { apiKey: token } = stage.tenant;
    const { body } = await stage.waybill.call('GET', '/v1/credits', { token });
    const { chargeId } = JSON.parse(body.transactions[0].metadata);
    const page = await stage.open(token, { path: `/find?q=${chargeId}` });
    await page.getByRole('link', { name: chargeId }).click();
    await page.locator('.verdict').getByText('It was given back.').waitFor();
    expect(await page.locator('.verdict').textContent()).to.contain('not sent');
  });

  it('markup and hidden characters of a customer are text', async () => {
    const { tenant, simulator } = stage;
    await simulator.inbound('919800000001', {
      text: '<img src=x onerror=alert(1)> \u202egnp.exe',
      name: '<b>Eve</b>\u202e',
      phoneNumberId: tenant.phoneNumberId,
    });
    const page = await stage.open(tenant.apiKey, { path: '/messages?contact=919800000001' });
    const row = page.getByRole('row').filter({ hasText: '919800000001' });
    await row.getByText('<b>Eve</b>').waitFor();
    expect(await row.textContent()).to.contain('<img src=x onerror=alert(1)>');
    expect(await row.textContent()).not.to.contain('\u202e');
    expect(await row.locator('img, b').count()).to.equal(0);
  });

  it('fits a telephone, in the dark too', async () => {
    const id = await failed();
    for (const path of ['', '/messages', `/messages/${encodeURIComponent(id)}`]) {
      const page = await stage.open(stage.tenant.apiKey, {
        path,
        viewport: { width: 390, height: 800 },
        colorScheme: 'dark',
      });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await overflow(page), path).to.equal(0);
    }
  });
});
