import { expect } from 'chai';
import { mustBeAccessible, useConsole } from '../support/browser.ts';
import { makeAdministrator } from '../support/people.ts';
import { changePayload } from '../support/surface.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

describe('A journey through the console: what waits for an operator? @alone', () => {
  const stage = useConsole();
  /** An item that the service does not understand. */
  const kept = async () => {
    const { wabaId } = stage.tenant;
    await stage.waybill.webhook(changePayload(wabaId, 'unheard_of', { text: '<i>hm</i>' }));
  };

  it('a dead letter is read whole, tried again and dismissed', async () => {
    await kept();
    const page = await stage.open(ADMIN_TOKEN, { path: '/dead-letters' });
    await page.getByRole('link', { name: 'Runbook: dead letters' }).click();
    await page.getByRole('heading', { name: 'Dead letters' }).waitFor();
    expect(page.url()).to.match(/\/docs\/runbooks#dead-letters$/);
    await page.goBack();
    await page.getByRole('row').filter({ hasText: 'unheard_of' }).click();
    await page.getByText('<i>hm</i>').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Still not').waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss this dead letter' });
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('dismissed', { exact: true }).waitFor();
    const { body } = await stage.waybill.admin('GET', '/dead-letters?state=dismissed');
    expect(body.deadLetters).to.have.length(1);
  });

  it('a grant waits for another administrator, who approves it', async () => {
    const { waybill, tenant } = stage;
    const made = await makeAdministrator(waybill, 'admin');
    const organisation = `/organisations/${tenant.organisationId}`;
    await waybill.admin('PATCH', organisation, { fourEyes: ['grant'] });
    const account = `/accounts/${tenant.accountId}`;
    const { body: before } = await waybill.admin('GET', account);
    const own = await stage.open(ADMIN_TOKEN, { path: account });
    await own.getByRole('button', { name: 'Grant credits' }).click();
    const grant = own.getByRole('dialog');
    await grant.getByLabel('Credits', { exact: true }).fill('7');
    await grant.getByLabel('Reason').fill('sorry');
    await grant.getByRole('button', { name: 'Grant', exact: true }).click();
    await own.getByText('it waits for another administrator').waitFor();
    await own.getByRole('link', { name: 'Approvals' }).click();
    await own.getByText('yours: another decides').waitFor();
    const page = await stage.open(made.token, { path: '/approvals' });
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Say yes to this' });
    await dialog.getByText('Grant 7 credits').waitFor();
    await dialog.getByText('sorry').waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Nothing waits for a second person').waitFor();
    const { body: after } = await waybill.admin('GET', account);
    expect(after.balance).to.equal(before.balance + 7);
    await page.getByLabel('Also what is decided').check();
    await page.getByRole('row').filter({ hasText: 'approved' }).first().waitFor();
    const off = await waybill.admin('PATCH', organisation, { fourEyes: [] });
    await waybill.call('POST', `/admin/v1/approvals/${off.body.approval.id}/approve`, {
      token: made.token,
    });
  });

  it('a read model is rebuilt, and the trail tells who asked for an erasure', async () => {
    await stage.send();
    const page = await stage.open(ADMIN_TOKEN, { path: '/projections' });
    await page.getByRole('button', { name: 'Rebuild ledger' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
    await page.getByText('ledger is being rebuilt').waitFor();

    await page.getByRole('link', { name: 'Erasures' }).click();
    await page.getByRole('button', { name: 'Erase a contact' }).click();
    await page.getByLabel('Number or user id').fill('+919812345678');
    await page.getByLabel('I know that nobody can take this back').check();
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'all accounts' }).first().waitFor();

    await page.getByRole('link', { name: 'Audit trail' }).click();
    const row = page.getByRole('row').filter({ hasText: 'erasure requested' }).first();
    expect(await row.textContent()).to.contain('Root administrator');
  });
});
