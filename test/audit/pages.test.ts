import { expect } from 'chai';
import { type AuditedLog, accountEvents, replay } from '../../src/audit/movement.ts';
import { createProblems } from '../../src/audit/problems.ts';
import { type VerifyOptions, type VerifyProgress, verify } from '../../src/audit/verify.ts';
import { MessageSent } from '../../src/events/message.ts';
import { type Recorded, UNREADABLE } from '../../src/events/store.ts';
import { auditedLog, createAccount, credits, logOf, modelOf, shownOf } from '../support/books.ts';
import { NOW, sentRecord } from '../support/samples.ts';
import { messageOf } from '../support/spec.ts';

const [ONE, OTHER] = ['acc_1', 'acc_2'] as const;
const DAY_MS = 86_400_000;

type Data = Record<string, unknown>;
type Mutable = Recorded & { data: Data };

const units = {
  credits: { terms: credits, amount: 10 },
  wallet: { terms: { planId: 'eur', billing: 'wallet', currency: 'EUR' }, amount: 10_000_000 },
} as const;
type Unit = keyof typeof units;

/** Two accounts, opened, given money, charged thrice, the first charge given back, with two messages. */
const eventsOf = (unit: Unit): Mutable[] => {
  const { terms, amount } = units[unit];
  const accounts = [ONE, OTHER].map((accountId) => {
    const account = createAccount(accountId, terms);
    account.fill(amount);
    account.refund(account.reserve(NOW + DAY_MS));
    const charges = [2, 3].map((days) => account.reserve(NOW + days * DAY_MS));
    return { accountId, facts: account.facts, charges };
  });
  const events = logOf(
    Object.fromEntries(accounts.map(({ accountId, facts }) => [`account-${accountId}`, facts])),
  );
  const messages = accounts.flatMap(({ accountId, charges }) =>
    charges.map(({ chargeId, amount: chargeAmount, entryId }, count) => {
      // Older records repeated the charge.
      const chargeRevision = Number.parseInt(entryId.split('_').at(-1)!, 36);
      const messageRef = `wamid.${accountId}.${count}`;
      const own = { messageRef, accountId, chargeId, chargeAmount, chargeRevision };
      return logOf({
        [`message-${accountId}.${messageRef}`]: [MessageSent.of(sentRecord(own))],
      })[0]!;
    }),
  );
  return [...events, ...messages].map((event, index) => {
    const position = String(index + 1).padStart(6, '0');
    return structuredClone({ ...event, id: `e${index}`, position }) as Mutable;
  });
};

const MOVEMENTS = 5;

const PAGE_SIZES = [1, 2, 3, 5, 6, 7, 100];

