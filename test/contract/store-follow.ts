import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { bucketOf } from '../../src/events/bucket.ts';
import {
  type BareEvent,
  type EventStore,
  interestIn,
  NO_STREAM,
  type Position,
  type Recorded,
  START,
  UNREADABLE,
} from '../../src/events/store.ts';
import {
  appendInTurn,
  created,
  createdMany,
  followUntil,
  freshStream,
  freshStreamIn,
  idsOf,
  readToEnd,
} from './store-events.ts';

const inOrder = (events: readonly Recorded[]): boolean =>
  events.every(({ position }, i) => i === 0 || position > (events[i - 1]?.position ?? ''));

/** Each stream's revisions as they came. */
const revisionsByStream = (events: readonly Recorded[]): Map<string, number[]> => {
  const byStream = new Map<string, number[]>();
  for (const { stream, revision } of events) {
    byStream.set(stream, [...(byStream.get(stream) ?? []), revision]);
  }
  return byStream;
};

/** What the whole log promises to those who read it. */
export const orderContract = (store: () => EventStore): void => {
  it('reads the whole log in order, page by page, each event once', async () => {
    const from = await store().head();
    const streams = [freshStream(), freshStream(), freshStream()];
    for (const stream of streams) await appendInTurn(store(), stream, createdMany(5));
    const written = (await Promise.all(streams.map((stream) => store().read(stream)))).flat();
    for (const limit of [1, 4, 1_000]) {
      const all = await readToEnd(store(), from, limit);
      const ours = all.filter(({ stream }) => streams.includes(stream));
      expect(ours).to.deep.equal(written);
      expect(inOrder(all)).to.equal(true);
    }
  });

  it('answers the end of the log with nothing, and where to go on', async () => {
    await store().append(freshStream(), NO_STREAM, [created()]);
    const head = await store().head();
    expect(await store().readAll(head, 10)).to.deep.equal({ events: [], to: head });
  });

  it('is read by page for some buckets: all of these, and what is of no account', async () => {
    const before = await store().head();
    const wanted: string[] = [];
    for (const stream of [...[0, 1, 15, 0].map(freshStreamIn), freshStream()]) {
      const events = createdMany(3);
      await store().append(stream, NO_STREAM, events);
      if (stream.startsWith('organisation') || bucketOf(stream) === 0)
        wanted.push(...idsOf(events));
    }
    for (const limit of [2, 500]) {
      const read = await readToEnd(store(), before, limit, new Set([0]));
      const found = idsOf(read).filter((id) => wanted.includes(id));
      expect(found, `${limit} a page`).to.deep.equal(wanted);
    }
  });

  it('is read for events of some types: links without their data, and others whole', async () => {
    const before = await store().head();
    const stream = freshStream();
    const link = { previousHash: '0'.repeat(64), hash: 'ab'.repeat(32) };
    const changes = createdMany(6).map((event, index) =>
      index % 2 === 0 ? { ...event, type: 'CreditsGranted', link } : event,
    );
    await appendInTurn(store(), stream, changes);
    const whole = await store().read(stream);
    const links = [0, 2, 4].map((revision) => ({ revision, rest: { link } }));
    const others = [1, 3, 5].map((revision) => ({ revision, rest: { event: whole[revision]! } }));
    for (const [type, wanted] of [
      ['CreditsGranted', links],
      ['OrganisationCreated', others],
      ['NothingOfThisType', []],
    ] as const) {
      for (const limit of [1, 4, 500]) {
        const found: BareEvent[] = [];
        for (let [at, isOver] = [before, false]; !isOver; ) {
          const { events, to } = await store().bare(at, limit, interestIn([type]));
          found.push(...events.filter((event) => event.stream === stream));
          isOver = to === at;
          at = to;
        }
        const expected = wanted.map(({ revision, rest }) => {
          const { position } = whole[revision]!;
          return { stream, revision, position, ...rest };
        });
        expect(found, `${type}, ${limit} a page`).to.deep.equal(expected);
      }
    }
  });

  it('knows the head of the log', async () => {
    const { position } = await store().append(freshStream(), NO_STREAM, createdMany(2));
    const head = await store().head();
    expect(head >= position).to.equal(true);
    expect(head > START).to.equal(true);
  });

  it('goes as far as its head, and as far as it says that it goes', async () => {
    await store().append(freshStream(), NO_STREAM, createdMany(2));
    const head = await store().head();
    const { to } = await store().readAll(head, 10);
    const end = await store().end();
    expect(end >= head, 'the head').to.equal(true);
    expect(end >= to, 'a page').to.equal(true);
  });

  it('has a head that is no older than an event that was read', async () => {
    const stream = freshStream();
    const appending = store().append(stream, NO_STREAM, [created()]);
    // An event may be read before its append is acknowledged: it is looked for without a pause.
    let read: Recorded[] = [];
    for (let looks = 0; read.length === 0; looks += 1) {
      if (looks % 10_000 === 0) await nextTurn();
      read = await store().read(stream);
    }
    const head = await store().head();
    expect(head >= read[0]!.position).to.equal(true);
    await appending;
  });
};

