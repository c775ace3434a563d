import { expect } from 'chai';
import type { AuditedLog } from '../../src/audit/movement.ts';
import { createProblems } from '../../src/audit/problems.ts';
import { createSnapshotAudit, snapshotted } from '../../src/audit/snapshots.ts';
import { verify } from '../../src/audit/verify.ts';
import { type Recorded, type Snapshot, UNREADABLE } from '../../src/events/store.ts';

type Fields = Record<string, unknown>;

/** Counts the events of a stream by their types, for streams of one category. */
const counter = {
  initial: { unset: null },
  evolve: (state: unknown, { type }: { type: string }) => ({
    ...(state as Fields),
    [type]: (((state as Fields)[type] as number | undefined) ?? 0) + 1,
  }),
  snapshot: { version: 3, every: 10 },
};

const types = ['A', 'B', 'A', 'C', 'A'];
const events = (stream: string) =>
  types.map((type, revision) => ({ type, revision, stream, position: `at ${revision}` }));

const audited = async (
  snapshots: readonly (Snapshot & { stream: string })[],
  { pageSize = 2, change = (all: object[]) => all } = {},
) => {
  const reads: unknown[] = [];
  const problems = createProblems();
  const log = {
    snapshots: () => snapshots,
    loadSnapshot: async (stream: string) => snapshots.find((one) => one.stream === stream),
    async read(stream: string, { from = 0, limit = 1000 } = {}) {
      reads.push([from, limit]);
      return change(events(stream)).slice(from, from + limit) as Recorded[];
    },
  };
  const deciders = { account: counter, counter };
  const audit = createSnapshotAudit({ log, problems, deciders, pageSize });
  return { audit, problems, reads };
};
/** What is found in these. */
const problemsIn = async (...of: Parameters<typeof audited>) => {
  const { audit, problems } = await audited(...of);
  await audit.all();
  return problems.list();
};
const kept = (stream: string, revision: number, state: unknown, version = 3) => ({
  stream,
  revision,
  version,
  state: { state, event: 'e', chain: 'c', seal: 's' },
});

describe('the audit of snapshots', () => {
  it('folds up to the revision of each, in pages', async () => {
    const { audit, problems, reads } = await audited([kept('counter-1', 2, { A: 2, B: 1 })]);
    await audit.all();
    expect(problems.list()).to.deep.equal([]);
    expect(reads).to.deep.equal([
      [0, 2],
      [2, 1],
    ]);
  });
  it('takes a field without a value for a missing one', async () => {
    const snapshot = kept('counter-1', 4, { A: 3, B: 1, C: 1, gone: null });
    expect(await problemsIn([snapshot])).to.deep.equal([]);
  });
  it('finds a snapshot of the revision before or after', async () => {
    for (const revision of [1, 3]) {
      const found = await problemsIn([kept('counter-1', revision, { A: 2, B: 1 })]);
      expect(found, String(revision)).to.have.length(1);
    }
  });
  it('names the account, the place, and the first three fields that differ', async () => {
    const state = { A: 7, B: { deep: 'x'.repeat(100) }, D: 1, E: 2 };
    const { audit, problems } = await audited([kept('account-acc-1', 4, state)]);
    await audit.accounts(['acc-1']);
    const long = `{"deep":"${'x'.repeat(100)}`.slice(0, 60);
    expect(problems.list()).to.deep.equal([
      {
        accountId: 'acc-1',
        kind: 'snapshot',
        at: 'at 4',
        detail:
          'the snapshot of account-acc-1 at revision 4 says ' +
          `A 7, the events make 3; B ${long}, the events make 1; C nothing, the events make 1`,
      },
    ]);
  });
  it('names a snapshot of another kind without an account', async () => {
    const [found] = await problemsIn([kept('counter-1', 4, { A: 3, B: 1 })]);
    expect(found).to.include({ accountId: null, at: 'at 4' });
  });
  it('names a snapshot that cannot be read, or whose events are missing or unreadable', async () => {
    const good = kept('counter-1', 4, { A: 3, B: 1, C: 1 });
    const demand = async (says: string, snapshot: Partial<Snapshot>, how = {}) => {
      const found = await problemsIn([{ ...good, ...snapshot }], how);
      const words = found.map(({ at, detail }) => [at, detail.split(' at revision ')[1]]);
      expect(words).to.deep.equal([['counter-1', says]]);
    };
    expect(await problemsIn([good])).to.deep.equal([]);
    await demand('4 cannot be read', { state: null });
    await demand('-1 cannot be read', { revision: -1, version: 9 });
    await demand('9 is of events that the log does not hold', { revision: 9 });
    const change = (all: object[]) => all.with(1, { ...all[1], type: UNREADABLE });
    await demand('4 is of events that the log does not hold', {}, { change });
  });
  it('belongs to the audit of one account', async () => {
    const log: AuditedLog = {
      head: async () => 'at 4',
      read: async (stream, { from = 0, limit = 1000 } = {}) =>
        (events(stream) as Recorded[]).slice(from, from + limit),
      readAll: async () => ({ events: [], to: 'at 4' }),
      loadSnapshot: async () => kept('account-acc-1', 4, { A: 7, B: 1, C: 1 }),
    };
    const deciders = { account: counter };
    const snapshotProblems = async (of: AuditedLog) => {
      const report = await verify(of, { accountId: 'acc-1', deciders });
      return report.problems.filter(({ kind }) => kind === 'snapshot');
    };
    const found = await snapshotProblems(log);
    expect(found).to.have.length(1);
    expect(found[0]).to.include({ accountId: 'acc-1', at: 'at 4' });
    const others = { ...log, snapshots: () => [kept('account-acc-2', 4, { A: 9 })] };
    expect(await snapshotProblems(others), 'those of others do not').to.deep.equal(found);
  });
  it('may be of the first event', async () => {
    expect(await problemsIn([kept('counter-1', 0, { A: 1 })])).to.deep.equal([]);
  });
  it('skips snapshots of another version, of a reactor and of an unknown kind', async () => {
    const { audit, problems, reads } = await audited([
      kept('counter-1', 4, {}, 2),
      kept('counter-2', 4, {}, 4),
      kept('reactor-forwards', 0, {}),
      kept('stranger-1', 4, {}),
    ]);
    await audit.all();
    expect([problems.count(), reads]).to.deep.equal([0, []]);
  });
  it('stops at a signal', async () => {
    const called = new AbortController();
    called.abort();
    const { audit } = await audited([kept('counter-1', 4, {})]);
    for (const work of [audit.all(called.signal), audit.accounts(['1'], called.signal)]) {
      expect(await work.catch((error: Error) => error.name)).to.equal('AbortError');
    }
  });
  it('has a decider for every kind of stream with snapshots', () => {
    expect(Object.keys(snapshotted)).to.deep.equal(['account', 'bot', 'conversation', 'phone']);
    for (const decider of Object.values(snapshotted)) expect(decider.snapshot).to.be.an('object');
  });
});
