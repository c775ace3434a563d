import { expect } from 'chai';
import { createContacts } from '../../src/commands/contacts/contacts.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import type { NumberRecord } from '../../src/commands/core/lookups.ts';
import { createIngressItems } from '../../src/commands/inbound/ingress-items.ts';
import { createStatusUpdates } from '../../src/commands/inbound/status-updates.ts';
import { messageDecider } from '../../src/commands/sending/message.ts';
import { recordedContact, sentRecordOf } from '../../src/commands/sending/record.ts';
import type { ChargeReserved } from '../../src/events/account.ts';
import type { FactOf } from '../../src/events/define.ts';
import type { KnownEvent } from '../../src/events/index.ts';
import { splitIntent } from '../../src/events/intent.ts';
import type { EventStore, Recorded } from '../../src/events/store.ts';
import { inAccount } from '../../src/events/streams.ts';
import { isThread } from '../../src/projections/absorbed-threads.ts';
import { contacts as contactDocuments } from '../../src/projections/contacts.ts';
import { conversations } from '../../src/projections/conversations.ts';
import { inboundKeyOf, messages } from '../../src/projections/messages.ts';
import { readRefsOf } from '../../src/projections/read-contacts.ts';
import { withLate } from '../../src/projections/read-threads.ts';
import { countedIds, fixedClock } from '../support/ambient.ts';
import { chooseSeed, seeded } from '../support/faults/random.ts';
import { createMemoryLog, createTurns } from '../support/interleaving.ts';
import { refOfMessage, secrets } from '../support/message-refs.ts';
import { foldAll, readerOf } from '../support/projections.ts';
import { intent, NOW, price } from '../support/samples.ts';
import { memorySubjects, subjectOfId } from '../support/subjects.ts';

const STEPS = 14;
const ACCOUNT = 'acc_1';
const NUMBER = '10';
const DIGITS = '919812345678';
const USERS = ['IN.1', 'IN.2'];
const REF = subjectOfId(DIGITS).ref;
const AT = new Date(NOW).toISOString();
const context = { requestId: 'r' };

/** Several instances over one log, each read and append of which waits for its turn. */
const createWorld = (random: () => number) => {
  const turns = createTurns(random);
  const log = createMemoryLog();
  const store: EventStore = {
    ...log.store,
    async append(...what) {
      await turns.take();
      return log.store.append(...what);
    },
    async read(...what) {
      await turns.take();
      return log.store.read(...what);
    },
  };
  const start = () => {
    const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
    const contacts = createContacts({ writer, subjects });
    const statuses = createStatusUpdates({
      writer,
      links: { holdersOf: async () => [] },
      contacts,
      subjects,
      store,
      onOtherCategory: () => undefined,
      recovery: { find: async () => ({ kind: 'none' }), settle: async () => true },
    });
    const items = createIngressItems({
      writer,
      contacts,
      subjects,
      statuses,
      secrets,
      clock: fixedClock(),
      lookups: {
        number: async () =>
          ({ accountId: ACCOUNT, wabaId: '2', displayPhoneNumber: '1' }) as NumberRecord,
      },
      links: { linkOf: async () => ({ accountId: ACCOUNT, link: 1, moved: false }) },
    });
    return { writer, contacts, items };
  };
  return { turns, start, events: log.events as readonly KnownEvent[] };
};

type Instance = ReturnType<ReturnType<typeof createWorld>['start']>;

const place = { phoneNumberId: NUMBER, wabaId: '2', at: AT, envelope: {} };
const messageOf = (messageId: string, from: string | null, userId: string | null) => ({
  ...place,
  kind: 'message' as const,
  messageId,
  from,
  userId,
  change: null,
  displayPhoneNumber: '1',
  type: 'text',
  contact: null,
  message: { type: 'text', text: { body: messageId } },
});
const statusOf = (messageId: string, waId: string | null, userId: string | null) => ({
  ...place,
  kind: 'status' as const,
  messageId,
  status: 'delivered',
  chargeId: null,
  recipientWaId: waId,
  recipientUserId: userId,
  errorCode: null,
  errorMessage: null,
  pricing: null,
});

const subjects = memorySubjects;
/** The charges of sent messages, which no account's stream has here. */
const charges = new Map<string, FactOf<typeof ChargeReserved>['data']>();

const sends = async ({ writer, contacts }: Instance, messageId: string, to: string) => {
  const of = { accountId: ACCOUNT, contactRef: subjectOfId(to).ref };
  const charge = {
    ...of,
    ...splitIntent(intent({ to, phoneNumberId: NUMBER })),
    entryId: 'led',
    amount: 0,
    balanceAfter: 0,
    sequence: 0,
    at: AT,
    previousHash: '',
    hash: '',
    chargeId: `chg_${messageId}`,
    reason: 'r',
    price: price(),
  };
  charges.set(charge.chargeId, charge);
  const messageRef = refOfMessage(messageId);
  const shown = { messageRef, messageId, recipientWaId: null };
  const contact = await recordedContact({ contacts, subjects }, charge, shown, context);
  const record = sentRecordOf({ data: charge }, shown, contact);
  const on = { ...context, subjects: contact.subjects };
  await writer.execute(
    messageDecider,
    inAccount(record.accountId, messageRef),
    { type: 'RecordSent', record },
    on,
  );
};

