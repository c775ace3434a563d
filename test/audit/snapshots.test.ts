import { expect } from 'chai';
import type { AuditedLog } from '../../src/audit/replay.ts';
import { type Snapshotted, snapshotted } from '../../src/audit/snapshots.ts';
import { type VerifyOptions, verify } from '../../src/audit/verify.ts';
import { accountDecider } from '../../src/commands/account/account.ts';
import { type Recorded, type Snapshot, UNREADABLE } from '../../src/events/store.ts';
import { auditedLog, createAccount, logOf } from '../support/books.ts';
import { NOW } from '../support/samples.ts';

const stream = 'account-acc_1';
const terms = { planId: 'standard', billing: 'credits', currency: 'USD' } as const;

const { decide, facts } = createAccount('acc_1');
decide({ type: 'Open', accountId: 'acc_1', organisationId: 'o', name: 'Books', terms });
for (let amount = 1; amount <= 4; amount += 1) {
  decide({ type: 'GrantCredits', at: NOW, amount, reason: null, by: null });
}
const events = logOf({ [stream]: facts });
const decider = accountDecider('acc_1');
const deciders = { account: decider as never } satisfies Snapshotted;
const stateAt = (revision: number) =>
  facts.slice(0, revision + 1).reduce(decider.evolve, decider.initial);

const version = decider.snapshot!.version;
/** A snapshot as it is kept, of a state that may be another than the events make. */
const keep = (revision: number, change: object = {}): Snapshot & { stream: string } => {
  const state = { ...stateAt(Math.min(revision, 4)), ...change };
  return { stream, revision, version, state: { state, event: 'e', link: null, seal: 's' } };
};
const where = (revision: number) => `snapshot: the snapshot of ${stream} at revision ${revision}`;

const detailsOf = async (
  snapshots: readonly (Snapshot & { stream: string })[],
  { log = events, ...options }: VerifyOptions & { log?: readonly Recorded[] } = {},
) => {
  const whole: AuditedLog = { ...auditedLog(log), snapshots: () => snapshots };
  const report = await verify(whole, { deciders, pageSize: 2, ...options });
  return report.problems.map(({ kind, detail }) => `${kind}: ${detail}`);
};

describe('snapshots compared with what the events make', () => {
  it('hold at each revision', async () => {
    for (const revision of [0, 1, 2, 3, 4]) {
      for (const pageSize of [1, 2, 3, 1000]) {
        expect(await detailsOf([keep(revision)], { pageSize })).to.deep.equal([]);
      }
    }
  });

  it('are told by the fields in which they differ, three at most', async () => {
    expect(await detailsOf([keep(2, { balance: 7 })])).to.deep.equal([
      `${where(2)} says balance 7, the events make 3`,
    ]);
    const strange = { zero: 0, other: null };
    expect(await detailsOf([keep(2, strange)])).to.deep.equal([
      `${where(2)} says zero 0, the events make nothing`,
    ]);
    const [many] = await detailsOf([keep(2, { balance: 7, name: 'x', sequence: 9, planId: 'p' })]);
    expect(many!.match(/the events make/g)).to.have.length(3);
    const [long] = await detailsOf([keep(2, { name: 'x'.repeat(100) })]);
    expect(long).to.equal(`${where(2)} says name "${'x'.repeat(59)}, the events make "Books"`);
  });

  it('are named with their account and the place of their event', async () => {
    const log: AuditedLog = { ...auditedLog(events), snapshots: () => [keep(2, { balance: 7 })] };
    const { problems } = await verify(log, { deciders });
    expect(problems[0]).to.include({
      ...{ accountId: 'acc_1', kind: 'snapshot', at: events[2]!.position },
    });
  });

  it('are wrong beyond the events, and where one of these cannot be read', async () => {
    const problem = 'is of events that the log does not hold';
    expect(await detailsOf([keep(5)])).to.deep.equal([`${where(5)} ${problem}`]);
    expect(await detailsOf([keep(5)], { pageSize: 5 })).to.deep.equal([`${where(5)} ${problem}`]);
    const unreadable = { ...events[1]!, type: UNREADABLE, data: { reason: 'no' } };
    const details = await detailsOf([keep(2)], { log: events.with(1, unreadable as Recorded) });
    expect(details.at(-1)).to.equal(`${where(2)} ${problem}`);
    expect(
      await detailsOf([keep(0)], { log: events.with(1, unreadable as Recorded) }),
    ).to.have.length(details.length - 1);
  });

  it('are wrong where they are none', async () => {
    for (const state of [null, 7, {}, { state: {}, event: 'e', link: 7, seal: 's' }]) {
      expect(await detailsOf([{ ...keep(2), state }])).to.deep.equal([
        `${where(2)} cannot be read`,
      ]);
    }
    for (const revision of [-1, 1.5, Number.NaN]) {
      expect(await detailsOf([{ ...keep(2), revision }])).to.deep.equal([
        `${where(revision)} cannot be read`,
      ]);
    }
  });

  it('of other folds and other programs are left alone', async () => {
    const other = keep(2, { balance: 7 });
    expect(await detailsOf([{ ...other, version: version + 1 }])).to.deep.equal([]);
    expect(await detailsOf([{ ...other, stream: 'cart-1' }])).to.deep.equal([]);
    expect(await detailsOf([other], { deciders: {} })).to.deep.equal([]);
  });

  it('are looked at for accounts, bots, conversations and numbers', async () => {
    const kinds = Object.entries(snapshotted);
    expect(kinds.map(([category]) => category).sort()).to.deep.equal([
      ...['account', 'bot', 'conversation', 'phone'],
    ]);
    for (const [category, { snapshot }] of kinds) {
      const of = { ...keep(9), stream: `${category}-a-b`, version: snapshot!.version };
      expect(await detailsOf([of], { deciders: snapshotted })).to.deep.equal([
        `snapshot: the snapshot of ${category}-a-b at revision 9 is of events that the log does not hold`,
      ]);
    }
  });

  it('are asked for one by one, where the log cannot name them or one account is verified', async () => {
    const asked: string[] = [];
    const log: AuditedLog = {
      ...auditedLog(events),
      async loadSnapshot(of) {
        asked.push(of);
        return keep(2, { balance: 7 });
      },
    };
    expect((await verify(log, { deciders })).problemCount).to.equal(1);
    const naming: AuditedLog = { ...log, snapshots: () => [] };
    expect((await verify(naming, { deciders })).problemCount).to.equal(0);
    expect((await verify(naming, { deciders, accountId: 'acc_1' })).problemCount).to.equal(1);
    expect(asked).to.deep.equal([stream, stream]);
    expect((await verify(auditedLog(events), { deciders })).problemCount).to.equal(0);
  });

  it('can be given up between two of them', async () => {
    const stopping = new AbortController();
    function* snapshots() {
      yield keep(1);
      stopping.abort();
      yield keep(2);
    }
    const log: AuditedLog = { ...auditedLog(events), snapshots };
    const refusal = await verify(log, { deciders, signal: stopping.signal }).catch(
      (error) => error,
    );
    expect(refusal).to.have.property('name', 'AbortError');
  });
});
