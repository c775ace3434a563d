import { expect } from 'chai';
import { idsOf } from '../../src/events/contact.ts';
import { BotsSilenced, conversationIdOf, MessageReceived } from '../../src/events/conversation.ts';
import { isThread, UNLISTED } from '../../src/projections/absorbed-threads.ts';
import { contacts } from '../../src/projections/contacts.ts';
import { conversations } from '../../src/projections/conversations.ts';
import { messages } from '../../src/projections/messages.ts';
import { readContacts, readRefsOf } from '../../src/projections/read-contacts.ts';
import { readThread } from '../../src/projections/read-threads.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { bytesOf, foldAll, given, readerOf } from '../support/projections.ts';
import {
  joined,
  positionAt,
  recorded,
  sent,
  type Written,
  withData,
  written,
} from '../support/projections-facts.ts';
import { inboundMessage, NOW, statusRecord } from '../support/samples.ts';
import { subjectOfId } from '../support/subjects.ts';

const accountId = 'acc_1';
const phoneNumberId = '100000000000001';
const [DIGITS, FIRST, SECOND] = ['919812345678', 'IN.1', 'IN.2'];
const refOf = (id: string) => subjectOfId(id).ref;
const idOf = (id: string) => conversationIdOf({ accountId, phoneNumberId, contactRef: refOf(id) });
const at = (second: number) => NOW + 1000 * second;

const received = (messageRef: string, waId: string, second: number, userId = 'IN.1') =>
  written(
    `conversation-${idOf(waId)}`,
    MessageReceived.of({
      ...inboundMessage({ phoneNumberId, accountId, waId, userId, contactRef: refOf(waId) }),
      displayPhoneNumber: '1',
      contactName: 'Asha',
      messageRef,
      receivedAt: isoTime(at(second)),
      text: messageRef,
    }),
    at(second),
  );
const sentTo = (messageRef: string, waId: string, second: number): Written => {
  const one = sent(messageRef, accountId, { revision: second }, at(second));
  const { waId: number, userId } = idsOf(waId, null);
  const recipient = { waId: number ?? userId, ...(userId !== null && { userId }) };
  return withData(one, { contactRef: refOf(waId), recipient });
};

const history = given(conversations);
const sourceOf = (facts: readonly Written[]) => readerOf(recorded(facts));

