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
import { failureOf } from '../../support/spec.ts';
import { customer } from '../../support/subjects.ts';
import { until } from '../../support/until.ts';
import { watched } from '../../support/watched.ts';

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

  /** Records this status and the next ones at the same time. */
  const recordMany = (writer: Writer, id: string, count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, nth) => record(writer, id, `s${nth}`)));
  const expectInOrder = async (id: string, count: number) => {
    const events = await store.read(`message-${id}`);
    expect(events.map(({ data }) => (data as { status: string }).status)).to.deep.equal(
      Array.from({ length: count }, (_, nth) => `s${nth}`),
    );
  };

  it('are these', () => {
    const bounds = { attemptsMax: 32, batchMax: 128, queueMax: 4096, page: 1000 };
    expect(writerBounds).to.deep.equal(bounds);
  });

  it('cut what waits for one stream into appends of a bounded size', async () => {
    const { log, appends } = watched(store);
    const id = newId();
    await recordMany(createWriter({ store: log, clock, ids, bounds: { batchMax: 3 } }), id, 7);
    expect(appends).to.deep.equal([3, 3, 1]);
    await expectInOrder(id, 7);
  });

  it('halve an append that no store takes, in order, until its parts fit', async () => {
    const { log, appends } = watched(store, ({ length }) => {
      if (length > 2) throw new AppendTooLarge('message', 2 ** 21);
    });
    const id = newId();
    const results = await recordMany(createWriter({ store: log, clock, ids }), id, 5);
    expect(codesOf(results)).to.deep.equal(Array(5).fill('done'));
    expect(appends).to.deep.equal([5, 3, 2, 1, 2]);
    await expectInOrder(id, 5);
  });

  it('refuse one command whose append alone is too large, and no other', async () => {
    const { log, appends } = watched(store, ({ length }) => {
      if (length !== 1 || appends.length === 2) throw new AppendTooLarge('message', 2 ** 21);
    });
    const writer = createWriter({ store: log, clock, ids });
    const id = newId();
    const results = await recordMany(writer, id, 2);
    expect(codesOf(results)).to.deep.equal(['AppendTooLarge', 'AppendTooLarge']);
    expect((await record(writer, id, 'c')).revision).to.equal(0);
  });

  it('take no more commands for a stream than may wait, and take them again afterwards', async () => {
    const held = Promise.withResolvers<void>();
    const { log, appends } = watched(store, () => held.promise);
    const bounds = { queueMax: 2, batchMax: 1 };
    const writer = createWriter({ store: log, clock, ids, bounds });
    const id = newId();
    const first = record(writer, id, 's0');
    await until('the first append is under way', () => appends.length === 1);
    const waiting = ['s1', 's2'].map((status) => record(writer, id, status));
    const refused = await failureOf(record(writer, id, 's3'));
    expect(refused).to.be.instanceOf(StoreUnavailable);
    expect(refused.message).to.equal(`too many commands wait for message-${id}`);
    // Another stream has its own mailbox.
    const other = record(writer, newId(), 's0');
    held.resolve();
    await Promise.all([first, ...waiting, other]);
    expect((await record(writer, id, 's3')).revision).to.equal(3);
  });

  it('go round so many times when others win, and once less is not enough', async () => {
    const losing = (times: number) => {
      const spy = watched(store, () => {
        if (spy.appends.length <= times) throw new WrongRevision('message', NO_STREAM);
      });
      const writer = createWriter({ store: spy.log, clock, ids, bounds: { attemptsMax: 3 } });
      return { ...spy, sent: record(writer, newId(), 'sent') };
    };
    expect((await losing(2).sent).revision).to.equal(0);
    const { sent, appends } = losing(3);
    const error = await failureOf(sent);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.match(/is contended/);
    expect(appends).to.have.length(3);
  });

  it('read a stream page by page, whatever part of a page the last one is', async () => {
    const writer = createWriter({ store, clock, ids });
    for (const length of [1, 2, 3, 4, 5]) {
      const id = newId();
      for (let i = 0; i < length; i += 1) await record(writer, id, `s${i}`);
      const reader = createWriter({ store, clock, ids, bounds: { page: 2 } });
      const { state, revision } = await reader.load(messageDecider, id);
      expect([state.early.length, revision]).to.deep.equal([length, length - 1]);
    }
  });

  it('forget a state whose append failed, and fail every command of that append', async () => {
    let isDown = false;
    const { log } = watched(store, () => {
      if (isDown) throw new StoreUnavailable('down');
    });
    const writer = createWriter({ store: log, clock, ids });
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
      store: { ...store, saveSnapshot: async () => Promise.reject(new Error('disk')) },
      clock,
      ids,
      onSnapshotFailed: (stream, error) => failed.push(`${stream}: ${(error as Error).message}`),
    });
    const every = 3;
    const decider = { ...messageDecider, snapshot: { version: 1, every } };
    const id = newId();
    for (let nth = 1; nth <= 7; nth += 1) {
      await writer.execute(decider, id, recordStatus(id, `s${nth}`), context);
      await until('it was told', () => failed.length === Math.floor(nth / every));
    }
    expect(failed).to.deep.equal(Array(2).fill(`message-${id}: disk`));
  });

  describe('in memory', () => {
    it('keep as many states as may be kept, and read the others again', async () => {
      const { log, reads } = watched(store);
      const writer = createWriter({ store: log, clock, ids, statesMax: 1 });
      await openAccount(writer, 'acc_kept1', 9);
      await openAccount(writer, 'acc_kept2', 9);
      reads.length = 0;
      await writer.execute(accountDecider('acc_kept2'), 'acc_kept2', reserve, context);
      expect(reads).to.deep.equal([]);
      await writer.execute(accountDecider('acc_kept1'), 'acc_kept1', reserve, context);
      expect(reads).to.include('account-acc_kept1');
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
      const { log, appends, reads } = watched(store);
      const id = newId();
      await record(createWriter({ store, clock, ids }), id, 'sent');
      const writer = createWriter({ store: log, clock, ids });
      await Promise.all([record(writer, id, 'delivered', true), record(writer, id, 'read')]);
      // The first append already stands on what was read.
      expect(appends).to.deep.equal([2]);
      const other = newId();
      await record(writer, other, 'sent');
      expect(reads).to.include(`message-${other}`);
    });
  });
});
