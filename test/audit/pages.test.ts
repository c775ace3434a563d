import { expect } from 'chai';
import {
  type AuditedLog,
  accountEvents,
  isMoneyEvent,
  movementOf,
  replay,
} from '../../src/audit/movement.ts';
import { createProblems } from '../../src/audit/problems.ts';
import type { ReadModel, ShownAccount, ShownRow } from '../../src/audit/read-model.ts';
import { type VerifyOptions, type VerifyProgress, verify } from '../../src/audit/verify.ts';
import { accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand } from '../../src/commands/account/state.ts';
import type { AccountFact } from '../../src/events/account.ts';
import { CHAIN_START } from '../../src/events/chain.ts';
import type { Fact } from '../../src/events/define.ts';
import { versionOf } from '../../src/events/index.ts';
import { MessageSent } from '../../src/events/message.ts';
import { type Recorded, UNREADABLE } from '../../src/events/store.ts';
import { linkedTo } from '../support/books.ts';
import { intent, NOW, price, sentRecord } from '../support/samples.ts';
import { customer } from '../support/subjects.ts';

const [ONE, OTHER] = ['acc_1', 'acc_2'] as const;
const DAY_MS = 86_400_000;

type Data = Record<string, unknown>;
type Mutable = Recorded & { data: Data };

const units = {
  credits: { terms: { planId: 'standard', billing: 'credits', currency: 'USD' }, amount: 10 },
  wallet: { terms: { planId: 'eur', billing: 'wallet', currency: 'EUR' }, amount: 10_000_000 },
} as const;
type Unit = keyof typeof units;

/** Opened, given money, three charges of which the first is given back, two messages. */
const factsOf = (accountId: string, unit: Unit): [stream: string, fact: Fact][] => {
  const decider = accountDecider(accountId);
  const { terms, amount } = units[unit];
  const facts: [string, Fact][] = [];
  let state = decider.initial;
  let at = NOW;
  const decide = (command: AccountCommand): Data => {
    const [fact, ...more] = decider.decide(command, state) as AccountFact[];
    state = [fact!, ...more].reduce(decider.evolve, state);
    for (const one of [fact!, ...more]) facts.push([`account-${accountId}`, one]);
    return fact!.data as Data;
  };
  const charged = price(terms);
  const reserve = () => {
    at += DAY_MS;
    return decide({
      type: 'Reserve',
      contactRef: customer.ref,
      at,
      reason: 'order',
      price: charged,
      intent: intent(),
    });
  };
  decide({ type: 'Open', accountId, organisationId: 'org_1', name: 'Books', terms });
  if (unit === 'credits') decide({ type: 'GrantCredits', at, amount, reason: null, by: null });
  else decide({ type: 'MoveWallet', kind: 'top_up', at, amount, reason: null, by: null });
  const refused = reserve();
  const reservation = { ...refused, reservedAt: refused.at, unrefundedRevision: 2 } as never;
  decide({ type: 'Refund', at, cause: 'not_sent', reservation });
  for (let count = 0; count < 2; count += 1) {
    const { chargeId, amount: chargeAmount, entryId } = reserve() as Record<string, unknown>;
    // Older records repeated the charge.
    const chargeRevision = Number.parseInt(String(entryId).split('_').at(-1)!, 36);
    const repeated = { chargeAmount: Number(chargeAmount), chargeRevision };
    const messageRef = `wamid.${accountId}.${count}`;
    const message = MessageSent.of(
      sentRecord({ messageRef, accountId, chargeId: String(chargeId), ...repeated }),
    );
    facts.push([`message-${accountId}.${messageRef}`, message as Fact]);
  }
  return facts;
};

/** A log of two accounts whose events alternate. */
const eventsOf = (unit: Unit): Mutable[] => {
  const [one, other] = [factsOf(ONE, unit), factsOf(OTHER, unit)];
  const revisions = new Map<string, number>();
  const chains = new Map<string, string>();
  return one
    .flatMap((fact, index) => [fact, other[index]!])
    .map(([stream, { type, data }], index) => {
      const revision = (revisions.get(stream) ?? -1) + 1;
      revisions.set(stream, revision);
      const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'r' };
      const position = String(index + 1).padStart(4, '0');
      const copy = structuredClone(data) as Data;
      const event: Mutable = {
        id: `e${index}`,
        type,
        version: versionOf(type),
        data: copy,
        meta,
        stream,
        revision,
        position,
      };
      if (!isMoneyEvent(event)) return event;
      const linked = linkedTo<Recorded>(chains.get(stream) ?? CHAIN_START, event);
      chains.set(stream, linked.link!.hash);
      return linked as Mutable;
    });
};

