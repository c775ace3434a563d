import { expect } from 'chai';
import nock from 'nock';
import { type EventStore, StoreUnavailable } from '../../src/events/store.ts';
import { KeysUnavailable } from '../../src/keys/key-store.ts';
import { ViewsUnavailable } from '../../src/projections/views.ts';
import { edge, node } from '../commands/bots/graphs.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { eraseContact } from '../support/privacy/erase.ts';
import { foundIn, needlesOf } from '../support/privacy/needles.ts';
import { changePayload, inboundPayload, messagesPayload, useTenant } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import {
  ADMIN_TOKEN,
  type Json,
  orderShipped,
  PROVIDER,
  providerAccepts,
  providerRefuses,
  statusPayload,
  VERSION,
} from '../support/waybill.ts';

const NUMBER = '4915798765431';
const USER_ID = 'DE.13491208655302741918';
const NAME = 'Mia Quetzalcoatl';
const TEXT = 'Leave it at Glimmerlane 77, please';
/** As the provider makes ids of messages: with the number of the customer in base64. */
const wamid = (tail: string) =>
  `wamid.${Buffer.from(`\x1c\x18\x0d${NUMBER}\x15\x02${tail}`, 'latin1').toString('base64')}`;

const needles = needlesOf([NUMBER, USER_ID, NAME, TEXT].map((text) => ({ name: text, text })));

/** What goes wrong in the stores, as their libraries tell of it. */
const createFaults = () => {
  let next: { when: (type: string) => boolean; error: Error } | undefined;
  return {
    /** The next append of an event of this type fails. */
    on(type: string, error: Error) {
      next = { when: (one) => one === type, error };
    },
    wrap: (store: EventStore): EventStore => ({
      ...store,
      async append(stream, expected, events) {
        if (next && events.some(({ type }) => next!.when(type))) {
          const { error } = next;
          next = undefined;
          throw error;
        }
        return store.append(stream, expected, events);
      },
    }),
  };
};

const words = `${NUMBER}, ${USER_ID}: "${NAME}" said "${TEXT}"`;

