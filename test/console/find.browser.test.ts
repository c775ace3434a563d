import { expect } from 'chai';
import { mustBeAccessible, useConsole } from '../support/browser.ts';
import { aPerson } from '../support/people.ts';
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
    await verdict.getByText('Message undeliverable').first().waitFor();
    const words = await verdict.textContent();
    expect(words).to.contain('It failed. Its cost, 1 credit, was refunded.');
    expect(words).to.contain('Who can do it: you.');
    const steps = await page.locator('.timeline .badge').allTextContents();
    expect(steps).to.deep.equal(['charged', 'taken by WhatsApp', 'failed', 'refunded']);
    await mustBeAccessible(page);
  });

  it('a tenant finds it in the list, which keeps its rows while the next page fails, and sees the same', async () => {
    await failed();
    const page = await stage.page();
    let asked = 0;
    await page.route('**/v1/messages?*', async (route) => {
      if (!route.request().url().includes('cursor=')) {
        const response = await route.fetch();
        const first = { ...(await response.json()), nextCursor: 'next' };
        return route.fulfill({ response, json: first });
      }
      asked += 1;
      return route.fulfill({ status: 429, json: { error: 'Too many requests' } });
    });
    await stage.signIn(page, stage.tenant.apiKey, '/messages?status=failed');
    await page.getByRole('alert').getByText('Too many requests').waitFor();
    expect(asked).to.equal(1);
    await page.getByRole('row').filter({ hasText: '15550199921' }).first().click();
    await page.locator('.verdict').getByText('Message undeliverable').first().waitFor();
    await page.getByText('Every rule that led to the outcome').click();
    await page.locator('.explained').getByText('price', { exact: true }).waitFor();
    await mustBeAccessible(page);
  });

  it('an agent asks by number: each attempt and each refusal, why, what to do, and who can do it', async () => {
    const { apiKey: token } = stage.tenant;
    expect((await stage.send(REFUSED, { clientReference: 'order-7' })).status).to.equal(502);
    const reply = { to: REFUSED, type: 'text', text: { body: 'Hello' } };
    const closed = await stage.waybill.call('POST', '/v1/messages/send', { token, body: reply });
    expect(closed.status).to.equal(403);
    await untilTrue('the refusal to be counted', async () => {
      const { body } = await stage.waybill.call('GET', '/v1/sends/refusals', { token });
      return body.refusals.length > 0;
    });
    for (const viewer of [token, ADMIN_TOKEN]) {
      const page = await stage.open(viewer);
      await page.getByRole('searchbox').fill('+1 (555) 019-9901');
      await page.keyboard.press('Enter');
      const attempt = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem').first();
      await attempt.getByText('refused', { exact: true }).waitFor();
      await attempt.getByText('Who can do it').waitFor();
      await attempt.getByText('refunded').waitFor();
      const refused = page.getByRole('list', { name: 'Refused sends' }).getByRole('listitem');
      await refused.first().getByText('has not written in the last 24 hours').waitFor();
      await refused.first().getByText('Who can do it: you.').waitFor();
      await mustBeAccessible(page);
      // The order leads to the same attempt.
      await page.getByRole('searchbox').fill('order-7');
      await page.keyboard.press('Enter');
      await page.getByText('“order-7”').waitFor();
      if (viewer === token) await attempt.getByText('Who can do it').waitFor();
    }
  });

  it('an agent asks for a number to which nothing was sent, and reads what to do', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/find?q=%2B4915200000001' });
    await page.getByText('Nothing was sent to this number').waitFor();
    await mustBeAccessible(page);
  });

  it('a customer is found by name, and leads to the attempts', async () => {
    const { tenant, simulator } = stage;
    const { phoneNumberId } = tenant;
    await simulator.inbound('919800000002', { text: 'Hi', name: 'Amara Okafor', phoneNumberId });
    await stage.send('+919800000002');
    for (const viewer of [tenant.apiKey, ADMIN_TOKEN]) {
      const page = await stage.open(viewer, { path: '/find?q=Amara' });
      await page.getByRole('link', { name: /Amara Okafor.*919800000002/ }).click();
      await page.getByRole('list', { name: 'Attempts' }).getByText('Order shipped').waitFor();
    }
  });

  it('a developer, who reads no contents, finds an order, and sees nothing of it in another account', async () => {
    const { tenant, waybill } = stage;
    const { organisationId } = tenant;
    const path = `/organisations/${organisationId}/accounts`;
    await waybill.admin('POST', path, { name: 'Another shop' });
    await stage.send('+919800000003', { clientReference: 'order-8' });
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    expect((await stage.send('+919800000003', { sendAt })).status).to.equal(202);
    const { cookie } = await aPerson(waybill, { role: 'developer', organisationId });
    const [name = '', value = ''] = cookie.split('=');
    const page = await stage.page();
    await page.context().addCookies([{ name, value, url: waybill.url }]);
    await page.goto(`${waybill.url}/console/find?q=order-8`);
    const account = page.getByLabel('Account', { exact: true });
    await account.selectOption(tenant.accountId);
    await page.getByRole('list', { name: 'Attempts' }).getByText('Order shipped').waitFor();
    await page.getByRole('link', { name: 'Scheduled' }).click();
    await page.locator('tbody').getByText('Order shipped').waitFor();
    await account.selectOption('Another shop');
    await page.getByText('Nothing waits').waitFor();
  });

  it('a send that was refused has no message, and its charge tells why', async () => {
    expect((await stage.send(REFUSED)).status).to.equal(502);
    const { apiKey: token } = stage.tenant;
    const { body } = await stage.waybill.call('GET', '/v1/credits', { token });
    const { chargeId } = JSON.parse(body.transactions[0].metadata);
    const page = await stage.open(token, { path: `/find?q=${chargeId}` });
    await page.getByRole('link', { name: chargeId }).click();
    await page.locator('.verdict').getByText('was refunded, because it was not sent').waitFor();
    await page.locator('.verdict').getByText('Who can do it').waitFor();
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
});
