import { expect } from 'chai';
import { BotsResumed, BotsSilenced, MessageReceived } from '../../src/events/conversation.ts';
import { ChargeClaimed, ChargeClaimRefused, MessageSent } from '../../src/events/message.ts';
import { isThread } from '../../src/projections/absorbed-threads.ts';
import { chargeclaims } from '../../src/projections/charge-claims.ts';
import { conversations } from '../../src/projections/conversations.ts';
import type { ConversationDocument } from '../../src/projections/thread.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { given } from '../support/projections.ts';
import { positionAt, sent, status, type Written, written } from '../support/projections-facts.ts';
import { inboundMessage, NOW } from '../support/samples.ts';
import { subjectOfId } from '../support/subjects.ts';

const waId = '919812345678';
const phoneNumberId = '100000000000001';
const { ref: contactRef } = subjectOfId(waId);
const id = `acc_1.${phoneNumberId}.${contactRef}`;
const history = given(conversations);
type Document = ReturnType<ReturnType<typeof history>['document']>;
const threadOf = (document: Document): ConversationDocument => {
  if (!document || !isThread(document)) throw new Error('there is no such thread');
  return document;
};

const received = (
  messageRef: string,
  at: number,
  change: Parameters<typeof inboundMessage>[0] = {},
): Written => {
  const words = { message: { id: `id of ${messageRef}` }, text: `text of ${messageRef}` };
  const about = { contactRef, contactName: 'Asha', messageRef, receivedAt: isoTime(at) };
  const fact = MessageReceived.of(inboundMessage({ ...about, ...words, ...change }));
  return written(`conversation-${id}`, fact, at);
};
const thread = { accountId: 'acc_1', phoneNumberId, contactRef };

