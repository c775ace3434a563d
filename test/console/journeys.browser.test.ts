import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { verifyExport } from '../../src/audit/export-file.ts';
import { parseVerifierKey } from '../../src/audit/seals/note.ts';
import { fixedClock } from '../support/ambient.ts';
import { mustBeAccessible, type Stage, useConsole } from '../support/browser.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { keyboard } from '../support/keyboard.ts';
import { aPerson, PASSWORD } from '../support/people.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN, type Json } from '../support/waybill.ts';

// What people of a shop do on a day, whole, and by keyboard alone. The pages have tests of their own.

/** The simulator refuses a message to this number at once. */
const REFUSED = '+15550199901';
const ASHA = '919812345678';

const signIn = async (page: Page, email: string): Promise<void> => {
  const { type } = keyboard(page);
  await type(page.getByLabel('E-mail'), email);
  await type(page.getByLabel('Password'), PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('#content').waitFor();
};

/** The console, with somebody of the shop signed in. */
const openAs = async (stage: Stage, role: string): Promise<Page> => {
  const { organisationId } = stage.tenant;
  const { email } = await aPerson(stage.waybill, { role, organisationId });
  const page = await stage.page();
  await page.goto(`${stage.waybill.url}/console`);
  await signIn(page, email);
  return page;
};

describe('A day with the console, by keyboard alone @alone', () => {
  const stage = useConsole();
  let callee: Callee;
  before(async () => {
    callee = await startCallee();
  });
  after(() => callee?.close());

  it('an agent is invited, and answers “no code”, “wrong order” and “let me speak to a person”', async () => {
    const { tenant, waybill, simulator } = stage;
    expect((await stage.send(REFUSED)).status).to.equal(502);
    await stage.send(`+${ASHA}`, { clientReference: 'order-1042' });
    const { body } = await waybill.admin('GET', `/organisations/${tenant.organisationId}`);
    const admin = await stage.open(ADMIN_TOKEN, { path: '/people' });
    const asAdmin = keyboard(admin);
    await asAdmin.type(admin.getByLabel('Of', { exact: true }), body.name);
    await admin.getByText('Nobody signs in with a name yet').waitFor();
    await asAdmin.press(admin.getByRole('button', { name: 'Invite' }).first());
    const dialog = admin.getByRole('dialog');
    await asAdmin.type(dialog.getByLabel('Name'), 'Mia');
    await asAdmin.type(dialog.getByLabel('E-mail'), 'mia@shop.example');
    await asAdmin.type(dialog.getByLabel('Role'), 'Agent');
    await asAdmin.press(dialog.getByRole('button', { name: 'Invite' }));
    const text = await admin.getByText(/#invitation=/).textContent();
    const link = /https?:\S+#invitation=[\w.-]+/.exec(text!)![0];
    await admin.keyboard.press('Escape');
    await admin.getByRole('cell', { name: 'Mia', exact: true }).waitFor();
    await mustBeAccessible(admin);

    const page = await stage.page();
    const { press, type, find, leave, begin } = keyboard(page);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await mustBeAccessible(page);
    await type(page.getByLabel('Password'), PASSWORD);
    await type(page.getByLabel('The same again'), PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('#content').waitFor();
    begin();
    // "I did not get the code."
    await find('+1 (555) 019-9901');
    const attempt = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem').first();
    await attempt.getByText('Who can do it').waitFor();
    // "That is not what I ordered."
    await find('order-1042');
    await press(attempt.getByRole('link', { name: 'Order shipped' }));
    await page.getByText('A-77').first().waitFor();
    // "Let me speak to a person."
    const { phoneNumberId } = tenant;
    await simulator.inbound(ASHA, { text: 'A person, please', name: 'Asha', phoneNumberId });
    await press(page.getByRole('link', { name: 'Conversations' }));
    await press(page.getByRole('button', { name: /Asha/ }));
    const talk = page.getByRole('region', { name: 'Conversation with Asha' });
    await press(talk.getByRole('button', { name: 'Take it' }));
    await talk.getByText('You have it').waitFor();
    await type(talk.getByRole('textbox', { name: 'Reply' }), 'Here I am. We send the right one.');
    await page.keyboard.press('Enter');
    await talk.locator('.bubble-outbound').getByText('Here I am.').waitFor();
    await press(talk.locator('summary').filter({ hasText: 'Notes' }));
    const note = talk.getByRole('button', { name: 'Add a note' });
    await press(note);
    await leave(note);
    await press(note);
    await type(page.getByRole('dialog').getByLabel('Note'), 'The tent goes back.');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Add' }));
    await talk.getByText('The tent goes back.').waitFor();
    await press(page.getByRole('button', { name: 'Mine' }));
    await page.getByRole('button', { name: /Asha.*Mia/ }).waitFor();
    await mustBeAccessible(page);
    await press(page.getByRole('button', { name: /Asha.*Mia/ }));
    // It leaves the view, and stays open.
    await press(talk.getByRole('button', { name: 'Leave it' }));
    await talk.getByText('Nobody has taken it').waitFor();
    // An agent has nothing to do with money.
    expect(await page.getByRole('link', { name: 'Balance' }).count()).to.equal(0);
    await press(page.getByRole('button', { name: 'Sign out', exact: true }));
    await signIn(page, 'mia@shop.example');
  });

  it('a developer makes a key, and sees why a webhook fails', async () => {
    callee.answer((response) => {
      response.statusCode = 500;
      response.end('away');
    });
    const page = await openAs(stage, 'developer');
    const { press, type } = keyboard(page);
    await press(page.getByRole('link', { name: 'API keys' }));
    await press(page.getByRole('button', { name: 'New key' }));
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await type(dialog.getByLabel('Name'), 'Shop');
    await press(dialog.getByLabel('notifications:send'), 'Space');
    // Nobody gives a key more than he may himself.
    expect(await dialog.getByLabel('credits:read').count()).to.equal(0);
    expect(await dialog.getByLabel('messages:read').count()).to.equal(0);
    await mustBeAccessible(page);
    await press(dialog.getByRole('button', { name: 'Make the key' }));
    const made = page.getByRole('dialog', { name: 'The key' });
    const token = /wb_live_\w+/.exec((await made.textContent())!)![0];
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'notifications:send' }).waitFor();
    const listed = await stage.waybill.call('GET', '/v1/webhooks', { token });
    expect(listed.status).to.equal(403);

    await press(page.getByRole('link', { name: 'Webhooks' }));
    await press(page.getByRole('button', { name: 'New webhook' }).first());
    const form = page.getByRole('dialog', { name: 'New webhook' });
    await type(form.getByLabel('URL'), `${callee.url}/orders`);
    await press(form.getByLabel(/^message\.delivered/), 'Space');
    await press(form.getByRole('button', { name: 'Create' }));
    await page
      .getByRole('dialog', { name: 'The secret' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.keyboard.press('Escape');
    await press(page.getByRole('link', { name: `${callee.url}/orders` }));
    await press(page.getByRole('button', { name: 'Send a test' }));
    await press(page.getByRole('link', { name: 'webhook.test' }).first());
    // What was answered may hold what customers wrote, which a developer does not read.
    const answers = page.locator('.card').filter({ hasText: 'Answers' });
    await answers.getByText('500', { exact: true }).waitFor();
    await answers.getByText('not for this role').waitFor();
    await mustBeAccessible(page);
  });

  it('an operator finds a silent number from the overview', async () => {
    const page = await stage.open(ADMIN_TOKEN);
    const { press } = keyboard(page);
    const { body } = await stage.waybill.admin('GET', '/numbers/health');
    const { accountId, phoneNumberId } = stage.tenant;
    const silent = { problems: ['silent'], waitingSince: new Date().toISOString() };
    const numbers = body.numbers.map((one: Json) =>
      one.phoneNumberId === phoneNumberId ? { ...one, ...silent } : one,
    );
    await page.route('**/numbers/health?*', (route) =>
      route.fulfill({ json: { numbers, nextCursor: null } }),
    );
    await page.reload();
    await page.getByText('Numbers with a problem').waitFor();
    await press(page.locator('main a[href$="/number-health"]'));
    const row = page.getByRole('row').nth(1);
    await row.getByText('No status has come for what it sent.').waitFor();
    await row.getByRole('link', { name: /^Runbook/ }).waitFor();
    await mustBeAccessible(page);
    await press(row);
    await page.waitForURL(`**/accounts/${accountId}?tab=numbers`);
  });
});

describe('A month with the console, by keyboard alone @alone @series', () => {
  const clock = fixedClock(Date.UTC(2026, 10, 20, 9));
  const stage = useConsole({ clock });

  it('a manager tops up, sends 500 rows, and closes the month', async () => {
    const { waybill, tenant } = stage;
    const page = await openAs(stage, 'manager');
    const { press, type, takeFile, begin } = keyboard(page);
    await press(page.getByRole('link', { name: 'Balance' }));
    await press(page.getByRole('button', { name: 'Set the warning' }));
    const dialog = page.getByRole('dialog');
    await type(dialog.getByLabel('Warn below, in credits'), '600');
    await page.keyboard.press('Enter');
    const warns = page.locator('.stat').filter({ hasText: 'Warns below' });
    await warns.getByText('600 credits').waitFor();
    const asks = page.getByRole('link', { name: 'Ask for a top-up' });
    expect(await asks.getAttribute('href')).to.match(/^mailto:money@words\.example\?subject=/);
    const grant = { amount: 500, reason: 'invoice 7' };
    await waybill.admin('POST', `/accounts/${tenant.accountId}/credits/grant`, grant);
    await page.reload();
    begin();
    await page.locator('.stat').filter({ hasText: '1500 credits' }).waitFor();
    await mustBeAccessible(page);

    await press(page.getByRole('link', { name: 'Send', exact: true }));
    await type(page.getByLabel('Event'), 'Order delivered');
    await type(page.getByLabel('Recipient'), `+${ASHA}`);
    await type(page.getByLabel('customerName'), 'Asha');
    await type(page.getByLabel('orderId'), 'A-1042');
    await page.getByText('It will cost 1 credit').waitFor();
    await press(page.getByRole('button', { name: 'Send the message' }));
    await page.getByText('WhatsApp has taken it.').waitFor();

    await press(page.getByRole('link', { name: 'Jobs' }));
    await press(page.getByRole('link', { name: 'New job' }));
    const choosing = page.waitForEvent('filechooser');
    await press(page.getByLabel('File'), 'Enter');
    const lines = Array.from(
      { length: 500 },
      (_, at) => `+9198${String(10_000_000 + at)},A-${at},AWB${at},https://shop.example/t/${at}`,
    );
    const csv = ['phone,orderId,awbCode,trackingLink', ...lines].join('\n');
    const file = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await (await choosing).setFiles(file);
    await type(page.getByLabel('Event'), 'Order shipped');
    await press(page.getByRole('button', { name: 'Check the file' }));
    const facts = page.locator('dl > div');
    await facts.filter({ hasText: 'It costs' }).getByText('500 credits').waitFor();
    await press(page.getByRole('button', { name: 'Start', exact: true }));
    await untilTrue('the job to be done', async () =>
      /done/.test((await facts.filter({ hasText: 'State' }).textContent())!),
    );
    const result = await takeFile(page.getByRole('button', { name: 'Download the result' }));
    expect(result.trimEnd().split('\n')).to.have.length(501);

    // The month ends, and the first seal of the next one makes its statement final.
    clock.advance(Date.UTC(2026, 11, 1, 0, 5) - clock.now());
    expect((await waybill.admin('POST', '/ledger/seals')).status).to.equal(201);
    const later = await openAs(stage, 'manager');
    const closing = keyboard(later);
    await closing.press(later.getByRole('link', { name: 'Balance' }));
    await closing.press(later.getByRole('link', { name: '2026-11' }));
    await later.getByText('final: it never changes again').waitFor();
    await later.getByText('make the closing balance, exactly').waitFor();
    await mustBeAccessible(later);
    const button = (name: string) => later.getByRole('button', { name, exact: true });
    expect(await closing.takeFile(button('Page to print'))).to.include(tenant.accountId);
    const movements = await closing.takeFile(button('Download as CSV'));
    expect(movements.split('\n')).to.have.length(504);
    const proof = await closing.takeFile(button('Download the proof'));
    async function* linesOf() {
      yield* proof.trimEnd().split('\n');
    }
    const { body } = await waybill.admin('GET', '/ledger/seals');
    const keys = [parseVerifierKey(body.key)];
    const { ok, problems } = await verifyExport(linesOf(), undefined, { keys });
    expect([ok, problems]).to.deep.equal([true, []]);
  });
});
