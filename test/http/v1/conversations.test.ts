import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { conversationOf, customerWrites, notified, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, providerAccepts, statusPayload } from '../../support/waybill.ts';

const HOUR_MS = 3_600_000;
const isoOf = (time: number) => new Date(time).toISOString();

describe('GET /v1/conversations @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });

  const list = (query = '') => bodyOf(200, on.call('GET', `/v1/conversations${query}`));
  const contactsOf = ({ conversations }: Json): string[] =>
    conversations.map(({ contact }: Json) => contact.waId);
  const writes = (from: string, message: Json = {}, to = on.tenant) =>
    customerWrites(on.waybill, to, { from, ...message });
  const notify = async (to: string): Promise<string> =>
    (await notified(on.waybill, on.tenant, { to })).body.messageId;

  it('shows a thread with every field', async () => {
    const began = on.waybill.clock.now();
    const inbound = await writes('919812345678', { body: 'Hello?', name: 'Mia' });
    const { conversations, ...rest } = await list();
    expect(rest).to.deep.equal({ nextCursor: null });
    const at = isoOf(Math.floor(began / 1000) * 1000);
    expect(conversations[0]).to.deep.equal({
      id: await conversationOf(on.waybill, on.tenant),
      phoneNumberId: on.tenant.phoneNumberId,
      contact: { waId: '919812345678', userId: null, name: 'Mia' },
      lastMessage: {
        id: inbound,
        direction: 'inbound',
        messageType: 'text',
        text: 'Hello?',
        status: null,
        createdAt: at,
      },
      lastInboundAt: at,
      lastOutboundAt: null,
      windowOpen: true,
      windowExpiresAt: isoOf(Date.parse(at) + 24 * HOUR_MS),
      handoff: null,
      assigned: null,
      assignedBy: null,
      labels: [],
      messageCount: 1,
      unreadCount: 1,
      createdAt: isoOf(began),
      updatedAt: isoOf(began),
    });
  });

  it('computes the window when it is read', async () => {
    await writes('919812345678');
    const windowOpen = async () => (await list()).conversations[0].windowOpen;
    on.waybill.clock.advance(24 * HOUR_MS - 1000);
    expect(await windowOpen()).to.equal(true);
    on.waybill.clock.advance(1000);
    expect(await windowOpen()).to.equal(false);
    expect(contactsOf(await list('?windowOpen=true'))).to.deep.equal([]);
    expect(contactsOf(await list('?windowOpen=false'))).to.deep.equal(['919812345678']);
    await writes('919812345678');
    expect(await windowOpen()).to.equal(true);
  });

  it('lists the most recently active first, each pair of number and contact once', async () => {
    for (const from of ['111111', '222222', '333333']) await writes(from);
    expect(contactsOf(await list())).to.deep.equal(['333333', '222222', '111111']);
    await writes('111111');
    expect(contactsOf(await list())).to.deep.equal(['111111', '333333', '222222']);
    await notify('222222');
    expect(contactsOf(await list())).to.deep.equal(['222222', '111111', '333333']);
  });

  it('searches names and numbers in any case', async () => {
    await writes('919812345678', { name: 'Mia Müller' });
    await writes('447700900123', { name: 'Noah' });
    const searches: [string, string[]][] = [
      ['mia', ['919812345678']],
      ['MÜLL', ['919812345678']],
      ['4477', ['447700900123']],
      ['9', ['447700900123', '919812345678']],
      ['nobody', []],
    ];
    for (const [search, expected] of searches) {
      const found = await list(`?${new URLSearchParams({ search })}`);
      expect(contactsOf(found), search).to.deep.equal(expected);
    }
  });

  it('filters by number and by time', async () => {
    const second = `${on.tenant.phoneNumberId}7`;
    const number = { phoneNumberId: second, wabaId: on.tenant.wabaId };
    await on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/numbers`, number);
    await writes('111111');
    on.waybill.clock.advance(60_000);
    const at = isoOf(on.waybill.clock.now());
    const there = { ...on.tenant, phoneNumberId: second };
    await writes('111111', {}, there);
    expect((await list()).conversations).to.have.length(2);
    const id = await conversationOf(on.waybill, there, '111111');
    for (const query of [
      `phoneNumberId=${second}`,
      `updatedSince=${at}`,
      `updatedSince=${at.replace('.000Z', 'Z')}`,
    ]) {
      const { conversations } = await list(`?${query}`);
      expect(
        conversations.map((one: Json) => one.id),
        query,
      ).to.deep.equal([id]);
    }
  });

  it('filters by failures and by the bots that answer, and shows one by its id', async () => {
    const nodes = [{ id: 'm', type: 'message', data: { text: 'I am a bot.' } }];
    const bot = { name: 'Hi', trigger: 'KEYWORD', triggerKeywords: ['bot'], nodes, edges: [] };
    await answered(201, on.call('POST', '/v1/bots', bot));
    providerAccepts(on.tenant);
    await writes('111111', { body: 'bot' });
    await untilTrue('the bot to answer', async () =>
      contactsOf(await list('?withBot=true')).includes('111111'),
    );
    const failed = { id: await notify('222222'), status: 'failed', recipient: '222222' };
    await on.waybill.webhook(statusPayload(on.tenant, failed));
    expect(contactsOf(await list('?failed=true'))).to.deep.equal(['222222']);
    expect(contactsOf(await list('?failed=false'))).to.deep.equal(['111111']);
    expect(contactsOf(await list('?withBot=false'))).to.deep.equal(['222222']);
    const [one] = (await list('?failed=true')).conversations;
    const read = await bodyOf(200, on.call('GET', `/v1/conversations/${one.id}`));
    expect(read).to.deep.equal(one);
  });

  it('pages through all, with and without a filter', async () => {
    const contacts = Array.from({ length: 7 }, (_, index) => `${index}00000`);
    for (const [index, from] of contacts.entries()) {
      await writes(from, { name: index % 2 === 0 ? 'Even' : 'Odd' });
    }
    const walk = async (query: string) => {
      const found: string[] = [];
      let cursor: string | null = '';
      for (let page = 0; cursor !== null && page < 10; page += 1) {
        const next: Json = await list(`?${query}${cursor && `&cursor=${cursor}`}`);
        expect(next.conversations.length).to.be.at.most(2);
        found.push(...contactsOf(next));
        cursor = next.nextCursor;
      }
      return found;
    };
    const newestFirst = contacts.toReversed();
    expect(await walk('limit=2')).to.deep.equal(newestFirst);
    const even = newestFirst.filter((one) => Number(one[0]) % 2 === 0);
    expect(await walk('limit=2&search=even')).to.deep.equal(even);
  });
});
