import { expect } from 'chai';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';

describe('A journey through the console: the first send of a tenant @alone', () => {
  const stage = useConsole();

  it('an event is chosen and filled in, its text shown, its cost told, its story opened', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/send?event=order_shipped' });
    const send = page.getByRole('button', { name: 'Send the message' });
    await page.getByLabel('Recipient').fill('+919812345678');
    await page.getByLabel('orderId').fill('A-<i>1042</i>');
    await page.getByLabel('awbCode').fill('   ');
    await page.getByLabel('trackingLink').fill('https://track.example/1');
    await send.click();
    await page.getByText('Enter a value for awbCode').waitFor();
    await page.getByLabel('awbCode').fill('AWB-7');
    const preview = page.getByRole('figure', { name: 'Preview of the message' });
    expect(await preview.textContent())
      .to.include('A-<i>1042</i>')
      .and.include('AWB-7');
    await page.getByText('It will cost 1 credit').waitFor();
    await page.getByText('and leave 999 credits').waitFor();
    await send.click();
    const answer = page.getByRole('status', { name: 'The answer' });
    await answer.getByText('UTILITY').waitFor();
    expect(await answer.textContent())
      .to.include('1 credit')
      .and.include('999 credits');
    await mustBeAccessible(page);
    await answer.getByRole('link', { name: 'Follow its whole story' }).click();
    await page.getByText('It cost').waitFor();
  });

  it('a refusal stays beside what was typed, and nothing is charged', async () => {
    const { apiKey: token } = stage.tenant;
    const balance = async () =>
      (await stage.waybill.call('GET', '/v1/credits', { token })).body.balance;
    const before = await balance();
    stage.expectStatus(502);
    const page = await stage.open(token, {
      path: '/send?event=order_shipped',
      viewport: { width: 390, height: 800 },
    });
    await page.getByLabel('Recipient').fill('nobody at all');
    for (const name of ['orderId', 'awbCode', 'trackingLink'])
      await page.getByLabel(name).fill('x');
    await page.getByRole('button', { name: 'Send the message' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Strict').check();
    await page.getByText('It would be refused, and cost nothing.').waitFor();
    await page.getByRole('button', { name: 'Send the message' }).click();
    await page.getByRole('alert').getByText('to', { exact: true }).waitFor();
    expect(await page.getByLabel('Recipient').inputValue()).to.equal('nobody at all');
    expect(await balance()).to.equal(before);
    expect(await overflow(page)).to.equal(0);
  });

  it('what goes out later is listed with its time, sent now, or cancelled', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const to of ['+919800000011', '+919800000012']) {
      expect((await stage.send(to, { sendAt })).status).to.equal(202);
    }
    const page = await stage.open(stage.tenant.apiKey, { path: '/scheduled' });
    const open = async (to: string, verb: string) => {
      await page.getByRole('button', { name: `message to +${to}` }).click();
      await page.getByRole('menuitem', { name: verb }).click();
    };
    const confirm = (action: string) =>
      page.getByRole('dialog').getByRole('button', { name: action }).click();
    await open('919800000011', 'Cancel');
    // The list behind the dialog looks again meanwhile.
    expect((await stage.send('+919800000013', { sendAt })).status).to.equal(202);
    await page.locator('tbody').getByText('919800000013').waitFor();
    await confirm('Cancel it');
    await page.getByText('It is cancelled').waitFor();
    await open('919800000013', 'Cancel');
    await confirm('Cancel it');
    await open('919800000012', 'Send now');
    await confirm('Send now');
    await page.getByText('Nothing waits').waitFor();
    await page.getByRole('button', { name: 'Cancelled' }).click();
    await page.getByRole('row').filter({ hasText: '919800000011' }).waitFor();
    await mustBeAccessible(page);
  });

  it('numbers tell their health and take a URL to forward to', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/numbers' });
    await page.getByText(stage.tenant.phoneNumberId, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Forward' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://shop.example/hook');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Inbound messages are forwarded').waitFor();
    const log = await stage.waybill.log();
    expect(JSON.stringify(log.map(({ data }) => data))).to.include('https://shop.example/hook');
  });

  it('a template of its own is previewed, submitted and shown', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/templates' });
    await page.getByText('18 of 18 ready').waitFor();
    await page.getByRole('tab', { name: 'All templates' }).click();
    await page.getByRole('button', { name: 'New template' }).click();
    const dialog = page.getByRole('dialog', { name: 'New template' });
    await dialog.getByLabel('Name').fill('spring_sale');
    await dialog
      .getByLabel('Text')
      .fill('Hi {{customerName}}, our sale begins on {{day}}. Come and see.');
    await dialog.getByLabel('Sample for customerName').fill('Asha');
    await dialog.getByLabel('Sample for day').fill('1 March');
    const preview = dialog.getByRole('figure');
    expect(await preview.textContent()).to.equal(
      'Hi Asha, our sale begins on 1 March. Come and see.',
    );
    await mustBeAccessible(page);
    await dialog.getByRole('button', { name: 'Submit for approval' }).click();
    await page.getByRole('cell', { name: 'spring_sale' }).click();
    const shown = page.getByRole('dialog', { name: 'spring_sale' });
    await shown.getByText('Hi Asha, our sale begins on 1 March.').waitFor();
    await shown.getByText('As WhatsApp holds it').click();
    await shown.getByText('Hi {{1}}, our sale begins on {{2}}.').waitFor();
  });
});
