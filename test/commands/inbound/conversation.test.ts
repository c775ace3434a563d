import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import { openSqliteStore } from '../../../src/events/sqlite/store.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { fixedClock } from '../../support/ambient.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { inboundMessage } from '../../support/samples.ts';
import { openedLog, subjectOfId } from '../../support/subjects.ts';
import { untilTrue } from '../../support/until.ts';

const ID = '919812345678';
const subject = subjectOfId(ID);
const context = { requestId: 't', subjects: [subject] };

describe('a conversation', () => {
  it('loads in bounded time, however long it is', async () => {
    const folder = temporaryFolder();
    const opened = await openSqliteStore({ directory: folder.path });
    let read = 0;
    const store: EventStore = {
      ...opened,
      async read(...what) {
        const events = await opened.read(...what);
        read += events.length;
        return events;
      },
    };
    const open = () =>
      createWriter({ store: openedLog(store), clock: fixedClock(), ids: systemIds });
    const thread = { phoneNumberId: '10', contactRef: subject.ref, accountId: 'acc_1' };
    const receive = (writer: ReturnType<typeof open>, index: number) => {
      const message = inboundMessage({ ...thread, waId: ID, messageRef: `wamid.${index}` });
      const command = { type: 'Receive' as const, message };
      return writer.execute(conversationDecider, '10.ref', command, context);
    };
    const writer = open();
    await Promise.all(Array.from({ length: 4000 }, (_, index) => receive(writer, index)));
    const name = 'conversation-10.ref';
    await untilTrue(
      'a snapshot',
      async () => ((await store.loadSnapshot(name))?.revision ?? 0) > 3000,
    );
    read = 0;
    const { state, revision } = await open().load(conversationDecider, '10.ref');
    expect(revision).to.equal(3999);
    expect(read).to.be.below(1000);
    expect(state.seen).to.have.length(1000);
    expect((await receive(open(), 3999)).facts).to.deep.equal([]);
    await opened.close();
    folder.remove();
  });

  it('keeps a snapshot at its 500th event', async () => {
    const folder = temporaryFolder();
    const store = await openSqliteStore({ directory: folder.path });
    const writer = createWriter({ store, clock: fixedClock(), ids: systemIds });
    const receive = (index: number) => {
      const own = { phoneNumberId: '10', contactRef: subject.ref, waId: ID };
      const message = inboundMessage({ ...own, messageRef: `wamid.${index}` });
      return writer.execute(conversationDecider, '10', { type: 'Receive', message }, context);
    };
    await Promise.all(Array.from({ length: 499 }, (_, index) => receive(index)));
    await receive(499);
    const kept = () => store.loadSnapshot('conversation-10');
    await untilTrue('a snapshot', async () => (await kept()) !== undefined);
    expect((await kept())?.revision).to.equal(499);
    await store.close();
    folder.remove();
  });
});
