import { expect } from 'chai';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';
import { aPerson } from '../support/people.ts';
import { until, untilTrue } from '../support/until.ts';

describe('A journey through the console: a customer asks, and is answered @alone', () => {
  const stage = useConsole();
  const asks = (text: string, name = 'Mia') =>
    stage.simulator.inbound('919812345678', {
      text,
      name,
      phoneNumberId: stage.tenant.phoneNumberId,
    });

  it('a question comes in by itself, its window is open, and the reply goes out once', async () => {
    await asks('When are you open?');
    const page = await stage.open(stage.tenant.apiKey, { path: '/conversations' });
    await page.getByRole('button', { name: /Mia/ }).click();
    const talk = page.getByRole('region', { name: 'Conversation with Mia' });
    await talk.getByText('When are you open?').waitFor();
    await asks('Hello? <script>alert(1)</script>');
    await talk.getByText('Hello? <script>alert(1)</script>').waitFor();
    await talk.getByRole('textbox', { name: 'Reply' }).fill('From nine to six.');
    await talk.getByRole('button', { name: 'Send' }).click();
    await talk.locator('.bubble-outbound').getByText('From nine to six.').waitFor();
    expect(await talk.locator('.bubble-outbound').count()).to.equal(1);
    await mustBeAccessible(page);
  });

  it('by keyboard alone: what was typed is kept, Enter sends it, and the customer sees the typing', async () => {
    await asks('And on Sunday?');
    const page = await stage.open(stage.tenant.apiKey, { path: '/conversations' });
    const thread = page.getByRole('button', { name: /Mia/ });
    await thread.focus();
    await page.keyboard.press('Enter');
    const talk = page.getByRole('region', { name: 'Conversation with Mia' });
    await talk.getByText('And on Sunday?').waitFor();
    const box = talk.getByRole('textbox', { name: 'Reply' });
    await box.focus();
    await page.keyboard.type('Closed');
    await untilTrue('the customer to see it', async () => {
      const log = await stage.waybill.log();
      return log.some(({ type }) => type === 'MessageMarkedRead');
    });
    await page.reload();
    await box.focus();
    expect(await box.inputValue()).to.equal('Closed');
    await page.keyboard.press('End');
    await page.keyboard.type(', sorry');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: '🙏' }).press('Enter');
    await box.focus();
    await page.keyboard.press('Enter');
    await talk.locator('.bubble-outbound').getByText('Closed, sorry🙏').waitFor();
    expect(await box.inputValue()).to.equal('');
  });

  it('what is typed while a reply is under way stays, and a failed one is sent anew', async () => {
    await asks('Is it in stock?');
    const page = await stage.open(stage.tenant.apiKey, { path: '/conversations' });
    await page.getByRole('button', { name: /Mia/ }).click();
    const talk = page.getByRole('region', { name: 'Conversation with Mia' });
    const box = talk.getByRole('textbox', { name: 'Reply' });
    const keys: (string | undefined)[] = [];
    const held = Promise.withResolvers<void>();
    stage.expectStatus(504);
    await page.route('**/v1/messages/send', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length === 1) {
        const json = { error: 'It may have gone out', code: 'OUTCOME_UNKNOWN' };
        return route.fulfill({ status: 504, json });
      }
      await held.promise;
      return route.continue();
    });
    await box.fill('It is.');
    await page.keyboard.press('Enter');
    await talk.getByRole('alert').getByText('It may have gone out').waitFor();
    await box.focus();
    await page.keyboard.press('Enter');
    await until('the second try', () => keys.length === 2);
    expect(new Set(keys).size).to.equal(2);
    await page.keyboard.press('End');
    await page.keyboard.type(' In blue');
    held.resolve();
    await talk.locator('.bubble-outbound').getByText('It is.', { exact: true }).waitFor();
    expect(await box.inputValue()).to.equal('In blue');
  });

  it('a file goes out with its words, and can be saved from the thread', async () => {
    await asks('Do you have a plan of the shop?');
    const page = await stage.open(stage.tenant.apiKey, { path: '/conversations' });
    await page.getByRole('button', { name: /Mia/ }).click();
    const talk = page.getByRole('region', { name: 'Conversation with Mia' });
    const file = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
    await talk.getByLabel('Add a file').setInputFiles(file);
    await talk.getByText('plan.pdf').waitFor();
    await talk.getByRole('textbox', { name: 'Reply' }).fill('Here it is');
    await mustBeAccessible(page);
    await talk.getByRole('button', { name: 'Send' }).click();
    await talk.locator('.bubble-outbound').getByRole('link', { name: 'plan.pdf' }).waitFor();
    await talk.locator('.bubble-outbound').getByText('Here it is').waitFor();
  });

  it('a person takes it from the bots, and gives it back', async () => {
    const { tenant, waybill } = stage;
    const body = { name: 'Hi', trigger: 'ANY_MESSAGE' };
    const nodes = [{ id: 'm', type: 'message', data: { text: 'I am a bot.' } }];
    await waybill.call('POST', '/v1/bots', {
      token: tenant.apiKey,
      body: { ...body, nodes, edges: [] },
    });
    const page = await stage.open(tenant.apiKey, { path: '/conversations' });
    await page.getByRole('button', { name: /Mia/ }).click();
    const talk = page.getByRole('region', { name: 'Conversation with Mia' });
    await talk.getByText('Bots may answer.').waitFor();
    await talk.getByRole('button', { name: 'Take over' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('For').selectOption('1 hour');
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await talk.getByText(/A person has taken it .* Bots are silent until/).waitFor();
    await page.getByRole('button', { name: /Mia.*with a person/ }).waitFor();
    await asks('Is anybody there?');
    await talk.getByText('Is anybody there?').waitFor();
    await talk.getByRole('button', { name: 'Give back' }).click();
    await dialog.getByRole('button', { name: 'Give back' }).click();
    await talk.getByText('Bots may answer.').waitFor();
    waybill.clock.advance(1);
    await asks('Hello again');
    await talk.getByText('I am a bot.').waitFor();
    expect(await talk.getByText('I am a bot.').count()).to.equal(1);
  });

  it('an agent gives it to a colleague, and both read who did', async () => {
    const { tenant, waybill } = stage;
    const openAs = async (cookie: string) => {
      const [name = '', value = ''] = cookie.split('=');
      const page = await stage.page();
      await page.context().addCookies([{ name, value, url: waybill.url }]);
      await page.goto(`${waybill.url}/console/conversations`);
      await page.getByRole('button', { name: /Mia/ }).click();
      return page.getByRole('region', { name: 'Conversation with Mia' });
    };
    const whole = { role: 'agent', organisationId: tenant.organisationId };
    const noor = await aPerson(waybill, { ...whole, name: 'Noor' });
    const ravi = await aPerson(waybill, { ...whole, name: 'Ravi' });
    const talk = await openAs(noor.cookie);
    await talk.getByRole('button', { name: 'Assign' }).click();
    const dialog = talk.page().getByRole('dialog');
    await dialog.getByLabel('Person').selectOption('Ravi');
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await talk.getByText('You have given it to Ravi').waitFor();
    await (await openAs(ravi.cookie)).getByText('Noor has given it to you').waitFor();
  });

  it('a closed window says why there is no reply, and leads to a template with its price', async () => {
    await asks('Are you there?');
    stage.waybill.clock.advance(25 * 3_600_000);
    const page = await stage.open(stage.tenant.apiKey, { path: '/conversations' });
    await page.getByRole('button', { name: /Mia/ }).click();
    await page.getByText('The 24-hour window is closed').waitFor();
    expect(await page.getByRole('textbox', { name: 'Reply' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Send a template' }).click();
    await page.getByLabel('Template').selectOption('order_delivered');
    expect(await page.getByLabel('customerName').inputValue()).to.equal('Mia');
    await page.getByLabel('orderId').fill('A-1042');
    await page.getByText('It will cost 1 credit').waitFor();
    await mustBeAccessible(page);
    await page.getByLabel('Your reference').fill('A-1042');
    await page.getByRole('button', { name: 'Send the message' }).click();
    await page.getByText('WhatsApp has taken it.').waitFor();
    const customer = page.getByRole('complementary', { name: 'The customer' });
    await customer.getByRole('link', { name: 'Order delivered' }).waitFor();
    await customer.getByRole('link', { name: 'A-1042' }).waitFor();
    await customer.getByText('nothing said against marketing').waitFor();
  });

  it('is found by name, and fits a telephone', async () => {
    await asks('Hi', 'Zoë');
    const page = await stage.open(stage.tenant.apiKey, {
      path: '/conversations?search=zo',
      viewport: { width: 390, height: 800 },
    });
    await page.getByRole('button', { name: /Zoë/ }).click();
    await page.getByRole('region', { name: 'Conversation with Zoë' }).waitFor();
    expect(await overflow(page)).to.equal(0);
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('button', { name: /Zoë/ }).waitFor();
  });
});
