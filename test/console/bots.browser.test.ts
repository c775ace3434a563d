import { expect } from 'chai';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';

describe('A journey through the console: a bot is made, tried, let go, and watched @alone', () => {
  const stage = useConsole();

  it('by clicking: a problem is shown and mended, a customer is answered, the run’s path is lit', async () => {
    const { tenant, simulator } = stage;
    const page = await stage.open(tenant.apiKey, { path: '/bots' });
    await page.getByRole('button', { name: 'New bot' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Hours');
    await page.getByLabel('Keywords').fill('open');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Hours' }).click();

    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add a node' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await add('start');
    await add('message');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('');
    await page.locator('.node-problem').first().waitFor();
    await page.locator('.field-problem').getByText('must not be blank').waitFor();
    expect(await text.getAttribute('aria-invalid')).to.equal('true');
    await text.fill('We open at nine.');
    await page.getByText('No problem').waitFor();

    await page.getByLabel('What the customer writes').fill('open?');
    await page.getByRole('button', { name: 'Say' }).click();
    await page.locator('.try-outbound').getByText('We open at nine.').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('The draft is saved').waitFor();
    const { body: bots } = await stage.waybill.call('GET', '/v1/bots', { token: tenant.apiKey });
    const live = await stage.waybill.call('GET', `/v1/bots/${bots[0].id}`, {
      token: tenant.apiKey,
    });
    expect(live.body.nodes).to.deep.equal([]);
    await page.reload();
    await page.getByText('draft', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    const publishing = page.getByRole('dialog');
    await publishing.getByText('message “We open at nine.”').waitFor();
    await mustBeAccessible(page);
    await publishing.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('live', { exact: true }).waitFor();

    // Until the list says on which number the bot answers, the settings leave it as it is.
    const held = Promise.withResolvers<void>();
    await page.route(/\/v1\/bots$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('button', { name: 'Settings' }).click();
    const settings = page.getByRole('dialog');
    await settings.getByLabel('Name').fill('Opening hours');
    await settings.getByLabel('Keywords').fill('open, hours');
    const changed = page.waitForRequest((request) => request.method() === 'PATCH');
    await settings.getByRole('button', { name: 'Save' }).click();
    expect((await changed).postDataJSON()).not.to.have.property('phoneNumberId');
    held.resolve();
    await page.getByRole('heading', { level: 1, name: 'Opening hours' }).waitFor();
    await page.getByText('starts at open, hours').waitFor();

    await page.getByRole('link', { name: 'Bots' }).click();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText('active', { exact: true }).waitFor();
    await simulator.inbound('919812345678', {
      text: 'open',
      name: 'Mia',
      phoneNumberId: tenant.phoneNumberId,
    });
    await page.getByRole('link', { name: 'Opening hours' }).click();
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('row').filter({ hasText: 'Mia' }).click();
    await page.locator('.node-lit').nth(1).waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('row').last().click();
    const version = page.locator('.card').filter({ hasText: 'Version 1' });
    await version.getByText('message “We open at nine.”').waitFor();
    await mustBeAccessible(page);
    await version.getByRole('button', { name: 'Roll back to version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Version 1 is live again').waitFor();
    await version.getByText('They do the same.').waitFor();
  });

  it('a bot of seven nodes is built by forms alone, and talks in the chat beside @series', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/bots' });
    await page.getByRole('button', { name: 'New bot' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Shop' }).click();
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add a node' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    const open = (name: string) => page.locator('.outline').getByRole('button', { name }).click();
    const box = (name: string) => page.getByRole('textbox', { name, exact: true });

    await add('start');
    await add('buttons');
    const second = page.getByRole('group', { name: 'button 2' });
    await second.getByLabel('Id').fill('person');
    await second.getByLabel('Title').fill('A person');
    await add('question');
    await box('Text').fill('Which order?');
    await page.getByLabel('The answer is').selectOption('regex');
    await page.locator('.field-problem').getByText('needs a pattern').waitFor();
    await box('Pattern').fill('[A-Z]-[0-9]+');
    await add('condition');
    const rule = page.getByRole('group', { name: 'rule 1' });
    await rule.getByLabel('Comparison').selectOption('starts_with');
    await rule.getByLabel('Value').fill('A');
    await add('message');
    await box('Text').fill('{{vars.order}} comes today.');
    await open('condition');
    await add('set variable');
    await open('buttons');
    await page.getByLabel('On “other” go to').selectOption('question');
    await add('handoff');
    await page.getByLabel('Minutes without bots').fill('0');
    await page.locator('.field-problem').waitFor();
    await page.getByLabel('Minutes without bots').fill('30');
    await page.getByText('No problem').waitFor();

    await page.getByLabel('What the customer writes').fill('Hello');
    await page.getByRole('button', { name: 'Say' }).click();
    await page.locator('.try-choices').getByRole('button', { name: 'Yes' }).click();
    await page.locator('.try-outbound').getByText('Which order?').waitFor();
    await page.getByLabel('What the customer writes').fill('A-77');
    await page.getByRole('button', { name: 'Say' }).click();
    await page.locator('.try-outbound').getByText('A-77 comes today.').waitFor();
    await page.getByText('It ended: completed.').waitFor();
    expect(await page.locator('.node-lit').count()).to.equal(5);
    await page.getByRole('button', { name: 'Begin again' }).click();
    await page.getByLabel('What the customer writes').fill('Hello');
    await page.getByRole('button', { name: 'Say' }).click();
    await page.locator('.try-choices').getByRole('button', { name: 'A person' }).click();
    await page.getByText('It ended: handoff.').waitFor();
    await mustBeAccessible(page);

    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByLabel('Minutes without bots').inputValue()).to.equal('60');
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByText('All of it as JSON').click();
    await box('Data of the node').fill('{ "minutes": 45, "mine": "kept" }');
    await page.getByLabel('Minutes without bots').fill('20');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('It is live').waitFor();
    const { body: list } = await stage.waybill.call('GET', '/v1/bots', {
      token: stage.tenant.apiKey,
    });
    const { id } = list.find((one: { name: string }) => one.name === 'Shop');
    const { body } = await stage.waybill.call('GET', `/v1/bots/${id}`, {
      token: stage.tenant.apiKey,
    });
    expect(body.nodes.at(-1).data).to.deep.equal({ minutes: 20, mine: 'kept' });
  });

  it('fits a telephone, where its nodes are a list', async () => {
    const { tenant, waybill } = stage;
    const { body: list } = await waybill.call('GET', '/v1/bots', { token: tenant.apiKey });
    for (const path of ['/bots', `/bots/${list[0].id}`]) {
      const page = await stage.open(tenant.apiKey, {
        path,
        viewport: { width: 390, height: 800 },
        colorScheme: 'dark',
      });
      await page.getByRole('heading', { level: 1, name: /Bots|hours|Shop/ }).waitFor();
      expect(await overflow(page), path).to.equal(0);
    }
  });
});
