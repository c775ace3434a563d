import { expect } from 'chai';
import { startAt } from '../../src/audit/account-start.ts';
import { exportLines, verifyExport } from '../../src/audit/export-file.ts';
import { type Movement, replay } from '../../src/audit/movement.ts';
import { verify } from '../../src/audit/verify.ts';
import { MessageSent, StatusUpdated } from '../../src/events/message.ts';
import type { Recorded } from '../../src/events/store.ts';
import { auditedLog, createAccount, each, logOf } from '../support/books.ts';
import { freePrice, NOW, sentRecord, statusRecord } from '../support/samples.ts';

const accountId = 'acc_1';
const stream = `account-${accountId}`;
const wallet = { planId: 'prepaid', billing: 'wallet', currency: 'USD' } as const;
const at = (minutes: number) => NOW + 60_000 * minutes;

/** Opened, topped up, corrected, charged, given back, free, and charged to exactly 0. */
const factsOfWallet = () => {
  const account = createAccount(accountId, wallet);
  account.fill(25_000_000, at(1));
  const adjustment = { type: 'MoveWallet', kind: 'adjustment', reason: null, by: null } as const;
  account.decide({ ...adjustment, at: at(2), amount: -24_996_640 });
  account.refund(account.reserve(at(3)), 'not_sent', at(4));
  account.reserve(at(5), { ...freePrice, billing: 'wallet', planId: 'prepaid' });
  for (const minutes of [6, 7]) account.reserve(at(minutes));
  return account.facts;
};
const events = logOf({ [stream]: factsOfWallet() });

const brief = ({ type, amount, balanceAfter }: Movement) => [type, amount, balanceAfter];
const movements = [
  ['GRANT', 25_000_000, 25_000_000],
  ['REVOKE', -24_996_640, 3360],
  ['DEDUCT', -1680, 1680],
  ['REFUND', 1680, 3360],
  ['DEDUCT', -1680, 1680],
  ['DEDUCT', -1680, 0],
];

describe('an export of a period', () => {
  it('holds a refund of a charge that was made before, and is sound without it', async () => {
    const start = (await startAt(auditedLog(events), accountId, '2026-01-01T00:00:00.000Z'))!;
    const since = new Date(at(4)).toISOString();
    const timed = events.map((event, index) => ({
      ...event,
      meta: { ...event.meta, at: new Date(at(index)).toISOString() },
    }));
    const lines = await Array.fromAsync(exportLines(accountId, each(timed), { start, since }));
    const [first, refund] = lines.map((line) => JSON.parse(line));
    expect(first).to.deep.include({ start: true, billing: 'wallet', balance: 1680 });
    expect(refund.type).to.equal('ChargeRefunded');
    const report = await verifyExport(each(lines));
    expect(report.problems).to.deep.equal([]);
    expect(report.movements).to.equal(3);
    const unstarted = await verifyExport(each(lines.slice(1)));
    expect(unstarted.problems.map(({ kind }) => kind)).to.include('revision');
  });
});

describe('the movements of a wallet', () => {
  it('are in millionths, down to a balance of exactly 0', async () => {
    const all = await Array.fromAsync(replay(each(events)));
    expect(all.map(brief)).to.deep.equal(movements);
    expect(all.every(({ billing }) => billing === 'wallet')).to.equal(true);
  });
});

