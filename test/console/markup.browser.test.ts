import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { overflow, useConsole } from '../support/browser.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { walkConsole } from '../support/console-walk.ts';
import { join, loseLetters, runBot } from '../support/privacy/more.ts';
import { createPerson, type Person } from '../support/privacy/person.ts';
import { voiceOf, write } from '../support/privacy/stage.ts';
import { type Json, openTenant, orderShipped, type Tenant } from '../support/waybill.ts';

// What customers and tenants write goes through every field, and every page is opened.

/** What posts, and writes nothing. */
const READING = /\/ledger\/verify(\/follow)?$|\/console\/session/;
const telephone = { viewport: { width: 390, height: 844 } } as const;
/** Closes an attribute and an element, brings elements and a script, and turns the line around. */
const TRICKS =
  '"><img class=planted src=x onerror=alert(1)><script class=planted>alert(2)</script>';
const TURNED = '\u202e\u2066\u200fשלום\u200b';
/** So long without a space. */
const LONG = 'W'.repeat(4000);

const evil = (place: string): string =>
  `${place} javascript:alert(0) ${TRICKS}${TURNED}${place === 'inbound text' ? LONG : ''}`;

describe('Texts of customers and tenants on the pages of the console @alone', () => {
  const stage = useConsole();
  let callee: Callee;
  let tenant: Tenant;
  let person: Person;
  let made: { organisation: string; bot: string };

  const admin = async (method: string, path: string, body: Json) => {
    const answer = await stage.waybill.admin(method, path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.be.within(200, 299);
    return answer.body;
  };
  before(async () => {
    callee = await startCallee();
    tenant = await openTenant(stage.waybill);
    person = createPerson(evil);
    const { text } = person;
    const voice = voiceOf(() => stage.waybill, tenant);
    const { api } = voice;
    const of = `/accounts/${tenant.accountId}`;
    const organisation = await admin('POST', '/organisations', { name: text('organisation') });
    await admin('POST', `/organisations/${organisation.id}/accounts`, { name: text('account') });
    await admin('POST', `/organisations/${organisation.id}/suspend`, {
      reason: text('suspension'),
    });
    await admin('POST', `${of}/keys`, { name: text('key') });
    await admin('POST', `${of}/credits/grant`, { amount: 5, reason: text('grant') });
    await admin('POST', '/administrators', {
      name: text('administrator'),
      email: 'eve@shop.example',
      role: 'auditor',
    });
    const plan = { billing: 'wallet', currency: 'USD', markupPercent: '1' };
    await admin('POST', '/plans', { name: text('plan'), ...plan });
    await admin('POST', '/erasures', { contact: '+15550100', reason: text('erasure') });
    await api('PATCH', `/phones/${tenant.phoneNumberId}/webhook`, { webhookUrl: callee.url });
    const hook = { url: `${callee.url}/hook?javascript:alert(3)`, events: ['message.received'] };
    await api('POST', '/webhooks', { ...hook, description: text('webhook') });
    const button = { id: 'yes', title: '<i class=planted>ok' };
    const { body: bot } = await api('POST', '/bots', {
      name: text('bot'),
      description: text('description'),
      triggerKeywords: [text('word')],
      nodes: [
        { id: 'say', type: 'message', data: { text: text('node') } },
        { id: 'ask', type: 'buttons', data: { text: text('ask'), buttons: [button] } },
      ],
    });
    made = { organisation: organisation.id, bot: bot.id };
    await api('POST', '/templates', {
      phoneNumberId: tenant.phoneNumberId,
      name: 'evil',
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: text('template') }],
    });
    await api('POST', '/notifications/templates/submit', {});
    const sent = orderShipped({ to: `+${person.number}`, clientReference: text('reference') });
    await api('POST', '/notifications/send', sent, { statuses: [200, 409, 422, 502] });
    await write(voice, person);
    await api('POST', '/messages/send', {
      to: `+${person.number}`,
      type: 'text',
      text: { body: text('reply') },
      clientReference: text('reference'),
    });
    await runBot({ ...voice, waybill: stage.waybill, callee }, person);
    await join(voice, person);
    await loseLetters(voice, person);
    await stage.waybill.settled();
  });
  after(() => callee?.close());

  /** Opens every page, and looks at the texts; resolves to the names of those that show some. */
  const mustAllBeText = async (
    page: Page,
    from: readonly string[],
    look: (name: string) => Promise<void> = async () => undefined,
  ): Promise<string[]> => {
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      dialog.dismiss().catch(() => undefined);
    });
    const showing: string[] = [];
    await walkConsole(page, from, async (name) => {
      const { shown, ...became } = await page.evaluate(planted);
      expect(became, name).to.deep.equal({ elements: [], loose: [] });
      expect(await overflow(page), name).to.equal(0);
      if (shown > 0) showing.push(name);
      await look(name);
    });
    expect(dialogs).to.deep.equal([]);
    return showing;
  };

  it('are text for an auditor, who has no button that would be refused @series', async () => {
    const { accountId } = tenant;
    const message = encodeURIComponent(person.messageIds()[0]!);
    const ada = { name: 'Ada', email: 'ada@shop.example', role: 'auditor' };
    const page = await stage.open((await admin('POST', '/administrators', ada)).token, telephone);
    const writes: string[] = [];
    await page.route('**/api/**', (route) => {
      const request = route.request();
      if (request.method() === 'GET' || READING.test(request.url())) return route.continue();
      writes.push(`${page.url()}: ${request.method()} ${request.url()}`);
      return route.abort();
    });
    let presses = 0;
    const from = [
      `/messages?account=${accountId}`,
      `/accounts/${accountId}`,
      `/organisations/${made.organisation}`,
      `/messages/${message}`,
      '/find?q=organisation',
    ];
    const showing = await mustAllBeText(page, from, async (name) => {
      const { pressed, forms } = await page.evaluate(pressButtons);
      presses += pressed;
      expect(forms, `forms that open on ${name}`).to.deep.equal([]);
      expect(writes).to.deep.equal([]);
    });
    expect(presses).to.be.greaterThan(8);
    expect(showing).to.include.members(
      ['accounts', 'accounts/:id Keys', 'accounts/:id Ledger', 'accounts/:id/month']
        .concat(
          ['administrators', 'dead-letters/:id', 'erasures', 'find', 'messages', 'messages/:id'],
          ['organisations', 'organisations/:id', 'plans'],
        )
        .map((name) => `/console/${name}`),
    );
  });

  it('are text for a tenant: no element, no wider page, no turned line', async () => {
    const reference = encodeURIComponent(person.text('reference'));
    const page = await stage.open(tenant.apiKey, telephone);
    const showing = await mustAllBeText(page, [`/find?q=${reference}`, `/bots/${made.bot}`]);
    expect(showing).to.include.members(
      ['bots', 'bots/:id Graph', 'conversations', 'conversations/:id', 'credits', 'find']
        .concat(
          ['messages', 'messages/:id', 'webhooks', 'webhooks/:id'],
          ['webhooks/:id/deliveries/:id'],
        )
        .map((name) => `/console/${name}`),
    );
  });
});

/** In the page: what became of the texts. */
const planted = () => {
  const { document, NodeFilter } = globalThis as unknown as Json;
  const html = ({ outerHTML }: Json): string => outerHTML.slice(0, 80);
  const elements = [...document.querySelectorAll('.planted, a[href^="javascript:" i]')].map(html);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const loose: string[] = [];
  let shown = 0;
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!data.includes('planted') && !/[\u202e\u2066\u05e9]/.test(data)) continue;
    shown += 1;
    if (parentElement.closest('bdi, [dir=auto], pre, textarea, option, title')) continue;
    loose.push(html(parentElement));
  }
  return { elements, loose, shown };
};

/** In the page: presses its buttons one after the other. */
const pressButtons = async () => {
  const { document, requestAnimationFrame } = globalThis as unknown as Json;
  const forms: string[] = [];
  let pressed = 0;
  for (const button of document.querySelectorAll('main button:enabled:not([role=tab], .copy)')) {
    if (!button.isConnected) continue;
    button.click();
    pressed += 1;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const dialog = document.querySelector('dialog[open]');
    if (dialog?.querySelector('form')) forms.push(button.textContent || button.ariaLabel);
    dialog?.close();
  }
  return { pressed, forms };
};
