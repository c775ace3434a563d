import { expect } from 'chai';
import { phoneDecider } from '../../src/commands/numbers/phone.ts';
import { endpointDecider, initialEndpoint } from '../../src/commands/webhooks/endpoint.ts';
import type { EventDefinition } from '../../src/events/define.ts';
import { PhoneWebhookSet } from '../../src/events/phone.ts';
import { SETTINGS_KEY } from '../../src/events/settings.ts';
import { WebhookChanged } from '../../src/events/webhook.ts';
import { edge, node } from '../commands/bots/graphs.ts';
import { foundIn, needlesOf } from '../support/privacy/needles.ts';
import { storedEvents } from '../support/privacy/stored.ts';
import { walkFiles } from '../support/privacy/walk.ts';
import { testServers } from '../support/servers.ts';
import { useTenant } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json } from '../support/waybill.ts';

const CANARY = 'canary-7c1f9e22';
const marks = needlesOf([{ name: 'canary', text: CANARY }]);

const ask = node('ask', 'http_request', {
  method: 'POST',
  url: `https://shop.example/${CANARY}/url`,
  saveAs: 'stock',
  headers: { authorization: `Bearer ${CANARY}` },
  body: `{"key":"${CANARY}"}`,
});
const graph = { nodes: [node('start', 'start'), ask], edges: [edge('start -> ask')] };
const bot = { name: 'Stock', trigger: 'ANY_MESSAGE', isActive: true, ...graph };

describe('the secret settings of an account', () => {
  const on = useTenant({ once: true });
  const call = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await on.call(method, path, body);
    expect(answer.status, `${method} ${path}`).to.be.within(200, 201);
    return answer.body;
  };
  const inEvents = async () =>
    (await storedEvents(on.waybill)).flatMap((event) => {
      const names = foundIn(Buffer.from(JSON.stringify(event)), marks);
      return names.map((name) => `${event.type}: ${name}`);
    });

  it('row 75: are in clear in answers and read models, and in nothing that is of the log', async () => {
    const { phoneNumberId, accountId } = on.tenant;
    const url = (name: string) => `https://shop.example/${CANARY}/${name}`;
    const forwards = { webhookUrl: url('forward') };
    await call('PATCH', `/v1/phones/${phoneNumberId}/webhook`, forwards);
    const settings = { url: url('first'), events: ['message.sent'] };
    const { id } = await call('POST', '/v1/webhooks', settings);
    await call('PATCH', `/v1/webhooks/${id}`, { url: url('second') });
    const { id: botId } = await call('POST', '/v1/bots', bot);
    await call('PATCH', `/v1/bots/${botId}`, { name: 'Shelf' });

    const shown = async () => [
      (await on.waybill.admin('GET', `/numbers/${phoneNumberId}`)).body.webhookUrl,
      (await call('GET', `/v1/webhooks/${id}`)).url,
      (await call('GET', `/v1/bots/${botId}`)).nodes,
      (await call('GET', `/v1/bots/${botId}/versions`)).versions[0].nodes,
    ];
    const wanted = [url('forward'), url('second'), bot.nodes, bot.nodes];
    expect(await shown()).to.deep.equal(wanted);

    expect(await inEvents()).to.deep.equal([]);
    const { body: listed } = await on.waybill.admin('GET', `/accounts/${accountId}/events`);
    expect(foundIn(Buffer.from(JSON.stringify(listed)), marks)).to.deep.equal([]);
    if (!testServers()) {
      const places = walkFiles(on.waybill.directory, marks).map((place) => place.split(/[.:]/)[0]);
      expect([...new Set(places)]).to.deep.equal(['views']);
    }

    const names = ['numbers', 'webhooks', 'bots'];
    const before = await on.waybill.views.live();
    for (const name of names) await on.waybill.admin('POST', `/projections/${name}/rebuild`);
    await untilTrue('the new read models serve', async () => {
      const now = await on.waybill.views.live();
      return names.every((name) => now[name] !== before[name]);
    });
    expect(await shown()).to.deep.equal(wanted);
  });

  it('row 75: come back whatever they hold, also what stands for a sealed one', () => {
    const key = { ...SETTINGS_KEY, key: new Uint8Array(32) };
    const readOf = <D>(definition: EventDefinition<string, D>, data: D) => {
      const { sealed, ...clear } = JSON.parse(JSON.stringify(definition.encode(data, [], key)));
      const read = definition.decode(definition.version, clear);
      return sealed === undefined ? read : definition.open(read, sealed, [key.key]);
    };
    const endpoint = { endpointId: 'wh_1', accountId: 'acc_1', topics: [], description: null };
    for (const url of ['https://sealed.invalid/', 'https://shop.example/hook']) {
      expect(readOf(WebhookChanged, { ...endpoint, url })).to.deep.equal({ ...endpoint, url });
    }
    for (const webhookUrl of [null, 'https://shop.example/forward']) {
      const set = { phoneNumberId: '1', webhookUrl };
      expect(readOf(PhoneWebhookSet, set)).to.deep.equal(set);
    }
  });

  it('row 75: are no part of snapshots in clear', () => {
    const url = `https://shop.example/${CANARY}`;
    const phone = { ...phoneDecider.initial, webhookUrl: url };
    const endpoint = { ...initialEndpoint, url };
    const { clear, hidden } = phoneDecider.snapshot!.personal!.split(phone)!;
    expect(JSON.stringify(clear)).not.to.contain(CANARY);
    expect(phoneDecider.snapshot!.personal!.join(clear, hidden)).to.deep.equal(phone);
    const parts = endpointDecider.snapshot!.personal!.split(endpoint)!;
    expect(JSON.stringify(parts.clear)).not.to.contain(CANARY);
    const whole = endpointDecider.snapshot!.personal!.join(parts.clear, parts.hidden);
    expect(whole).to.deep.equal(endpoint);
  });
});
