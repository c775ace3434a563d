import { expect } from 'chai';
import { mustBeAccessible, useConsole } from '../support/browser.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

const PASSWORD = 'correct horse battery';

describe('A journey through the console: an agent is invited, and takes a conversation @alone', () => {
  const stage = useConsole();

  it('by a link that is shown once, with a password of her own', async () => {
    const { tenant, waybill, simulator } = stage;
    const { phoneNumberId } = tenant;
    await simulator.inbound('919812345678', { text: 'Where is it?', name: 'Asha', phoneNumberId });
    const { body } = await waybill.admin('GET', `/organisations/${tenant.organisationId}`);
    const admin = await stage.open(ADMIN_TOKEN, { path: '/people' });
    await admin.getByLabel('Of', { exact: true }).selectOption(body.name);
    await admin.getByRole('button', { name: 'Invite' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Mia');
    await dialog.getByLabel('E-mail').fill('mia@shop.example');
    await dialog.getByLabel('Role').selectOption('agent');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const text = await admin.getByText(/#invitation=/).textContent();
    const link = /https?:\S+#invitation=[\w.-]+/.exec(text!)![0];
    await admin.getByRole('button', { name: 'Close' }).click();
    await admin.getByRole('cell', { name: 'Mia', exact: true }).waitFor();
    await mustBeAccessible(admin);

    const page = await admin.context().browser()!.newPage();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await mustBeAccessible(page);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('The same again').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set it and sign in' }).click();
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('button', { name: /Asha/ }).click();
    const talk = page.getByRole('region', { name: 'Conversation with Asha' });
    await talk.getByRole('button', { name: 'Take it' }).click();
    await talk.getByText('You have it').waitFor();
    await talk.getByText('Notes').click();
    await talk.getByRole('button', { name: 'Add a note' }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('The parcel is at the neighbour.');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await talk.getByText('The parcel is at the neighbour.').waitFor();
    await page.getByRole('button', { name: 'Mine' }).click();
    await page.getByRole('button', { name: /Asha.*Mia/ }).waitFor();
    await mustBeAccessible(page);
    expect(await page.getByRole('link', { name: 'Credits' }).count()).to.equal(0);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('E-mail').fill('mia@shop.example');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Mia').first().waitFor();
    await page.close();
  });
});
