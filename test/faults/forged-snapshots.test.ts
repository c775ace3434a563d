import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { verifyDirectory } from '../../src/audit/offline.ts';
import { type AccountDecider, accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand, AccountState } from '../../src/commands/account/state.ts';
import { createWriter, type Writer } from '../../src/commands/core/execute.ts';
import type { BadSnapshot } from '../../src/commands/core/snapshots.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import type { EventStore, Snapshot } from '../../src/events/store.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from '../support/ambient.ts';
import { openWorld } from '../support/faults/world.ts';
import { temporaryFolder } from '../support/folder.ts';
import { inEachTest } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { intent, NOW, price } from '../support/samples.ts';
import { customer } from '../support/subjects.ts';
import { untilTrue } from '../support/until.ts';

const seal = createSecrets(Buffer.alloc(32, 7)).sealOf;
const context = { requestId: 'r', subjects: [customer] };
const clock = fixedClock();
const terms = { planId: 'standard', billing: 'credits' as const, currency: 'USD' };

type Fields = Record<string, unknown>;
type Kept = Fields & { state: AccountState & Fields };

const grant = (amount: number): AccountCommand => ({
  type: 'GrantCredits',
  at: NOW,
  amount,
  reason: null,
  by: null,
});

/** An account's snapshot is taken after 1,000 events; these are shorter, which makes no difference. */
const EVERY = 100;
const deciderOf: AccountDecider = (accountId) => {
  const decider = accountDecider(accountId);
  return { ...decider, snapshot: { ...decider.snapshot!, every: EVERY } };
};

const grantMany = async (
  writer: Writer,
  accountId: string,
  count: number,
  decider = deciderOf(accountId),
): Promise<void> => {
  const granted = Array.from({ length: count }, () =>
    writer.execute(decider, accountId, grant(1), context),
  );
  await Promise.all(granted);
};

/** An account with every field of its state in use, and a snapshot of it. */
const makeAccount = async (writer: Writer, accountId: string): Promise<void> => {
  const decider = deciderOf(accountId);
  const execute = (command: AccountCommand) => writer.execute(decider, accountId, command, context);
  await execute({ type: 'Open', accountId, organisationId: 'org', name: 'A', terms });
  await execute(grant(50));
  await execute({ type: 'SetLimits', limits: { daily: 5_000 } });
  for (const cause of ['not_sent', 'disconnected'] as const) {
    const { facts } = await execute({
      type: 'Reserve',
      contactRef: customer.ref,
      at: NOW,
      reason: 'x',
      price: price(),
      intent: intent(),
    });
    const { data } = facts[0] as { data: Fields };
    const reservation = { ...data, reservedAt: data.at, unrefundedRevision: 4 } as never;
    await execute({ type: 'Refund', at: NOW, cause, reservation });
  }
  await grantMany(writer, accountId, EVERY);
};

