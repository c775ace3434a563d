import { expect } from 'chai';
import { verifyDirectory } from '../../src/audit/offline.ts';
import { type AccountDecider, accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand, AccountState } from '../../src/commands/account/state.ts';
import { createWriter, type Writer } from '../../src/commands/core/execute.ts';
import type { BadSnapshot } from '../../src/commands/core/snapshots.ts';
import type { Snapshot } from '../../src/events/store.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemIds } from '../../src/shared/system.ts';
import { grantCommand, openCommand, reserveCommand } from '../support/account-commands.ts';
import { fixedClock } from '../support/ambient.ts';
import { openWorld } from '../support/faults/world.ts';
import { inEachTest, inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { openOwnStore } from '../support/own-store.ts';
import { NOW } from '../support/samples.ts';
import { changeFile } from '../support/sealed-books.ts';
import { customer } from '../support/subjects.ts';
import { untilTrue } from '../support/until.ts';

const seal = createSecrets(Buffer.alloc(32, 7)).sealOf;
const context = { requestId: 'r', subjects: [customer] };
const clock = fixedClock();

type Fields = Record<string, unknown>;
type Kept = Fields & { state: AccountState & Fields };

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
    writer.execute(decider, accountId, grantCommand(1), context),
  );
  await Promise.all(granted);
};

/** An account with every field of its state in use, and a snapshot of it. */
const makeAccount = async (writer: Writer, accountId: string): Promise<void> => {
  const decider = deciderOf(accountId);
  const execute = (command: AccountCommand) => writer.execute(decider, accountId, command, context);
  await execute(openCommand(accountId));
  await execute(grantCommand(50));
  await execute({ type: 'SetLimits', limits: { daily: 5_000 } });
  for (const cause of ['not_sent', 'disconnected'] as const) {
    const { facts } = await execute(reserveCommand());
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

describe('a snapshot of an account that was forged @long', () => {
  useRealConnections();
  const store = inSuite(openOwnStore);
  const put = (snapshot: Snapshot) => store.saveSnapshot(stream, snapshot, { replace: true });
  let honest: Snapshot & { state: Kept };
  const decider = deciderOf('acc_1');
  const stream = 'account-acc_1';
  let expected: { state: AccountState; revision: number };
  before(async () => {
    const writer = createWriter({ store, clock, ids: systemIds, seal });
    await makeAccount(writer, 'acc_1');
    await untilTrue('it is kept', async () => Boolean(await store.loadSnapshot(stream)));
    honest = (await store.loadSnapshot(stream)) as typeof honest;
    await grantMany(writer, 'acc_1', 3);
    expected = await writer.load(decider, 'acc_1');
    expect(expected.revision).to.be.above(honest.revision);
  });

  /** What a process makes of it that has just started. */
  const load = async () => {
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
      onBadSnapshot: (one) => bad.push(one),
    });
    return { ...(await reader.load(decider, 'acc_1')), bad, reads };
  };
  /** One of the state as it is now: those that a test puts there are older. */
  const isReplaced = async () => (await store.loadSnapshot(stream))?.revision === expected.revision;
  const demandDropped = async (forged: Snapshot, fault: BadSnapshot['fault']) => {
    await put(forged);
    const { bad, reads: _, ...folded } = await load();
    expect(folded).to.deep.equal(expected);
    expect(bad).to.deep.equal([{ stream, revision: forged.revision, fault }]);
    await untilTrue('a good one took its place', isReplaced);
    expect((await load()).bad).to.deep.equal([]);
  };

  it('row 30: an honest one spares reading all but what came after it, in one read', async () => {
    await put(honest);
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
    const revoke = { ...grantCommand(1_001), type: 'RevokeCredits' } as AccountCommand;
    await writer.execute(accountDecider(accountId), accountId, revoke, context);
    const stream = `account-${accountId}`;
    await untilTrue('it is kept', async () => Boolean(await store.loadSnapshot(stream)));

    const forge = "json_set(state, '$.state.balance', 4999983)";
    const sql = `UPDATE snapshots SET state = ${forge} WHERE stream = ?`;
    expect(changeFile(directory, sql, stream)).to.equal(1);
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