/** What is wrong after a life of one contact with several ids. */
const live = async (seed: number): Promise<string[]> => {
  const random = seeded(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const world = createWorld(random);
  const instances = [world.start(), world.start(), world.start()];
  const work: Promise<unknown>[] = [];
  const inbound: string[] = [];
  const outbound: string[] = [];
  const fresh = (list: string[]) => {
    const id = `wamid.${inbound.length + outbound.length}`;
    list.push(id);
    return id;
  };
  const shows = () =>
    one<[string | null, string | null]>([
      [null, USERS[0]!],
      [null, USERS[1]!],
      [DIGITS, USERS[0]!],
      [DIGITS, USERS[1]!],
    ]);
  const steps = [
    () => one(instances).items.ingestMessage(messageOf(fresh(inbound), ...shows()), context),
    async () => {
      // The same message, at two instances at once, under different ids of its sender.
      const id = fresh(inbound);
      const both = [shows(), shows()].map((ids) =>
        one(instances).items.ingestMessage(messageOf(id, ...ids), context),
      );
      await Promise.all(both);
    },
    () => sends(one(instances), fresh(outbound), one([DIGITS, ...USERS])),
    async () => {
      const id = fresh(outbound);
      await sends(one(instances), id, one(USERS));
      await one(instances).items.ingestStatus(statusOf(id, ...shows()), context);
    },
    () =>
      one(instances).contacts.change(
        { accountId: ACCOUNT, previous: USERS[0]!, userId: USERS[1]! },
        context,
      ),
    async () => void instances.splice(Math.floor(random() * 3), 1, world.start()),
  ];
  for (let step = 0; step < STEPS; step += 1) {
    work.push(one(steps)());
    await world.turns.some(Math.floor(random() * 12));
  }
  await world.turns.all();
  // In the end the provider shows everything.
  for (const userId of USERS) {
    work.push(
      one(instances).items.ingestMessage(messageOf(fresh(inbound), DIGITS, userId), context),
    );
    await world.turns.all();
  }
  await Promise.all(work);

  const problems: string[] = [];
  const events = world.events.map((event): KnownEvent => {
    const data = event.type === 'MessageSent' && charges.get(event.data.chargeId);
    return data
      ? { ...event, charge: { ...(event as Recorded), type: 'ChargeReserved', data } }
      : event;
  });
  const source = readerOf(events);
  const received = world.events.filter(({ type }) => type === 'MessageReceived');
  if (received.length !== inbound.length) {
    problems.push(`${inbound.length} messages came, ${received.length} were received`);
  }
  const finding = Promise.all(
    USERS.map((userId) => world.start().contacts.find(ACCOUNT, userId, context)),
  );
  await world.turns.all();
  for (const contact of await finding) {
    if (contact?.ref !== REF) problems.push(`a user id leads to ${contact?.ref}`);
  }
  const refs = await readRefsOf(source, ACCOUNT, REF);
  const keys = [
    ...inbound.map((id) => inboundKeyOf(ACCOUNT, refOfMessage(id))),
    ...outbound.map((id) => inAccount(ACCOUNT, refOfMessage(id))),
  ];
  for (const id of keys) {
    const row = await source.get(messages, id);
    if (!row?.recorded || !refs.includes(row.contactRef)) {
      problems.push(`${id} is not among the messages of ${refs.join()}`);
    }
  }
  const shown = [...foldAll(conversations, events).values()].flatMap(({ document }) =>
    isThread(document) ? [document] : [],
  );
  const threads = await withLate(source, shown);
  const counts = threads.map(({ waId, messageCount }) => `${waId}: ${messageCount}`).join();
  const expected = `${DIGITS}: ${inbound.length + outbound.length}`;
  if (counts !== expected) problems.push(`the threads are ${counts}, not ${expected}`);
  if (foldAll(contactDocuments, events).size === 0) problems.push('no id is known');
  return problems;
};

describe('a contact with several ids', () => {
  const seed = chooseSeed();

  for (const [rounds, tag] of [
    [15, '@long'],
    [60, '@series'],
  ] as const) {
    it(`row 44: in any order of messages, sends, statuses and joins on three instances it is one, with one conversation (WAYBILL_FAULTS_SEED=${seed}) ${tag}`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        expect(await live(seed + round), `seed ${seed + round}`).to.deep.equal([]);
      }
    });
  }
});
