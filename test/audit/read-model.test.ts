import { expect } from 'chai';
import type { ReadModel, ShownAccount, ShownRow } from '../../src/audit/read-model.ts';
import { type VerifyOptions, verify } from '../../src/audit/verify.ts';
import type { Fact } from '../../src/events/define.ts';
import { type Recorded, UNREADABLE } from '../../src/events/store.ts';
import { auditedLog, createAccount, credits, logOf, modelOf, shownOf } from '../support/books.ts';
import { failureOf } from '../support/spec.ts';

const CREDITS = 'acc_1';
const WALLET = 'acc_2';
const units = {
  [CREDITS]: credits,
  [WALLET]: { planId: 'prepaid', billing: 'wallet', currency: 'USD' },
} as const;
type AccountId = keyof typeof units;

/** Opened, filled, capped, and charged so often; the first charge is given back. */
const factsOf = (accountId: AccountId, charges: number): Fact[] => {
  const account = createAccount(accountId, units[accountId]);
  account.fill(units[accountId].billing === 'credits' ? charges : 100_000_000);
  account.decide({ type: 'SetLimits', limits: { daily: 1_000_000 } });
  account.refund(account.reserve());
  for (let charge = 1; charge < charges; charge += 1) account.reserve();
  return account.facts;
};

type Shown = ReturnType<typeof shownOf>;

const events = logOf({
  [`account-${CREDITS}`]: factsOf(CREDITS, 5),
  [`account-${WALLET}`]: factsOf(WALLET, 5),
});
const last = (accountId: AccountId) =>
  events.findLast(({ stream }) => stream === `account-${accountId}`)!;

const problemsOf = async (
  shown: Shown,
  { log = events, head, ...options }: VerifyOptions & { log?: Recorded[]; head?: string } = {},
) => {
  const report = await verify(auditedLog(log, head), {
    pageSize: 2,
    readModel: modelOf(shown),
    ...options,
  });
  expect(report.ok).to.equal(report.problemCount === 0);
  expect(report.problemCount).to.equal(report.problems.length);
  return report.problems;
};

/** What is shown, after a change of it. */
const spoiled = (spoil: (shown: Shown) => void): Shown => {
  const shown = structuredClone(shownOf(events));
  spoil(shown);
  return shown;
};

