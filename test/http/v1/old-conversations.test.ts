import { expect } from 'chai';
import {
  BotRunEnded,
  BotRunStarted,
  conversationIdOf,
  MessageReceived,
} from '../../../src/events/conversation.ts';
import type { NewEvent } from '../../../src/events/store.ts';
import { succeeded } from '../../support/answered.ts';
import { customerWrites, typesOf, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';

const FROM = '919812345678';
const HOUR_MS = 60 * 60_000;

/** Of logs from before contacts had pseudonyms, as a copy into today's format has them. */
describe('conversations that the number itself names', () => {
  const on = useTenant({}, { soleWriter: false });
  let bot: Json;
  let old: string;
  const id = 'wamid.OLD';
  const runId = 'run_old';

  const call = (method: string, path: string, body?: Json) =>
    succeeded(on.call(method, `/v1${path}`, body), path);
  const at = (ms = on.waybill.clock.now()) => new Date(ms).toISOString();
  const runs = async (): Promise<Json[]> => (await call('GET', `/bots/${bot.id}/runs`)).runs;
  const ended = () => untilTrue('its end', async () => (await runs())[0].state === 'ended');

  beforeEach(async () => {
    // No message written before it is for this bot.
    bot = await call('POST', '/bots', { name: 'Old', trigger: 'KEYWORD', triggerKeywords: ['x'] });
    const { accountId, phoneNumberId, wabaId } = on.tenant;
    old = `conversation-${accountId}.${phoneNumberId}.${FROM}`;
    const ofContact = { accountId, phoneNumberId, waId: FROM, contactName: 'Mia', text: 'Hi' };
    const run = { runId, botId: bot.id };
    const began = { messageId: id, messageRevision: 0, botRevision: 0 };
    const waits = { nodeId: 'ask', kind: 'reply', attempts: 0, messageId: null };
    const until = at(on.waybill.clock.now() + HOUR_MS);
    const facts: [type: string, data: object][] = [
      [
        'MessageReceived',
        {
          ...ofContact,
          wabaId,
          displayPhoneNumber: '15550100001',
          contact: null,
          message: { id, from: FROM, type: 'text', text: { body: 'Hi' } },
          messageId: id,
          messageType: 'text',
          receivedAt: at(),
        },
      ],
      ['BotRunStarted', { ...run, ...ofContact, ...began }],
      ['BotRunWaiting', { ...run, ...waits, until }],
    ];
    const meta = { at: at(), requestId: 'long-ago', accountId };
    const events = facts.map(([type, data]): NewEvent => {
      return { type, data, id: crypto.randomUUID(), version: 1, meta };
    });
    await on.waybill.store.append(old, -1, events);
    await on.waybill.settled();
  });

  it('are read under the id of today: history, thread, window, timeline, run', async () => {
    expect(MessageReceived.version).to.be.above(1);
    expect(BotRunStarted.version).to.be.above(1);
    const { accountId, phoneNumberId } = on.tenant;
    // Its contact had no pseudonym yet.
    const conversationId = conversationIdOf({ accountId, phoneNumberId, contactRef: FROM });
    const { messages } = await call('GET', `/messages?conversationId=${conversationId}`);
    expect(messages[0]).to.include({ id, conversationId, text: 'Hi' });
    const { conversations } = await call('GET', '/conversations');
    expect(conversations).to.have.length(1);
    expect(conversations[0]).to.deep.include({
      id: conversationId,
      contact: { waId: FROM, userId: null, name: 'Mia' },
      windowOpen: true,
      messageCount: 1,
    });
    const { timeline } = await call('GET', `/messages/${id}/timeline`);
    expect(typesOf(timeline)).to.include('MessageReceived').and.to.include('BotRunStarted');
    expect((await runs())[0]).to.include({ id: runId, state: 'waiting', nodeId: 'ask' });
    expect(await call('GET', `/bots/${bot.id}/runs/${runId}`)).to.include({ state: 'waiting' });
  });

  it('stay as they are: what comes later is another thread, whose stream tells no number', async () => {
    await customerWrites(on.waybill, on.tenant, { body: 'Hello again', name: 'Mia' });
    const { conversations } = await call('GET', '/conversations');
    expect(conversations).to.have.length(2);
    expect(conversations[0]).to.include({ messageCount: 1, unreadCount: 1 });
    expect(conversations[0].id).not.to.include(FROM);
    expect(await on.waybill.events(old)).to.have.length(3);
    const { messages } = await call('GET', `/messages?contact=${FROM}`);
    expect(messages.map(({ text }: Json) => text)).to.deep.equal(['Hello again', 'Hi']);
  });

  const lastOf = async (stream: string) => (await on.waybill.events(stream)).at(-1);

  it('let the runs that wait in them come to their end', async () => {
    on.waybill.clock.advance(2 * HOUR_MS);
    await ended();
    expect(await lastOf(old)).to.have.property('type', BotRunEnded.type);
  });

  it('have their runs ended when the number is unlinked', async () => {
    await on.waybill.admin('DELETE', `/numbers/${on.tenant.phoneNumberId}`);
    await ended();
    expect(await lastOf(old)).to.have.nested.property('data.reason', 'number_unlinked');
  });
});
