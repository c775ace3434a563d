import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { copyLog } from '../../src/audit/copy-log.ts';
import { backUp, verifyDirectory, verifyServer } from '../../src/audit/offline.ts';
import { accountDecider } from '../../src/commands/account/account.ts';
import { copyEvents } from '../../src/events/copy/copy.ts';
import { openEventStoreDbTarget } from '../../src/events/eventstoredb/target.ts';
import { openSqliteSource } from '../../src/events/sqlite/source.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { type EventStore, NO_STREAM, StoreUnavailable } from '../../src/events/store.ts';
import { projections } from '../../src/projections/all.ts';
import { created, outcomeOf } from '../contract/store-events.ts';
import {
  expectCopied,
  keptOf,
  openCopyBench,
  rowsOf,
  typeFromTheFuture,
} from '../support/copy-bench.ts';
import { writeBooks } from '../support/copy-books.ts';
import { seeded } from '../support/faults/random.ts';
import type { AppendFault } from '../support/grpc/faults.ts';
import { startRelay } from '../support/grpc/relay.ts';
import { inSuite } from '../support/in-suite.ts';
import { readLog } from '../support/invariants/log.ts';
import { useRealConnections } from '../support/network.ts';
import { foldAll } from '../support/projections.ts';
import { messageOf } from '../support/spec.ts';
import { until } from '../support/until.ts';

const ACCOUNTS = 3;
const quiet = () => undefined;
const placeOf = ({ stream, revision }: { stream: string; revision: number }) =>
  `${revision} ${stream}`;