describe('conversations of one contact under two ids', () => {
  const both = [
    received('a', DIGITS, 1),
    sentTo('b', DIGITS, 2),
    received('c', FIRST, 3),
    received('d', FIRST, 4),
    joined(FIRST, DIGITS),
  ];

  it('are one, with the messages, the window and the names of both', () => {
    const shown = history(...both);
    shown.thenShows(idOf(DIGITS), {
      id: idOf(DIGITS),
      waId: DIGITS,
      userId: 'IN.1',
      contactName: 'Asha',
      messageCount: 4,
      unreadCount: 2,
      order: positionAt(3),
      lastInboundAt: isoTime(at(4)),
      lastOutboundAt: isoTime(at(2)),
      createdAt: isoTime(at(1)),
      updatedAt: isoTime(at(4)),
      absorbs: [{ id: idOf(FIRST), userId: FIRST }],
      searchText: [DIGITS, 'in.1', 'in.1', 'asha'].join('\n'),
    });
    const kept = shown.document(idOf(DIGITS))!;
    const last = { messageRef: 'd', direction: 'inbound' };
    expect(isThread(kept) && kept.lastMessage).to.include(last);
    shown.thenShows(idOf(FIRST), { order: UNLISTED, absorbedBy: idOf(DIGITS) });
    expect(isThread(shown.document(idOf(FIRST))!)).to.equal(false);
  });

  it('are a person’s as long as the longer hand-off of both says', () => {
    const silenced = (waId: string, second: number) => {
      const key = { accountId, phoneNumberId, contactRef: refOf(waId) };
      const silence = { ...key, runId: null, botId: null, until: isoTime(at(second)) };
      return written(`conversation-${idOf(waId)}`, BotsSilenced.of(silence), at(5));
    };
    const begun = both.slice(0, 4);
    for (const facts of [
      [silenced(DIGITS, 90), silenced(FIRST, 60)],
      [silenced(DIGITS, 60), silenced(FIRST, 90)],
      [silenced(DIGITS, 90)],
      [silenced(FIRST, 90)],
    ]) {
      history(...begun, ...facts, joined(FIRST, DIGITS)).thenShows(idOf(DIGITS), {
        handoff: { botId: null, since: isoTime(at(5)), until: isoTime(at(90)) },
      });
    }
  });

  it('count as unread what came after the last that was sent, in whichever of them', () => {
    const unread = (...facts: Written[]) => {
      const kept = history(...facts, joined(FIRST, DIGITS)).document(idOf(DIGITS))!;
      return isThread(kept) ? kept.unreadCount : undefined;
    };
    expect(unread(received('a', DIGITS, 1), sentTo('b', FIRST, 2))).to.equal(0);
    expect(unread(sentTo('a', DIGITS, 1), received('b', FIRST, 2))).to.equal(1);
    expect(unread(received('a', FIRST, 1), sentTo('b', DIGITS, 2))).to.equal(0);
    expect(unread(received('a', FIRST, 1), received('b', DIGITS, 2))).to.equal(2);
  });

  it('begin under the number where only the user id had one', () => {
    const id = idOf(DIGITS);
    const shown = { id, waId: DIGITS, messageCount: 1, order: positionAt(0) };
    history(received('a', FIRST, 1), joined(FIRST, DIGITS)).thenShows(id, shown);
  });

  it('are found by either id, with what was written late', async () => {
    const late = [...both, received('e', FIRST, 6), sentTo('f', FIRST, 7)];
    const source = sourceOf(late);
    for (const id of [idOf(DIGITS), idOf(FIRST)]) {
      expect(await readThread(source, id)).to.include({
        id: idOf(DIGITS),
        messageCount: 6,
        unreadCount: 0,
        lastOutboundAt: isoTime(at(7)),
      });
    }
    expect(await readThread(source, idOf(SECOND))).to.equal(undefined);
  });

  it('wait for their first message, and have then what was late', async () => {
    const early = [joined(FIRST, DIGITS), received('a', FIRST, 1)];
    history(...early).thenShows(idOf(DIGITS), { accountId, order: UNLISTED });
    expect(await readThread(sourceOf(early), idOf(DIGITS))).to.equal(undefined);
    const source = sourceOf([...early, received('b', DIGITS, 2)]);
    expect(await readThread(source, idOf(FIRST))).to.include({ waId: DIGITS, messageCount: 2 });
  });

  it('are one over a chain of ids, in whatever order they are joined', async () => {
    const facts = [received('a', SECOND, 1), received('b', FIRST, 2), received('c', DIGITS, 3)];
    const joins = [joined(SECOND, FIRST, { by: 'changed' }), joined(FIRST, DIGITS)];
    for (const order of [joins, joins.toReversed()]) {
      const source = sourceOf([...facts, ...order, received('d', SECOND, 4)]);
      for (const id of [DIGITS, FIRST, SECOND]) {
        const thread = await readThread(source, idOf(id));
        expect(thread, id).to.include({ id: idOf(DIGITS), messageCount: 4 });
      }
    }
  });

  it('stay apart where the join names no conversation', () => {
    const bare = joined(FIRST, DIGITS, { conversations: undefined as never });
    const shown = history(received('a', FIRST, 1), bare);
    shown.thenShows(idOf(FIRST), { messageCount: 1 });
    expect(shown.document(idOf(DIGITS))).to.equal(undefined);
  });

  it('row 44: come to the same where a crash left one of the documents behind the other', () => {
    const facts = [
      ...both,
      received('e', FIRST, 6),
      received('f', DIGITS, 7),
      received('g', SECOND, 8),
      joined(SECOND, FIRST, { by: 'changed' }),
      received('h', SECOND, 9),
    ];
    const events = recorded(facts);
    for (let length = 1; length <= events.length; length += 1) {
      const part = events.slice(0, length);
      const whole = foldAll(conversations, part);
      for (const [id, kept] of whole) {
        const ahead = foldAll(conversations, part, new Map([[id, kept]]));
        expect(bytesOf(ahead), `${id} after ${length} events`).to.deep.equal(bytesOf(whole));
      }
    }
  });
});

