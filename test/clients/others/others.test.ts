import { WhatsAppAdapter } from '@chat-adapter/whatsapp';
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import {
  markMessageRead,
  sendButtonsMessage,
  sendCTAURLMessage,
  sendFlowMessage,
  sendListMessage,
  sendTemplateMessage,
  sendTextMessage,
  uploadMedia,
} from '@whatsapp-cloudapi/client';
import { expect } from 'chai';
import nock from 'nock';
import { WhatsAppAPI } from 'whatsapp-api-js';
import { Document, Image, Location, Reaction, Text } from 'whatsapp-api-js/messages';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { fixedClock } from '../../support/ambient.ts';
import { startCallee } from '../../support/callee.ts';
import { useRealConnections } from '../../support/network.ts';
import { until } from '../../support/until.ts';
import {
  APP_SECRET,
  type Json,
  openTenant,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

// Clients of others for the provider's API, with nothing but their address and their token changed.

const CUSTOMER = '447700900123';
const to = `+${CUSTOMER}`;
const link = 'https://shop.example/a.png';
const picture = () => new Blob(['the bytes'], { type: 'image/png' });
const parameters = [{ type: 'text', text: 'Mia' }] as const;

/** Where a client calls, with which token, from which number, and a message that there is. */
interface At {
  baseUrl: string;
  token: string;
  from: string;
  messageId: string;
}

type Calls = Readonly<Record<string, (at: At) => Promise<unknown>>>;

const kapso = ({ baseUrl, token }: At) => new WhatsAppClient({ baseUrl, accessToken: token });
const byKapso: Calls = {
  'a text': (at) =>
    kapso(at).messages.sendText({ phoneNumberId: at.from, to, body: 'Hi', previewUrl: true }),
  'a picture': (at) =>
    kapso(at).messages.sendImage({ phoneNumberId: at.from, to, image: { link, caption: 'This' } }),
  'a recording': (at) =>
    kapso(at).messages.sendAudio({ phoneNumberId: at.from, to, audio: { link, voice: true } }),
  'a reaction': (at) =>
    kapso(at).messages.sendReaction({
      ...{ phoneNumberId: at.from, to },
      reaction: { messageId: at.messageId, emoji: '👍' },
    }),
  'a read receipt': (at) =>
    kapso(at).messages.markRead({ phoneNumberId: at.from, messageId: at.messageId }),
  'an upload': (at) =>
    kapso(at).media.upload({
      ...{ phoneNumberId: at.from, type: 'image/png', file: picture(), fileName: 'a.png' },
    }),
};

const cloudapi = ({ baseUrl, token: accessToken, from }: At) => ({
  baseUrl,
  accessToken,
  from,
  to,
});
const button = { id: 'yes', title: 'Yes' };
const byCloudApi: Calls = {
  'a text': (at) => sendTextMessage({ ...cloudapi(at), text: 'Hi', bizOpaqueCallbackData: '7' }),
  buttons: (at) => sendButtonsMessage({ ...cloudapi(at), bodyText: 'Pick', buttons: [button] }),
  'a list': (at) =>
    sendListMessage({
      ...cloudapi(at),
      ...{ bodyText: 'Pick', buttonText: 'Choose' },
      sections: [{ title: 'All', rows: [{ id: '1', title: 'One' }] }],
    }),
  'a link': (at) =>
    sendCTAURLMessage({ ...cloudapi(at), bodyText: 'Look', buttonText: 'Open', url: link }),
  'a flow': (at) =>
    sendFlowMessage({
      ...cloudapi(at),
      ...{ bodyText: 'Fill it in', flowToken: 't', flowId: '700', flowCta: 'Open' },
      ...{ flowAction: 'navigate' as const, screen: 'FIRST' },
    }),
  'a template': (at) =>
    sendTemplateMessage({
      ...cloudapi(at),
      ...{ templateName: 'hello', languageCode: 'en' },
      components: [{ type: 'body', parameters: [...parameters] }],
    }),
  'a read receipt': (at) => markMessageRead({ ...cloudapi(at), messageId: at.messageId }),
  'an upload': (at) => uploadMedia({ ...cloudapi(at), file: picture() }),
};

const apiJs = ({ baseUrl, token }: At) =>
  new WhatsAppAPI({
    ...{ token, secure: false, v: 'v25.0' },
    ponyfill: {
      fetch: ((url: string, init: RequestInit) =>
        fetch(url.replace('https://graph.facebook.com', baseUrl), init)) as typeof fetch,
    },
  });
const byApiJs: Calls = {
  'a text': (at) => apiJs(at).sendMessage(at.from, to, new Text('Hi', true)),
  'a picture': (at) => apiJs(at).sendMessage(at.from, to, new Image(link, false, 'This')),
  'a document': (at) =>
    apiJs(at).sendMessage(at.from, to, new Document(link, false, 'Bill', 'a.pdf')),
  'a place': (at) => apiJs(at).sendMessage(at.from, to, new Location(1.5, 2.5, 'Shop')),
  'a reaction': (at) => apiJs(at).sendMessage(at.from, to, new Reaction(at.messageId, '👍')),
};

/** An answer without the ids, which differ each time. */
const shapeOf = (answer: unknown): unknown => {
  const text = JSON.stringify(answer, (key, value) => (key === 'id' ? typeof value : value));
  return JSON.parse(text.replaceAll(/"wa_id":"\d+"/g, '"wa_id":"…"'));
};

describe('clients of others @long', () => {
  useRealConnections();
  const clock = fixedClock();
  let simulator: Simulator;
  let waybill: Waybill;
  let tenant: Tenant;
  let gateway: At;
  let straight: At;
  before(async () => {
    simulator = createSimulator({ appSecret: APP_SECRET, clock });
    const simulatorUrl = await simulator.start();
    waybill = await startWaybill({ providerUrl: simulatorUrl, clock, forwardAllow: ['127.0.0.1'] });
    simulator.configure({ webhookUrl: `${waybill.url}/api/provider/webhook` });
    tenant = await openTenant(waybill);
    const { phoneNumberId: from, wabaId, apiKey } = tenant;
    simulator.setNumber({ phoneNumberId: from, wabaId });
    simulator.setTemplate(wabaId, {
      ...{ name: 'hello', language: 'en', category: 'UTILITY' },
      components: [{ type: 'BODY', text: 'Hello {{1}}, welcome.' }],
    });
    const { messageId } = await simulator.inbound(CUSTOMER, { phoneNumberId: from, text: 'Hi' });
    gateway = { baseUrl: `${waybill.url}/api/graph`, token: apiKey, from, messageId };
    straight = { baseUrl: simulatorUrl, token: 'a-token', from, messageId };
  });
  after(async () => {
    await waybill.stop();
    nock.cleanAll();
    await simulator.stop();
  });

  const history = async (): Promise<Json[]> => {
    const path = '/v1/messages?direction=outbound&limit=1';
    return (await waybill.call('GET', path, { token: tenant.apiKey })).body.messages;
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
        const [{ messageId }] = simulator.sends().slice(-1) as unknown as [Json];
        expect(shapeOf(answer)).to.deep.equal(shapeOf(await call(straight)));
        if (what === 'an upload' || what === 'a read receipt') return;
        const [record] = await history();
        expect(record).to.include({ id: messageId, source: 'gateway' });
        expect(record!.chargeId).to.be.a('string');
      });
    }
  }

  it('@chat-adapter/whatsapp answers the handshake of a webhook, verifies and parses what it gets', async () => {
    const { phoneNumberId, apiKey: token } = tenant;
    const heard: { text: string; author: { userName: string } }[] = [];
    const answers: number[] = [];
    const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
    const botWith = async (appSecret: string) => {
      const bot = new WhatsAppAdapter({
        ...{ appSecret, phoneNumberId, accessToken: token, verifyToken: 'ours', userName: 'shop' },
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
      waybill.call('POST', '/v1/webhooks', { token, body: { ...webhook, verifyToken } });
    expect((await make('not ours')).status).to.equal(400);
    const made = await make('ours');
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    bot = await botWith(made.body.secret);
    await simulator.inbound(CUSTOMER, { phoneNumberId, text: 'Grüße an alle' });
    await until('the bot heard it', () => heard.length > 0);
    expect(heard[0]).to.include({ text: 'Grüße an alle' });
    expect(answers).to.deep.equal([403, 200, 200]);

    bot = await botWith('another secret');
    await simulator.inbound(CUSTOMER, { phoneNumberId, text: 'Again' });
    await until('the bot refused it', () => answers.length > 3);
    expect([answers.at(-1), heard.length]).to.deep.equal([401, 1]);
    await callee.close();
  });
});