/** Something else than this, of the same kind. */
const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 4_999_983;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}x`;
  if (Array.isArray(value)) return value.length > 0 ? [] : ['x'];
  return value === null ? {} : { ...(value as Fields), daily: null, forged: 1 };
};

const openStore = async () => {
  const folder = temporaryFolder();
  const store = await openSqliteStore({ directory: folder.path });
  const database = new DatabaseSync(join(folder.path, 'events.db'), { timeout: 5_000 });
  return {
    store,
    async put(stream: string, { revision, version, state }: Snapshot): Promise<void> {
      const sql = 'INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)';
      database.prepare(sql).run(stream, revision, version, JSON.stringify(state));
    },
    async close() {
      database.close();
      await store.close();
      folder.remove();
    },
  };
};

describe('a snapshot of an account that was forged @long', () => {
  useRealConnections();
  let store: EventStore;
  let put: (stream: string, snapshot: Snapshot) => Promise<void>;
  let close: () => Promise<void>;
  let honest: Snapshot & { state: Kept };
  const decider = deciderOf('acc_1');
  const stream = 'account-acc_1';
  let expected: { state: AccountState; revision: number };
  before(async () => {
    ({ store, put, close } = await openStore());
    const writer = createWriter({ store, clock, ids: systemIds, seal });
    for (const accountId of ['acc_1', 'acc_2']) await makeAccount(writer, accountId);
    await untilTrue('the snapshots are kept', async () =>
      (await Promise.all([stream, 'account-acc_2'].map((one) => store.loadSnapshot(one)))).every(
        (snapshot) => snapshot !== undefined,
      ),
    );
    honest = (await store.loadSnapshot(stream)) as typeof honest;
    await grantMany(writer, 'acc_1', 3);
    expected = await writer.load(decider, 'acc_1');
    expect(expected.revision).to.be.above(honest.revision);
  });
  after(() => close());

  /** What a process makes of it that has just started. */
  const load = async (bounds = {}) => {
    const bad: BadSnapshot[] = [];
    const reads: unknown[] = [];
    const reader = createWriter({
      store: {
        ...store,
        read: (of, options) => {
          reads.push(options);
          return store.read(of, options);
        },
      },
      clock,
      ids: systemIds,
      seal,
      bounds,
      onBadSnapshot: (one) => bad.push(one),
    });
    return { ...(await reader.load(decider, 'acc_1')), bad, reads };
  };
  /** One of the state as it is now: those that a test puts there are older. */
  const isReplaced = async () => (await store.loadSnapshot(stream))?.revision === expected.revision;
  const demandDropped = async (forged: Snapshot, fault: BadSnapshot['fault']) => {
    await put(stream, forged);
    const { bad, reads: _, ...folded } = await load();
    expect(folded).to.deep.equal(expected);
    expect(bad).to.deep.equal([{ stream, revision: forged.revision, fault }]);
    await untilTrue('a good one took its place', isReplaced);
    expect((await load()).bad).to.deep.equal([]);
  };

  it('row 30: an honest one spares reading all but what came after it, in one read', async () => {
    await put(stream, honest);
    const { bad, reads, ...folded } = await load();
    expect(folded).to.deep.equal(expected);
    expect(bad).to.deep.equal([]);
    expect(reads).to.have.length(1);
    expect(reads[0]).to.include({ from: honest.revision, limit: 1000 });
  });
  it('row 30: no field of the state can be changed', async () => {
    const { state } = honest.state;
    const fields = Object.keys(state);
    expect(fields).to.include.members(['balance', 'planId', 'limits', 'usage', 'refunds']);
    for (const field of fields) {
      const changed = { ...state, [field]: other(state[field]) };
      const forged = { ...honest, state: { ...honest.state, state: changed } };
      await demandDropped(forged, 'forged');
    }
    const { chain } = honest.state;
    await demandDropped({ ...honest, state: { ...honest.state, chain: other(chain) } }, 'forged');
  });
});

describe('a forged snapshot under a running service @long', () => {
  useRealConnections();
  const world = inEachTest(openWorld);

  it('row 30: nothing is spent that is not there; it shows in the books, the log and the metrics', async () => {
    const tenant = await world.tenant({ credits: 1 });
    const { store, directory } = world.waybill;
    const { accountId } = tenant;
    const writer = createWriter({ store, clock: world.waybill.clock, ids: systemIds, seal });
    await grantMany(writer, accountId, 1_000, accountDecider(accountId));
    const revoke = { ...grant(1_001), type: 'RevokeCredits' } as AccountCommand;
    await writer.execute(accountDecider(accountId), accountId, revoke, context);
    const stream = `account-${accountId}`;
    await untilTrue('it is kept', async () => Boolean(await store.loadSnapshot(stream)));

    const database = new DatabaseSync(join(directory, 'events.db'), { timeout: 5_000 });
    const forge = "json_set(state, '$.state.balance', 4999983)";
    const sql = `UPDATE snapshots SET state = ${forge} WHERE stream = ?`;
    expect(database.prepare(sql).run(stream).changes).to.equal(1);
    database.close();
    const verified = async () => (await world.waybill.admin('POST', '/ledger/verify', {})).body;
    expect(await verified()).to.deep.include({ ok: false });
    expect((await verified()).problems[0]).to.deep.include({ kind: 'snapshot', accountId });
    const offline = await verifyDirectory(directory);
    expect(offline.problems.map(({ kind }) => kind)).to.deep.equal(['snapshot']);

    await world.restart(0);
    expect((await world.send(tenant)).status).to.equal(402);
    const metrics = await (await fetch(`${world.waybill.url}/metrics`)).text();
    expect(metrics).to.include('waybill_bad_snapshots_total{kind="account",fault="forged"} 1');
    await untilTrue('a good one took its place', async () => (await verified()).ok);
    expect(await world.problems()).to.deep.equal([]);
  });
});