/** What the log promises to those who stay with it. */
export const followContract = (store: () => EventStore): void => {
  it('is followed from the start', async () => {
    // The log may hold the events of others, more than can be read here.
    await store().append(freshStream(), NO_STREAM, createdMany(5));
    const oldest = (await store().readAll(START, 500)).events;
    const { events } = await followUntil(store(), START, new Set(idsOf(oldest)));
    expect(oldest).not.to.be.empty;
    expect(events).to.deep.equal(oldest);
  });

  it('is followed strictly after a position', async () => {
    const stream = freshStream();
    const events = createdMany(4);
    await store().append(stream, NO_STREAM, events);
    const [, second] = await store().read(stream);
    const wanted = new Set(idsOf(events));
    const rest = await followUntil(store(), second?.position ?? START, wanted, 2);
    expect(idsOf(rest.events)).to.deep.equal(idsOf(events.slice(2)));
    const next = created();
    await store().append(stream, 3, [next]);
    const after = await followUntil(store(), rest.to, new Set([...wanted, next.id]), 1);
    expect(idsOf(after.events)).to.deep.equal([next.id]);
  });

  it('gives a follower at the head new events, the same as read gives them', async () => {
    const stream = freshStream();
    const events = [...createdMany(2), { ...created(), type: 'NeverDefined' }];
    const following = followUntil(store(), await store().head(), new Set(idsOf(events)));
    await appendInTurn(store(), stream, events);
    const came = (await following).events;
    expect(came).to.deep.equal(await store().read(stream));
    expect(came.at(-1)?.type).to.equal(UNREADABLE);
  });

  it('loses and doubles nothing of 500 appends to 50 streams @long', async () => {
    const from = await store().head();
    const streams = Array.from({ length: 50 }, () => ({
      name: freshStream(),
      events: createdMany(10),
    }));
    const wanted = new Set(streams.flatMap(({ events }) => idsOf(events)));
    const early = followUntil(store(), from, wanted);
    const writing = streams.map(({ name, events }) => appendInTurn(store(), name, events));
    await writing[0];
    const late = followUntil(store(), from, wanted);
    await Promise.all(writing);
    for (const { events } of [await early, await late]) {
      expect(events).to.have.length(500);
      expect(new Set(idsOf(events)).size).to.equal(500);
      expect(inOrder(events)).to.equal(true);
      for (const revisions of revisionsByStream(events).values()) {
        expect(revisions).to.deep.equal(Array.from({ length: 10 }, (_, i) => i));
      }
    }
  });

  it('keeps back no event of a type that is asked for, and follows on past the others', async () => {
    const from = await store().head();
    const [before, after] = [created(), created()];
    const wanted = new Set([before.id, after.id]);
    const interest = interestIn([before.type]);
    const other = { ...created(), type: 'NothingOfOurs', version: 1 };
    await store().append(freshStream(), NO_STREAM, [before, other]);
    await store().append(freshStream(), NO_STREAM, [other, after]);
    const { events } = await followUntil(store(), from, wanted, 2, interest);
    expect(idsOf(events)).to.deep.equal([before.id, after.id]);
  });

  it('is followed for other buckets from wherever a follower came', async () => {
    const begin = await store().end();
    const ids: string[] = [];
    for (const bucket of [2, 2, 2, 9]) {
      const events = createdMany(bucket === 9 ? 1 : 50);
      await store().append(freshStreamIn(bucket), NO_STREAM, events);
      ids.push(...idsOf(events));
    }
    const last = ids.at(-1)!;
    const came = async function* (position: Position, buckets: ReadonlySet<number>) {
      const leaving = new AbortController();
      for await (const batch of store().follow(position, leaving.signal, undefined, buckets)) {
        yield batch;
        if (idsOf(batch.events).includes(last)) leaving.abort();
      }
    };
    const places = new Set([begin]);
    for await (const { to } of came(begin, new Set([9]))) places.add(to);
    for (const place of places) {
      const after = idsOf(await readToEnd(store(), place, 1_000)).filter((id) => ids.includes(id));
      if (!after.includes(last)) continue;
      const found: string[] = [];
      for await (const { events } of came(place, new Set([2, 9]))) found.push(...idsOf(events));
      expect(found.filter((id) => ids.includes(id))).to.deep.equal(after);
    }
  });

  it('says that it is followed before there is anything new', async () => {
    const stop = new AbortController();
    const head = await store().head();
    const following = store().follow(head, stop.signal, interestIn(['NeverStored']));
    let batches = 0;
    for await (const { events, to } of following) {
      batches += 1;
      expect(events).to.deep.equal([]);
      expect(to >= head).to.equal(true);
      stop.abort();
    }
    expect(batches).to.equal(1);
  });

  it('ends when aborted: waiting, between two batches, and before it began', async () => {
    const stop = new AbortController();
    const waiting = store()
      .follow(await store().head(), stop.signal)
      [Symbol.asyncIterator]();
    await waiting.next();
    const next = waiting.next();
    stop.abort();
    expect((await next).done).to.equal(true);

    const second = new AbortController();
    let batches = 0;
    for await (const _ of store().follow(START, second.signal)) {
      batches += 1;
      second.abort();
    }
    expect(batches).to.equal(1);

    const ended = store().follow(START, stop.signal)[Symbol.asyncIterator]();
    expect((await ended.next()).done).to.equal(true);
  });
};