describe('an export', () => {
  const linesOf = (of: readonly Recorded[] = events) =>
    Array.fromAsync(exportLines(accountId, each(of)));
  const problemsIn = async (lines: readonly string[]) => {
    const { problems, ok } = await verifyExport(each(lines));
    expect(ok).to.equal(problems.length === 0);
    return problems.map(({ kind, at: where, detail }) => `${kind} at ${where}: ${detail}`);
  };
  const none = { end: true, accountId, events: 0, movements: 0, balance: 0, sequence: 0 };

  it('holds each event as the log has it, and ends with the totals', async () => {
    const lines = await linesOf();
    expect(lines).to.have.length(events.length + 1);
    const asStored = { version: 1, data: { ...(events[1]!.data as object), note: 'old' } };
    const [, second] = await linesOf(events.with(1, { ...events[1]!, asStored }));
    expect(JSON.parse(second!)).to.deep.include(asStored);
    const { id, type, version, revision, position, meta, data } = events[0]!;
    const first = { stream, revision, position, id, type, version, meta, data };
    expect(JSON.parse(lines[0]!)).to.deep.equal(first);
    const end = { ...none, events: 8, movements: 6, sequence: 7 };
    expect(JSON.parse(lines.at(-1)!)).to.deep.include(end);
  });

  it('of an unknown account ends with totals of 0', async () => {
    const lines = await linesOf([]);
    expect(JSON.parse(lines[0]!)).to.deep.equal({ ...none, hash: '' });
    expect(await problemsIn(lines)).to.deep.equal([]);
  });

  it('has no problem without a change, and its events are counted', async () => {
    const lines = await linesOf();
    const report = await verifyExport(each([...lines, '']));
    expect(report).to.deep.equal({
      ok: true,
      accounts: 1,
      movements: 6,
      problems: [],
      problemCount: 0,
      readModel: false,
      seals: null,
    });
  });

  it('reports progress once for 1,000 lines', async () => {
    const told: number[] = [];
    const blank = Array.from({ length: 1990 }, () => '');
    const lines = await linesOf();
    await verifyExport(each([...lines, ...blank]), (count) => told.push(count));
    expect(told).to.deep.equal([]);
    const { data } = events[0]!;
    const setting = { ...JSON.parse(lines[0]!), type: 'LimitsSet', data };
    const many = Array.from({ length: 2001 }, () => JSON.stringify(setting));
    await verifyExport(each(many), (count) => told.push(count));
    expect(told).to.deep.equal([1000, 2000]);
  });

  it('shows that its end is missing or belongs to another export', async () => {
    const lines = await linesOf();
    expect(await problemsIn(lines.slice(0, -1))).to.deep.equal([
      'truncated at line 8: the export has no last line',
    ]);
    const short = await problemsIn(lines.toSpliced(7, 1));
    expect(short.slice(0, -1)).to.deep.equal([
      'truncated at line 8: the last line says events 8, the events 7',
      'truncated at line 8: the last line says movements 6, the events 5',
      'truncated at line 8: the last line says balance 0, the events 1680',
      'truncated at line 8: the last line says sequence 7, the events 6',
    ]);
    expect(short.at(-1)).to.match(
      /^truncated at line 8: the last line says hash [0-9a-f]{64}, the events [0-9a-f]{64}$/,
    );
    expect(await problemsIn([...lines, lines[7]!])).to.include(
      'malformed at line 10: the export goes on after its end',
    );
  });

  it('shows lines that are not events', async () => {
    const lines = await linesOf();
    const event = JSON.parse(lines[0]!);
    const strange = ['{', 'null', '7', '"x"', '{}', '[]', JSON.stringify({ end: false })];
    for (const field of ['type', 'stream', 'position', 'revision']) {
      strange.push(JSON.stringify({ ...event, [field]: undefined }));
    }
    strange.push(JSON.stringify({ ...event, revision: 0.5 }));
    for (const line of strange) {
      const found = await problemsIn(lines.toSpliced(1, 0, line));
      expect(found, line).to.deep.equal(['malformed at line 2: the line is no event']);
    }
  });

  it('names the account of a wrong line after its end', async () => {
    const lines = await linesOf();
    const { problems } = await verifyExport(each([...lines, '{']));
    expect(problems.map((problem) => problem.accountId)).to.deep.equal([accountId]);
    const early = await verifyExport(each(['{', ...lines]));
    expect(early.problems.map((problem) => problem.accountId)).to.deep.equal([null]);
  });

  it('shows a changed event', async () => {
    const lines = await linesOf();
    const changed = lines.with(1, lines[1]!.replace('25000000', '25000001'));
    expect((await problemsIn(changed)).map((line) => line.split(' ')[0])).to.include('hash');
  });
});

/** Events of another stream in their places after these, and after so many more. */
const behind = (log: readonly Recorded[], events: readonly Recorded[], more = 0) =>
  events.map((event, index) => {
    const position = String(log.length + more + index + 1).padStart(6, '0');
    return { ...event, position };
  });

describe('the links of a chain', () => {
  const kindsOf = async (log: readonly Recorded[]) =>
    (await verify(auditedLog(log))).problems.map(({ kind, at: where }) => [kind, where]);

  it('show a missing link, as a gap and as a wrong previous hash', async () => {
    const [gone] = events.slice(2, 3);
    const found = await kindsOf(events.filter((event) => event !== gone));
    const kinds = ['revision', 'sequence', 'previous-hash', 'balance'];
    expect(found).to.deep.equal(kinds.map((kind) => [kind, events[3]!.position]));
  });

  it('have no problem over thousands of events of one account, whichever was the charge', async () => {
    const account = createAccount(accountId);
    const count = 300;
    account.fill(count);
    const charges = Array.from({ length: count }, () => account.reserve());
    const log = logOf({ [stream]: account.facts });
    const sent = charges.flatMap(({ chargeId }, index) => {
      const fact = MessageSent.of(
        sentRecord({ messageRef: `wamid.${index}`, accountId, chargeId }),
      );
      return behind(log, logOf({ [`message-${accountId}.wamid.${index}`]: [fact] }), index);
    });
    expect(await kindsOf([...log, ...sent])).to.deep.equal([]);
  });
});

describe('a late record of a message', () => {
  const account = createAccount(accountId);
  account.fill(9);
  const [first, second] = [account.reserve(), account.reserve()];
  const record = ({ chargeId }: typeof first, chargeRevision: number) =>
    MessageSent.of(sentRecord({ accountId, chargeId, chargeRevision, chargeAmount: -1 }));
  const status = (word: string) => StatusUpdated.of(statusRecord({ accountId, status: word }));
  /** The account's events, and then those of the message. */
  const kindsOf = async (pageSize: number, ...message: Parameters<typeof logOf>[0][string][]) => {
    const own = logOf({ [stream]: account.facts });
    const sent = behind(own, logOf({ [`message-${accountId}.wamid.1`]: message.flat() }));
    const { problems } = await verify(auditedLog([...own, ...sent]), { pageSize });
    return problems.map(({ kind }) => kind);
  };

  for (const pageSize of [1, 2, 3, 4, 1000]) {
    it(`is looked up in its stream, ${pageSize} events at a time`, async () => {
      const words = [status('sent'), status('delivered'), status('read')];
      expect(await kindsOf(pageSize, [...words, record(first, 2)])).to.deep.equal([]);
      const twice = [...words, record(first, 2), status('failed'), record(second, 3)];
      expect(await kindsOf(pageSize, twice)).to.deep.equal(['second-charge']);
    });
  }
});
