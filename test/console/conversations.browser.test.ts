import { expect } from 'chai';
import { mustBeAccessible, overflow, useConsole } from '../support/browser.ts';

describe('A journey through the console: a customer asks, and is answered', () => {
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
    await stage.picture(page, 'conversation');
  });

  it('a closed window says why there is no reply', async () => {
    await asks('Are you there?');
    stage.waybill.clock.advance(25 * 3_600_000);
    const page = await stage.open(stage.tenant.apiKey, { path: '/conversations' });
    await page.getByRole('button', { name: /Mia/ }).click();
    await page.getByText('The 24-hour window is closed').waitFor();
    expect(await page.getByRole('textbox', { name: 'Reply' }).count()).to.equal(0);
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
    await mustBeAccessible(page);
  });
});