describe('conversations', () => {
  it('begin with what the contact writes', () =>
    history(received('in1', NOW)).thenIs(id, {
      id,
      accountId: 'acc_1',
      phoneNumberId,
      waId,
      contactName: 'Asha',
      contactRef,
      sealedMonth: null,
      userId: null,
      absorbs: [],
      searchText: `${waId}\n\nasha`,
      lastMessage: {
        messageRef: 'in1',
        id: 'id of in1',
        direction: 'inbound',
        messageType: 'text',
        text: 'text of in1',
        status: null,
        createdAt: isoTime(NOW),
      },
      lastInboundAt: isoTime(NOW),
      lastOutboundAt: null,
      messageCount: 1,
      unreadCount: 1,
      failed: false,
      withBot: false,
      assignedTo: '',
      assignedBy: '',
      labelText: '',
      createdAt: isoTime(NOW),
      updatedAt: isoTime(NOW),
      order: positionAt(0),
    }));

  it('say who has taken them from the bots, and for how long', () => {
    const until = isoTime(NOW + 60_000);
    const silenced = (botId: string | null, at: number) => {
      const by = { botId, runId: botId && 'run_1' };
      return written(`conversation-${id}`, BotsSilenced.of({ ...thread, ...by, until }), at);
    };
    const resumed = written(`conversation-${id}`, BotsResumed.of({ ...thread, at: isoTime(NOW) }));
    const byBot = { botId: 'bot_1', since: isoTime(NOW + 1), until };
    const begun = [received('in1', NOW), silenced('bot_1', NOW + 1)];
    history(...begun).thenShows(id, { handoff: byBot });
    history(...begun, received('in2', NOW + 2)).thenShows(id, { handoff: byBot, unreadCount: 2 });
    const out = sent('out1', 'acc_1', { revision: 2 }, NOW + 2);
    history(...begun, out).thenShows(id, { handoff: byBot });
    const byPerson = { botId: null, since: isoTime(NOW + 2), until };
    history(...begun, silenced(null, NOW + 2)).thenShows(id, { handoff: byPerson });
    const given = history(...begun, resumed).document(id);
    expect(given).to.deep.equal(history(received('in1', NOW)).document(id));
    expect(history(silenced(null, NOW)).document(id)).to.equal(undefined);
  });

  it('begin with what is sent', () =>
    history(sent('out1', 'acc_1', { revision: 2 }, NOW)).thenShows(id, {
      contactName: null,
      searchText: `${waId}\n\n`,
      lastMessage: {
        messageRef: 'out1',
        id: 'id of out1',
        direction: 'outbound',
        messageType: 'template',
        status: 'sent',
        text: 'Your order A-77 has been shipped.',
        createdAt: isoTime(NOW),
      },
      lastInboundAt: null,
      lastOutboundAt: isoTime(NOW),
      unreadCount: 0,
    }));

  it('count messages either way, and as unread those since the last that was sent', () => {
    const facts = [
      received('in1', NOW),
      received('in2', NOW + 1000, { contactName: null }),
      sent('out1', 'acc_1', { revision: 2 }, NOW + 2000),
      received('in3', NOW + 3000, { contactName: 'Mia' }),
    ];
    const shownAfter = (count: number) => history(...facts.slice(0, count)).document(id);
    expect(shownAfter(2)).to.include({ messageCount: 2, unreadCount: 2, contactName: 'Asha' });
    expect(shownAfter(3)).to.include({
      messageCount: 3,
      unreadCount: 0,
      contactName: 'Asha',
      searchText: `${waId}\n\nasha`,
      lastInboundAt: isoTime(NOW + 1000),
      lastOutboundAt: isoTime(NOW + 2000),
      createdAt: isoTime(NOW),
      updatedAt: isoTime(NOW + 2000),
      order: positionAt(2),
    });
    expect(shownAfter(4)).to.include({
      messageCount: 4,
      unreadCount: 1,
      contactName: 'Mia',
      searchText: `${waId}\n\nmia`,
      lastInboundAt: isoTime(NOW + 3000),
      lastOutboundAt: isoTime(NOW + 2000),
      createdAt: isoTime(NOW),
      order: positionAt(3),
    });
  });

  it('have a window by the newest time of the provider, whatever comes last', () => {
    const early = { receivedAt: isoTime(NOW - 5000) };
    history(received('in1', NOW), received('in2', NOW + 1000, early)).thenShows(id, {
      lastInboundAt: isoTime(NOW),
      updatedAt: isoTime(NOW + 1000),
    });
  });

  for (const messageType of ['reaction', 'system', 'unsupported']) {
    it(`have no window by a message of type ${messageType}`, () => {
      const notice = received('in1', NOW, { messageType });
      history(notice).thenShows(id, { lastInboundAt: null, messageCount: 1, unreadCount: 1 });
      const later = received('in2', NOW + 1000, { messageType });
      history(received('in1', NOW), later).thenShows(id, { lastInboundAt: isoTime(NOW) });
    });
  }

  it('show how far the newest message got, never less, and of no other message', () => {
    const out = sent('out1', 'acc_1', { revision: 2 }, NOW);
    const shown = (...facts: Written[]) =>
      threadOf(history(out, ...facts).document(id)).lastMessage.status;
    expect(shown(status('out1', 'delivered', NOW + 1))).to.equal('delivered');
    const [delivered, failed] = ['delivered', 'failed'].map((word) =>
      status('out1', word, NOW + 1),
    );
    expect(shown(delivered!, failed!)).to.equal('delivered');
    expect(shown(failed!, delivered!)).to.equal('delivered');
    expect(shown(status('out1', 'strange', NOW + 1))).to.equal('sent');
    expect(shown(status('out0', 'read', NOW + 1))).to.equal('sent');
    history(status('out1', 'read', NOW)).thenHas(0);
  });

  it('show what was heard of a message before its record', () => {
    const out = sent('out1', 'acc_1', { revision: 2, recovered: true, heard: 'failed' }, NOW);
    const { failed, lastMessage } = threadOf(history(out).document(id));
    expect([failed, lastMessage.status]).to.deep.equal([true, 'failed']);
  });

  it('take a record that was recovered late for what was sent before the answer', () => {
    const charge = { revision: 2, recovered: true, reservedAt: NOW };
    const late = sent('out1', 'acc_1', charge, NOW + 900_000);
    const before = history(received('in1', NOW + 1)).document(id)!;
    history(received('in1', NOW + 1), late).thenIs(id, {
      ...before,
      lastOutboundAt: isoTime(NOW),
      messageCount: 2,
    });
    history(late).thenShows(id, { lastOutboundAt: isoTime(NOW), updatedAt: isoTime(NOW) });
  });

  it('tell which have failed, and which a bot answers', () => {
    const out = (ref: string, revision: number, source: 'notification' | 'api' | 'bot') =>
      sent(ref, 'acc_1', { revision, intent: { source } }, NOW + revision);
    const bot = out('out2', 2, 'bot');
    const failed = [out('out1', 1, 'api'), status('out1', 'failed', NOW + 9)];
    history(...failed).thenShows(id, { failed: true, withBot: false });
    const answered = [bot, received('in1', NOW + 3), out('out3', 4, 'notification')];
    history(...answered).thenShows(id, { failed: false, withBot: true });
    history(bot, out('out3', 3, 'api')).thenShows(id, { withBot: false });
    const by = { botId: null, runId: null, until: isoTime(NOW + 60_000) };
    const taken = written(`conversation-${id}`, BotsSilenced.of({ ...thread, ...by }));
    history(bot, taken).thenShows(id, { withBot: false });
  });

  it('of accounts are apart, and without a number of ours have an empty one', () => {
    const facts = history(
      sent('out1', 'acc_1', { revision: 2, intent: { phoneNumberId: null } }, NOW),
      sent('out2', 'acc_2', { revision: 2 }, NOW),
    );
    facts.thenShows(`acc_1..${contactRef}`, { phoneNumberId: '', messageCount: 1 });
    const other = { accountId: 'acc_2', messageCount: 1 };
    facts.thenShows(`acc_2.${phoneNumberId}.${contactRef}`, other);
  });
});

describe('claims of charges', () => {
  const of = { messageRef: 'm1', chargeId: 'chg_1_2', accountId: 'acc_1' };
  const reservedAt = isoTime(NOW);
  const claim = { ...thread, ...of, messageId: 'id of m1', recipient: { waId }, reservedAt };
  const claimed = written('message-acc_1.m1', ChargeClaimed.of(claim));
  const open = given(chargeclaims);

  it('stand until it is decided whose the charge is', () => {
    open(claimed).thenIs('acc_1.m1', { ...of, reservedAt, order: positionAt(0) });
    const refused = ChargeClaimRefused.of(of);
    open(claimed, written('message-acc_1.m1', refused)).thenHas(0);
    open(claimed, sent('m1', 'acc_1', { revision: 2 })).thenHas(0);
    open(sent('m1', 'acc_1', { revision: 2 })).thenHas(0);
    open(claimed, sent('m2', 'acc_1', { revision: 2 })).thenHas(1);
  });

  it('are not looked for where a record begins its stream', () => {
    const key = (chargeclaims.on.MessageSent!.key as (event: unknown) => unknown).bind(null);
    const { fact, stream } = sent('m1', 'acc_1', { revision: 2 });
    expect(key({ revision: 0, stream, ...fact })).to.deep.equal([]);
    expect(key({ revision: 1, stream, ...fact })).to.equal('acc_1.m1');
    expect(fact.type).to.equal(MessageSent.type);
  });
});
