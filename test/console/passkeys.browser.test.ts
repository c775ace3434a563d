import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { mustBeAccessible, useConsole } from '../support/browser.ts';
import { CLIENT, startIssuer } from '../support/issuer.ts';
import { invite } from '../support/people.ts';
import { openTenant, startWaybill } from '../support/waybill.ts';

/** A device that says yes to everything. */
const withDevice = async (page: Page) => {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', { options });
  return async () =>
    (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
};

describe('A journey through the console: a person with a passkey @alone', () => {
  const stage = useConsole();

  it('accepts the invitation with it, signs in with it, and adds and removes others', async () => {
    const { waybill, tenant } = stage;
    const { organisationId } = tenant;
    const { link } = await invite(waybill, { name: 'Pia', role: 'agent', organisationId });
    // A passkey belongs to a name, which an address is not.
    const origin = waybill.url.replace('127.0.0.1', 'localhost');
    const page = await stage.page();
    const keysOfDevice = await withDevice(page);
    await page.goto(origin + link);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('link', { name: 'Pia' }).waitFor();
    expect(await keysOfDevice()).to.equal(1);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('link', { name: 'Pia' }).click();
    await page.getByRole('cell', { name: 'First passkey', exact: true }).waitFor();
    await mustBeAccessible(page);

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('cell', { name: 'First passkey', exact: true })
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: 'a passkey' }).getByText('this one').waitFor();
  });

  it('signs in at the issuer of OpenID Connect, which is another site', async () => {
    const issuer = await startIssuer({ host: 'localhost' });
    const openId = { ...CLIENT, issuer: issuer.url, roles: null };
    const waybill = await startWaybill({ openId });
    const own = await stage.page();
    const page = await own.context().browser()!.newPage();
    try {
      const { organisationId } = await openTenant(waybill, { number: false });
      const { email } = await invite(waybill, { name: 'Pia', role: 'agent', organisationId });
      await page.goto(`${waybill.url}/console`);
      const button = page.getByRole('link', { name: `Sign in with ${new URL(issuer.url).host}` });
      issuer.claims = { email: 'stranger@shop.example', email_verified: true };
      await button.click();
      await page.getByText('Nobody with this e-mail was invited').waitFor();
      await mustBeAccessible(page);
      await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
      issuer.claims = { email, email_verified: true };
      await button.click();
      await page.getByRole('link', { name: 'Pia' }).waitFor();
    } finally {
      await page.close();
      await waybill.stop();
      await issuer.close();
    }
  });
});
