import { expect } from 'chai';
import fc from 'fast-check';
import { createWriter } from '../../src/commands/core/execute.ts';
import { runReactor } from '../../src/commands/core/reactor.ts';
import { createEmptying, createKeyDestroyer } from '../../src/commands/privacy/erasing.ts';
import { erasureDecider } from '../../src/commands/privacy/erasure.ts';
import { completed } from '../../src/events/completed.ts';
import {
  conversationIdOf,
  conversationStream,
  MessageReceived,
} from '../../src/events/conversation.ts';
import type { Fact } from '../../src/events/define.ts';
import { encode, versionOf } from '../../src/events/index.ts';
import { StatusUpdated } from '../../src/events/message.ts';
import { forgetIn, opened } from '../../src/events/opened.ts';
import type { DataSubject } from '../../src/events/personal.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { type EventStore, NO_STREAM, type Recorded, START } from '../../src/events/store.ts';
import { createDataSubjects } from '../../src/keys/data-subjects.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import { conversations } from '../../src/projections/conversations.ts';
import { createEngine } from '../../src/projections/engine/engine.ts';
import { media } from '../../src/projections/media.ts';
import { messages } from '../../src/projections/messages.ts';
import { openSqliteViews } from '../../src/projections/sqlite/views.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { countedIds, fixedClock } from '../support/ambient.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createTurns } from '../support/interleaving.ts';
import { createMemoryKeys } from '../support/key-store.ts';
import { foldAll } from '../support/projections.ts';
import { NOW } from '../support/samples.ts';
import { untilTrue } from '../support/until.ts';

// Two instances write about contacts while one of these is erased. Chance says whose step comes next:
// at the store of keys, at the log and at the read models.

const ACCOUNT = 'acc_1';
const PHONE = '100000000000001';
const projections = [messages, conversations, media];
const found = { events: 0, messages: 0, conversations: 0, runs: 0, deadLetters: 0 };
const logger = { info() {}, warn() {}, error() {} };

/** What one instance does: a contact writes, or the provider reports on a message of it. */
interface Step {
  instance: 0 | 1;
  contact: string;
  kind: 'inbound' | 'failure';
  /** Steps of others that may come before the next one begins. */
  pause: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  instance: fc.constantFrom(0 as const, 1 as const),
  contact: fc.constantFrom('919812345678', '919812345678', '4915112345678'),
  kind: fc.constantFrom('inbound' as const, 'inbound' as const, 'failure' as const),
  pause: fc.nat(6),
});

