import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fixedClock } from '../support/ambient.ts';
import { useConsole } from '../support/browser.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { changePayload } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN, type Json, openTenant, type Tenant } from '../support/waybill.ts';

// `npm run pictures`: the pictures of docs/console.md, of a shop on an ordinary day.

const PICTURES = join(import.meta.dirname, '../../docs/pictures');
const MINUTE_MS = 60_000;
const MORNING = Date.UTC(2026, 10, 20, 6, 0);
const ofViewer = { locale: 'en-GB', timezoneId: 'Europe/Berlin' } as const;

const customers = [
  ['Mia Lindqvist', '491711234501'],
  ['Jonas Weber', '491711234502'],
  ['Amara Okafor', '447700900113'],
  ['Lucía Fernández', '34612345678'],
  ['Yuki Tanaka', '819012345678'],
  ['Noah Janssen', '31612345678'],
] as const;
/** Accepted, and then undeliverable: the charge is given back. */
const UNDELIVERABLE = '15550199921';

const bot = {
  name: 'Where is my order?',
  description: 'Answers the question that is asked most',
  trigger: 'KEYWORD',
  triggerKeywords: ['order', 'parcel'],
  triggerMatchType: 'CONTAINS',
  nodes: [
    ['start', 'start', 380, 0, {}],
    [
      'hours',
      'business_hours',
      380,
      110,
      {
        timezone: 'Europe/Berlin',
        days: Object.fromEntries(
          ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '18:00']]]),
        ),
      },
    ],
    [
      'greet',
      'buttons',
      140,
      240,
      {
        text: 'Hi {{contact.name}}! What would you like to know?',
        buttons: [
          { id: 'where', title: 'Where is it?' },
          { id: 'human', title: 'Talk to us' },
        ],
      },
    ],
    ['late', 'message', 620, 240, { text: 'We are back at nine, and write to you then.' }],
    ['where', 'question', 0, 390, { text: 'Which order number is it?', saveAs: 'order' }],
    ['hand', 'handoff', 290, 390, { minutes: 60 }],
    ['told', 'message', 0, 510, { text: 'Order {{vars.order}} is with the carrier.' }],
    ['end', 'end', 620, 390, {}],
  ].map(([id, type, x, y, data]) => ({ id, type, position: { x, y }, data })),
  edges: [
    ['start', 'default', 'hours'],
    ['hours', 'open', 'greet'],
    ['hours', 'closed', 'late'],
    ['greet', 'button:where', 'where'],
    ['greet', 'button:human', 'hand'],
    ['where', 'default', 'told'],
    ['late', 'default', 'end'],
  ].map(([source, sourceHandle, target], at) => ({ id: `e${at}`, source, sourceHandle, target })),
};