describe('books compared with the read model', () => {
  for (const pageSize of [1, 2, 3, 7, 1000]) {
    it(`hold for credits and wallets, read ${pageSize} at a time`, async () => {
      const readModel = modelOf(shownOf(events));
      const all = await verify(auditedLog(events), { pageSize, readModel });
      expect(all).to.deep.equal({
        ok: true,
        accounts: 2,
        movements: 14,
        problems: [],
        problemCount: 0,
        readModel: true,
        seals: null,
      });
      const one = await verify(auditedLog(events), { pageSize, readModel, accountId: WALLET });
      expect(one).to.include({ ok: true, accounts: 1, movements: 7, readModel: true });
    });
  }

  it('are read to the last of 1,051 events of one account, in pages of 1,000', async () => {
    const long = logOf({ [`account-${CREDITS}`]: factsOf(CREDITS, 1047) });
    expect(long).to.have.length(1051);
    const right = shownOf(long);
    const verified = (shown: Shown, log = long) =>
      verify(auditedLog(log), { accountId: CREDITS, readModel: modelOf(shown) });
    expect(await verified(right)).to.include({ ok: true, movements: 1049 });
    const { asStored, ...end } = long.at(-1)!;
    const data = { ...(asStored!.data as object), reason: 'forged' };
    const forged = long.with(-1, { ...end, asStored: { version: end.version, data } });
    expect((await verified(right, forged)).problems.map(({ kind }) => kind)).to.include('hash');
    const { rows, accounts } = right;
    const short = await verified({ rows: rows.slice(0, -1), accounts });
    expect(short.problems.map(({ kind }) => kind)).to.deep.equal(['row-missing']);
  });

  it('report a missing row at its position', async () => {
    const [gone] = shownOf(events).rows.slice(4, 5);
    const { id, accountId, position: at } = gone!;
    const shown = spoiled(({ rows }) => rows.splice(4, 1));
    expect(await problemsOf(shown)).to.deep.equal([
      { kind: 'row-missing', accountId, at, detail: `${id} is not shown` },
    ]);
  });

  const changes: Partial<ShownRow>[] = [
    { type: 'GRANT' as const },
    { amount: 7 },
    { balanceAfter: 7 },
    { reason: 'other' },
    { chargeId: 'chg_other' },
    { hash: 'other' },
  ];
  for (const change of changes) {
    it(`find a row with another ${Object.keys(change)[0]}, and tell it once`, async () => {
      const shown = spoiled(({ rows }) => Object.assign(rows[4]!, change, { at: '' }));
      const [field, value] = Object.entries(change)[0]!;
      const found = await problemsOf(shown);
      expect(found.map(({ kind }) => kind)).to.deep.equal(['row-differs']);
      expect(found[0]!.detail).to.include(`shows ${field} ${value} of ${shown.rows[4]!.accountId}`);
    });
  }

  it('report a row in another account once, as one without an event', async () => {
    const shown = spoiled(({ rows }) => {
      expect(rows[4]!.accountId).to.equal(CREDITS);
      rows[4]!.accountId = WALLET;
    });
    const found = await problemsOf(shown);
    expect(found.map(({ kind, accountId }) => [kind, accountId])).to.deep.equal([
      ['row-differs', CREDITS],
      ['row-without-event', WALLET],
    ]);
    expect(found[1]!.detail).to.equal('8 rows are shown for 7 movements');
  });

  it('report a row without an event at each position', async () => {
    const added = (position: string, change: Partial<ShownRow>) =>
      spoiled(({ rows }) => {
        rows.push({ ...rows[0]!, id: 'led_1_zz', position, ...change });
        rows.sort((one, other) => (one.position < other.position ? -1 : 1));
      });
    const { position } = last(CREDITS);
    const within = await problemsOf(added(position, { revision: 3 }));
    expect(within.map(({ kind, at }) => [kind, at])).to.deep.equal([
      ['row-without-event', position],
    ]);
    const behind = await problemsOf(added('999999', { revision: 99 }));
    const detail = 'led_1_zz is shown, but the log has no such event';
    expect(behind).to.deep.equal([
      { kind: 'row-without-event', accountId: CREDITS, at: '999999', detail },
    ]);
  });

  it('accept what was written while they were read', async () => {
    const head = events[9]!.position;
    expect(await problemsOf(shownOf(events), { head })).to.deep.equal([]);
    expect(await problemsOf(shownOf(events), { head, accountId: CREDITS })).to.deep.equal([]);
    const shown = spoiled(({ accounts }) => {
      accounts[0]!.balance += 1;
    });
    const found = await problemsOf(shown, { head });
    expect(found.map(({ kind, accountId }) => [kind, accountId])).to.deep.equal([
      ['shown-balance', CREDITS],
    ]);
  });

  for (const accountId of [CREDITS, WALLET] as const) {
    const spoil = (change: (account: ShownAccount) => void) =>
      spoiled(({ accounts }) => change(accounts.find(({ id }) => id === accountId)!));
    const said = async (shown: Shown) => {
      const found = await problemsOf(shown);
      const where = { kind: 'shown-balance', accountId, at: last(accountId).position };
      for (const problem of found) expect(problem).to.include(where);
      return found.map(({ detail }) => detail);
    };

    it(`find another balance of ${accountId}, also where 0 is shown`, async () => {
      const balance = shownOf(events).accounts.find(({ id }) => id === accountId)!.balance;
      for (const wrong of [balance + 1, balance - 1, 0]) {
        const shown = spoil((account) => void Object.assign(account, { balance: wrong }));
        expect(await said(shown)).to.deep.equal([`${wrong} is shown, the events make ${balance}`]);
      }
    });

    it(`find ${accountId} not shown, shown too early, and shown beyond its events`, async () => {
      const { rows, accounts } = shownOf(events);
      const others = accounts.filter(({ id }) => id !== accountId);
      expect(await said({ rows, accounts: others })).to.deep.equal(['the account is not shown']);
      const { revision } = last(accountId);
      const at = (wrong: number) =>
        spoil((account) => void Object.assign(account, { revision: wrong }));
      const [early, beyond] = [revision - 1, revision + 1];
      const asOf = `the account is shown as of revision ${early}`;
      expect(await said(at(early))).to.deep.equal([asOf]);
      const after = `revision ${beyond} is shown; the log ends before it`;
      expect(await said(at(beyond))).to.deep.equal([after]);
    });
  }

  it('report a late read model, and have no other problem', async () => {
    const reached: string[] = [];
    const { accounts } = shownOf(events);
    const readModel: ReadModel = {
      ...modelOf({ rows: [], accounts }),
      async reached(position) {
        reached.push(position);
        return false;
      },
    };
    const head = events.at(-1)!.position;
    for (const accountId of [undefined, CREDITS]) {
      const report = await verify(auditedLog(events), { readModel, accountId });
      expect(report).to.include({ ok: false, readModel: false, problemCount: 1 });
      const late = { kind: 'read-model-late', at: head, accountId: accountId ?? null };
      expect(report.problems[0]).to.include(late);
    }
    expect(reached).to.deep.equal([head, head]);
  });

  it('stop at a signal between two accounts', async () => {
    const stopping = new AbortController();
    const readModel = modelOf(shownOf(events), {
      async account(accountId) {
        stopping.abort();
        return shownOf(events).accounts.find(({ id }) => id === accountId);
      },
    });
    const auditing = verify(auditedLog(events), { readModel, signal: stopping.signal });
    expect(await failureOf(auditing)).to.have.property('name', 'AbortError');
  });

  it('use the faster scan when only entries are needed', async () => {
    const heads: string[] = [];
    async function* scan(head: string) {
      heads.push(head);
      yield { entries: [], to: head };
    }
    const log = auditedLog(events);
    const head = events.at(-1)!.position;
    expect(await verify(log, { scan })).to.include({ ok: true, accounts: 0, movements: 0 });
    expect(await verify(log, { scan, accountId: CREDITS })).to.include({ accounts: 1 });
    const readModel = modelOf(shownOf(events));
    expect(await verify(log, { scan, readModel })).to.include({ accounts: 2 });
    expect(heads).to.deep.equal([head]);
  });

  it('name an event that cannot be read, with the reason in 300 characters at most', async () => {
    const problemOf = async (reason: string) => {
      const broken = events.with(4, { ...events[4]!, type: UNREADABLE, data: { reason } });
      return (await verify(auditedLog(broken), { pageSize: 2 })).problems[0]!;
    };
    const place = { accountId: CREDITS, kind: 'unreadable', at: events[4]!.position };
    expect(await problemOf('no JSON')).to.include({ ...place, detail: 'no JSON' });
    expect(await problemOf('x'.repeat(300))).to.include({ detail: 'x'.repeat(300) });
    expect(await problemOf('x'.repeat(301))).to.include({ detail: 'x'.repeat(300) });
  });
});
