import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { adviceOnProvider, anchorOf, errorCodes, recordOf } from '../../src/http/edge/respond.ts';
import { errorsPage, errorsText } from '../../src/http/openapi/error-pages.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import { ADMIN_TOKEN, type Json, type Tenant } from '../support/waybill.ts';

const SHIPPED = {
  to: '+919812345678',
  event: 'order_shipped',
  variables: { orderId: 'A-1', awbCode: 'X1', trackingLink: 'https://shop.example/1' },
};
const SEND = 'POST /v1/notifications/send';
const BATCH = 'POST /v1/notifications/send/batch';
const MESSAGE = 'POST /v1/messages/send';
const OTHER_KEY = `wb_live_${'x'.repeat(43)}`;

interface Mistake {
  /** What the newcomer did. */
  did: string;
  call: string;
  body?: Json;
  raw?: string;
  headers?: Record<string, string>;
  /** Null: none at all. */
  token?: string | null;
  status: number;
  /** Words that the answer holds, in any of its fields. */
  told: readonly (string | RegExp)[];
}

const changed = (change: Json): Json => ({ ...SHIPPED, ...change });
const without = (field: string): Json =>
  Object.fromEntries(Object.entries(SHIPPED).filter(([name]) => name !== field));

const MISTAKES: readonly Mistake[] = [
  // The way to the service.
  {
    did: 'no key',
    call: SEND,
    body: SHIPPED,
    token: null,
    status: 401,
    told: ['Authorization: Bearer'],
  },
  {
    did: 'the key without Bearer',
    call: SEND,
    body: SHIPPED,
    token: null,
    headers: { authorization: OTHER_KEY },
    status: 401,
    told: ['Authorization: Bearer'],
  },
  {
    did: 'the key in X-Api-Key',
    call: SEND,
    body: SHIPPED,
    token: null,
    headers: { 'x-api-key': OTHER_KEY },
    status: 401,
    told: ['Authorization: Bearer'],
  },
  {
    did: 'a key cut short',
    call: SEND,
    body: SHIPPED,
    token: 'wb_live_x',
    status: 401,
    told: ['copied whole'],
  },
  {
    did: 'the token of an administrator',
    call: 'GET /v1/credits',
    token: ADMIN_TOKEN,
    status: 401,
    told: ['copied whole'],
  },
  {
    did: 'a key at the administration',
    call: 'GET /admin/v1/accounts',
    status: 401,
    told: ["administrator's token", '/api/v1'],
  },
  {
    did: 'a path without /api',
    call: 'GET //v1/credits',
    status: 404,
    told: ['Put /api before the path: /api/v1/credits'],
  },
  {
    did: 'a path without /api, with an id in it',
    call: 'GET //v1/bots/bot_1?x=1',
    status: 404,
    told: ['Put /api before the path: /api/v1/bots/bot_1'],
  },
  {
    did: 'a path without /api that is none with it',
    call: 'GET //v1/nothing',
    status: 404,
    told: ['Compare the path with the reference at /docs'],
  },
  {
    did: 'a path with a slip',
    call: 'POST /v1/notification/send',
    body: SHIPPED,
    status: 404,
    told: ['Did you mean /api/v1/notifications/send?'],
  },
  {
    did: 'a path of another product',
    call: 'GET /v1/orders',
    status: 404,
    told: ['reference at /docs'],
  },
  {
    did: 'GET for a send',
    call: 'GET /v1/notifications/send',
    status: 405,
    told: ['Allow header'],
  },
  {
    did: 'a body that is a form',
    call: SEND,
    raw: 'to=%2B919812345678',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    told: ['Content-Type: application/json'],
  },
  {
    did: 'no content type',
    call: SEND,
    raw: JSON.stringify(SHIPPED),
    headers: { 'content-type': '' },
    status: 415,
    told: ['Content-Type: application/json'],
  },
  {
    did: 'a comma too many',
    call: SEND,
    raw: '{"to": "+919812345678",}',
    status: 400,
    told: ['not valid JSON', 'Send valid JSON'],
  },
  {
    did: 'single quotes',
    call: SEND,
    raw: "{'to': '+919812345678'}",
    status: 400,
    told: ['not valid JSON'],
  },
  {
    did: 'a list in place of the body',
    call: SEND,
    body: [SHIPPED],
    status: 400,
    told: ['must be an object in { }'],
  },
  {
    did: 'no body',
    call: SEND,
    raw: '',
    status: 400,
    told: [/is required, such as \+919812345678/],
  },
  // A notification.
  {
    did: 'no recipient',
    call: SEND,
    body: without('to'),
    status: 400,
    told: ['is required, such as +919812345678'],
  },
  {
    did: 'a recipient as a number',
    call: SEND,
    body: changed({ to: 919812345678 }),
    status: 400,
    told: ['a text in quotes, not a number'],
  },
  {
    did: 'a recipient that is null',
    call: SEND,
    body: changed({ to: null }),
    status: 400,
    told: ['must be a text in quotes, such as +919812345678'],
  },
  {
    did: 'a list of recipients in to',
    call: SEND,
    body: changed({ to: ['+919812345678'] }),
    status: 400,
    told: ['must be a text in quotes'],
  },
  {
    did: 'a recipient of 4 letters',
    call: SEND,
    body: changed({ to: '+919' }),
    status: 400,
    told: ['must have at least 5 characters, such as +919812345678'],
  },
  {
    did: 'no event',
    call: SEND,
    body: without('event'),
    status: 400,
    told: ['is required, such as order_shipped'],
  },
  {
    did: 'an event with a slip',
    call: SEND,
    body: changed({ event: 'order_shiped' }),
    status: 400,
    told: ['"didYouMean":"order_shipped"', 'supportedEvents'],
  },
  {
    did: 'an event in another spelling',
    call: SEND,
    body: changed({ event: 'OrderShipped' }),
    status: 400,
    told: ['"didYouMean":"order_shipped"'],
  },
  {
    did: 'an event of another product',
    call: SEND,
    body: changed({ event: 'birthday' }),
    status: 400,
    told: ['Use one of supportedEvents'],
  },
  {
    did: 'variables as a list',
    call: SEND,
    body: changed({ variables: ['A-1'] }),
    status: 400,
    told: ['must be an object in { }'],
  },
  {
    did: 'variables as a text',
    call: SEND,
    body: changed({ variables: '{"orderId":"A-1"}' }),
    status: 400,
    told: ['must be an object in { }'],
  },
  {
    did: 'a language that is not approved',
    call: SEND,
    body: changed({ languageCode: 'hi' }),
    status: 409,
    told: [
      '"language":"hi"',
      '"approvedLanguages":["en_US"]',
      'Ask for a language that is approved: en_US',
    ],
  },
  {
    did: 'an event that is not approved',
    call: SEND,
    body: changed({ event: 'order_delivered', variables: {} }),
    status: 409,
    told: ['Submit the catalog', '"approvedLanguages":[]'],
  },
  {
    did: 'a number that is not his',
    call: SEND,
    body: changed({ phoneNumberId: '1' }),
    status: 404,
    told: ['NO_PHONE', 'GET /v1/phones'],
  },
  {
    did: 'text for yes and no',
    call: SEND,
    body: changed({ allowTextFallback: 'yes' }),
    status: 400,
    told: ['must be true or false, without quotes'],
  },
  {
    did: 'a reference of 200 letters',
    call: SEND,
    body: changed({ clientReference: 'x'.repeat(200) }),
    status: 400,
    told: ['must have at most 128 characters'],
  },
  {
    did: 'a customer who is not on WhatsApp',
    call: SEND,
    body: changed({ to: '+15550199901' }),
    status: 502,
    told: ['131026', 'not on WhatsApp', '/docs/errors#131026', '/docs/errors#SEND_FAILED'],
  },
  // A batch.
  {
    did: 'a batch without recipients',
    call: BATCH,
    body: { event: 'order_shipped' },
    status: 400,
    told: ['is required, such as [{ "to": "+919812345678" }]'],
  },
  {
    did: 'a batch of none',
    call: BATCH,
    body: { event: 'order_shipped', recipients: [] },
    status: 400,
    told: ['must not be empty'],
  },
  {
    did: 'a batch of texts',
    call: BATCH,
    body: { event: 'order_shipped', recipients: ['+919812345678'] },
    status: 400,
    told: ['recipients[0]: must be an object in { }'],
  },
  {
    did: 'a batch of 501',
    call: BATCH,
    body: { event: 'order_shipped', recipients: Array(501).fill({ to: '+919812345678' }) },
    status: 400,
    told: ['must have at most 500 entries'],
  },
  // A message of one's own.
  {
    did: 'a message without a type',
    call: MESSAGE,
    body: { to: '+919812345678', text: { body: 'Hi' } },
    status: 400,
    told: ['is required: one of', 'text'],
  },
  {
    did: 'a type with a slip',
    call: MESSAGE,
    body: { to: '+919812345678', type: 'txt', text: { body: 'Hi' } },
    status: 400,
    told: ['did you mean text?'],
  },
  {
    did: 'a text without its body',
    call: MESSAGE,
    body: { to: '+919812345678', type: 'text' },
    status: 400,
    told: ['`text.body` is required', 'Add the field'],
  },
  {
    did: 'a text to one who never wrote',
    call: MESSAGE,
    body: { to: '+919812345678', type: 'text', text: { body: 'Hi' } },
    status: 403,
    told: ['Send a template'],
  },
  // Reading.
  {
    did: 'the id of no message',
    call: 'GET /v1/notifications/status/wamid.x',
    status: 404,
    told: ['GET /v1/messages lists them'],
  },
  {
    did: 'a page of 1,000',
    call: 'GET /v1/messages?limit=1000',
    status: 400,
    told: ['must be a whole number from 1 to 100'],
  },
  {
    did: 'a day for a time',
    call: 'GET /v1/messages?since=yesterday',
    status: 400,
    told: ['such as 2026-11-01T00:00:00Z'],
  },
  {
    did: 'a status with a slip',
    call: 'GET /v1/messages?status=delivred',
    status: 400,
    told: ['did you mean delivered?'],
  },
  {
    did: 'templates of no number',
    call: 'GET /v1/templates',
    status: 400,
    told: ['`phoneNumberId` query param is required'],
  },
  {
    did: 'the id of no bot',
    call: 'GET /v1/bots/1',
    status: 404,
    told: ['GET /v1/bots lists them'],
  },
  // Strict sends.
  {
    did: 'strict, with a variable that has a typo',
    call: SEND,
    body: changed({ strict: true, variables: { ...SHIPPED.variables, awbcodes: 'X1' } }),
    status: 400,
    told: ['variables.awbcodes: is no variable of order_shipped; did you mean awbCode?'],
  },
  {
    did: 'strict, without a variable',
    call: SEND,
    body: changed({ strict: true, variables: { orderId: 'A-1', awbCode: 'X1' } }),
    status: 400,
    told: ['variables.trackingLink: is required, such as https://'],
  },
  {
    did: 'strict, to a national number',
    call: SEND,
    body: changed({ strict: true, to: '9812345678' }),
    status: 400,
    told: ['to', 'country code, such as +919812345678'],
  },
  {
    did: 'strict, a batch with one wrong recipient',
    call: BATCH,
    body: {
      event: 'order_shipped',
      strict: true,
      recipients: [SHIPPED, { to: SHIPPED.to, variables: { orderId: 'A-1' } }],
    },
    status: 400,
    told: ['"recipients[1].variables.awbCode":["is required'],
  },
  {
    did: 'strict as a text',
    call: SEND,
    body: changed({ strict: 'true' }),
    status: 400,
    told: ['true or false, without quotes'],
  },
];

