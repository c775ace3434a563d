import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { verifyDirectory } from '../../src/audit/offline.ts';
import type { Progress } from '../../src/audit/verify.ts';
import { CHAIN_START } from '../../src/events/chain.ts';
import type { Fact } from '../../src/events/define.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { NO_STREAM } from '../../src/events/store.ts';
import { createAccount } from '../support/books.ts';
import { folderInSuite } from '../support/folder.ts';
import { NOW } from '../support/samples.ts';
import { failureOf } from '../support/spec.ts';
import { stamped } from '../support/stamped.ts';

const ACCOUNTS = 3;
const CHARGES = 1200;

/** Opened, given credit, and charged; every tenth charge is given back. */
const historyOf = (accountId: string): Fact[] => {
  const account = createAccount(accountId);
  account.fill(CHARGES);
  for (let number = 0; number < CHARGES; number += 1) {
    const charge = account.reserve(NOW + number);
    if (number % 10 === 0) account.refund(charge);
  }
  return account.facts;
};

describe('the books of a long log @long', () => {
  const folder = folderInSuite();
  const directory = folder.path;
  let events = 0;
  before(async () => {
    const store = await openSqliteStore({ directory });
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `acc_${index}`);
    const write = async (accountId: string) => {
      const facts = historyOf(accountId);
      let chain = CHAIN_START;
      for (let done = 0; done < facts.length; done += 50) {
        const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'req_1' };
        const batch = stamped(facts.slice(done, done + 50), chain, () => meta);
        chain = batch.chain;
        await store.append(`account-${accountId}`, done === 0 ? NO_STREAM : done - 1, batch.events);
      }
      events += facts.length;
    };
    await Promise.all(accounts.map(write));
    await store.close();
  });

  const change = (sql: string, ...values: (string | number)[]) => {
    const database = new DatabaseSync(`${directory}/events.db`);
    database.prepare(sql).run(...values);
    database.close();
  };

  it('are read by several threads in the order of the log', async () => {
    const positions: string[] = [];
    const onProgress = ({ position }: Progress) => positions.push(position);
    const report = await verifyDirectory(directory, { threads: 3, onProgress });
    expect(report).to.deep.include({ ok: true, accounts: ACCOUNTS, problemCount: 0 });
    expect(report.movements).to.equal(events - ACCOUNTS);
    expect(Number(positions.at(-1))).to.equal(events);
    expect(positions.length).to.be.above(3);
    expect(positions).to.deep.equal(positions.toSorted());
    positions.length = 0;
    const alone = await verifyDirectory(directory, { threads: 1, onProgress });
    expect(alone).to.deep.equal(report);
    expect(Number(positions.at(-1))).to.equal(events);
  });

  it('stop at a signal while threads read', async () => {
    const stopping = new AbortController();
    const options = { threads: 2, signal: stopping.signal, onProgress: () => stopping.abort() };
    expect(await failureOf(verifyDirectory(directory, options))).to.have.property(
      'name',
      'AbortError',
    );
  });

  it('are closed after an audit, also after one that was stopped', async () => {
    const { prepare } = DatabaseSync.prototype;
    const used = new Set<DatabaseSync>();
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql) {
      used.add(this);
      return prepare.call(this, sql);
    };
    const stillOpen = () => [...used].filter(({ isOpen }) => isOpen);
    try {
      await verifyDirectory(directory, { threads: 1 });
      expect(used.size).to.be.above(0);
      expect(stillOpen()).to.deep.equal([]);
      const options = { threads: 1, signal: AbortSignal.abort() };
      expect(await failureOf(verifyDirectory(directory, options))).to.have.property(
        'name',
        'AbortError',
      );
      expect(stillOpen()).to.deep.equal([]);
    } finally {
      DatabaseSync.prototype.prepare = prepare;
    }
  });

  it('name each change at its position', async () => {
    const forged = [2, 1000, 1001, 2777, events - 1];
    for (const position of forged) {
      const set = `json_set(data, '$.at', '2027-01-01T00:00:00.000Z')`;
      change(`UPDATE events SET data = ${set} WHERE position = ?`, position);
    }
    const report = await verifyDirectory(directory, { threads: 3 });
    const found = report.problems.map(({ kind, at }) => [kind, Number(at)]);
    expect(found).to.deep.equal(forged.map((position) => ['hash', position]));
    expect(await verifyDirectory(directory, { threads: 1 })).to.deep.equal(report);
  });

  it('are read to the end when many events are missing', async () => {
    const kindsOf = async () => {
      const { problems } = await verifyDirectory(directory, { threads: 3 });
      return problems.map(({ kind }) => kind);
    };
    const isGap = (kind: string) => kind === 'position-gap';
    change('UPDATE events SET position = ? WHERE position = ?', Number.MAX_SAFE_INTEGER, events);
    expect((await kindsOf()).filter(isGap)).to.have.length(1);
    change('DELETE FROM events WHERE position = 1500');
    const kinds = await kindsOf();
    expect(kinds.filter(isGap)).to.have.length(2);
    expect(kinds).to.include('previous-hash');
  });

  it('name the places where events are missing, and count them with the other problems', async () => {
    change('DELETE FROM events WHERE position = 1');
    const { ok, problems, problemCount } = await verifyDirectory(directory);
    const gaps = problems.filter(({ kind }) => kind === 'position-gap');
    const after = ['its start', '1499', `${events - 1}`].map((place) => [
      place === 'its start' ? '' : Number(place),
      `events are missing from the log after ${place}`,
    ]);
    expect(
      gaps.map(({ at, detail }) => [at && Number(at), detail.replace(/0+(?=\d)/, '')]),
    ).to.deep.equal(after);
    expect(problems.length).to.be.above(gaps.length);
    expect([ok, problemCount]).to.deep.equal([false, problems.length]);
  });
});
