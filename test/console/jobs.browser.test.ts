import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { untilTrue } from '../support/until.ts';
import { openTenant } from '../support/waybill.ts';

/** The simulator refuses a message to this number at once. */
const REFUSED = '+15550199901';
const telephone = { viewport: { width: 390, height: 844 } } as const;

const line = (phone: string, awb = 'AWB1') => `${phone},A-1,${awb},https://shop.example/t/1\n`;
const file = (...lines: string[]) => ({
  name: 'rows.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\ufeffPhone,"Order, or so",awb_code,trackingLink\n${lines.join('')}`),
});

describe('A journey through the console: a job of a file @alone', () => {
  const stage = useConsole();

  const upload = async (page: Page, name: string, ...lines: string[]) => {
    await page.getByLabel('File').setInputFiles(file(...lines));
    await page.getByLabel('Event').selectOption('order_shipped');
    await page.getByLabel('orderId').selectOption('Order, or so');
    await page.getByLabel('Name').fill(name);
  };
  const check = (page: Page) => page.getByRole('button', { name: 'Check the file' }).click();
  const fact = (page: Page, name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd');
  const see = async (page: Page, name: string, value: string) =>
    untilTrue(`${name} to be ${value}`, async () =>
      (await fact(page, name).allTextContents()).includes(value),
    );
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('a file is mapped and checked, its plan started, its rows looked at, its result kept', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/jobs', ...telephone });
    await page.getByText('No job yet').waitFor();
    await page.getByRole('link', { name: 'New job' }).click();
    await page.getByLabel('File').setInputFiles({ ...file(), buffer: Buffer.from('PK\u0003') });
    await page.getByText('save it as CSV UTF-8').waitFor();
    const good = '+919812345678';
    const rows = [good, '+919812345679', good, '12', REFUSED].map((phone) => line(phone));
    await upload(page, 'Autumn', ...rows);
    expect(await page.getByLabel('Recipient').inputValue()).to.equal('Phone');
    expect(await page.getByLabel('awbCode').inputValue()).to.equal('awb_code');
    await mustBeAccessible(page);
    expect(await overflow(page)).to.equal(0);
    await check(page);
    await page.getByRole('heading', { name: 'Autumn' }).waitFor();
    await see(page, 'Good', '3');
    await see(page, 'Bad', '1');
    await see(page, 'Duplicates', '1');
    await see(page, 'It costs', '3 credits');
    await see(page, 'Waiting', '3');
    await page.getByLabel('Rows that are').selectOption('bad');
    await page.getByText('no possible telephone number').waitFor();
    await mustBeAccessible(page);
    expect(await overflow(page)).to.equal(0);
    await button(page, 'Start').click();
    await see(page, 'State', 'done');
    await see(page, 'Charged so far', '2 credits');
    expect(await page.getByRole('progressbar').getAttribute('value')).to.equal('3');
    await page.getByLabel('Rows that are').selectOption('duplicate');
    await page.getByText('has the recipient of row 1').waitFor();
    const coming = page.waitForEvent('download');
    await button(page, 'Download the result').click();
    expect((await coming).suggestedFilename()).to.match(/^job_.*\.csv$/);
    await button(page, 'Retry what failed').click();
    await see(page, 'Good', '1');
    await see(page, 'It costs', '1 credit');
    await page.goto(`${stage.waybill.url}/console/jobs`);
    await page.getByRole('row').filter({ hasText: 'Autumn' }).getByText('3 of 3').waitFor();
    expect(await overflow(page)).to.equal(0);
  });

  it('a pause says why; the job goes on, is paused by hand, and cancelled for good', async () => {
    const { waybill } = stage;
    const wallet = { name: 'W', billing: 'wallet', currency: 'USD', markupPercent: '0' };
    const { body: plan } = await waybill.admin('POST', '/plans', wallet);
    const poor = await openTenant(waybill, { planId: plan.id });
    const topUp = { amount: '5.00' };
    await waybill.admin('POST', `/accounts/${poor.accountId}/wallet/top-up`, topUp);
    const page = await stage.open(poor.apiKey, { path: '/jobs/new' });
    const lines = ['+919812345670', '+919812345671'].map((to) =>
      JSON.stringify({ to, orderId: 'A-1', awbCode: 'AWB1', trackingLink: 'https://x.example' }),
    );
    const buffer = Buffer.from(lines.join('\n'));
    const json = { name: 'rows.jsonl', mimeType: 'application/x-ndjson', buffer };
    await page.getByLabel('File').setInputFiles(json);
    await page.getByLabel('Event').selectOption('order_shipped');
    await page.getByText('in the money of the wallet').waitFor();
    await check(page);
    await fact(page, 'It costs')
      .getByText(/^0\.\d+ USD$/)
      .waitFor();
    await button(page, 'Start').click();
    await page.getByText('The template of this event is not approved').waitFor();
    await see(page, 'Waiting', '2');
    await mustBeAccessible(page);
    await button(page, 'Go on').click();
    await see(page, 'State', 'paused');
    await button(page, 'Cancel').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
    await see(page, 'State', 'cancelled');
    expect(await button(page, 'Go on').count()).to.equal(0);
  });

  it('one that waits for its time is paused by hand; a file without use is refused', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/jobs/new' });
    await upload(page, 'Tomorrow', line('+919812345672'));
    await page.getByLabel('Charge at most').fill('5');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel('Send from').fill(tomorrow);
    await check(page);
    await see(page, 'Charges at most', '5 credits');
    await button(page, 'Start').click();
    await button(page, 'Pause').click();
    await page.getByText('It was paused by hand.').waitFor();
    await page.goto(`${stage.waybill.url}/console/jobs/new`);
    await upload(page, 'Empty');
    await check(page);
    await page.getByRole('alert').getByText('has no rows').waitFor();
    expect(await page.getByLabel('Name').inputValue()).to.equal('Empty');
  });
});