describe('a copy of the log to servers @long', () => {
  useRealConnections();
  const bench = inSuite(() => openCopyBench({ accounts: ACCOUNTS, sends: 8 }));
  let directory: string;
  beforeEach(() => {
    directory = bench.directory();
  });
  afterEach(() => bench.renew());

  /** As a server that has more to do. */
  const answerInAnyOrder = () => {
    const chance = seeded(7);
    const slow = (): AppendFault => ({ delayMs: 1 + Math.floor(chance() * 6) });
    bench.double.faults.appends = Array.from({ length: 2000 }, slow);
  };
  const copy = (from = directory, url = bench.double.url) => copyLog(from, url, quiet);

  describe('of a sound log', () => {
    it('has every event as it was written, in the same order, and sound books', async () => {
      answerInAnyOrder();
      const outcome = await copy();
      const events = rowsOf(directory).length;
      expect(outcome).to.deep.include({ ok: true, events, copied: events, present: 0 });
      expectCopied(directory, bench.double);
      expect(outcome.source).to.deep.include({ ok: true, accounts: ACCOUNTS });
      expect(outcome.destination).to.deep.equal(outcome.source);
      expect(await verifyServer(bench.double.url)).to.deep.equal(outcome.source);
    });

    it('shows what the source shows, in the same order', async () => {
      await copy();
      const source = await openSqliteStore({ directory });
      const target = await openEventStoreDbTarget({ url: bench.double.url });
      const [here, there] = [await readLog(source), await readLog(target.store)];
      await Promise.all([source.close(), target.close()]);
      const shown = (events: typeof here, projection: (typeof projections)[number]) =>
        [...foldAll(projection, events)]
          .map(([id, { document }]) => [id, document as Record<string, unknown>] as const)
          .sort(([, { order: one }], [, { order: other }]) =>
            String(one) < String(other) ? -1 : 1,
          )
          .map(([id, { order: _, position: __, ...document }]) => ({ id, document }));
      for (const projection of projections) {
        const [ours, theirs] = [shown(here, projection), shown(there, projection)];
        expect(theirs, projection.name).to.deep.equal(ours);
      }
    });

    it('keeps events of older versions as they are', async () => {
      const fixture = join(import.meta.dirname, '../fixtures/events/ForwardClaimed.v1.json');
      const data = JSON.stringify(JSON.parse(readFileSync(fixture, 'utf8')).data);
      const older = bench.directory(`
        INSERT INTO streams VALUES (9999, 'conversation-1.2');
        INSERT INTO kinds VALUES (9999, 'ForwardClaimed', 1);
        INSERT INTO events
        SELECT max(position) + 1, 9999, 0, '0192f6a4-7c1e-7b52-9d3e-5a1f0c2b8e11', 9999, NULL, NULL,
          '{"at":"","requestId":"r"}', '${data}', NULL, NULL FROM events`);
      expect((await copy(older)).ok).to.equal(true);
      const kept = { type: 'ForwardClaimed', version: 1, data };
      expect(keptOf(bench.double).at(-1)).to.deep.include(kept);
    });

    it('writes nothing when it is repeated', async () => {
      const { events } = await copy();
      const { appends } = bench.double.counts;
      const kept = keptOf(bench.double);
      expect(await copy()).to.deep.include({ ok: true, copied: 0, present: events });
      expect(bench.double.counts.appends).to.equal(appends);
      expect(keptOf(bench.double)).to.deep.equal(kept);
    });

    it('adds the events since an earlier copy', async () => {
      const { events } = await copy();
      const store = await openSqliteStore({ directory });
      await store.append('organisation-late', NO_STREAM, [created(), created()]);
      await store.close();
      expect(await copy()).to.deep.include({ ok: true, copied: 2, present: events });
      expectCopied(directory, bench.double);
    });

    it('continues from a backup of a running service with its data directory', async () => {
      const store = await openSqliteStore({ directory });
      const out = join(directory, 'backup');
      const { manifest } = await backUp(directory, out, '2026-11-21T12:00:00.000Z');
      const { events } = manifest;
      expect(await copy(out)).to.deep.include({ ok: true, copied: events });
      await writeBooks(store, { accounts: ACCOUNTS, sends: 3, first: ACCOUNTS });
      await store.close();
      const { length } = rowsOf(directory);
      expect(await copy()).to.deep.include({ ok: true, copied: length - events, present: events });
      expectCopied(directory, bench.double);
    });

    it('copies an empty log', async () => {
      const store = await openSqliteStore({ directory: join(directory, 'empty') });
      await store.close();
      expect(await copy(join(directory, 'empty'))).to.deep.include({ ok: true, events: 0 });
    });
  });

  describe('over a network that fails', () => {
    /** A copy that was under way when its network failed; appends are soon given up. */
    const interrupted = async (options: { patienceMs?: number } = {}) => {
      const relay = await startRelay(bench.double.port);
      bench.double.delayMs = 2;
      const source = openSqliteSource(directory);
      const url = `esdb://127.0.0.1:${relay.port}?tls=false`;
      const target = await openEventStoreDbTarget({ url, timeoutMs: 250, settleMs: 400 });
      let refusals = 0;
      const append: EventStore['append'] = (...args) =>
        target.store.append(...args).catch((error) => {
          refusals += 1;
          throw error;
        });
      const store = { ...target.store, append };
      const how = { reactorPrefix: 'reactor-', onProgress: quiet, ...options };
      const copying = copyEvents(source, { ...target, store }, how);
      copying.catch(() => undefined);
      await until('it copies', () => bench.double.counts.appends > 40);
      await relay.down();
      const close = async () => {
        source.close();
        await target.close();
        await relay.close();
      };
      return { relay, copying, refusals: () => refusals, close };
    };

    it('is complete when answers of appends were lost', async () => {
      const chance = seeded(11);
      const answers = ['unavailable', 'cancelled', 'unknown', 'timeout'] as const;
      const lost = (): AppendFault => ({
        keep: chance() < 0.5,
        answer: answers[Math.floor(chance() * answers.length)]!,
      });
      bench.double.faults.appends = Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0 ? { answer: 'no-position' } : lost(),
      );
      expect((await copy()).ok).to.equal(true);
      expectCopied(directory, bench.double);
    });

    it('waits longer for an absent server than an append does', async () => {
      const { relay, copying, refusals, close } = await interrupted();
      await until('appends are given up', () => refusals() > 1);
      await relay.up();
      expect((await copying).copied).to.equal(rowsOf(directory).length);
      expectCopied(directory, bench.double);
      await close();
    });

    it('gives up after a time limit, and continues when it is called again', async () => {
      const { copying, close } = await interrupted({ patienceMs: 0 });
      expect(await outcomeOf(copying)).to.be.instanceOf(StoreUnavailable);
      await close();
      const { length } = keptOf(bench.double);
      expect(length).to.be.within(40, rowsOf(directory).length - 1);
      expect(await copy()).to.deep.include({ ok: true, present: length });
      expectCopied(directory, bench.double);
    });

    it('fails at once when no server answers', async () => {
      const relay = await startRelay(bench.double.port);
      await relay.down();
      const url = `esdb://user:secret@127.0.0.1:${relay.port}?tls=false`;
      const message = await messageOf(copy(directory, url));
      expect(message).to.match(/^the event log cannot be read: /);
      expect(message).not.to.include('secret');
      await relay.close();
    });
  });

  describe('into a log that holds something else', () => {
    const refusal = async () => {
      const before = keptOf(bench.double).length;
      const message = await messageOf(copy());
      expect(keptOf(bench.double)).to.have.length(before);
      return message;
    };
    const put = (
      stream: string,
      type = 'Other',
      id: string = randomUUID(),
      { data = '{}', metadata = '{"v":1,"at":"","requestId":""}' } = {},
    ) => {
      const written = { data: Buffer.from(data), metadata: Buffer.from(metadata) };
      const event = { id, type, contentType: 'application/json', ...written };
      bench.double.log.append(stream, 'any', [event]);
    };

    it('is refused for a stream that the source does not have', async () => {
      put('orders-1', 'OrderPlaced');
      expect(await refusal()).to.equal(
        'the destination holds OrderPlaced at revision 0 of orders-1, which the source does not',
      );
    });

    it('is refused for another event at the same place', async () => {
      const { stream, type } = rowsOf(directory)[0]!;
      put(stream, type);
      expect(await refusal()).to.equal(
        `the destination holds ${type} at revision 0 of ${stream}, whose id is not that of the source`,
      );
    });

    it('is refused for the same event with other data', async () => {
      const { stream, type, id } = rowsOf(directory)[0]!;
      put(stream, type, id);
      expect(await refusal()).to.include(`of ${stream}, whose data is not that of the source`);
    });

    it('is refused after a service has written there', async () => {
      await copy();
      const { stream } = rowsOf(directory).find(({ type }) => type.startsWith('Charge'))!;
      put(stream, 'CreditsGranted');
      const { revision } = bench.double.log.stream(stream).at(-1)!;
      expect(await refusal()).to.equal(
        `the destination holds CreditsGranted at revision ${revision} of ${stream}, which the source does not`,
      );
    });

    it('is refused for events in another order', async () => {
      const rows = rowsOf(directory);
      const [first, second] = rows.filter(({ stream }) => stream.startsWith('organisation-'));
      for (const { stream, type, id, version, data, meta } of [second!, first!]) {
        const metadata = JSON.stringify({ ...JSON.parse(meta), v: version });
        put(stream, type, id, { data, metadata });
      }
      expect(await refusal()).to.include('which does not stand in the order of the source');
    });

    it('stops when another process writes into it meanwhile', async () => {
      bench.double.delayMs = 2;
      const { stream } = rowsOf(directory).at(-1)!;
      const copying = messageOf(copy());
      await until('it copies', () => bench.double.counts.appends > 5);
      put(stream);
      expect(await copying)
        .to.include(`the destination holds`)
        .and.include(stream);
    });

    it('ignores the server’s own events and snapshots', async () => {
      put('$settings', '$UserCreated');
      put('snapshot-probe', 'Snapshot');
      expect((await copy()).ok).to.equal(true);
      expectCopied(directory, bench.double);
    });
  });

  describe('of a log that must not be copied', () => {
    const nothingWritten = () => expect(bench.double.counts.appends).to.equal(0);

    it('names changed events', async () => {
      const tampered = bench.directory(`UPDATE events SET data = json_set(data, '$.amount', 900)
        WHERE position = (SELECT min(position) FROM log WHERE type = 'CreditsGranted')`);
      const { ok, source, ...counts } = await copy(tampered);
      expect(ok).to.equal(false);
      expect(counts).to.include({ copied: 0, present: 0, reactors: 0, snapshots: 0 });
      const kinds = source.problems.map(({ kind }) => kind);
      expect(kinds).to.include('hash').and.include('balance');
      expect(source.problems[0]!.accountId).to.match(/^acc_/);
      nothingWritten();
    });

    it('names events that cannot be read, by stream and revision', async () => {
      const rows = rowsOf(directory);
      const [one, other] = rows.filter(({ stream }) => stream.startsWith('organisation-'));
      const spoiled = bench.directory(`
        ${typeFromTheFuture} WHERE position = ${one!.position};
        UPDATE events SET data = '{"half' WHERE position = ${other!.position};`);
      const { ok, flaws } = await copy(spoiled);
      expect(ok).to.equal(false);
      expect(flaws.count).to.equal(2);
      expect(flaws.listed.map(placeOf)).to.deep.equal([one!, other!].map(placeOf));
      expect(flaws.listed[0]!.detail).to.equal('cannot be read: unknown event type FromTheFuture');
      nothingWritten();
    });

    it('names an event that is too large, and one without a usable id', async () => {
      const large = bench.directory(`
        UPDATE events SET data = json_set(data, '$.name', printf('%.*c', 600000, 'é'))
          WHERE position = 1;
        UPDATE events SET id = 'no-uuid' WHERE position = 3;`);
      const { flaws } = await copy(large);
      const details = flaws.listed.map(({ detail }) => detail);
      expect(details[0]).to.match(/^is over 1 MiB: 1\d{6} bytes$/);
      expect(details[1]).to.include('is not a UUID');
      nothingWritten();
    });

    it('names a gap in a stream', async () => {
      const [row] = rowsOf(directory).filter(({ type }) => type === 'StatusUpdated');
      const gap = bench.directory(`UPDATE events SET revision = 7
        WHERE position = ${row!.position}`);
      const { flaws } = await copy(gap);
      const detail = 'does not come right after the revision before it';
      expect(flaws.listed).to.deep.equal([{ stream: row!.stream, revision: 7, detail }]);
      nothingWritten();
    });

    it('is refused while a service has it open', async () => {
      const store = await openSqliteStore({ directory });
      expect(await messageOf(copy())).to.include('already in use');
      await store.close();
      expect((await copy()).ok).to.equal(true);
    });

    it('keeps a service from opening it during the copy alone', async () => {
      const source = openSqliteSource(directory);
      expect(await messageOf(openSqliteStore({ directory }))).to.include('already in use');
      source.close();
      const store = await openSqliteStore({ directory });
      await store.close();
    });

    it('is refused for a directory without a log', async () => {
      expect(await messageOf(copy(join(directory, 'none')))).to.include('there is no event log in');
    });
  });

  describe('with the checkpoints of reactors', () => {
    const held = async (name: string) => {
      const target = await openEventStoreDbTarget({ url: bench.double.url });
      const snapshot = await target.store.loadSnapshot(`reactor-${name}`);
      const state = snapshot?.state as string;
      const all = await readLog(target.store);
      const seen = all.filter(({ position }) => state && position <= state);
      await target.close();
      return seen.map(placeOf);
    };
    const seenAt = (position: number) =>
      rowsOf(directory)
        .filter((row) => row.position <= position)
        .map(placeOf);

    const keep = async (checkpoints: Record<string, number>, others: string[] = []) => {
      const store = await openSqliteStore({ directory });
      const save = (stream: string, state: string) =>
        store.saveSnapshot(stream, { revision: 0, version: 1, state });
      for (const [name, at] of Object.entries(checkpoints)) {
        await save(`reactor-${name}`, String(at).padStart(16, '0'));
      }
      for (const stream of others) await save(stream, '{}');
      await store.close();
    };

    it('lets each reactor continue at its checkpoint', async () => {
      const { length } = rowsOf(directory);
      const middle = Math.floor(length / 2);
      await keep({ forwards: length, bots: middle }, ['account-acc_1']);
      answerInAnyOrder();
      expect(await copy()).to.deep.include({ ok: true, reactors: 2, snapshots: 1 });
      expect(await held('forwards')).to.deep.equal(seenAt(length));
      expect(await held('bots')).to.deep.equal(seenAt(middle));
      expect(await held('delivery-refunds')).to.deep.equal([]);
    });

    it('copies a log with a forged or damaged snapshot', async () => {
      const { stream } = rowsOf(directory).find((row) => row.stream.startsWith('account-'))!;
      const { version } = accountDecider('').snapshot!;
      const database = new DatabaseSync(join(directory, 'events.db'));
      const put = database.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)');
      const state = JSON.stringify({ state: { balance: 7 }, event: 'e', link: null, seal: 's' });
      put.run(stream, 0, version, state);
      put.run('account-damaged', 0, version, '{"state":');
      database.close();
      const { problems } = await verifyDirectory(directory);
      expect(problems.map(({ kind }) => kind)).to.deep.equal(['snapshot', 'snapshot']);
      answerInAnyOrder();
      expect(await copy()).to.deep.include({ ok: true, snapshots: 1 });
    });

    it('lets a reactor continue at its last checkpoint when it worked during the copy', async () => {
      const { length } = rowsOf(directory);
      await copy();
      const middle = Math.floor(length / 2) + 3;
      await keep({ bots: middle });
      expect(await copy()).to.deep.include({ ok: true, copied: 0, reactors: 1 });
      expect(await held('bots')).to.deep.equal(seenAt(middle));
    });
  });
});