const scenario = fc.record({
  steps: fc.array(step, { minLength: 4, maxLength: 24 }),
  /** The steps before which an erasure is asked for. */
  erasures: fc.uniqueArray(fc.nat(23), { minLength: 1, maxLength: 3 }),
  rebuilds: fc.boolean(),
  seed: fc.integer(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const randomOf = (seed: number) => {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const factOf = ({ contact, kind }: Step, number: number, { ref }: DataSubject): Fact => {
  const text = `secret ${number} of ${contact}`;
  const own = { accountId: ACCOUNT, phoneNumberId: PHONE, contactRef: ref };
  if (kind === 'failure') {
    const status = { messageId: `wamid.${number}`, status: 'failed', statusAt: isoTime(NOW) };
    const error = { errorCode: '1', errorMessage: text };
    return StatusUpdated.of({ ...own, ...status, recipient: { waId: contact }, ...error });
  }
  return MessageReceived.of({
    ...own,
    ...{ waId: contact, userId: null, wabaId: '2001', displayPhoneNumber: '15550100001' },
    ...{ contact: { wa_id: contact }, contactName: `name of ${contact}`, text },
    ...{ messageId: `wamid.${number}`, messageType: 'image', mediaId: `media.${number}` },
    ...{ message: { image: { mime_type: 'image/png' }, text }, receivedAt: isoTime(NOW) },
  });
};

const streamOf = (fact: Fact): string => {
  const data = fact.data as { messageId: string; contactRef: string };
  return fact.type === 'StatusUpdated'
    ? `message-${data.messageId}`
    : conversationStream(
        conversationIdOf({ accountId: ACCOUNT, phoneNumberId: PHONE, contactRef: data.contactRef }),
      );
};

const play = async ({ steps, erasures, rebuilds, seed }: Scenario): Promise<void> => {
  const folder = temporaryFolder();
  const log = await openSqliteStore({ directory: folder.path });
  const files = await openSqliteViews({ directory: folder.path });
  const turns = createTurns(randomOf(seed));
  const keys = createMemoryKeys();
  const wrapping = createWrapping(Buffer.alloc(32, 7));
  const clock = fixedClock();
  const ids = countedIds();
  const turning: EventStore = {
    ...log,
    async append(...what) {
      await turns.take();
      const appended = await log.append(...what);
      await turns.take();
      return appended;
    },
  };
  const createInstance = () => {
    const store = keys.open(turns.take);
    const subjects = createDataSubjects({ keys: store, wrapping, clock });
    const readable = opened(turning, subjects.ring);
    const writer = createWriter({ store: readable, clock, ids });
    const append = async (number: number, one: Step): Promise<void> => {
      const subject = await subjects.of(ACCOUNT, one.contact);
      const fact = factOf(one, number, subject);
      const stream = streamOf(fact);
      const event = {
        id: ids.uuid(),
        type: fact.type,
        version: versionOf(fact.type),
        data: encode(fact, [subject]),
        meta: { at: isoTime(NOW), requestId: `r-${number}` },
      };
      for (;;) {
        const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
        const isDone = await turning.append(stream, last?.revision ?? NO_STREAM, [event]).then(
          () => true,
          () => false,
        );
        if (isDone) return;
      }
    };
    // The instance follows the log, as its look-ups do.
    const stopping = new AbortController();
    const following = (async () => {
      for await (const _ of readable.follow(START, stopping.signal));
    })();
    const stop = async () => {
      stopping.abort();
      await following;
    };
    return { store, subjects, readable, writer, append, stop };
  };
  const instances = [createInstance(), createInstance()] as const;
  const [{ store: ownKeys, subjects, readable, writer }] = instances;
  const engine = createEngine({
    ...{ store: completed(readable), projections, clock, logger, batchDelayMs: 1, dropAfterMs: 1 },
    views: {
      ...files,
      async commit(...what) {
        await turns.take();
        return files.commit(...what);
      },
      async replace(...what) {
        await turns.take();
        return files.replace(...what);
      },
    },
    forget: forgetIn(subjects.ring),
  });
  await Promise.all([engine.start(), turns.all()]);
  const deps = {
    ...{ writer, keys: ownKeys, memory: subjects.ring, sweeper: engine },
    count: async () => found,
    findJoined: async (subjects: readonly { ref: string }[]) => subjects.map(({ ref }) => ref),
    onUnclean: () => undefined,
  };
  const reactors = [createKeyDestroyer(deps), createEmptying(deps)].map((reactor) =>
    runReactor(reactor, { store: readable, onFailure: () => undefined }),
  );

  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      await turns.some(1);
    }
  })();
  const work: Promise<unknown>[] = [];
  const erase = async (number: number): Promise<void> => {
    const ref = await subjects.refOf(ACCOUNT, '919812345678');
    const own = ref === undefined ? [] : [{ accountId: ACCOUNT, ref }];
    const request = { erasureId: `era_${number}`, accountId: null, reason: null, subjects: own };
    const command = { type: 'Request' as const, request };
    await writer.execute(erasureDecider, request.erasureId, command, { requestId: 'r' });
    await untilTrue('it is done', async () => {
      const events = await log.read(`erasure-era_${number}`);
      return events.some(({ type }) => type === 'ErasureDone');
    });
  };
  for (const [number, one] of steps.entries()) {
    if (erasures.includes(number)) work.push(erase(number));
    if (rebuilds && number === 2) work.push(engine.rebuild('messages'));
    work.push(instances[one.instance].append(number, one));
    for (let left = one.pause; left > 0; left -= 1) await new Promise(setImmediate);
  }
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  // A contact that is erased again and again may be told to come back.
  expect(failed.filter(({ name }) => name !== 'KeysUnavailable')).to.deep.equal([]);
  const head = await log.head();
  await engine.reader.reached(projections, head);
  await untilTrue('no rebuild is left', async () =>
    (await engine.status()).every(({ rebuild }) => rebuild === null),
  );

  const stored: Recorded[] = (await log.readAll(START, 1_000)).events;
  const destroyed = new Set(
    stored.flatMap(({ type, data }) =>
      type === 'ContactErased' ? (data as { refs: string[] }).refs : [],
    ),
  );
  // A reader that has never seen a key: what a rebuild after a restart has.
  const later = createDataSubjects({ keys: keys.open(), wrapping, clock });
  const { events } = await opened(log, later.ring).readAll(START, 1_000);
  for (const { data, isErased, sealedMonth } of events) {
    const { contactRef } = data as { contactRef?: string };
    if (sealedMonth === undefined) continue;
    expect(isErased ?? false, `of ${contactRef}`).to.equal(destroyed.has(contactRef!));
  }
  const live = await files.live();
  for (const projection of projections) {
    const expected = foldAll(projection as never, events);
    const shown = await files.getMany<object>(live[projection.name]!, [...expected.keys()]);
    const documents = Object.fromEntries(shown.map(({ id, document }) => [id, document]));
    const rebuilt = [...expected].map(([id, { document }]) => [id, document]);
    expect(documents, projection.name).to.deep.equal(Object.fromEntries(rebuilt));
  }
  for (const { stop } of instances) await stop();
  for (const reactor of reactors) await reactor.stop();
  isOver = true;
  await going;
  await turns.all();
  await engine.stop();
  await files.close();
  await log.close();
  folder.remove();
};

describe('Erasures while others write', () => {
  it('leave nothing that a later reader could open, and documents as a rebuild makes them', () =>
    fc.assert(fc.asyncProperty(scenario, play), { numRuns: 25, endOnFailure: true })).timeout(
    120_000,
  );
});
