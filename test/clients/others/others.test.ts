import { WhatsAppAdapter } from '@chat-adapter/whatsapp';
import { expect } from 'chai';
import type { KnownEvent } from '../../../src/events/index.ts';
import { answered } from '../../support/answered.ts';
import { startCallee } from '../../support/callee.ts';
import { inSuite } from '../../support/in-suite.ts';
import { chargesOf, checkCharges, checkRecords, isKept } from '../../support/invariants/charges.ts';
import { useRealConnections } from '../../support/network.ts';
import { openSimulated } from '../../support/simulated.ts';
import { until } from '../../support/until.ts';
import { type Json, openTenant, type Tenant } from '../../support/waybill.ts';
import { type At, byApiJs, byCloudApi, byKapso, CUSTOMER } from './calls.ts';

// Clients of others for the provider's API, with nothing but their address and their token changed.

/** An answer without the ids and addresses, which differ each time. */
const shapeOf = (answer: unknown): unknown => {
  const own = new Set(['id', 'url']);
  const text = JSON.stringify(answer, (key, value) => (own.has(key) ? typeof value : value));
  return JSON.parse(text.replaceAll(/"wa_id":"\d+"/g, '"wa_id":"…"'));
};

describe('clients of others @long', () => {
  useRealConnections();
  const on = inSuite(openSimulated);
  let tenant: Tenant;
  let gateway: At;
  let straight: At;
  let sent = 0;
  before(async () => {
    const { waybill, simulator } = on;
    tenant = await openTenant(waybill);
    const { phoneNumberId: from, wabaId, apiKey } = tenant;
    simulator.setNumber({ phoneNumberId: from, wabaId });
    const body = { type: 'BODY', text: 'Hello {{1}}, welcome.' };
    const hello = { name: 'hello', language: 'en', category: 'UTILITY', components: [body] };
    simulator.setTemplate(wabaId, hello);
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' },
    ];
    const components = [body, { type: 'BUTTONS', buttons }];
    simulator.setTemplate(wabaId, { ...hello, name: 'buttons', components });
    const { messageId } = await simulator.inbound(CUSTOMER, { phoneNumberId: from, text: 'Hi' });
    const at = { baseUrl: `${waybill.url}/api/graph`, token: apiKey, from, messageId, mediaId: '' };
    const { id: mediaId } = (await byKapso['an upload']!(at)) as { id: string };
    gateway = { ...at, mediaId };
    straight = { baseUrl: on.providerUrl, token: 'a-token', from, messageId, mediaId };
  });

  const history = async (): Promise<Json[]> => {
    const path = '/v1/messages?direction=outbound&limit=1';
    return (await on.waybill.call('GET', path, { token: tenant.apiKey })).body.messages;
  };

  const clients = {
    '@kapso/whatsapp-cloud-api': byKapso,
    '@whatsapp-cloudapi/client': byCloudApi,
    'whatsapp-api-js': byApiJs,
  };
  for (const [name, calls] of Object.entries(clients)) {
    for (const [what, call] of Object.entries(calls)) {
      it(`${name} makes ${what} through the gateway, and has the answer of the provider`, async () => {
        const answer = await call(gateway);
        const [{ messageId }] = on.simulator.sends().slice(-1) as unknown as [Json];
        expect(shapeOf(answer)).to.deep.equal(shapeOf(await call(straight)));
        if (!('messages' in (answer as object))) return;
        sent += 1;
        const [record] = await history();
        expect(record).to.include({ id: messageId, source: 'gateway' });
        expect(record!.chargeId).to.be.a('string');
      });
    }
  }

  it('leaves one charge for each of these messages, and a ledger that adds up', async () => {
    const events = (await on.waybill.log()) as KnownEvent[];
    const charges = chargesOf(events);
    expect([...charges.values()].filter(isKept)).to.have.lengthOf(sent);
    expect(checkCharges(charges, { mayBeOpen: false })).to.deep.equal([]);
    expect(checkRecords(events)).to.deep.equal([]);
  });

  it('@chat-adapter/whatsapp answers the handshake of a webhook, verifies and parses what it gets', async () => {
    const { phoneNumberId, apiKey: token } = tenant;
    const heard: { text: string; author: { userName: string } }[] = [];
    const answers: number[] = [];
    const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
    const botWith = async (appSecret: string) => {
      const bot = new WhatsAppAdapter({
        appSecret,
        phoneNumberId,
        accessToken: token,
        verifyToken: 'ours',
        userName: 'shop',
        logger: quiet as never,
      });
      const processMessage = (_bot: unknown, _thread: string, message: never) =>
        heard.push(message);
      await bot.initialize({ processMessage, getState: () => undefined } as never);
      return bot;
    };
    let bot = await botWith('not known yet');
    const callee = await startCallee();
    callee.answer(async (response, { method, path, headers, body }) => {
      const answer = await bot.handleWebhook(
        new Request(`${callee.url}${path}`, {
          method,
          headers: headers as Record<string, string>,
          ...(method === 'POST' && { body }),
        }),
      );
      answers.push(answer.status);
      response.writeHead(answer.status).end(await answer.text());
    });
    const webhook = { url: `${callee.url}/bot`, events: ['message.received'], format: 'graph' };
    const make = (verifyToken: string) =>
      on.waybill.call('POST', '/v1/webhooks', { token, body: { ...webhook, verifyToken } });
    await answered(400, make('not ours'));
    const made = await answered(201, make('ours'));
    bot = await botWith(made.body.secret);
    await on.simulator.inbound(CUSTOMER, { phoneNumberId, text: 'Grüße an alle' });
    await until('the bot heard it', () => heard.length > 0);
    expect(heard[0]).to.include({ text: 'Grüße an alle' });
    expect(answers).to.deep.equal([403, 200, 200]);

    bot = await botWith('another secret');
    await on.simulator.inbound(CUSTOMER, { phoneNumberId, text: 'Again' });
    await until('the bot refused it', () => answers.length > 3);
    expect([answers.at(-1), heard.length]).to.deep.equal([401, 1]);
    await callee.close();
  });
});