describe('what a newcomer is told', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  let anchors: ReadonlySet<string>;
  const agent = new Agent();
  before(async () => {
    world = await openWorld();
    tenant = await world.tenant();
    const page = await request(`${world.waybill.url}/docs/errors`, { dispatcher: agent });
    expect(page.statusCode).to.equal(200);
    expect(page.headers['content-security-policy']).to.include("default-src 'none'");
    const text = await page.body.text();
    anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, anchor]) => anchor!));
  });
  after(async () => {
    await agent.destroy();
    await world.close();
  });

  const make = async ({ call, body, raw, headers, token }: Mistake) => {
    const [method, path] = call.split(' ') as [string, string];
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const credential = token === undefined ? tenant.apiKey : token;
    const url = path.startsWith('//') ? path.slice(1) : `/api${path}`;
    const given = {
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await request(`${world.waybill.url}${url}`, {
      method: method as 'GET',
      dispatcher: agent,
      headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
      ...(sent !== undefined && { body: sent }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };

  it(`after one of ${MISTAKES.length} mistakes, with a page on each`, async () => {
    expect(MISTAKES).to.have.length(54);
    for (const mistake of MISTAKES) {
      const { status, text } = await make(mistake);
      const name = `${mistake.did}: ${text}`;
      expect(status, name).to.equal(mistake.status);
      const body = JSON.parse(text);
      expect(body.hint, name).to.be.a('string');
      // Words of schemas and of programs.
      expect(text, name).to.not.match(
        /: expected|, received|undefined|Invalid (input|option)|Too (small|big)/,
      );
      const plain = text.replaceAll('\\"', '"');
      for (const words of mistake.told) {
        if (typeof words === 'string') expect(plain, mistake.did).to.include(words);
        else expect(plain, mistake.did).to.match(words);
      }
      for (const url of [body.docUrl, body.details?.docUrl]) {
        if (url !== undefined) expect(anchors, name).to.include(url.replace('/docs/errors#', ''));
      }
    }
  });

  it('charges nothing for a mistake', async () => {
    const charges = await world.charges(tenant);
    expect(charges.reserved).to.equal(charges.refunded);
    expect(await world.problems()).to.deep.equal([]);
  });
});

describe('the page of errors', () => {
  it('has every error, and every code of the provider with advice', () => {
    const page = errorsPage({ head: '', bar: '' });
    for (const code of errorCodes) {
      expect(page).to.include(` id="${anchorOf(code)}"`);
      const hint = recordOf(code).hint;
      if (hint !== null) expect(hint).to.match(/^[A-Z].*\.$/);
    }
    expect(page).to.include(' id="131026"');
    expect(adviceOnProvider(131026)?.docUrl).to.equal('/docs/errors#131026');
    expect(adviceOnProvider(1)).to.equal(undefined);
  });

  it('is docs/errors.md as text; `npm run openapi` writes it', () => {
    const file = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
    expect(file === errorsText()).to.equal(true);
  });
});
