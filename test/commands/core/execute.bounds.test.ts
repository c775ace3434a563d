import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { createWriter, type Writer, writerBounds } from '../../../src/commands/core/execute.ts';
import { messageDecider } from '../../../src/commands/sending/message.ts';
import {
  AppendTooLarge,
  type EventStore,
  NO_STREAM,
  StoreUnavailable,
  WrongRevision,
} from '../../../src/events/store.ts';
import { grantCommand, openCommand, reserveCommand } from '../../support/account-commands.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { statusUpdate } from '../../support/samples.ts';
import { customer } from '../../support/subjects.ts';
import { until } from '../../support/until.ts';

const context = { requestId: 'req-1', subjects: [customer] };

describe('the bounds of the write path', () => {
  const clock = fixedClock();
  const ids = countedIds();
  let store: EventStore;

  before(async () => {
    store = await openOwnStore();
  });
  after(() => store.close());

  let count = 0;
  const newId = () => {
    count += 1;
    return `wamid.bounds.${count}`;
  };
  const recordStatus = (messageRef: string, status: string) => ({
    type: 'RecordStatus' as const,
    update: statusUpdate({ messageRef, messageId: messageRef, status }),
  });
  const record = (writer: Writer, id: string, status: string, assumeNew = false) =>
    writer.execute(messageDecider, id, recordStatus(id, status), context, { assumeNew });
  const reserve = reserveCommand();
  const openAccount = async (writer: Writer, id: string, credits: number) => {
    await writer.execute(accountDecider(id), id, openCommand(id), context);
    await writer.execute(accountDecider(id), id, grantCommand(credits), context);
  };
  const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.name));

  /** The store, with the sizes of all appends; `onAppend` may refuse one. */
  const watched = (onAppend: (size: number) => void | Promise<void> = () => undefined) => {
    const sizes: number[] = [];
    const wrapped: EventStore = {
      ...store,
      async append(stream, expected, events) {
        sizes.push(events.length);
        await onAppend(events.length);
        return store.append(stream, expected, events);
      },
    };
    return { store: wrapped, sizes };
  };

  it('are these', () => {
    expect(writerBounds).to.deep.equal({
      attemptsMax: 32,
      batchMax: 128,
      queueMax: 4096,
      page: 1000,
    });
  });

  it('cut what waits for one stream into appends of a bounded size', async () => {
    const spy = watched();
    const writer = createWriter({ store: spy.store, clock, ids, bounds: { batchMax: 3 } });
    const id = newId();
    await Promise.all(Array.from({ length: 7 }, (_, i) => record(writer, id, `s${i}`)));
    expect(spy.sizes).to.deep.equal([3, 3, 1]);
    const events = await store.read(`message-${id}`);
    expect(events.map(({ data }) => (data as { status: string }).status)).to.deep.equal(
      Array.from({ length: 7 }, (_, i) => `s${i}`),
    );
  });

  it('halve an append that no store takes, in order, until its parts fit', async () => {
    const spy = watched((size) => {
      if (size > 2) throw new AppendTooLarge('message', 2 ** 21);
    });
    const writer = createWriter({ store: spy.store, clock, ids });
    const id = newId();
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) => record(writer, id, `s${i}`)),
    );
    expect(codesOf(results)).to.deep.equal(Array(5).fill('done'));
    expect(spy.sizes).to.deep.equal([5, 3, 2, 1, 2]);
    const events = await store.read(`message-${id}`);
    expect(events.map(({ data }) => (data as { status: string }).status)).to.deep.equal(
      Array.from({ length: 5 }, (_, i) => `s${i}`),
    );
  });

  it('refuse one command whose append alone is too large, and no other', async () => {
    const spy = watched((size) => {
      if (size !== 1) throw new AppendTooLarge('message', 2 ** 21);
      if (spy.sizes.length === 2) throw new AppendTooLarge('message', 2 ** 21);
    });
    const writer = createWriter({ store: spy.store, clock, ids });
    const id = newId();
    const results = await Promise.allSettled([record(writer, id, 'a'), record(writer, id, 'b')]);
    expect(codesOf(results)).to.deep.equal(['AppendTooLarge', 'AppendTooLarge']);
    expect((await record(writer, id, 'c')).revision).to.equal(0);
  });

  it('take no more commands for a stream than may wait, and take them again afterwards', async () => {
    const held = Promise.withResolvers<void>();
    const spy = watched(() => held.promise);
    const bounds = { queueMax: 2, batchMax: 1 };
    const writer = createWriter({ store: spy.store, clock, ids, bounds });
    const id = newId();
    const first = record(writer, id, 's0');
    await until('the first append is under way', () => spy.sizes.length === 1);
    const waiting = ['s1', 's2'].map((status) => record(writer, id, status));
    const refused = await record(writer, id, 's3').catch((error) => error);
    expect(refused).to.be.instanceOf(StoreUnavailable);
    expect(refused.message).to.equal(`too many commands wait for message-${id}`);
    // Another stream has its own mailbox.
    const other = record(writer, newId(), 's0');
    held.resolve();
    await Promise.all([first, ...waiting, other]);
    expect((await record(writer, id, 's3')).revision).to.equal(3);
  });

  it('go round so many times when others win, and once less is not enough', async () => {
    let lost = 0;
    const losing = (times: number) => {
      lost = 0;
      return watched(() => {
        lost += 1;
        if (lost <= times) throw new WrongRevision('message', NO_STREAM);
      }).store;
    };
    const bounds = { attemptsMax: 3 };
    const winner = createWriter({ store: losing(2), clock, ids, bounds });
    expect((await record(winner, newId(), 'sent')).revision).to.equal(0);
    const loser = createWriter({ store: losing(3), clock, ids, bounds });
    const error = await record(loser, newId(), 'sent').catch((thrown) => thrown);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.match(/is contended/);
    expect(lost).to.equal(3);
  });

  it('read a stream page by page, whatever part of a page the last one is', async () => {
    const writer = createWriter({ store, clock, ids });
    for (const length of [1, 2, 3, 4, 5]) {
      const id = newId();
      for (let i = 0; i < length; i += 1) await record(writer, id, `s${i}`);
      const reader = createWriter({ store, clock, ids, bounds: { page: 2 } });
      const { state, revision } = await reader.load(messageDecider, id);
      expect({ seen: state.early.length, revision }).to.deep.equal({
        seen: length,
        revision: length - 1,
      });
    }
  });

  it('forget a state whose append failed, and fail every command of that append', async () => {
    let isDown = false;
    const spy = watched(() => {
      if (isDown) throw new StoreUnavailable('down');
    });
    const writer = createWriter({ store: spy.store, clock, ids });
    const id = 'acc_down';
    const decider = accountDecider(id);
    await openAccount(writer, id, 2);
    isDown = true;
    const results = await Promise.allSettled(
      [1, 2].map(() => writer.execute(decider, id, reserve, context)),
    );
    expect(codesOf(results)).to.deep.equal(['StoreUnavailable', 'StoreUnavailable']);
    isDown = false;
    const done = await writer.execute(decider, id, reserve, context);
    expect([done.state.balance, done.revision]).to.deep.equal([1, 2]);
    await writer.drain();
  });

  it('tell when a snapshot could not be saved, and go on', async () => {
    const failed: string[] = [];
    const writer = createWriter({
      store: {
        ...store,
        saveSnapshot: async () => Promise.reject(new Error('disk')),
      },
      clock,
      ids,
      onSnapshotFailed: (stream, error) => failed.push(`${stream}: ${(error as Error).message}`),
    });
    const every = 3;
    const decider = { ...messageDecider, snapshot: { version: 1, every } };
    const id = newId();
    for (const [at, status] of ['a', 'b', 'c', 'd', 'e', 'f', 'g'].entries()) {
      await writer.execute(decider, id, recordStatus(id, status), context);
      await until('it was told', () => failed.length === Math.floor((at + 1) / every));
    }
    expect(failed).to.deep.equal(Array(2).fill(`message-${id}: disk`));
  });

  it('decide to add nothing on a state that was read, not assumed', async () => {
    const rival = createWriter({ store, clock, ids });
    const writer = createWriter({ store, clock, ids });
    const id = newId();
    await record(rival, id, 'sent');
    expect((await record(writer, id, 'sent', true)).facts).to.deep.equal([]);
    const { early } = (await record(writer, id, 'read', true)).state;
    expect(early.map(({ status }) => status)).to.deep.equal(['sent', 'read']);
  });

  describe('in memory', () => {
    /** The store, with the streams that were read. */
    const reading = () => {
      const streams: string[] = [];
      const wrapped: EventStore = {
        ...store,
        async read(stream, options) {
          streams.push(stream);
          return store.read(stream, options);
        },
      };
      return { store: wrapped, streams };
    };

    it('keep as many states as may be kept, and read the others again', async () => {
      const spy = reading();
      const writer = createWriter({ store: spy.store, clock, ids, statesMax: 1 });
      await openAccount(writer, 'acc_kept1', 9);
      await openAccount(writer, 'acc_kept2', 9);
      spy.streams.length = 0;
      await writer.execute(accountDecider('acc_kept2'), 'acc_kept2', reserve, context);
      expect(spy.streams).to.deep.equal([]);
      await writer.execute(accountDecider('acc_kept1'), 'acc_kept1', reserve, context);
      expect(spy.streams).to.include('account-acc_kept1');
    });

    it('refuse none of several that came together before they have been read anew', async () => {
      const writer = createWriter({ store, clock, ids });
      await openAccount(writer, 'acc_two', 1);
      const rival = createWriter({ store, clock, ids });
      await rival.execute(accountDecider('acc_two'), 'acc_two', grantCommand(1), context);
      const results = await Promise.allSettled(
        [1, 2, 3].map(() => writer.execute(accountDecider('acc_two'), 'acc_two', reserve, context)),
      );
      expect(codesOf(results)).to.deep.equal(['done', 'done', 'AppError']);
    });

    it('read a stream unless every command of an append takes it for new', async () => {
      const spy = watched();
      const id = newId();
      await record(createWriter({ store, clock, ids }), id, 'sent');
      const writer = createWriter({ store: spy.store, clock, ids });
      await Promise.all([record(writer, id, 'delivered', true), record(writer, id, 'read')]);
      // The first append already stands on what was read.
      expect(spy.sizes).to.deep.equal([2]);
      const streams = reading();
      const reader = createWriter({ store: streams.store, clock, ids });
      const other = newId();
      await record(reader, other, 'sent');
      expect(streams.streams).to.include(`message-${other}`);
    });
  });
});
