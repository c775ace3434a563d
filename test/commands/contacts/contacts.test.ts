import { expect } from 'chai';
import { contactDecider } from '../../../src/commands/contacts/contact.ts';
import { type ContactName, createContacts } from '../../../src/commands/contacts/contacts.ts';
import type { Subjects } from '../../../src/commands/contacts/subjects.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import {
  type BotRunFact,
  BotsSilenced,
  conversationIdOf,
} from '../../../src/events/conversation.ts';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { botRunStarted, botRunWaiting, NOW } from '../../support/samples.ts';
import { codeOf } from '../../support/spec.ts';
import { memorySubjects, subjectOfId } from '../../support/subjects.ts';
import { typesOf } from '../../support/surface.ts';

const [A, B] = ['919812345678', '447700900123'];
const accountId = 'acc_1';
const phoneNumberId = '10';
const context = { requestId: 'r' };
const at = new Date(NOW).toISOString();
const SILENT_UNTIL = NOW + 60_000;

/** The id of a contact, whose ref must be that of the id. */
const idIn = (contact: ContactName | null | undefined) => {
  if (!contact) return null;
  if (contact.id !== null) expect(contact.ref).to.equal(subjectOfId(contact.id).ref);
  return contact.id;
};

const open = (subjects: Subjects = memorySubjects) => {
  const log = createMemoryLog();
  let appends = 0;
  let reads = 0;
  let appendsLeft = Number.POSITIVE_INFINITY;
  const store: EventStore = {
    ...log.store,
    append(...what) {
      appends += 1;
      appendsLeft -= 1;
      if (appendsLeft < 0) throw new StoreUnavailable('away');
      return log.store.append(...what);
    },
    read(...what) {
      reads += 1;
      return log.store.read(...what);
    },
  };
  const start = () => {
    const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
    return { writer, contacts: createContacts({ writer, subjects }) };
  };
  const idOf = (id: string) =>
    conversationIdOf({ accountId, phoneNumberId, contactRef: subjectOfId(id).ref });
  const { writer, contacts } = start();
  const stateOf = async (id: string) => (await writer.load(conversationDecider, idOf(id))).state;
  const recordTurn = async (id: string, ...facts: BotRunFact[]) => {
    const { botFacts: basis } = await stateOf(id);
    const on = { ...context, subjects: [subjectOfId(id)] };
    const command = { type: 'RecordTurn' as const, basis, facts };
    await writer.execute(conversationDecider, idOf(id), command, on);
  };
  return {
    writer,
    contacts,
    start,
    idOf,
    events: log.events,
    meets: async (waId: string | null, userId: string | null, by = contacts) =>
      idIn(await by.meet({ accountId, phoneNumberId, waId, userId }, context)),
    sees: async (waId: string | null, userId: string | null, by = contacts) =>
      idIn(await by.see({ accountId, waId, userId }, context)),
    find: async (id: string, by = contacts) => idIn(await by.find(accountId, id, context)),
    change: (previous: string, userId: string) =>
      contacts.change({ accountId, previous, userId }, context),
    of: (stream: string) => log.events.filter((event) => event.stream === stream),
    failAfter(count: number) {
      appendsLeft = count;
    },
    async cost(work: () => Promise<unknown>) {
      appends = reads = 0;
      await work();
      return { appends, reads };
    },
    /** The facts of a bot that asks, in a conversation. */
    async asks(waId: string, name: string) {
      const run = { runId: `run_${name}`, botId: 'bot_1' };
      const { ref: contactRef } = subjectOfId(waId);
      const thread = { accountId, phoneNumberId, contactRef, waId, userId: null };
      const started = botRunStarted({ ...run, ...thread, text: '', takenAt: at });
      await recordTurn(waId, started, botRunWaiting({ ...run, contactRef, until: at }));
    },
    async silence(waId: string) {
      const of = { accountId, phoneNumberId, contactRef: subjectOfId(waId).ref };
      const until = new Date(SILENT_UNTIL).toISOString();
      await recordTurn(waId, BotsSilenced.of({ ...of, runId: 'run_0', botId: 'bot_1', until }));
    },
    stateOf,
  };
};