describe('ids of contacts', () => {
  const facts = [
    joined(SECOND, FIRST, { by: 'changed' }),
    joined(FIRST, DIGITS),
    joined('IN.3', DIGITS, { conversations: undefined as never }),
  ];

  it('lead to the contact, one or more steps away', async () => {
    const source = sourceOf(facts);
    const asked = [FIRST, SECOND, 'IN.3', 'IN.9', DIGITS].map(refOf);
    const found = await readContacts(source, accountId, asked);
    const contact = { ref: refOf(DIGITS), number: DIGITS };
    const led = [FIRST, SECOND, 'IN.3'].map((id) => [refOf(id), contact]);
    expect([...found]).to.deep.equal(led);
    expect([...(await readContacts(source, 'acc_2', [refOf(FIRST)]))]).to.deep.equal([]);
  });

  it('are all those under which messages are kept', async () => {
    const source = sourceOf(facts);
    for (const id of [DIGITS, FIRST, SECOND, 'IN.3']) {
      const refs = await readRefsOf(source, accountId, refOf(id));
      expect(refs, id).to.deep.equal([DIGITS, FIRST, SECOND].map(refOf));
    }
    expect(await readRefsOf(source, accountId, 'stranger')).to.deep.equal(['stranger']);
  });

  it('take a document each, and one more only for those with messages', () => {
    const id = (of: string) => `${accountId}.${refOf(of)}`;
    const bare = { accountId, contactRef: null, number: null, absorbed: [], sealedMonth: null };
    const leads = { contactRef: refOf(DIGITS), number: DIGITS };
    given(contacts)(facts[2]!).thenIs(id('IN.3'), { ...bare, id: id('IN.3'), ...leads });
    given(contacts)(facts[2]!).thenHas(1);
    const own = { ...bare, id: id(DIGITS), absorbed: [refOf(FIRST)] };
    given(contacts)(facts[1]!).thenIs(id(DIGITS), own);
  });
});

describe('messages under a user id', () => {
  it('have no number, and the user id', () => {
    const shown = given(messages)(sentTo('out', FIRST, 1), received('in', FIRST, 2));
    const own = { contactUserId: FIRST, contactRef: refOf(FIRST) };
    shown.thenShows(`${accountId}.out`, { ...own, recipientWaId: null });
    const inbound = { ...own, senderWaId: null, recipientWaId: '1' };
    shown.thenShows(`inbound.${accountId}.in`, inbound);
  });

  it('learn the user id of a message to a number from its statuses', () => {
    const out = sentTo('out', DIGITS, 1);
    const update = (word: string, recipientUserId?: string): Written => {
      const own = { messageRef: 'out', accountId, phoneNumberId, contactRef: refOf(DIGITS) };
      const recipient = recipientUserId ? { waId: null, userId: recipientUserId } : null;
      const data = statusRecord({ ...own, status: word, statusAt: isoTime(at(2)), recipient });
      return written(`message-${accountId}.out`, { type: 'StatusUpdated', data });
    };
    const shownAfter = (...updates: Written[]) => given(messages)(out, ...updates);
    const id = `${accountId}.out`;
    shownAfter(update('sent')).thenShows(id, { contactUserId: null });
    const learned = { status: 'read', contactUserId: FIRST } as const;
    shownAfter(update('read'), update('sent', FIRST)).thenShows(id, learned);
    shownAfter(update('sent', FIRST), update('read')).thenShows(id, learned);
  });
});
