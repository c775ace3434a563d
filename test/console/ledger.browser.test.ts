import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { makeAdministrator } from '../support/people.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

describe('A journey through the console: a month is proved by clicking @alone', () => {
  const stage = useConsole();
  const lamps = (page: Page | Locator) => page.locator('.light strong').allTextContents();
  const auditor = async (): Promise<string> => (await makeAdministrator(stage.waybill)).token;
  const fileOf = async (page: Page, press: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return readFileSync(await file.path(), 'utf8');
  };
  before(async () => {
    for (let sent = 0; sent < 3; sent += 1) await stage.send();
    expect((await stage.waybill.admin('POST', '/ledger/seals')).status).to.equal(201);
  });

  it('an auditor goes from the account to statement, verify, seal and proof', async () => {
    const { accountId } = stage.tenant;
    const page = await stage.open(await auditor(), { path: `/accounts/${accountId}?tab=ledger` });
    await page.getByRole('link', { name: 'Prove a month' }).click();
    await page.getByText('make the closing balance, exactly').waitFor();
    const html = page.getByRole('link', { name: 'Page to print' });
    const [statement] = await Promise.all([page.context().waitForEvent('page'), html.click()]);
    await statement.getByText(accountId).first().waitFor();
    await statement.close();
    const csv = await fileOf(page, () => page.getByRole('link', { name: 'CSV' }).click());
    expect(csv).to.contain(accountId);

    const verify = page.locator('.guide li').nth(1);
    expect(await lamps(verify)).to.deep.equal(Array(4).fill('not checked'));
    await page.getByRole('button', { name: 'Verify the month' }).click();
    await verify.getByText('4 movements of 1 account').waitFor();
    expect(await lamps(verify)).to.deep.equal(Array(4).fill('checked'));
    await page.getByText('The last seal covers link 4, with the hash of the statement.').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Seal now' }).count()).to.equal(0);

    const proof = page.getByRole('button', { name: 'Proof of the account' });
    expect(await fileOf(page, () => proof.click())).to.contain(accountId);
    await mustBeAccessible(page);
    await page.getByRole('link', { name: 'Order shipped' }).first().click();
    // Its page says this alone; the month's says it in a sentence, which may still be there.
    await page.getByText('Where it stands in the books', { exact: true }).click();
    await page.getByRole('button', { name: /^Download the proof of/ }).waitFor();
  });

  it('the chain is shown link by link, and a link that does not follow turns it red', async () => {
    const { accountId } = stage.tenant;
    const page = await stage.open(ADMIN_TOKEN, { path: `/accounts/${accountId}?tab=chain` });
    await page.getByText('Links 1 to 4: each names the hash of the one before.').waitFor();
    await page.route('**/events?*', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      const charges = body.events.filter(({ type }: { type: string }) => type === 'ChargeReserved');
      charges[1].link.previousHash = charges[0].link.previousHash;
      return route.fulfill({ response: answer, json: body });
    });
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('Link 3 does not follow the one before.').waitFor();
    await page.getByRole('cell', { name: 'NOT the one before' }).waitFor();
  });

  it('the balance of any moment is counted as the slider moves', async () => {
    const { accountId } = stage.tenant;
    const page = await stage.open(ADMIN_TOKEN, { path: `/accounts/${accountId}?tab=ledger` });
    // All movements of a test have one time: the account's beginning is answered in the service's place.
    const opened = await stage.waybill.admin('GET', `/accounts/${accountId}`);
    const shown = page.locator('.as-of .stat-value');
    await shown.getByText('997').waitFor();
    await page.route('**/balance?*', async (route) => {
      const asOf = new URL(route.request().url()).searchParams.get('asOf')!;
      const balance = asOf === opened.body.createdAt ? 7 : 997;
      return route.fulfill({ json: { balance, asOf, entryId: null } });
    });
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await shown.getByText('7 credits', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await shown.getByText('997').waitFor();
    await mustBeAccessible(page);
  });

  it('the whole ledger is verified, and nothing is green that was not checked', async () => {
    const page = await stage.open(await auditor(), { path: '/verify' });
    expect(await lamps(page)).to.deep.equal(Array(3).fill('not checked'));
    await page.getByRole('button', { name: 'Verify everything' }).click();
    await page.getByText('signatures were not checked').waitFor();
    expect(await lamps(page)).to.deep.equal(Array(3).fill('checked'));
    await mustBeAccessible(page);
    const report = {
      ok: false,
      accounts: 1,
      movements: 4,
      problemCount: 1,
      readModel: true,
      seals: null,
      problems: [{ accountId: stage.tenant.accountId, kind: 'hash', at: '7', detail: 'other' }],
    };
    const answer = (step: object) =>
      page.route(
        '**/ledger/verify/follow',
        (route) =>
          route.fulfill({
            contentType: 'text/event-stream',
            body: `data: ${JSON.stringify(step)}\n\n`,
          }),
        { times: 1 },
      );
    await answer({ report });
    await page.getByRole('button', { name: 'Verify everything' }).click();
    await page.getByText('1 problem', { exact: true }).waitFor();
    expect(await lamps(page)).to.deep.equal(Array(3).fill('wrong'));
    // An answer that ends before the result, as after a lost connection, verifies nothing.
    const progress = { events: 3, ofEvents: 9, accounts: 1, compared: 0, position: '3', head: '9' };
    await answer({ progress });
    await page.getByRole('button', { name: 'Verify everything' }).click();
    await page.getByText('was interrupted').waitFor();
    expect(await lamps(page)).to.deep.equal(Array(3).fill('not checked'));
  });

  it('a verification shows how far it is, and is cancelled', async () => {
    const page = await stage.open(await auditor(), { path: '/verify' });
    const held = Promise.withResolvers<void>();
    await page.route('**/ledger/verify/follow', async (route) => {
      await held.promise;
      await route.abort();
    });
    await page.getByRole('button', { name: 'Verify everything' }).click();
    await page.getByText('Reading the log').waitFor();
    expect(await lamps(page)).to.deep.equal(Array(3).fill('checking'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled: nothing is verified').waitFor();
    expect(await lamps(page)).to.deep.equal(Array(3).fill('not checked'));
    held.resolve();
  });

  it('a tenant sees the balance and its movements, and downloads a proof', async () => {
    const limits = `/accounts/${stage.tenant.accountId}/limits`;
    await stage.waybill.admin('PATCH', limits, { timeZone: 'Asia/Kolkata' });
    const options = { path: '/credits', viewport: { width: 390, height: 844 } };
    const page = await stage.open(stage.tenant.apiKey, { ...options, colorScheme: 'dark' });
    await page.locator('.stat-value').getByText('997').waitFor();
    expect(await overflow(page)).to.equal(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByText(/days? at this rate|more than a year/).waitFor();
    const statement = page.getByRole('button', { name: /^CSV: the statement/ }).first();
    expect(await fileOf(page, () => statement.click())).to.contain(stage.tenant.accountId);
    await page.getByLabel('Movement', { exact: true }).selectOption('GRANT');
    await page.getByLabel('Since').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/type=GRANT/);
    expect(new URL(page.url()).searchParams.get('since')).to.include('2019-12-31T18:30:00.000Z');
    expect(await page.getByLabel('Since').inputValue()).to.equal('2020-01-01T00:00');
    await page.locator('tbody tr').filter({ hasText: 'topped up' }).waitFor();
    expect(await page.locator('tbody tr').count()).to.equal(1);
    const movements = page.getByRole('button', { name: 'Download these as CSV' });
    const rows = (await fileOf(page, () => movements.click())).split('\n');
    expect(rows.map((row) => row.split(',')[1])).to.deep.equal(['movement', '"GRANT"']);
    const topUp = page.getByRole('link', { name: 'Ask for a top-up' });
    expect(await topUp.getAttribute('href')).to.include(
      'mailto:money@words.example?subject=Top-up',
    );
    await page.getByLabel('Movement', { exact: true }).selectOption('');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('tbody tr').filter({ hasText: 'charged' }).first().click();
    // Its page says this alone; the month's says it in a sentence, which may still be there.
    await page.getByText('Where it stands in the books', { exact: true }).click();
    const proof = page.getByRole('button', { name: /^Download the proof of/ });
    const proved = JSON.parse(await fileOf(page, () => proof.click()));
    expect(proved.link.type).to.equal('ChargeReserved');
  });

  it('an operator seals the ledger, and sees what reconcile left over', async () => {
    const page = await stage.open(ADMIN_TOKEN, { path: '/seals' });
    await page.getByRole('row').nth(1).click();
    const seal = page.getByRole('dialog', { name: /^Seal \d+$/ });
    await seal.getByText(/— /).waitFor();
    await page.keyboard.press('Escape');
    await stage.send();
    await page.getByRole('button', { name: 'Seal now' }).click();
    await page.getByRole('button', { name: 'Seal', exact: true }).click();
    await page.getByText(/Seal \d+ was made/).waitFor();
    await page.getByRole('link', { name: 'Reconciliation' }).click();
    await page.getByText('Charges compared').waitFor();
  });
});