describe('Log lines and metrics @long', () => {
  const lines: Json[] = [];
  const faults = createFaults();
  let areKeysAway = false;
  let areViewsAway = false;
  let callee: Callee;
  const on = useTenant(
    { once: true, templates: ['order_shipped'] },
    {
      logLevel: 'trace',
      logLines: lines,
      forwardAllow: ['127.0.0.1'],
      wrapStore: faults.wrap,
      wrapKeys: (keys) => ({
        ...keys,
        async ensure(...what) {
          if (areKeysAway) throw new KeysUnavailable(`dup key: { id: "${NUMBER}" }`);
          return keys.ensure(...what);
        },
      }),
      wrapViews: (views) => ({
        ...views,
        async get(...what) {
          if (areViewsAway) throw new ViewsUnavailable(`E11000 dup key: { name: "${NAME}" }`);
          return views.get(...what);
        },
      }),
    },
  );
  const { call } = on;
  before(async () => {
    callee = await startCallee();
  });
  after(() => callee.close());

  const textOfLines = () => lines.map((line) => JSON.stringify(line)).join('\n');
  const metrics = async () => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const answer = await fetch(`${on.waybill.url}/metrics`, { headers });
    expect(answer.status).to.equal(200);
    return answer.text();
  };
  const saysOf = (text: string) => lines.filter(({ msg }) => msg === text);
  const isSilent = async () => {
    expect(foundIn(Buffer.from(textOfLines()), needles), 'in log lines').to.deep.equal([]);
    expect(foundIn(Buffer.from(await metrics()), needles), 'in metrics').to.deep.equal([]);
  };
  const variables = { orderId: TEXT, awbCode: NAME, trackingLink: `https://x.example/${NUMBER}` };
  const send = (change = {}, headers = {}) => {
    const body = orderShipped({ to: NUMBER, variables, ...change });
    return call('POST', '/v1/notifications/send', body, headers);
  };
  const sending = () => nock(PROVIDER).post(`/${VERSION}/${on.tenant.phoneNumberId}/messages`);
  let written = 0;
  const write = (rest: Json = {}) => {
    written += 1;
    const at = on.waybill.clock.now();
    const message = { id: wamid(`I${written}`), from: NUMBER, at, body: TEXT, name: NAME, rest };
    return on.waybill.webhook(inboundPayload(on.tenant, message));
  };

  it('name nobody in sends, whatever the provider and the stores say', async () => {
    providerAccepts(on.tenant, 1);
    expect((await send()).status).to.equal(200);
    providerRefuses(on.tenant, 131026, words);
    expect((await send({}, { 'idempotency-key': NUMBER })).status).to.equal(502);
    const contacts = [{ input: NUMBER, wa_id: NUMBER, name: NAME }];
    sending().reply(200, { messages: [], contacts });
    expect((await send()).status).to.equal(502);
    sending().reply(502, `<html>${words}</html>`);
    expect((await send()).status).to.equal(502);
    sending().replyWithError(words);
    expect((await send()).status).to.be.oneOf([502, 504]);
    providerAccepts(on.tenant, 4);
    const away = `stream conversation-acc_1.1.${NUMBER} and ${USER_ID} are away`;
    for (const [type, error] of [
      ['ChargeReserved', new StoreUnavailable(away)],
      ['MessageSent', new StoreUnavailable(`stream message-${wamid('S')} is contended`)],
      ['MessageSent', new Error(`dup key: { to: "${NUMBER}", name: "${NAME}" }`)],
      ['RequestAnswered', new Error(`Unexpected token 'M', "${NAME}" is not valid JSON`)],
    ] as const) {
      faults.on(type, error);
      await send({}, { 'idempotency-key': `k ${type} ${error.message.length} ${NUMBER}` });
    }
    const recipients = [NUMBER, USER_ID].map((to) => ({ to, variables }));
    providerRefuses(on.tenant, 131026, words);
    await call('POST', '/v1/notifications/send/batch', { event: 'order_shipped', recipients });
    await call('POST', '/v1/messages/send', { to: NUMBER, type: 'text', text: { body: TEXT } });
    expect(saysOf('Request failed')).not.to.have.length(0);
    expect(saysOf('the provider gave an unreadable answer')).not.to.have.length(0);
    await isSilent();
  });

  it('name routes of requests, and no path, query, header or field', async () => {
    await call('GET', `/v1/notifications/status/${NUMBER}`);
    await call('GET', `/v1/contacts/${NUMBER}/${NAME.replace(' ', '%20')}`);
    await call('GET', `/v1/messages?search=${encodeURIComponent(TEXT)}&to=%2B${NUMBER}`);
    await call('POST', `/v1/media/${NUMBER}`, { name: NAME });
    await call('POST', '/v1/notifications/send', { to: { [NUMBER]: NAME }, event: TEXT });
    await call('POST', '/v1/notifications/send', orderShipped({ to: NUMBER, event: NAME }));
    const raw = { raw: `{"to":"${NUMBER}","name":"${NAME}`, token: on.tenant.apiKey };
    await on.waybill.call('POST', '/v1/notifications/send', raw);
    const origin = `https://${NUMBER}.example`;
    const own = { 'x-request-id': `of-${NUMBER}`, origin, cookie: NAME };
    const { headers } = await call('GET', '/v1/catalog/none', undefined, own);
    expect(headers['x-request-id']).not.to.include(NUMBER);
    await on.waybill.admin('GET', `/contacts/${NUMBER}/export`);
    await on.waybill.admin('GET', `/messages?to=${NUMBER}`);
    await isSilent();
    expect(lines.filter(({ route }) => /status\/:/.test(route ?? ''))).not.to.have.length(0);
  });

  it('name nobody in what the provider reports: messages, statuses, and what is no item', async () => {
    await write();
    await write({ timestamp: 'never' });
    await write({ from_user_id: USER_ID });
    const strange = { phoneNumberId: '55500000999', wabaId: '55500000998' };
    const at = on.waybill.clock.now();
    const message = { id: wamid('X'), from: NUMBER, at, body: TEXT, name: NAME };
    await on.waybill.webhook(inboundPayload(strange, message));
    const unknown = { id: wamid('Y'), status: NAME, recipient: NUMBER };
    await on.waybill.webhook(statusPayload(strange, unknown));
    await on.waybill.webhook(changePayload(on.tenant.wabaId, TEXT, { from: NUMBER, name: NAME }));
    const errors = [{ code: 131026, title: NAME, message: words }];
    const failed = { id: wamid('Z'), status: 'failed', recipient: NUMBER, errors };
    await on.waybill.webhook(statusPayload(on.tenant, failed));
    const messages = [{ from: NUMBER, text: TEXT }, words];
    await on.waybill.webhook(messagesPayload(on.tenant, { messages }));
    const how = { raw: words, headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` } };
    expect((await on.waybill.call('POST', '/provider/webhook', how)).status).to.equal(401);
    for (const error of [
      new StoreUnavailable(`stream conversation-acc.1.${NUMBER} is contended`),
      new TypeError(`dup key: { user: "${USER_ID}", name: "${NAME}" }`),
    ]) {
      faults.on('MessageReceived', error);
      await write();
    }
    areKeysAway = true;
    await on.waybill.webhook(inboundPayload(strange, { ...message, from: '4915798765430' }));
    areKeysAway = false;
    expect(saysOf('A dead letter was kept')).not.to.have.length(0);
    const { deadLetters } = (await on.waybill.admin('GET', '/dead-letters')).body;
    const post = (path: string) => on.waybill.admin('POST', `/dead-letters/${path}`, {});
    for (const { id } of deadLetters) await post(`${id}/retry`);
    faults.on('DeadLetterDismissed', new Error(`dup key: { to: "${NAME}" }`));
    await post(`${deadLetters[0].id}/dismiss`);
    await isSilent();
  });

  it('name nobody in bots, forwards, erasures and rebuilds, also where these fail', async () => {
    callee.answer((response) => {
      response.statusCode = 500;
      response.end(words);
    });
    const path = `/v1/phones/${on.tenant.phoneNumberId}/webhook`;
    const set = await call('PATCH', path, { webhookUrl: `${callee.url}/hook?for=${NUMBER}` });
    expect(set.status).to.equal(200);
    providerAccepts(on.tenant, 5);
    const calls = { method: 'POST', url: `${callee.url}/{{contact.waId}}`, timeoutMs: 1000 };
    const { body: bot } = await call('POST', '/v1/bots', {
      name: 'Echo',
      trigger: 'ANY_MESSAGE',
      nodes: [
        node('say', 'message', { text: `You said {{message.text}}: ${TEXT}` }),
        node('call', 'http_request', { ...calls, body: '{{message.text}}' }),
        node('done', 'end'),
      ],
      edges: ['say -> call', 'call -error-> done'].map(edge),
    });
    await call('PATCH', `/v1/bots/${bot.id}`, { isActive: true });
    faults.on('BotRunStarted', new Error(`dup key: { to: "${NAME}" }`));
    await write();
    await untilTrue('the forward and the run', async () => {
      const types = new Set((await on.waybill.log()).map(({ type }) => type));
      return types.has('MessageForwarded') && types.has('BotRunEnded');
    });
    await on.waybill.settled();
    areViewsAway = true;
    await call('GET', `/v1/notifications/status/${wamid('S')}`);
    areViewsAway = false;
    await on.waybill.admin('POST', '/projections/deadletters/rebuild', {});
    faults.on('ErasureStarted', new Error(`dup key: { to: "${NAME}" }`));
    await eraseContact(on.waybill, NUMBER);
    await untilTrue('the read models', async () => {
      const { body } = await on.waybill.admin('GET', '/projections');
      return body.projections.every(({ state }: Json) => state === 'live');
    });
    await isSilent();
  });
});