describe('The pictures of the console', function () {
  this.timeout(60_000);
  const clock = fixedClock(MORNING);
  const stage = useConsole({ clock });
  let tenant: Tenant;
  let callee: Callee;
  let failedId: string;
  let botId: string;
  let webhookId: string;

  const api = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await stage.waybill.call(method, `/v1${path}`, { token: tenant.apiKey, body });
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.be.within(200, 299);
    return answer.body;
  };
  const order = (at: number) => ({
    orderId: `A-${1042 + at}`,
    awbCode: `DHL77${310 + at * 7}`,
    trackingLink: `https://nordwind.example/track/${1042 + at}`,
  });
  const says = ([name, number]: readonly [string, string], text: string) =>
    stage.simulator.inbound(number, { text, name, phoneNumberId: tenant.phoneNumberId });
  const answers = (number: string, body: string) =>
    api('POST', '/messages/send', { to: `+${number}`, type: 'text', text: { body } });

  before(async () => {
    callee = await startCallee();
    const { waybill } = stage;
    tenant = await openTenant(waybill, { name: 'Nordwind Outdoor', credits: 500 });
    await api('POST', '/notifications/templates/submit', {});
    await untilTrue('the catalog to be approved', async () => {
      const { ready, total } = await api('GET', '/notifications/events');
      return ready === total;
    });
    const topics = ['message.delivered', 'message.failed', 'message.received'];
    const hook = { url: `${callee.url}/orders`, events: topics, description: 'Order desk' };
    webhookId = (await api('POST', '/webhooks', hook)).id;
    botId = (await api('POST', '/bots', bot)).id;
    // A day: more in its middle, and a refusal now and then.
    for (let at = 0; at < 60; at += 1) {
      clock.advance(Math.round(14 + 9 * Math.cos(at / 6)) * MINUTE_MS);
      const [, number] = customers[at % customers.length]!;
      const to = at % 13 === 7 ? UNDELIVERABLE : number;
      const sent = { to: `+${to}`, event: 'order_shipped', variables: order(at) };
      const { messageId } = await api('POST', '/notifications/send', {
        ...sent,
        clientReference: `order-${1042 + at}`,
      });
      if (to === UNDELIVERABLE) failedId = messageId;
    }
    await untilTrue('the failed one to be given back', async () => {
      const { body } = await waybill.call(
        'GET',
        `/v1/notifications/status/${encodeURIComponent(failedId)}`,
        {
          token: tenant.apiKey,
        },
      );
      return body.status === 'failed';
    });
    await waybill.webhook(changePayload(tenant.wabaId, 'unheard_of', { note: 'a new kind' }));
    const [mia, jonas, amara] = customers;
    await says(amara!, 'Thank you, it came today.');
    await says(jonas!, 'Can I still change the size of A-1090?');
    clock.advance(2 * MINUTE_MS);
    await answers(jonas![1], 'Yes, until tonight. Which size do you need?');
    await says(jonas!, 'An L, please');
    clock.advance(3 * MINUTE_MS);
    await says(mia!, 'Good morning! My tent has come without its pegs.');
    clock.advance(MINUTE_MS);
    await answers(mia![1], 'Sorry about that, Mia. We send the pegs today, free of charge.');
    clock.advance(MINUTE_MS);
    await says(mia!, 'That is quick. Thank you!');
    await waybill.settled();
    expect((await waybill.admin('POST', '/ledger/seals')).status).to.equal(201);
  });
  after(() => callee?.close());

  const open = async (token: string, path: string): Promise<Page> => {
    const page = await stage.open(token, {
      ...ofViewer,
      path,
      viewport: { width: 1440, height: 900 },
    });
    await page.addInitScript(shiftTime, clock.now());
    await page.reload();
    await page.locator('h1').waitFor();
    await page.locator('main :is(.spinner, .skeleton)').first().waitFor({ state: 'detached' });
    return page;
  };
  /** As WebP, which Chromium writes a third as long as PNG. */
  const keep = async (page: Page, name: string) => {
    mkdirSync(PICTURES, { recursive: true });
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
    writeFileSync(join(PICTURES, `${name}.webp`), Buffer.from(data, 'base64'));
  };

  it('overview', async () => {
    const page = await open(ADMIN_TOKEN, '');
    await page.getByText('connected', { exact: true }).waitFor();
    await page.locator('.uplot canvas').first().waitFor();
    await keep(page, 'overview');
  });
  it('what was to be sent to a number', async () => {
    const page = await open(tenant.apiKey, `/find?q=%2B${UNDELIVERABLE}`);
    await page.getByText('Who can do it').first().waitFor();
    await keep(page, 'find');
  });
  it('story of a message', async () => {
    const page = await open(tenant.apiKey, '/find?q=A-1062');
    await page.goto(`${stage.waybill.url}/console/messages/${encodeURIComponent(failedId)}`);
    await page.getByText('What happened').waitFor();
    await keep(page, 'message');
  });
  it('proof of a month', async () => {
    const page = await open(ADMIN_TOKEN, `/accounts/${tenant.accountId}/month`);
    await page.getByText('make the closing balance, exactly').waitFor();
    await page.getByRole('button', { name: 'Verify the month' }).click();
    await page.locator('.guide li').nth(1).getByText('movements of').waitFor();
    await keep(page, 'month');
  });
  it('bot', async () => {
    const page = await open(tenant.apiKey, `/bots/${botId}`);
    await page.locator('.react-flow__edge').first().waitFor({ state: 'attached' });
    await keep(page, 'bot');
  });
  it('conversation', async () => {
    const page = await open(tenant.apiKey, '/conversations');
    await page.getByRole('button', { name: /Mia/ }).click();
    await page.getByText('That is quick. Thank you!').last().waitFor();
    await keep(page, 'conversation');
  });
  it('webhook', async () => {
    const page = await open(tenant.apiKey, `/webhooks/${webhookId}`);
    await page.locator('tbody tr').first().waitFor();
    await keep(page, 'webhook');
  });
});

/** In the page: its time is that of the service. */
const shiftTime = (now: number) => {
  const shift = now - Date.now();
  globalThis.Date = class extends Date {
    constructor(...given: []) {
      super(...(given.length === 0 ? ([Date.now()] as never) : given));
    }
    static override now = () => super.now() + shift;
  } as typeof Date;
};
