import { expect } from 'chai';
import fc from 'fast-check';
import { accountEvents, replay } from '../../src/audit/movement.ts';
import { movementCsv } from '../../src/audit/movement-csv.ts';
import { readStatement, type SealAfter } from '../../src/audit/read-statement.ts';
import { type Period, periodOf, type Section, type Statement } from '../../src/audit/statement.ts';
import {
  formatStatement,
  statementFormats,
  statementJson,
} from '../../src/audit/statement-formats.ts';
import { standardPlan } from '../../src/commands/pricing/pricing.ts';
import { IssuerNamed } from '../../src/events/installation.ts';
import type { Price } from '../../src/events/price.ts';
import { PlanPublished } from '../../src/events/pricing.ts';
import { type Recorded, UNREADABLE } from '../../src/events/store.ts';
import { isoTime } from '../../src/shared/clock.ts';
import {
  auditedLog,
  by,
  credits,
  logOf,
  openBooks as openBooksOf,
  type Unit,
} from '../support/books.ts';
import { freePrice, price } from '../support/samples.ts';
import { messageOf } from '../support/spec.ts';

const accountId = 'acc_1';
const NOVEMBER = Date.parse('2026-11-01T00:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const noSeals: SealAfter = async () => null;

const month = (name: string): Period => {
  const period = periodOf({ month: name });
  if ('problem' in period) throw new Error(period.problem);
  return period;
};

const wallet: Unit = { planId: 'prepaid', billing: 'wallet', currency: 'EUR' };

const openBooks = (terms: Unit = credits) =>
  openBooksOf({ accountId, terms, openedAt: NOVEMBER - 90 * DAY });

const read = async (
  events: readonly Recorded[],
  period: Period,
  sealAfter: SealAfter = noSeals,
): Promise<Statement> => {
  const log = auditedLog(events);
  return (await readStatement(log, accountId, period, { sealAfter, pageSize: 7 }))!;
};

/** Versions 2 and 3 of the built-in plan, as the log has them; of version 1 it has no event. */
const creditValues = [standardPlan.creditValue!, 7_000, 12_345];
const plans = logOf({
  'plan-standard': [2, 3].map((planVersion) => {
    const creditValue = creditValues[planVersion - 1]!;
    return PlanPublished.of({ ...standardPlan, planVersion, creditValue });
  }),
});

const sumOf = (lines: readonly { amount: number }[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

const moved = ({ grants, charges, refunds }: Section): number =>
  sumOf(grants) + sumOf(charges) + sumOf(refunds);

const november = month('2026-11');

describe('the statement of a month', () => {
  const utility = price();
  const marketing = price({
    category: 'MARKETING',
    sellPrice: 12_960,
    creditsRequired: 2,
    providerCost: 10_800,
  });
  const books = openBooks();
  books.grant(NOVEMBER - DAY, 100, 'October');
  books.reserve(NOVEMBER - 1, utility);
  books.grant(NOVEMBER, 50, 'Invoice <1042>, "urgent"');
  for (const paid of [utility, marketing, utility, freePrice, marketing]) {
    books.reserve(NOVEMBER + DAY, paid);
  }
  books.refund(NOVEMBER + DAY, 1, 'not_sent');
  books.refund(NOVEMBER + DAY, 2, 'disconnected');
  books.refund(NOVEMBER + 2 * DAY, 3, 'expired');
  const revoked = { at: NOVEMBER + 3 * DAY, amount: 20, reason: 'Too many', by };
  books.decide(revoked.at, { type: 'RevokeCredits', ...revoked });
  books.reserve(NOVEMBER + 30 * DAY - 1, utility);
  books.reserve(NOVEMBER + 30 * DAY, utility);
  const events = books.events();

  it('names who gave a grant, a person by the id', async () => {
    const person = openBooks();
    const given = { at: NOVEMBER + DAY, amount: 5, reason: null };
    person.decide(NOVEMBER + DAY, { type: 'GrantCredits', ...given, by: { id: 'per_7' } });
    person.grant(NOVEMBER + DAY, 6);
    const statement = await read(person.events(), november);
    const text = formatStatement(statement, 'text');
    expect(text).to.match(/GRANT +\+5 +per_7\n/);
    expect(text).to.match(/GRANT +\+6 +Root <root@localhost>\n/);
  });

  it('counts what happened from its first to its last millisecond, each link once', async () => {
    const [section] = (await read(events, november)).sections;
    const line = { market: 'India' };
    const given = { kind: null, by };
    expect(section).to.deep.equal({
      billing: 'credits',
      currency: 'USD',
      opening: 99,
      closing: 126,
      grants: [
        {
          ...given,
          at: november.from,
          type: 'GRANT',
          amount: 50,
          reason: 'Invoice <1042>, "urgent"',
        },
        { ...given, at: isoTime(revoked.at), type: 'REVOKE', amount: -20, reason: 'Too many' },
      ],
      charges: [
        { ...line, category: 'MARKETING', unitPrice: 12_960, creditsEach: 2, count: 2, amount: -4 },
        { ...line, category: 'SERVICE', unitPrice: 0, creditsEach: 0, count: 1, amount: 0 },
        { ...line, category: 'UTILITY', unitPrice: 1680, creditsEach: 1, count: 3, amount: -3 },
      ],
      refunds: [
        { cause: 'disconnected', count: 1, amount: 2 },
        { cause: 'not_sent', count: 1, amount: 1 },
        { cause: 'swept', count: 1, amount: 1 },
      ],
      // Three credits at 0.01.
      sold: 30_000,
      soldBy: [
        { category: 'UTILITY', market: 'India', count: 3, sold: 10_000 },
        { category: 'MARKETING', market: 'India', count: 2, sold: 20_000 },
        { category: 'SERVICE', market: 'India', count: 1, sold: 0 },
      ],
      prices: 12_960 + 1680,
      // The provider takes its price for the one whose caller hung up.
      providerCost: 2 * 10_800 + 1400,
    });
  });

  it('sells credits at the value that the plan gave them when they were charged', async () => {
    const changing = openBooks();
    changing.grant(NOVEMBER, 1000);
    const at = (planVersion: number, creditsRequired: number) =>
      changing.reserve(NOVEMBER + 1, price({ planVersion, creditsRequired }));
    for (const credits of [100, 22, 46]) at(1, credits);
    changing.refund(NOVEMBER + 2, 1, 'delivery_failed');
    const cost = async () =>
      statementJson(await read([...changing.events(), ...plans], november), true).cost;
    // (168 - 22) at 0.01, for two messages of 0.00168 that are kept.
    const credited = { sold: '1.4600', prices: '0.00336', rounding: '1.45664' };
    expect(await cost()).to.deep.include(credited);
    at(3, 2);
    expect(await cost()).to.deep.include({ sold: '1.48469', prices: '0.00504' });
    at(4, 1);
    const missing = 'The log has no value of a credit for version 4 of plan standard';
    expect(await messageOf(cost())).to.equal(missing);
  });

  it('names account, organisation and issuer, as they were when it was sealed', async () => {
    const named = logOf({
      'organisation-org_1': [
        { type: 'OrganisationCreated', data: { organisationId: 'org_1', name: 'Parcels' } },
      ],
      'issuer-waybill': ['Words Ltd', 'Other Words Ltd'].map((name) =>
        IssuerNamed.of({ name, address: '1 Quay Street\nDublin', taxId: null }),
      ),
    } as never).map((event, index) => ({ ...event, position: `${index}00000` }));
    const all = [...named, ...events];
    const issued = { address: '1 Quay Street\nDublin', taxId: null };
    const draft = statementJson(await read(all, november), true);
    expect(draft).to.deep.include({
      number: '2026-11/acc_1',
      date: null,
      account: { id: 'acc_1', name: 'Books' },
      organisation: { id: 'org_1', name: 'Parcels' },
      issuer: { ...issued, name: 'Other Words Ltd' },
    });
    const seal = { number: 1, at: '2026-12-01T00:00:05.000Z', position: '100001', root: 'r' };
    const sealed = await read(all, november, async (time) => (time <= seal.at ? seal : null));
    expect(statementJson(sealed, true)).to.deep.include({
      date: '2026-12-01',
      issuer: { ...issued, name: 'Words Ltd' },
    });
    expect(formatStatement(sealed, 'text')).to.match(/Address +1 Quay Street, Dublin\n/);
    const names = 'Books,Parcels,Words Ltd,2026-11/acc_1,2026-12-01';
    for (const line of formatStatement(sealed, 'csv').trimEnd().split('\n').slice(1)) {
      expect(line).to.match(new RegExp(`${names}\r?$`));
    }
    const { from, to } = november;
    const days = await read(all, { from, to: '2026-11-16T00:00:00.000Z' });
    expect(statementJson(days, true).number).to.equal('2026-11-01/2026-11-16/acc_1');
    const hours = await read(all, { from: '2026-11-01T06:00:00.000Z', to });
    expect(statementJson(hours, true).number).to.match(/^2026-11-01T06:00:00.000Z\/2026-12-01/);
  });

  it('names the links that it counts', async () => {
    const statement = await read(events, november);
    const { chain } = statement;
    const all = events.map(({ data }) => data as { sequence?: number; hash?: string });
    const link = (sequence: number) => {
      const { hash } = all.find((one) => one.sequence === sequence)!;
      return { sequence, hash };
    };
    expect(chain).to.deep.equal({ first: link(3), last: link(13), links: 11 });
    const rows = formatStatement(statement, 'csv').split('\n');
    for (const [line, sequence] of [
      ['first', 3],
      ['last', 13],
    ] as const) {
      const row = rows.find((one) => one.includes(`,${line},`));
      expect(row).to.include(`,${sequence},`).and.include(link(sequence).hash);
    }
  });

  it('has the same bytes in every format after more events', async () => {
    const before = await read(events, november);
    const more = [...events];
    for (let index = 0; index < 40; index += 1) {
      const last = more.at(-1)!;
      const data = { ...(last.data as object), at: isoTime(NOVEMBER + (31 + index) * DAY) };
      const place = { revision: last.revision + 1, position: String(100 + index).padStart(6, '0') };
      more.push({ ...last, ...place, data });
    }
    const after = await read(more, november);
    for (const format of statementFormats) {
      expect(formatStatement(after, format)).to.equal(formatStatement(before, format));
    }
  });

  it('is final with the first seal at or after its end, and what comes after that is later', async () => {
    const end = events.find(({ data }) => (data as { at?: string }).at === november.to)!;
    const { position } = end;
    const seal = { number: 31, at: '2026-12-01T00:00:05.000Z', position, root: 'r00t' };
    const sealAfter: SealAfter = async (time) => (time <= seal.at ? seal : null);
    const before = await read(events, november);
    expect(statementJson(before, true)).to.deep.include({ seal: null, final: false });
    // A clock is slow: an event of November comes after the seal.
    const late = { ...events.at(-1)!, revision: end.revision + 1, position: '999999' };
    const slow = { ...late, data: { ...(late.data as object), at: isoTime(NOVEMBER + DAY) } };
    const sealed = await read([...events, slow], november, sealAfter);
    expect(sealed.sections).to.deep.equal(before.sections);
    expect(sealed.chain).to.deep.equal(before.chain);
    expect(statementJson(sealed, true)).to.deep.include({ seal, final: true });
    const december = await read([...events, slow], month('2026-12'), sealAfter);
    expect(december.chain.links).to.equal(2);
    expect(december.sections[0]!.opening).to.equal(before.sections[0]!.closing);
  });

  it('counts by its own time what a slow or fast clock put in another order', async () => {
    const mixed = openBooks();
    const minutes = [-40, 5, 10, -5, 20, 40];
    for (const [index, minute] of minutes.entries()) {
      mixed.grant(NOVEMBER + minute * MINUTE, 10 ** index);
    }
    const end = Date.parse(november.to);
    for (const [index, minute] of minutes.entries()) {
      mixed.grant(end + minute * MINUTE, 10 ** index);
    }
    const { sections, chain } = await read(mixed.events(), november);
    expect(sections[0]).to.deep.include({ opening: 1001, closing: 1001 + 110_110 + 1001 });
    expect(chain.links).to.equal(6);
  });

  it('is empty before the account was opened, and unknown for no account', async () => {
    const early = await read(events, month('2026-01'));
    expect(early.chain).to.deep.equal({ first: null, last: null, links: 0 });
    expect(early.sections).to.have.length(1);
    const log = auditedLog(events);
    const options = { sealAfter: noSeals };
    expect(await readStatement(log, 'acc_2', november, options)).to.equal(undefined);
  });

  it('refuses a month with an event that cannot be read', async () => {
    const broken = events.map((event) =>
      event.revision === 5 ? { ...event, type: UNREADABLE, data: { reason: 'x' } } : event,
    );
    const error = await read(broken as Recorded[], november).catch((thrown) => thrown);
    expect(error).to.deep.include({ code: 'resource.conflict' });
    expect(error.message).to.equal('Event 5 cannot be read');
  });

  it('shows an account that changed its unit as one part for each unit', async () => {
    const changed = openBooks(credits);
    changed.grant(NOVEMBER, 1);
    changed.reserve(NOVEMBER + 1, utility);
    const at = NOVEMBER + DAY;
    const found = { open: false, asOfRevision: 100 };
    changed.decide(at, { type: 'AssignPlan', terms: wallet, found } as never);
    const topUp = { kind: 'top_up', at: at + 1, amount: 2_500_000, reason: null, by } as const;
    changed.decide(topUp.at, { type: 'MoveWallet', ...topUp });
    const json = statementJson(await read(changed.events(), november), false);
    expect(json).to.deep.include({ billing: 'wallet', currency: 'EUR' });
    expect(json).to.deep.include({ opening: '0.0000', closing: '2.5000' });
    expect(json.earlier).to.have.length(1);
    expect(json.earlier![0]).to.deep.include({ billing: 'credits', opening: 0, closing: 0 });
    expect(json.chain.links).to.equal(3);
  });
});

describe('statements of any account and any periods', () => {
  const causes = ['not_sent', 'unknown_outcome', 'disconnected', 'expired'] as const;
  const prices = fc.constantFrom(
    price(),
    freePrice,
    price({ category: 'MARKETING', market: 'Brazil', sellPrice: 75_003, providerCost: 62_502 }),
    price({ category: 'UTILITY', market: 'Other', sellPrice: 1, providerCost: 7_700 }),
  );
  const step = fc.oneof(
    fc.record({
      do: fc.constant('grant' as const),
      amount: fc.integer({ min: 1, max: 9_000_000 }),
    }),
    fc.record({
      do: fc.constant('reserve' as const),
      price: prices,
      version: fc.constantFrom(1, 2, 3),
      credits: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({ do: fc.constant('refund' as const), cause: fc.constantFrom(...causes) }),
  );
  const steps = fc.array(
    fc.record({ step, gap: fc.nat(5 * DAY), skew: fc.integer({ min: -14, max: 14 }) }),
    { maxLength: 60 },
  );

  /** A credit as millionths, as texts of money are read below. */
  const unitsOf = ({ billing }: Unit) => (billing === 'credits' ? 1_000_000 : 1);

  /** Sum of a column of rows without quotes, in millionths, from the digits of their texts. */
  const microsIn = ([header = '', ...rows]: readonly string[], column: string): number => {
    const at = header.split(',').indexOf(column);
    return rows.reduce((sum, row) => {
      const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(row.split(',')[at]!)!;
      return sum + Number(`${sign}${whole}${part.padEnd(6, '0')}`);
    }, 0);
  };

  const build = (terms: Unit, history: typeof steps extends fc.Arbitrary<infer H> ? H : never) => {
    const books = openBooks(terms);
    const open: number[] = [];
    let [now, reserved] = [NOVEMBER - 60 * DAY, 0];
    books.grant(now, 50_000_000);
    for (const { step: one, gap, skew } of history) {
      now += gap;
      const at = now + skew * MINUTE;
      if (one.do === 'grant') books.grant(at, one.amount);
      else if (one.do === 'reserve') {
        const isPaid = terms.billing === 'credits' && one.price.sellPrice > 0;
        const creditsRequired = isPaid ? one.credits : 0;
        books.reserve(at, { ...one.price, ...terms, planVersion: one.version, creditsRequired });
        open.push(reserved);
        reserved += 1;
      } else {
        const number = open.pop();
        if (number !== undefined) books.refund(at, number, one.cause);
      }
    }
    return books.events();
  };

  it('add up on every level to the millionth, and each begins where the one before ends', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(credits, wallet),
      steps,
      fc.uniqueArray(fc.nat(300 * 24), { minLength: 2, maxLength: 5 }),
      async (terms, history, hours) => {
        const events = [...build(terms, history), ...plans];
        const ends = hours
          .sort((one, other) => one - other)
          .map((hour) => isoTime(NOVEMBER - 80 * DAY + (hour * DAY) / 24));
        const isCredits = terms.billing === 'credits';
        let closing: number | undefined;
        for (const [index, from] of ends.slice(0, -1).entries()) {
          const statement = await read(events, { from, to: ends[index + 1]! });
          const section = statement.sections[0]!;
          expect(section.opening + moved(section)).to.equal(section.closing);
          if (closing !== undefined) expect(section.opening).to.equal(closing);
          ({ closing } = section);
          const counted = [...section.charges, ...section.refunds];
          const links = counted.reduce((sum, { count }) => sum + count, section.grants.length);
          expect(statement.chain.links).to.equal(links);
          for (const { unitPrice, count, amount } of section.charges) {
            if (terms.billing === 'wallet') expect(amount).to.equal(0 - unitPrice * count);
          }
          const inPeriod = events.flatMap(({ data }) => {
            const link = data as { at?: string; amount: number; price?: Price };
            return link.at !== undefined && link.at >= from && link.at < ends[index + 1]!
              ? [link]
              : [];
          });
          expect(sumOf(inPeriod)).to.equal(moved(section));
          // The price of credits by another way: link by link.
          const valued = inPeriod.reduce(
            (sum, { amount, price: paid }) =>
              sum - (paid ? amount * (isCredits ? creditValues[paid.planVersion - 1]! : 1) : 0),
            0,
          );
          expect(section.sold).to.equal(0 + valued);
          if (!isCredits) expect(section.prices).to.equal(section.sold);
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('agree with ledger, balance and CSV to the last digit', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(credits, wallet),
      steps,
      async (terms, history) => {
        const log = auditedLog([...plans, ...build(terms, history)]);
        const whole = { from: isoTime(NOVEMBER - 100 * DAY), to: isoTime(NOVEMBER + 400 * DAY) };
        const statement = (await readStatement(log, accountId, whole, { sealAfter: noSeals }))!;
        const [section] = statement.sections;
        const movements = await Array.fromAsync(replay(accountEvents(log, accountId)));
        expect(sumOf(movements)).to.equal(moved(section!));
        expect(movements.at(-1)!.balanceAfter).to.equal(section!.closing);
        async function* withMessages() {
          for await (const event of accountEvents(log, accountId)) yield { event, messageIds: {} };
        }
        const rows = await Array.fromAsync(movementCsv(withMessages(), {}));
        expect(microsIn(rows, 'amount')).to.equal(moved(section!) * unitsOf(terms));
        const csv = formatStatement(statement, 'csv').trimEnd().split('\n');
        const inCsv = (...lines: string[]) =>
          microsIn([csv[0]!, ...csv.filter((row) => lines.includes(row.split(',')[5]!))], 'amount');
        expect(inCsv('opening', 'grant', 'charge', 'refund')).to.equal(inCsv('closing'));
        expect(inCsv('prices', 'rounding')).to.equal(inCsv('sold'));
        expect(inCsv('providerCost', 'margin')).to.equal(inCsv('sold'));
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });
});

describe('a period', () => {
  it('is a UTC month, or two times', () => {
    expect(periodOf({ month: '2026-12' })).to.deep.equal({
      from: '2026-12-01T00:00:00.000Z',
      to: '2027-01-01T00:00:00.000Z',
    });
    const ends = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    expect(periodOf(ends)).to.deep.equal(ends);
  });

  it('says what is wrong with it', () => {
    const [from, to] = ['2026-11-02T00:00:00.000Z', '2026-11-01T00:00:00.000Z'];
    const wrong = [
      [{}, 'month'],
      [{ month: '2026-13' }, 'month'],
      [{ month: '2026-1' }, 'month'],
      [{ month: '2026-11', from }, 'month'],
      [{ to }, 'from'],
      [{ from }, 'to'],
      [{ from, to }, 'to'],
      [{ from, to: from }, 'to'],
      [{ from: '1999-01-01T00:00:00.000Z', to }, 'from'],
      [{ from, to: '2300-01-01T00:00:00.000Z' }, 'to'],
    ] as const;
    for (const [named, field] of wrong) {
      expect(periodOf(named), JSON.stringify(named)).to.deep.include({ field });
    }
  });
});