describe('contacts', () => {
  it('need no look-up for digits', async () => {
    const { meets, sees, find, events, cost } = open();
    const spent = await cost(async () => {
      expect(await meets(A, null)).to.equal(A);
      expect(await sees(A, null)).to.equal(A);
      expect(await find(A)).to.equal(A);
      expect(await meets(null, null)).to.equal(null);
    });
    expect(spent).to.deep.equal({ appends: 0, reads: 0 });
    expect(events).to.deep.equal([]);
  });

  it('cost one append for each pair of ids, and then nothing', async () => {
    const { sees, meets, cost, start } = open();
    expect(await cost(() => sees(A, 'IN.1'))).to.deep.equal({ appends: 1, reads: 1 });
    const known = await cost(async () => {
      await sees(A, 'IN.1');
      await meets(A, 'IN.1');
      expect(await meets(null, 'IN.1')).to.equal(A);
    });
    expect(known).to.deep.equal({ appends: 0, reads: 0 });
    const { contacts } = start();
    expect(await cost(() => sees(A, 'IN.1', contacts))).to.deep.equal({ appends: 0, reads: 1 });
    expect(await cost(() => sees(null, 'IN.1', contacts))).to.deep.equal({ appends: 0, reads: 0 });
  });

  it('are a user id until a number is seen beside it', async () => {
    const { meets, find, start } = open();
    expect(await meets(null, 'IN.1')).to.equal('IN.1');
    expect(await meets(A, 'IN.1')).to.equal(A);
    expect(await find('IN.1')).to.equal(A);
    expect(await find('IN.1', start().contacts)).to.equal(A);
    expect(await meets(null, 'IN.1')).to.equal(A);
  });

  it('belong to one account', async () => {
    const { contacts, meets } = open();
    await meets(A, 'IN.1');
    expect(await contacts.find('acc_2', 'IN.1', context)).to.include({ id: 'IN.1' });
  });

  it('keep their first user id, and the number once it is known', async () => {
    const { meets, find, change } = open();
    await meets(null, 'IN.1');
    await change('IN.1', 'IN.2');
    await change('IN.2', 'IN.3');
    expect(await meets(null, 'IN.3')).to.equal('IN.1');
    expect(await meets(A, 'IN.3')).to.equal(A);
    for (const id of ['IN.1', 'IN.2', 'IN.3']) expect(await find(id), id).to.equal(A);
    await change('IN.3', 'IN.4');
    await change(A, 'IN.5');
    for (const id of ['IN.4', 'IN.5']) expect(await find(id), id).to.equal(A);
  });

  it('join two that had messages already, when the user id of one becomes the other’s', async () => {
    const { meets, find, change } = open();
    await meets(null, 'IN.1');
    await meets(null, 'IN.2');
    await change('IN.1', 'IN.2');
    expect(await find('IN.2')).to.equal('IN.1');
    await meets(null, 'IN.3');
    await meets(B, 'IN.4');
    await change('IN.3', 'IN.4');
    expect(await find('IN.3')).to.equal(B);
  });

  it('never join two numbers, and follow the number that is seen', async () => {
    const { meets, find, change, start } = open();
    await meets(A, 'IN.1');
    await meets(B, 'IN.2');
    await change('IN.1', 'IN.2');
    expect(await find('IN.2')).to.equal(B);
    await change('IN.1', 'IN.3');
    expect(await find('IN.3')).to.equal(A);
    const other = start().contacts;
    expect(await find('IN.3', other)).to.equal(A);
    // The user id changed because the number did.
    await meets(B, 'IN.3');
    for (const by of [other, start().contacts]) expect(await find('IN.3', by)).to.equal(B);
    expect(await find('IN.1')).to.equal(A);
  });

  it('come to an end where two were joined with each other', async () => {
    const { find, meets, writer, idOf } = open();
    for (const [userId, contact] of [
      ['IN.1', 'IN.2'],
      ['IN.2', 'IN.3'],
      ['IN.3', 'IN.1'],
    ] as const) {
      const [{ ref: userRef }, to] = [subjectOfId(userId), subjectOfId(contact)];
      const ids = { accountId, userRef, userId, contactRef: to.ref, contact };
      const how = { contactKind: 'userId', by: 'changed' } as const;
      const on = { ...context, subjects: [to] };
      const command = { type: 'Join' as const, ...ids, ...how, homes: [] };
      await writer.execute(contactDecider, `${accountId}.${userRef}`, command, on);
    }
    for (const id of ['IN.1', 'IN.2', 'IN.3']) {
      expect(await find(id), id).to.equal('IN.1');
      expect(await meets(null, id), id).to.equal('IN.1');
    }
    expect(idOf('IN.1')).to.include('IN.1');
    await meets(A, 'IN.2');
    for (const id of ['IN.1', 'IN.2', 'IN.3']) expect(await find(id), id).to.equal(A);
  });

  it('that were erased are nobody’s any more: their user id begins anew, and joins anew', async () => {
    const erased = new Set<string>();
    const refOf = (id: string) => (erased.has(id) ? `ref_${id}_2` : `ref_${id}`);
    const of = (id: string) => ({ ...subjectOfId(id), ref: refOf(id) });
    const subjects: Subjects = {
      known: (_, id) => of(id),
      of: (_, id) => of(id),
      ofAll: async (_, ids) => ids.map(of),
      ofRef: (ref) =>
        [...erased].some((id) => ref === `ref_${id}`) ? undefined : { ...of(A), ref },
      areHeld: async () => true,
      refOf: async (_, id) => refOf(id),
    };
    const { contacts, start, of: eventsOf } = open(subjects);
    const meets = (waId: string | null, userId: string | null, by = contacts) =>
      by.meet({ accountId, phoneNumberId, waId, userId }, context);
    expect(await meets(A, 'IN.1')).to.include({ ref: 'ref_919812345678', id: A });
    expect(await meets(null, 'IN.1')).to.include({ ref: 'ref_919812345678', id: A });
    erased.add(A).add('IN.1');
    for (const by of [contacts, start().contacts]) {
      expect(await meets(null, 'IN.1', by)).to.include({ ref: 'ref_IN.1_2', id: 'IN.1' });
    }
    expect(await meets(A, 'IN.1')).to.include({ ref: 'ref_919812345678_2', id: A });
    expect(await contacts.find(accountId, 'IN.1', context)).to.include({ id: A });
    expect(eventsOf('contact-acc_1.ref_IN.1')).to.have.length(1);
  });

  for (const gone of [A, 'IN.1']) {
    it(`are not joined by an instance that has not heard yet that ${gone} was erased`, async () => {
      const refs: string[] = [];
      const { contacts, of: eventsOf } = open({
        ...memorySubjects,
        async areHeld(asked) {
          refs.push(...asked);
          return !asked.includes(subjectOfId(gone).ref);
        },
      });
      await contacts.see({ accountId, waId: A, userId: 'IN.1' }, context);
      expect(refs).to.deep.equal(['ref_IN.1', 'ref_919812345678']);
      expect(eventsOf('contact-acc_1.ref_IN.1')).to.deep.equal([]);
    });
  }

  it('that were erased alone leave the user id a contact of its own', async () => {
    let isErased = false;
    const subjects: Subjects = {
      ...memorySubjects,
      ofRef: (ref) =>
        isErased && ref === subjectOfId(A).ref ? undefined : memorySubjects.ofRef(ref),
    };
    const { meets, find, start } = open(subjects);
    await meets(A, 'IN.1');
    isErased = true;
    for (const by of [undefined, start().contacts]) {
      expect(await find('IN.1', by)).to.equal('IN.1');
      expect(await meets(null, 'IN.1', by)).to.equal('IN.1');
    }
  });

  it('are known by their pseudonym where the log does not tell the number any more', async () => {
    const { contacts, writer, find, meets } = open();
    const [{ ref: userRef }, contact] = [subjectOfId('IN.1'), subjectOfId(A)];
    const ids = { accountId, userRef, userId: null, contactRef: contact.ref, contact: null };
    const how = { contactKind: 'number', by: 'seen' } as const;
    const command = { type: 'Join' as const, ...ids, ...how, homes: [] };
    await writer.execute(contactDecider, `${accountId}.${userRef}`, command, context);
    expect(await find('IN.1')).to.equal(null);
    const of = { accountId, phoneNumberId, waId: null, userId: 'IN.1' };
    const met = await contacts.meet(of, context);
    expect(met).to.deep.include({ ...contact, kind: 'number', id: null });
    expect(await meets(A, 'IN.1')).to.equal(A);
  });

  it('go on in the stream of the user id, whose run waits on', async () => {
    const { meets, asks, of, idOf, stateOf } = open();
    await meets(null, 'IN.1');
    await asks('IN.1', 'asked');
    await meets(A, 'IN.1');
    expect(typesOf(of(`conversation-${idOf(A)}`))).to.deep.equal(['ConversationContinued']);
    expect((await stateOf(A)).continuesIn).to.equal(idOf('IN.1'));
    expect((await stateOf('IN.1')).bots.run).to.include({ runId: 'run_asked' });
  });

  it('go on where a run is open, with both conversations in use', async () => {
    const { meets, asks, idOf, stateOf, silence, find } = open();
    await asks(A, 'old');
    await meets(null, 'IN.1');
    await silence('IN.1');
    await meets(A, 'IN.1');
    expect((await stateOf('IN.1')).continuesIn).to.equal(idOf(A));
    const { bots, continuesIn } = await stateOf(A);
    expect(continuesIn).to.equal(null);
    expect(bots.run).to.include({ runId: 'run_old' });
    expect(bots.silentUntil).to.equal(SILENT_UNTIL);
    expect(await find('IN.1')).to.equal(A);
  });

  it('end the older of two open runs', async () => {
    const { meets, asks, of, idOf, stateOf } = open();
    await asks(A, 'old');
    await meets(null, 'IN.1');
    await asks('IN.1', 'new');
    await meets(A, 'IN.1');
    const [end, continued] = of(`conversation-${idOf(A)}`).slice(-2);
    expect(end).to.deep.include({ type: 'BotRunEnded' });
    expect(end!.data).to.include({ runId: 'run_old', reason: 'superseded' });
    expect(continued!.data).to.include({ in: idOf('IN.1') });
    expect((await stateOf('IN.1')).bots.run).to.include({ runId: 'run_new' });
  });

  it('row 44: are joined to the end after a crash at any append', async () => {
    for (let crash = 0; crash < 6; crash += 1) {
      const world = open();
      await world.asks(A, 'old');
      await world.meets(null, 'IN.1');
      await world.silence('IN.1');
      world.failAfter(crash);
      const isWhole = (await codeOf(world.meets(A, 'IN.1'))) === 'none';
      world.failAfter(Number.POSITIVE_INFINITY);
      const next = world.start().contacts;
      expect(await world.meets(A, 'IN.1', next)).to.equal(A);
      const { bots } = await world.stateOf(A);
      expect(bots.silentUntil, `crash at append ${crash}`).to.equal(SILENT_UNTIL);
      expect((await world.stateOf('IN.1')).continuesIn).to.equal(world.idOf(A));
      const types = typesOf(world.events);
      for (const type of ['ContactIdsJoined', 'ConversationContinued', 'ConversationTakenIn']) {
        const same = types.filter((one) => one === type);
        expect(same, type).to.have.length(1);
      }
      if (isWhole) return;
    }
    expect.fail('it never came to its end');
  });
});