const MOVEMENTS = 5;

/** Serves pages as an adapter does: never more than asked for. */
const logOf = (events: readonly Recorded[], head = events.at(-1)!.position): AuditedLog => ({
  head: async () => head,
  async readAll(from, limit) {
    const page = events.filter(({ position }) => position > from).slice(0, limit);
    return { events: page, to: page.at(-1)?.position ?? from };
  },
  read: async (stream, { from = 0, limit = 1000 } = {}) =>
    events.filter((one) => one.stream === stream && one.revision >= from).slice(0, limit),
});

/** What is shown, as the folds make it; a test may change it. */
const modelOf = (events: readonly Recorded[]) => {
  const rows: ShownRow[] = events.flatMap((event) => {
    const movement = event.stream.startsWith('account-') && movementOf(event);
    if (!movement) return [];
    const accountId = event.stream.slice('account-'.length);
    return [{ ...movement, id: movement.entryId, accountId }];
  });
  const accounts = new Map<string, ShownAccount>();
  for (const { stream, revision, data } of events) {
    if (!stream.startsWith('account-')) continue;
    const id = stream.slice('account-'.length);
    const { balanceAfter } = data as { balanceAfter?: number };
    accounts.set(id, { id, revision, balance: balanceAfter ?? accounts.get(id)?.balance ?? 0 });
  }
  const model: ReadModel = {
    reached: async () => true,
    rows: async (ids) => rows.filter(({ id }) => ids.includes(id)),
    async rowsAfter(accountId, after, limit) {
      const own = rows.filter((row) => row.accountId === accountId && row.position > after);
      return own.sort((a, b) => (a.position < b.position ? -1 : 1)).slice(0, limit);
    },
    account: async (accountId) => accounts.get(accountId),
  };
  return { model, rows, accounts };
};

const PAGE_SIZES = [1, 2, 3, 5, 6, 7, 100];

