import { expect } from 'chai';
import { Agent, request } from 'undici';
import {
  adviceOnProvider,
  anchorOf,
  errorCodes,
  problemOf,
  recordOf,
} from '../../src/http/edge/respond.ts';
import { errorsPage } from '../../src/http/reference/error-pages.ts';
import { namingViews } from '../../src/projections/sqlite/reading.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import { ADMIN_TOKEN, type Json, type Tenant } from '../support/waybill.ts';

const to = '+919812345678';
const SHIPPED = {
  to,
  event: 'order_shipped',
  variables: { orderId: 'A-1', awbCode: 'X1', trackingLink: 'https://shop.example/1' },
};
const SEND = 'POST /v1/notifications/send';
const BATCH = 'POST /v1/notifications/send/batch';
const MESSAGE = 'POST /v1/messages/send';
const LIST = 'GET /v1/messages';
const CREDITS = 'GET /v1/credits';
const OTHER_KEY = `wb_live_${'x'.repeat(43)}`;

interface How {
  body?: Json;
  raw?: string;
  headers?: Record<string, string>;
  /** Null: none at all. */
  token?: string | null;
}
/** What the newcomer did, and words that the answer holds, in any of its fields. */
type Mistake = [did: string, call: string, how: How, status: number, ...told: string[]];

const wrongType = 'application/x-www-form-urlencoded';
const batch = (change: Json): How => ({ body: { event: 'order_shipped', ...change } });
const changed = (change: Json): How => ({ body: { ...SHIPPED, ...change } });
const without = (field: string): How => ({
  body: Object.fromEntries(Object.entries(SHIPPED).filter(([name]) => name !== field)),
});

/** Mistakes of one call that get one status. */
const of = (
  call: string,
  status: number,
  ...mistakes: readonly [did: string, how: How, ...told: string[]][]
): Mistake[] => mistakes.map(([did, how, ...told]) => [did, call, how, status, ...told]);

const keyIn = (header: string): How => ({
  body: SHIPPED,
  headers: { [header]: OTHER_KEY },
  token: null,
});
const LACKING = { ...SHIPPED.variables, trackingLink: undefined };