for (const unit of ['credits', 'wallet'] as const) {
  describe(`the audit, page by page, of ${unit}`, () => {
    let events: Mutable[];
    beforeEach(() => {
      events = eventsOf(unit);
    });
    const found = async (options: VerifyOptions = {}, log = auditedLog(events)) => {
      const { problems, movements, ok } = await verify(log, options);
      expect(ok).to.equal(problems.length === 0);
      return { kinds: problems.map(({ kind, accountId }) => [kind, accountId]), movements };
    };
    const lastOf = (accountId: string, type = 'ChargeReserved') =>
      events.findLast((one) => one.type === type && one.data.accountId === accountId)!;

    it('finds a fault in the last event of one account and of the log', async () => {
      const last = lastOf(ONE);
      Object.assign(last.asStored!.data as Data, { reason: 'changed' });
      for (const pageSize of PAGE_SIZES) {
        expect((await found({ accountId: ONE, pageSize })).kinds).to.deep.equal([['hash', ONE]]);
        expect((await found({ pageSize })).kinds).to.deep.equal([['hash', ONE]]);
        expect((await found({ accountId: OTHER, pageSize })).kinds).to.deep.equal([]);
      }
    });
    it('finds the message of one account that has no charge, on whichever page of the log', async () => {
      const kinds = [['message-without-charge', ONE]];
      lastOf(ONE, 'MessageSent').data.chargeId = 'chg_1_1';
      for (const pageSize of PAGE_SIZES) {
        expect((await found({ accountId: ONE, pageSize })).kinds).to.deep.equal(kinds);
        expect((await found({ pageSize })).kinds).to.deep.equal(kinds);
      }
    });
    it('reads no further than the end of the log at its start', async () => {
      const end = events.at(-1)!.position;
      const later = { ...lastOf(ONE), position: `${end}9`, revision: 99, id: 'later' };
      const log = auditedLog([...events, later], end);
      for (const pageSize of PAGE_SIZES) {
        expect((await found({ pageSize }, log)).kinds).to.deep.equal([]);
        expect((await found({ accountId: ONE, pageSize }, log)).kinds).to.deep.equal([]);
      }
    });
    it('continues after an empty page, and ends when the position stays', async () => {
      const whole = auditedLog(events);
      const halting = (to: string): AuditedLog => ({
        ...whole,
        readAll: async (from, limit) =>
          from === '000004' ? { events: [], to } : whole.readAll(from, limit),
      });
      expect((await found({ pageSize: 4 }, halting('000004a'))).movements).to.equal(2 * MOVEMENTS);
      expect((await found({ pageSize: 4 }, halting('000004'))).movements).to.equal(2);
    });
    it('reports progress, and stops at a signal', async () => {
      const told: VerifyProgress[] = [];
      const head = events.at(-1)!.position;
      await verify(auditedLog(events), { pageSize: 5, onProgress: (one) => told.push(one) });
      const positions = ['000005', '000010', '000015', '000016'];
      expect(told.map(({ position }) => position)).to.deep.equal(positions);
      expect(told.at(-1)).to.deep.equal({
        accounts: 2,
        movements: 2 * MOVEMENTS,
        events: events.filter(({ stream }) => stream.startsWith('account-')).length,
        compared: 0,
        position: head,
        head,
      });
      const ofOne: string[] = [];
      await verify(auditedLog(events), {
        accountId: ONE,
        pageSize: 3,
        onProgress: ({ position }) => ofOne.push(position),
      });
      expect(ofOne.slice(0, 2)).to.deep.equal(['000005', '000011']);
      const calledOff = new AbortController();
      const stopped = verify(auditedLog(events), {
        pageSize: 1,
        signal: calledOff.signal,
        onProgress: () => calledOff.abort(),
      }).catch((error: Error) => error.name);
      expect(await stopped).to.equal('AbortError');
    });
    it('replays all movements with the balance after each, up to a time or an unreadable event', async () => {
      const replayed = (until?: string) =>
        Array.fromAsync(replay(accountEvents(auditedLog(events), ONE, { pageSize: 2 }), until));
      const all = await replayed();
      const step = unit === 'credits' ? 1 : 1_680;
      const { amount } = units[unit];
      const rows = all.map((one) => [one.type, one.amount, one.balanceAfter, one.billing]);
      expect(rows).to.deep.equal([
        ['GRANT', amount, amount, unit],
        ['DEDUCT', -step, amount - step, unit],
        ['REFUND', step, amount, unit],
        ['DEDUCT', -step, amount - step, unit],
        ['DEDUCT', -step, amount - 2 * step, unit],
      ]);
      const until = new Date(NOW + DAY_MS).toISOString();
      expect(await replayed(until)).to.deep.equal(all.slice(0, 3));
      lastOf(ONE).type = UNREADABLE;
      expect(await messageOf(replayed())).to.equal('Event 5 cannot be read');
    });

    describe('against the read model', () => {
      let shown: ReturnType<typeof shownOf>;
      beforeEach(() => {
        shown = shownOf(events);
      });
      /** The kinds that are found with pages of every size; the same ones, or it throws. */
      const alarms = async (log = auditedLog(events)): Promise<unknown[]> => {
        const all = [];
        for (const pageSize of PAGE_SIZES) {
          for (const accountId of [ONE, undefined]) {
            const { kinds } = await found({ accountId, pageSize, readModel: modelOf(shown) }, log);
            all.push(JSON.stringify(kinds));
          }
        }
        expect(new Set(all).size, all.join(' ')).to.equal(1);
        return JSON.parse(all[0]!);
      };
      const ownRows = () => shown.rows.filter(({ accountId }) => accountId === ONE);

      it('finds a row after the end without an event, and accepts one with an event', async () => {
        const last = ownRows().at(-1)!;
        const position = '9999';
        shown.rows.push({ ...last, id: 'led_1_a', position, revision: 10 });
        expect(await alarms()).to.deep.equal([['row-without-event', ONE]]);
        const later = { ...lastOf(ONE), position, revision: 10, data: { entryId: 'led_1_a' } };
        const grown = auditedLog([...events, later], events.at(-1)!.position);
        expect(await alarms(grown)).to.deep.equal([]);
        const renamed = { ...later, data: { entryId: 'led_1_b' } };
        const other = auditedLog([...events, renamed], events.at(-1)!.position);
        expect(await alarms(other)).to.deep.equal([['row-without-event', ONE]]);
      });
      it('compares a newer balance with the events since the start of the audit', async () => {
        const account = shown.accounts.find(({ id }) => id === ONE)!;
        const { revision: last } = account;
        const end = events.at(-1)!.position;
        const since = [101, 0, 102].map((balanceAfter, index) => ({
          ...lastOf(ONE),
          id: `since${index}`,
          revision: last + 1 + index,
          position: `${end}${index}`,
          data: balanceAfter === 102 ? {} : { balanceAfter },
        }));
        const grown = auditedLog([...events, ...since], end);
        const at = (revision: number, balance: number) =>
          Object.assign(account, { revision: last + revision, balance });
        for (const [revision, balance] of [
          [1, 101],
          [2, 0],
          [3, 0],
        ] as const) {
          at(revision, balance);
          expect(await alarms(grown)).to.deep.equal([]);
          at(revision, balance + 1);
          expect(await alarms(grown)).to.deep.equal([['shown-balance', ONE]]);
        }
        at(4, 0);
        expect(await alarms(grown)).to.deep.equal([['shown-balance', ONE]]);
      });
    });
  });
}

describe('the problems of an audit', () => {
  it('are all counted, also those that are not listed', () => {
    const problems = createProblems();
    const problem = { accountId: null, kind: 'hash' as const, at: '', detail: '' };
    for (let count = 0; count < 1_001; count += 1) problems.add({ ...problem, at: `${count}` });
    expect(problems.list()).to.have.length(1_000);
    expect(problems.list().at(-1)!.at).to.equal('999');
    expect(problems.count()).to.equal(1_001);
  });
});