for (const unit of ['credits', 'wallet'] as const) {
  describe(`the audit, page by page, of ${unit}`, () => {
    let events: Mutable[];
    beforeEach(() => {
      events = eventsOf(unit);
    });
    const found = async (options: VerifyOptions = {}, log = logOf(events)) => {
      const { problems, movements, accounts, ok } = await verify(log, options);
      expect(ok).to.equal(problems.length === 0);
      return {
        kinds: problems.map(({ kind, accountId }) => [kind, accountId]),
        movements,
        accounts,
      };
    };
    const lastOf = (accountId: string, type = 'ChargeReserved') =>
      events.findLast((one) => one.type === type && one.data.accountId === accountId)!;

    it('reads all events of one account, for each size of a page', async () => {
      for (const pageSize of PAGE_SIZES) {
        const report = await found({ accountId: ONE, pageSize });
        expect(report, String(pageSize)).to.deep.equal({
          kinds: [],
          movements: MOVEMENTS,
          accounts: 1,
        });
      }
    });
    it('reads all events of the whole log, for each size of a page', async () => {
      for (const pageSize of PAGE_SIZES) {
        const report = await found({ pageSize });
        expect(report).to.deep.equal({ kinds: [], movements: 2 * MOVEMENTS, accounts: 2 });
      }
    });
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
      const log = logOf([...events, later], end);
      for (const pageSize of PAGE_SIZES) {
        expect((await found({ pageSize }, log)).kinds).to.deep.equal([]);
        expect((await found({ accountId: ONE, pageSize }, log)).kinds).to.deep.equal([]);
      }
    });
    it('continues after an empty page, and ends when the position stays', async () => {
      const whole = logOf(events);
      const halting = (to: string): AuditedLog => ({
        ...whole,
        readAll: async (from, limit) =>
          from === '0004' ? { events: [], to } : whole.readAll(from, limit),
      });
      expect((await found({ pageSize: 4 }, halting('0004a'))).movements).to.equal(2 * MOVEMENTS);
      expect((await found({ pageSize: 4 }, halting('0004'))).movements).to.equal(2);
    });
    it('reports progress, and stops at a signal', async () => {
      const told: VerifyProgress[] = [];
      const head = events.at(-1)!.position;
      await verify(logOf(events), { pageSize: 5, onProgress: (one) => told.push(one) });
      expect(told.map(({ position }) => position)).to.deep.equal(['0005', '0010', '0015', '0016']);
      expect(told.at(-1)).to.deep.equal({
        accounts: 2,
        movements: 2 * MOVEMENTS,
        events: events.filter(({ stream }) => stream.startsWith('account-')).length,
        compared: 0,
        position: head,
        head,
      });
      const ofOne: string[] = [];
      await verify(logOf(events), {
        accountId: ONE,
        pageSize: 3,
        onProgress: ({ position }) => ofOne.push(position),
      });
      expect(ofOne.slice(0, 2)).to.deep.equal(['0005', '0013']);
      const calledOff = new AbortController();
      const stopped = verify(logOf(events), {
        pageSize: 1,
        signal: calledOff.signal,
        onProgress: () => calledOff.abort(),
      }).catch((error: Error) => error.name);
      expect(await stopped).to.equal('AbortError');
    });
    it('replays all movements with the balance after each, up to a time or an unreadable event', async () => {
      const all = await Array.fromAsync(replay(accountEvents(logOf(events), ONE, { pageSize: 2 })));
      const step = unit === 'credits' ? 1 : 1_680;
      const { amount } = units[unit];
      expect(all.map((one) => [one.type, one.amount, one.balanceAfter, one.billing])).to.deep.equal(
        [
          ['GRANT', amount, amount, unit],
          ['DEDUCT', -step, amount - step, unit],
          ['REFUND', step, amount, unit],
          ['DEDUCT', -step, amount - step, unit],
          ['DEDUCT', -step, amount - 2 * step, unit],
        ],
      );
      const until = new Date(NOW + DAY_MS).toISOString();
      const some = await Array.fromAsync(
        replay(accountEvents(logOf(events), ONE, { pageSize: 2 }), until),
      );
      expect(some).to.deep.equal(all.slice(0, 3));
      lastOf(ONE).type = UNREADABLE;
      const error = await Array.fromAsync(
        replay(accountEvents(logOf(events), ONE, { pageSize: 2 })),
      ).catch((thrown: Error) => thrown.message);
      expect(error).to.equal('Event 5 cannot be read');
    });

    describe('against the read model', () => {
      let shown: ReturnType<typeof modelOf>;
      beforeEach(() => {
        shown = modelOf(events);
      });
      /** The kinds that are found with pages of every size; the same ones, or it throws. */
      const alarms = async (log = logOf(events)): Promise<unknown[]> => {
        const all = [];
        for (const pageSize of PAGE_SIZES) {
          for (const accountId of [ONE, undefined]) {
            const { kinds } = await found({ accountId, pageSize, readModel: shown.model }, log);
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
        const grown = logOf([...events, later], events.at(-1)!.position);
        expect(await alarms(grown)).to.deep.equal([]);
        const renamed = { ...later, data: { entryId: 'led_1_b' } };
        const other = logOf([...events, renamed], events.at(-1)!.position);
        expect(await alarms(other)).to.deep.equal([['row-without-event', ONE]]);
      });
      it('compares a newer balance with the events since the start of the audit', async () => {
        const account = shown.accounts.get(ONE)!;
        const end = events.at(-1)!.position;
        const since = [101, 0, 102].map((balanceAfter, index) => ({
          ...lastOf(ONE),
          id: `since${index}`,
          revision: account.revision + 1 + index,
          position: `${end}${index}`,
          data: balanceAfter === 102 ? {} : { balanceAfter },
        }));
        const grown = logOf([...events, ...since], end);
        const at = (revision: number, balance: number) =>
          shown.accounts.set(ONE, { ...account, revision: account.revision + revision, balance });
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