const MISTAKES: readonly Mistake[] = [
  ...of(
    SEND,
    401,
    ['no key', { body: SHIPPED, token: null }, 'Authorization: Bearer'],
    ['the key without Bearer', keyIn('authorization'), 'Authorization: Bearer'],
    ['the key in X-Api-Key', keyIn('x-api-key'), 'Authorization: Bearer'],
    ['a key cut short', { body: SHIPPED, token: 'wb_live_x' }, 'copied whole'],
  ),
  ['an administrator’s token', CREDITS, { token: ADMIN_TOKEN }, 401, 'token is for /api/admin/v1'],
  ['a key there', 'GET /admin/v1/accounts', {}, 401, "administrator's token", '/api/v1'],
  ['a path without /api', 'GET //v1/credits', {}, 404, 'Put /api before the path: /api/v1/credits'],
  [
    'one with an id',
    'GET //v1/bots/bot_1?x=1',
    {},
    404,
    'Put /api before the path: /api/v1/bots/bot_1',
  ],
  [
    'one that is none with it',
    'GET //v1/nothing',
    {},
    404,
    'Compare the path with the reference at /docs',
  ],
  [
    'a path with a slip',
    'POST /v1/notification/send',
    { body: SHIPPED },
    404,
    'Did you mean /api/v1/notifications/send?',
  ],
  ['a path of another product', 'GET /v1/orders', {}, 404, 'reference at /docs'],
  ['GET for a send', 'GET /v1/notifications/send', {}, 405, 'This path takes POST.'],
  [
    'a path without /v1',
    'POST /notifications/send',
    { body: SHIPPED },
    404,
    'Put /v1 into the path: /api/v1/notifications/send',
  ],
  ...of(
    SEND,
    415,
    [
      'a body that is a form',
      { raw: 'to=%2B919812345678', headers: { 'content-type': wrongType } },
      'Content-Type: application/json',
    ],
    [
      'no content type',
      { raw: JSON.stringify(SHIPPED), headers: { 'content-type': '' } },
      'Content-Type: application/json',
    ],
  ),
  ...of(
    SEND,
    400,
    ['a comma too many', { raw: `{"to": "${to}",}` }, 'not valid JSON', 'no comma after the last'],
    ['single quotes', { raw: `{'to': '${to}'}` }, 'double quotes'],
    ['a list in place of the body', { body: [SHIPPED] }, 'must be an object in { }'],
    ['no body', { raw: '' }, `is required, such as ${to}`],
    ['no recipient', without('to'), `is required, such as ${to}`],
    ['a recipient as a number', changed({ to: 919812345678 }), 'a text in quotes, not a number'],
    ['a recipient that is null', changed({ to: null }), `must be a text in quotes, such as ${to}`],
    ['a list of recipients in to', changed({ to: [to] }), 'must be a text in quotes'],
    ['4 letters', changed({ to: '+919' }), `must have at least 5 characters, such as ${to}`],
    ['no event', without('event'), 'is required, such as order_shipped'],
    [
      'a slip',
      changed({ event: 'order_shiped' }),
      '"didYouMean":"order_shipped"',
      'supportedEvents',
    ],
    ['another spelling', changed({ event: 'OrderShipped' }), '"didYouMean":"order_shipped"'],
    ['an event of another product', changed({ event: 'birthday' }), 'Use one of supportedEvents'],
    ['variables as a list', changed({ variables: ['A-1'] }), 'must be an object in { }'],
    ['variables as a text', changed({ variables: '{"otp":"1"}' }), 'must be an object in { }'],
    [
      'text for yes',
      changed({ allowTextFallback: 'yes' }),
      'must be true or false, without quotes',
    ],
    [
      '200 letters',
      changed({ clientReference: 'x'.repeat(200) }),
      'must have at most 128 characters',
    ],
    [
      'strict, with a variable that has a typo',
      changed({ strict: true, variables: { ...SHIPPED.variables, awbcodes: 'X1' } }),
      'variables.awbcodes: is no variable of order_shipped; did you mean awbCode?',
    ],
    [
      'strict, without a variable',
      changed({ strict: true, variables: LACKING }),
      'variables.trackingLink: is required, such as https://',
    ],
    [
      'strict, to a national number',
      changed({ strict: true, to: '9812345678' }),
      'to',
      `country code, such as ${to}`,
    ],
    ['strict as a text', changed({ strict: 'true' }), 'true or false, without quotes'],
  ),
  ...of(
    SEND,
    409,
    [
      'a language that is not approved',
      changed({ languageCode: 'hi' }),
      '"language":"hi"',
      '"approvedLanguages":["en_US"]',
      'Ask for a language that is approved: en_US',
    ],
    [
      'an event that is not approved',
      changed({ event: 'order_delivered', variables: {} }),
      'Submit the catalog',
      '"approvedLanguages":[]',
    ],
  ),
  ['a foreign number', SEND, changed({ phoneNumberId: '1' }), 404, 'NO_PHONE', 'GET /v1/phones'],
  [
    'a customer who is not on WhatsApp',
    SEND,
    changed({ to: '+15550199901' }),
    502,
    '131026',
    'not on WhatsApp',
    '/docs/errors#131026',
    '/docs/errors#SEND_FAILED',
  ],
  ...of(
    BATCH,
    400,
    ['no recipients', batch({}), `is required, such as [{ "to": "${to}" }]`],
    ['a batch of none', batch({ recipients: [] }), 'must not be empty'],
    [
      'a batch of texts',
      batch({ recipients: [to] }),
      `recipients[0]: must be an object in { }, such as { "to": "${to}" }`,
    ],
    [
      'a batch of 501',
      batch({ recipients: Array(501).fill({ to }) }),
      'must have at most 500 entries',
    ],
    [
      'strict, a batch with one wrong recipient',
      batch({ strict: true, recipients: [SHIPPED, { to, variables: { orderId: 'A-1' } }] }),
      '"recipients[1].variables.awbCode":["is required',
    ],
  ),
  ...of(
    MESSAGE,
    400,
    [
      'a message without a type',
      { body: { to, text: { body: 'Hi' } } },
      'is required: one of',
      'text',
    ],
    [
      'a type with a slip',
      { body: { to, type: 'txt', text: { body: 'Hi' } } },
      'did you mean text?',
    ],
    ['no body', { body: { to, type: 'text' } }, '`text.body` is required', 'Add the field'],
  ),
  [
    'a text to one who never wrote',
    MESSAGE,
    { body: { to, type: 'text', text: { body: 'Hi' } } },
    403,
    'Send a template',
  ],
  ['no message', 'GET /v1/notifications/status/wamid.x', {}, 404, 'GET /v1/messages lists them'],
  ['a page of 1,000', `${LIST}?limit=1000`, {}, 400, 'must be a whole number from 1 to 100'],
  ['a day for a time', `${LIST}?since=yesterday`, {}, 400, 'such as 2026-11-01T00:00:00Z'],
  ['a status with a slip', `${LIST}?status=delivred`, {}, 400, 'did you mean delivered?'],
  [
    'templates of no number',
    'GET /v1/templates',
    {},
    400,
    '`phoneNumberId` query param is required',
  ],
  ['the id of no bot', 'GET /v1/bots/1', {}, 404, 'GET /v1/bots lists them'],
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

  const make = async (call: string, { body, raw, headers, token }: How) => {
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
    expect(MISTAKES).to.have.length(55);
    for (const [did, call, how, expected, ...told] of MISTAKES) {
      const { status, text } = await make(call, how);
      const name = `${did}: ${text}`;
      expect(status, name).to.equal(expected);
      const body = JSON.parse(text);
      expect(body.hint, name).to.be.a('string');
      // Words of schemas and of programs.
      expect(text, name).to.not.match(
        /: expected|, received|undefined|Invalid (input|option)|Too (small|big)/,
      );
      const plain = text.replaceAll('\\"', '"');
      for (const words of told) expect(plain, did).to.include(words);
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

describe('read models that are damaged', () => {
  it('are a 503 that says what to do', () => {
    const damage = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
    const read = () =>
      namingViews('/data/views.db')(() => {
        throw damage;
      });
    try {
      read();
      expect.fail('the damage was passed over');
    } catch (error) {
      const { status, body } = problemOf(error);
      expect(status).to.equal(503);
      expect(body.error).to.equal('A data file of the service is damaged');
      expect(body.hint).to.match(/^Stop the service, delete views\.db/);
    }
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

  it('has each error of a public code that several share', () => {
    const page = errorsPage({ head: '', bar: '' });
    const [section] = /<section id="LIMIT_REACHED">.*?<\/section>/s.exec(page)!;
    for (const code of ['account.cap_reached', 'schedule.full'] as const) {
      expect(section).to.include(recordOf(code).hint);
    }
  });
});
