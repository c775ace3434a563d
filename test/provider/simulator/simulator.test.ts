import { expect } from 'chai';
import type { Content } from '../../../src/events/content.ts';
import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import type { Provider } from '../../../src/provider/provider.ts';
import { magicRecipients, scenarios } from '../../../src/provider/simulator/scenarios.ts';
import type { MessageItem, StatusItem } from '../../../src/provider/webhook/item.ts';
import { outgoing, sender } from '../../support/provider.ts';
import type { Json } from '../../support/waybill.ts';
import { callAt, useSimulator } from './stage.ts';

const ORDINARY = '447700900123';
const { phoneNumberId, wabaId } = sender();
const fast = { sentMs: 2, deliveredMs: 6, readMs: 10, reviewMs: 5, authenticationReviewMs: 1 };

describe('the simulator', () => {
  const on = useSimulator(() => ({ enforceWindow: false, timings: { ...fast, retryMs: [5, 10] } }));
  /** For answers that never come. */
  let impatient: Provider;
  beforeEach(() => {
    const { baseUrl } = on;
    impatient = createGraphProvider({ baseUrl, version: 'v25.0', timeoutMs: 500, random: () => 0 });
  });
  afterEach(() => impatient.close());

  const send = (to = ORDINARY, chargeId = 'charge-1') =>
    on.provider.send(sender(), outgoing(to, chargeId));
  const sendInVain = (to: string) => impatient.send(sender(), outgoing(to));
  const sendContent = (content: Content) => on.provider.send(sender(), { ...outgoing(), content });
  const codeOf = async (content: Content) => {
    const outcome = await sendContent(content);
    return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
  };
  const call = (method: string, path: string, body?: object) =>
    callAt(on.baseUrl, method, path, body);
  const statuses = () => on.receiver.items.filter((item) => item.kind === 'status') as StatusItem[];
  const words = () => statuses().map(({ status, errorCode }) => errorCode ?? status);

  describe('updates', () => {
    it('follow an accepted message, signed, with its charge', async () => {
      const outcome = await send();
      await on.settled();
      expect(words()).to.have.members(['sent', 'delivered', 'read']);
      const [sent] = statuses();
      expect(sent).to.include({
        phoneNumberId,
        recipientWaId: ORDINARY,
        chargeId: 'charge-1',
        messageId: outcome.kind === 'accepted' && outcome.messageId,
      });
      expect(sent?.pricing).to.include({ category: 'service' });
      expect(on.receiver.badSignatures()).to.equal(0);
    });

    for (const [recipient, name] of Object.entries(magicRecipients)) {
      const scenario: { steps?: readonly (string | number)[] } & object = scenarios[name];
      if (!scenario.steps) continue;
      it(`follow the scenario "${scenarios[name].what}"`, async () => {
        expect((await send(recipient)).kind).to.equal('accepted');
        await on.settled();
        expect(words().sort()).to.deep.equal(scenario.steps?.map(String).sort());
      });
    }

    const priced: [string, string, string[]][] = [
      ['an ordinary message', ORDINARY, ['delivered', 'sent']],
      ['one read without a report of delivery', '15550199933', ['read', 'sent']],
      ['one in the wrong order', '15550199935', ['delivered', 'sent']],
      ['one that fails', '15550199921', []],
      ['one that fails, then is delivered', '15550199928', ['delivered', 'sent']],
    ];
    for (const [what, recipient, expected] of priced) {
      it(`tell the price of ${what} with: ${expected.join(', ') || 'none'}`, async () => {
        await send(recipient);
        await on.settled();
        const withPrice = statuses().filter(({ pricing }) => pricing !== null);
        expect(withPrice.map(({ status }) => status).sort()).to.deep.equal(expected);
      });
    }

    it('bill a free-form message past the free tier, and no other', async () => {
      for (const [recipient, billable, type] of [
        [ORDINARY, false, 'free_customer_service'],
        ['15550199960', true, 'regular'],
      ] as const) {
        on.receiver.items.length = 0;
        await send(recipient);
        await on.settled();
        const [sent] = statuses().filter(({ pricing }) => pricing !== null);
        expect(sent?.pricing).to.deep.equal({
          billable,
          pricing_model: 'PMP',
          type,
          category: 'service',
        });
      }
    });

    it('come twice, in the wrong order, or before the answer, on demand', async () => {
      await send('15550199934');
      await on.settled();
      expect(words().sort().join(' ')).to.equal('delivered delivered read read sent sent');
      on.receiver.items.length = 0;
      // Their order is that of their coming: far enough apart for a busy machine.
      on.simulator.configure({ timings: { sentMs: 10, deliveredMs: 210, readMs: 410 } });
      await send('15550199935');
      await on.settled();
      expect(words()).to.deep.equal(['read', 'delivered', 'sent']);
      on.receiver.items.length = 0;
      await send('15550199936');
      expect(words()[0]).to.equal('sent');
    });

    it('come for messages that went out without an answer', async () => {
      expect((await sendInVain('15550199912')).kind).to.equal('unknown');
      expect((await sendInVain('15550199914')).kind).to.equal('unknown');
      await on.settled();
      expect(words()).to.have.length(6);
    });

    it('do not come for messages that did not go out', async () => {
      for (const end of ['01', '06', '09', '11', '13']) {
        expect((await sendInVain(`155501999${end}`)).kind).to.not.equal('accepted');
      }
      await on.settled();
      expect(words()).to.deep.equal([]);
    });

    it('may share one payload', async () => {
      on.simulator.configure({ batch: 100, timings: { deliveredMs: 2, readMs: 2 } });
      await send();
      await on.settled();
      expect(on.receiver.payloads).to.have.length(1);
      expect(words()).to.have.length(3);
    });

    it('are disturbed at random, on demand', async () => {
      const timings = { sentMs: 10, deliveredMs: 210, readMs: 410 };
      on.simulator.configure({ timings, chaos: { swap: 1, duplicate: 1, omitDelivered: 1 } });
      await send();
      await on.settled();
      expect(words().filter((word) => word === 'delivered')).to.have.length(0);
      expect(words()).to.have.length(4);
      expect(words()[0]).to.equal('read');
    });

    it('are repeated until they are accepted, and given up in the end', async () => {
      on.simulator.configure({ timings: { sentMs: 1, deliveredMs: 60, readMs: 61 } });
      on.receiver.answer(500, 503);
      await send('15550199932');
      await on.settled();
      expect(words()).to.deep.equal(['sent']);
      on.receiver.answer(500, 500, 500);
      await send('15550199932');
      await on.settled();
      expect(words()).to.have.length(1);
      expect(on.simulator.lost()).to.equal(1);
    });

    it('can be sent on demand', async () => {
      const outcome = await send('15550199932');
      if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
      await on.simulator.status(outcome.messageId, 131026);
      await on.settled();
      expect(words()).to.include('131026');
    });
  });

  describe('sends', () => {
    it('are logged with their charge', async () => {
      await send(ORDINARY, 'charge-7');
      await send('15550199901', 'charge-8');
      expect(on.simulator.sends()).to.have.length(2);
      expect(on.simulator.sends('charge-8')[0]).to.include({
        code: 131026,
        messageId: null,
        to: '15550199901',
      });
    });

    it('are refused for an invalid token', async () => {
      on.simulator.configure({ invalidTokens: [sender().accessToken] });
      expect(await codeOf(outgoing().content)).to.equal(190);
    });

    it('are refused for an unregistered number until it is registered', async () => {
      on.simulator.setNumber({ phoneNumberId, registered: false });
      expect(await codeOf(outgoing().content)).to.equal(133010);
      await on.provider.registerNumber(sender(), '123456');
      expect(await codeOf(outgoing().content)).to.equal('accepted');
    });

    it('are refused for an unknown number, in strict mode', async () => {
      on.simulator.configure({ strict: true });
      expect(await codeOf(outgoing().content)).to.equal(100);
    });

    const person = { name: { formatted_name: 'Ravi Shah', first_name: 'Ravi' } };
    it('are accepted as contacts and as reactions', async () => {
      const reaction = (messageId: string): Content => ({ type: 'reaction', messageId, emoji: '' });
      expect(await codeOf({ type: 'contacts', contacts: [person] })).to.equal('accepted');
      const sent = await send();
      const outbound = sent.kind === 'accepted' ? sent.messageId : '';
      const { messageId } = await on.simulator.inbound(ORDINARY, { phoneNumberId, text: 'Hi' });
      for (const id of [outbound, messageId]) {
        expect(await codeOf(reaction(id))).to.equal('accepted');
      }
      expect(await codeOf(reaction('wamid.A')), 'to a message that is not there').to.equal(131009);
    });

    it('are billed once the free ones of the number’s month are sent', async () => {
      on.simulator.configure({ freeServiceMessages: 1 });
      for (const charge of ['charge-1', 'charge-2']) await send(ORDINARY, charge);
      await on.settled();
      const typeOf = (charge: string) =>
        statuses().find(({ chargeId, pricing }) => chargeId === charge && pricing)?.pricing?.type;
      expect(typeOf('charge-1')).to.equal('free_customer_service');
      expect(typeOf('charge-2')).to.equal('regular');
    });

    it('name the recipient beside each update but a failure', async () => {
      await send();
      await send('15550199921');
      await on.settled();
      const values = on.receiver.bodies.map((text) => JSON.parse(text).entry[0].changes[0].value);
      const [failed, others] = [true, false].map((wanted) =>
        values.filter(({ statuses: [status] }) => (status.status === 'failed') === wanted),
      );
      expect(failed).to.have.lengthOf(1);
      expect(failed![0]).not.to.have.property('contacts');
      for (const { contacts } of others!) {
        expect(contacts).to.deep.equal([{ wa_id: ORDINARY, user_id: `GB.7700${ORDINARY}` }]);
      }
    });

    const malformed: [string, Content, number][] = [
      ['an empty text', { type: 'text', body: '', previewUrl: false }, 100],
      ['a medium without a source', { type: 'media', mediaType: 'image' }, 100],
      ['no contacts', { type: 'contacts', contacts: [] }, 131009],
      ['a contact without a name', { type: 'contacts', contacts: [{}] }, 100],
      ['a reaction to nothing', { type: 'reaction', messageId: '', emoji: '👍' }, 100],
      ['a place off the earth', { type: 'location', latitude: 91, longitude: 0 }, 131009],
      [
        'an interactive message without action',
        { type: 'interactive', interactive: { type: 'list' } },
        100,
      ],
    ];
    for (const [what, content, code] of malformed) {
      it(`are refused with ${code} for ${what}`, async () =>
        expect(await codeOf(content)).to.equal(code));
    }

    it('are refused with 131051 for an unknown type', async () => {
      for (const type of ['poll', 'constructor']) {
        const { body } = await call('POST', `${phoneNumberId}/messages`, {
          messaging_product: 'whatsapp',
          to: `+${ORDINARY}`,
          type,
        });
        expect(body.error.code, type).to.equal(131051);
      }
    });

    it('are throttled past the throughput of the number', async () => {
      on.simulator.setNumber({ phoneNumberId, messagesPerSecond: 2 });
      await Promise.all([1, 2, 3].map(() => send()));
      expect(on.simulator.sends().map(({ code }) => code)).to.include(130429);
    });

    it('are refused beyond ten a minute to one recipient, on demand', async () => {
      on.simulator.configure({ pairLimit: true });
      for (let i = 0; i < 10; i += 1) await send();
      expect(await codeOf(outgoing().content)).to.equal(131056);
    });

    it('fail outside the window', async () => {
      on.simulator.configure({ enforceWindow: true });
      await send();
      await on.settled();
      expect(words()).to.deep.equal(['131047']);
      on.receiver.items.length = 0;
      await on.simulator.inbound(ORDINARY, { phoneNumberId, text: 'hi' });
      await send();
      await on.settled();
      expect(words()).to.have.members(['sent', 'delivered', 'read']);
    });
  });

  describe('customers', () => {
    it('write, in escaped and signed JSON', async () => {
      const result = await on.simulator.inbound(`+${ORDINARY}`, {
        phoneNumberId,
        text: 'héllo 👋 a/b',
        name: 'Mïa',
        contextMessageId: 'wamid.OUT1',
      });
      expect(result.status).to.equal(200);
      expect(on.receiver.bodies[0])
        .to.match(/^[\x20-\x7e]*$/)
        .and.include('a\\/b');
      const [item] = on.receiver.items;
      expect(item).to.include({ kind: 'message', from: ORDINARY, messageId: result.messageId });
      expect(item).to.have.nested.property('message.text.body', 'héllo 👋 a/b');
      expect(item).to.have.nested.property('message.context.id', 'wamid.OUT1');
      expect(item).to.have.nested.property('contact.profile.name', 'Mïa');
    });

    it('tap buttons and choose rows', async () => {
      const keep = { id: 'keep', title: 'Keep' };
      await on.simulator.inbound(ORDINARY, { phoneNumberId, button: keep });
      await on.simulator.inbound(ORDINARY, { phoneNumberId, row: keep });
      const quickReply = { payload: 'p', text: 'P' };
      await on.simulator.inbound(ORDINARY, { phoneNumberId, quickReply });
      const items = on.receiver.items as MessageItem[];
      expect(items.map(({ type }) => type)).to.deep.equal(['interactive', 'interactive', 'button']);
      expect(items[0]!.message).to.have.nested.property('interactive.button_reply.id', 'keep');
    });

    it('answer the last message to them with a tap or a choice', async () => {
      const keep = { id: 'keep', title: 'Keep' };
      const context = async (tap: object) => {
        await on.simulator.inbound(ORDINARY, { phoneNumberId, ...tap });
        const item = on.receiver.items.findLast(({ kind }) => kind === 'message');
        return (item as MessageItem).message.context as Json;
      };
      expect((await context({ button: keep })).id).to.match(/^wamid\./);
      await send();
      const last = await send();
      await send('447700900999');
      const answered = { from: '15550000001', id: last.kind === 'accepted' && last.messageId };
      for (const tap of [
        { button: keep },
        { row: keep },
        { quickReply: { payload: 'p', text: 'P' } },
      ]) {
        expect(await context(tap)).to.deep.equal(answered);
      }
      const named = await context({ button: keep, contextMessageId: 'wamid.A' });
      expect(named.id).to.equal('wamid.A');
      expect(await context({ text: 'hi' })).to.equal(undefined);
    });
  });

  describe('the account endpoints', () => {
    const apps = async () => (await call('GET', `${wabaId}/subscribed_apps`)).body.data;
    const write = () => on.simulator.inbound(ORDINARY, { phoneNumberId, text: 'hi' });
    beforeEach(() => on.simulator.setNumber({ phoneNumberId, wabaId }));

    it('list the numbers of an account with their state', async () => {
      on.simulator.setNumber({ phoneNumberId: '3000', wabaId, registered: false });
      on.simulator.setNumber({ phoneNumberId: '4000', wabaId: 'another' });
      const { body } = await call('GET', `${wabaId}/phone_numbers`);
      expect(body.data.map((row: Json) => [row.id, row.status])).to.deep.equal([
        [phoneNumberId, 'CONNECTED'],
        ['3000', 'PENDING'],
      ]);
      const asked = await call('GET', `${wabaId}/phone_numbers?fields=verified_name`);
      expect(asked.body.data[1]).to.deep.equal({ id: '3000', verified_name: 'Simulated Shop' });
    });

    it('subscribe the app of the token, list it, and end that', async () => {
      expect(await apps()).to.deep.equal([]);
      const success = { status: 200, body: { success: true } };
      expect(await call('POST', `${wabaId}/subscribed_apps`)).to.deep.equal(success);
      const { body: own } = await call('GET', 'app');
      const { body: token } = await call('GET', 'debug_token?input_token=a-token');
      expect(own.id).to.equal(token.data.app_id);
      const [row, ...others] = await apps();
      expect(others).to.deep.equal([]);
      expect(row.whatsapp_business_api_data).to.deep.equal(own);
      expect(own).to.have.all.keys('id', 'name', 'link');
      expect(await call('DELETE', `${wabaId}/subscribed_apps`)).to.deep.equal(success);
      expect(await apps()).to.deep.equal([]);
    });

    it('send webhooks only to a subscribed app, once the subscriptions were asked for', async () => {
      expect((await write()).status).to.equal(200);
      await apps();
      expect((await write()).status).to.equal(null);
      await send();
      await on.settled();
      expect(on.receiver.payloads).to.have.length(1);
      await call('POST', `${wabaId}/subscribed_apps`);
      expect((await write()).status).to.equal(200);
      on.simulator.setSubscription(wabaId, false);
      expect((await write()).status).to.equal(null);
      const control = (subscribed: boolean) =>
        fetch(`${on.baseUrl}/_simulator/subscriptions`, {
          method: 'POST',
          body: JSON.stringify({ wabaId, subscribed }),
        });
      await control(true);
      expect((await write()).status).to.equal(200);
      await control(false);
      expect((await write()).status).to.equal(null);
    });

    it('need a subscription from the start in strict mode', async () => {
      on.simulator.configure({ strict: true });
      expect((await write()).status).to.equal(null);
      expect((await call('POST', 'unknown/subscribed_apps')).status).to.equal(400);
      await call('POST', `${wabaId}/subscribed_apps`);
      expect((await write()).status).to.equal(200);
    });

    it('end the registration of a number', async () => {
      const { body } = await call('POST', `${phoneNumberId}/deregister`);
      expect(body).to.deep.equal({ success: true });
      expect(await codeOf(outgoing().content)).to.equal(133010);
    });

    it('take read receipts, with a sign of typing', async () => {
      const receipt = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.1' };
      const answerTo = async (change: object) =>
        call('POST', `${phoneNumberId}/messages`, { ...receipt, ...change });
      expect((await answerTo({})).body).to.deep.equal({ success: true });
      const typing = await answerTo({ typing_indicator: { type: 'text' } });
      expect(typing.body).to.deep.equal({ success: true });
      expect((await answerTo({ message_id: undefined })).body.error.code).to.equal(100);
      expect((await answerTo({ messaging_product: undefined })).body.error.code).to.equal(100);
      const wrong = await answerTo({ typing_indicator: { type: 'voice' } });
      expect(wrong.body.error.code).to.equal(131009);
      expect(on.simulator.sends()).to.deep.equal([]);
    });

    it('delete templates by name, or one by its id', async () => {
      const add = (language: string, name = 'old') =>
        on.simulator.setTemplate(wabaId, { name, language, category: 'UTILITY' }).id;
      const [english] = [add('en'), add('de'), add('en', 'new')];
      const remove = async (query: string) =>
        (await call('DELETE', `${wabaId}/message_templates?${query}`)).body;
      const names = async () =>
        (await call('GET', `${wabaId}/message_templates`)).body.data.map(
          ({ name, language }: Json) => `${name} ${language}`,
        );
      expect(await remove(`name=old&hsm_id=${english}`)).to.deep.equal({ success: true });
      expect(await names()).to.deep.equal(['old de', 'new en']);
      expect(await remove('name=old')).to.deep.equal({ success: true });
      expect(await names()).to.deep.equal(['new en']);
      expect((await remove('name=old')).error.code).to.equal(100);
      await on.settled();
      const kinds = on.receiver.items.map(({ kind }) => kind);
      expect(kinds).to.deep.equal(['template_status', 'template_status']);
    });
  });

  it('can be driven over HTTP', async () => {
    const control = async (path: string, body?: object) => {
      const answer = await fetch(`${on.baseUrl}/_simulator/${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const fault = { phoneNumberId, scenario: 'went_wrong', count: 1 };
    expect((await control('fault', fault)).status).to.equal(200);
    expect(await codeOf(outgoing().content)).to.equal(131000);
    expect((await send()).kind).to.equal('accepted');
    expect((await control('sends?chargeId=charge-1')).body.sends).to.have.length(2);
    const written = await control('inbound', { from: ORDINARY, phoneNumberId, text: 'hi' });
    expect(written.body.status).to.equal(200);
    const { recipients } = (await control('scenarios')).body;
    expect(recipients).to.have.length(Object.keys(magicRecipients).length);
    expect((await control('fault', { ...fault, scenario: 'flood' })).status).to.equal(400);
    expect((await control('nothing')).status).to.equal(404);
  });
});
