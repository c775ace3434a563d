import { expect } from 'chai';
import fc from 'fast-check';
import { replay } from '../../src/audit/movement.ts';
import { readStatement, type SealAfter } from '../../src/audit/read-statement.ts';
import { type Period, periodOf } from '../../src/audit/statement.ts';
import { statementJson } from '../../src/audit/statement-formats.ts';
import { whatIf } from '../../src/audit/what-if.ts';
import { whatIfJson } from '../../src/audit/what-if-report.ts';
import { presets, readRules, WhatIfRules } from '../../src/audit/what-if-rules.ts';
import { createBalanceAt } from '../../src/commands/account/funds.ts';
import { placeOf } from '../../src/commands/pricing/market.ts';
import { priceMessage, standardPlan } from '../../src/commands/pricing/pricing.ts';
import { costOf, defaultRateCard } from '../../src/commands/pricing/rate-card.ts';
import type { Category } from '../../src/events/category.ts';
import {
  PlanPublished,
  type PlanTerms,
  type RateCard,
  RateCardPublished,
} from '../../src/events/pricing.ts';
import type { Recorded } from '../../src/events/store.ts';
import { auditedLog, each, logOf, openBooks, type Unit } from '../support/books.ts';
import { messageOf } from '../support/spec.ts';

const accountId = 'acc_1';
const SEPTEMBER = Date.parse('2026-09-01T00:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const september = periodOf({ month: '2026-09' }) as Period;
const sealAfter: SealAfter = async () => null;

/** The provider's prices of July 2026, as far as they are used here. */
const july: RateCard = {
  rateCardId: 'card_july',
  currency: 'USD',
  effectiveFrom: '2026-07-01T00:00:00.000Z',
  rates: {
    Pakistan: { MARKETING: 47_300, UTILITY: 10_000, AUTHENTICATION: 10_000, SERVICE: 0 },
    Mexico: { MARKETING: 30_500, UTILITY: 8_500, AUTHENTICATION: 8_500, SERVICE: 0 },
    Other: { MARKETING: 60_400, UTILITY: 7_700, AUTHENTICATION: 7_700, SERVICE: 0 },
  },
};
const euros: RateCard = { ...july, rateCardId: 'card_euros', currency: 'EUR' };
const prepaid: PlanTerms = {
  ...standardPlan,
  planId: 'prepaid',
  name: 'Prepaid',
  billing: 'wallet',
  markup: 333_333,
  creditValue: null,
};
const dear: PlanTerms = { ...standardPlan, planId: 'dear', markup: 1_500_000, creditValue: 7_000 };

const terms = logOf({
  'ratecard-card_july': [RateCardPublished.of(july)],
  'ratecard-card_euros': [RateCardPublished.of(euros)],
  'plan-prepaid': [PlanPublished.of(prepaid)],
  'plan-dear': [PlanPublished.of(dear)],
});

const unitOf = ({ planId, billing, currency }: PlanTerms): Unit => ({ planId, billing, currency });

const open = (plan: PlanTerms, id = accountId) => {
  const books = openBooks({ accountId: id, terms: unitOf(plan), openedAt: SEPTEMBER - 90 * DAY });
  return {
    ...books,
    send: (at: number, category: Category, to: string) =>
      books.reserve(at, priceMessage({ category, ...placeOf(to), plan, card: july })),
  };
};

type Given = Parameters<typeof WhatIfRules.parse>[0];

const asked = async (
  events: readonly Recorded[],
  rules: Given,
  { accountIds = [accountId], period = september } = {},
) => {
  const log = auditedLog([...terms, ...events]);
  return whatIf(log, {
    period,
    rules: await readRules(log, WhatIfRules.parse(rules)),
    accountIds,
    sealAfter,
    pageSize: 7,
  });
};

const PAKISTAN = '923001234567';
const MEXICO = '525512345678';

describe('what September would have cost', () => {
  /** Charges of 2, 4, 0 and 2 credits; the last one and one of August are given back. */
  const history = (granted: number) => {
    const books = open(standardPlan);
    books.grant(SEPTEMBER - DAY, granted);
    books.send(SEPTEMBER - 1, 'UTILITY', PAKISTAN);
    books.send(SEPTEMBER, 'UTILITY', PAKISTAN);
    books.send(SEPTEMBER + DAY, 'MARKETING', MEXICO);
    books.send(SEPTEMBER + DAY, 'SERVICE', PAKISTAN);
    books.send(SEPTEMBER + 2 * DAY, 'AUTHENTICATION', MEXICO);
    books.refund(SEPTEMBER + 2 * DAY, 4, 'delivery_failed');
    books.refund(SEPTEMBER + 3 * DAY, 0, 'delivery_failed');
    books.grant(SEPTEMBER + 4 * DAY, 3);
    return books.events();
  };
  const october = presets['2026-10'];

  it('under the rules of October: dearer markets, and free-form replies cost', async () => {
    const { real, then, differences, refused } = whatIfJson(await asked(history(22), october));
    expect(real).to.deep.include({ opening: 20, granted: 3, closing: 19 });
    expect(real!.cost).to.deep.include({ sold: '0.0400', providerCost: '0.0305' });
    // Pakistan: 0.015 and a fifth are two credits; Mexico: 0.0397 and a fifth are five.
    expect(then).to.deep.include({ opening: 20, granted: 3, closing: 16 });
    const cost = { sold: '0.0700', prices: '0.07164', providerCost: '0.0597', margin: '0.0103' };
    expect(then!.cost).to.deep.include(cost);
    expect(then!.refunds).to.deep.equal([{ cause: 'delivery_failed', count: 2, amount: 4 }]);
    const rows = differences.map(({ currency, count, ...row }) => {
      expect([currency, count]).to.deep.equal(['USD', 1]);
      return [row.category, row.market, row.real, row.then, row.difference];
    });
    expect(rows).to.deep.equal([
      ['AUTHENTICATION', 'Mexico', '0.0000', '0.0000', '0.0000'],
      ['MARKETING', 'Mexico', '0.0400', '0.0500', '0.0100'],
      ['SERVICE', 'Pakistan', '0.0000', '0.0200', '0.0200'],
      // One of August was given back.
      ['UTILITY', 'Pakistan', '0.0000', '0.0000', '0.0000'],
    ]);
    expect(refused).to.deep.equal([]);
  });

  it('refuses what the balance would not have covered, and gives nothing of it back', async () => {
    const { then, refused } = whatIfJson(await asked(history(12), october));
    const unit = { billing: 'credits', currency: 'USD' };
    const code = 'INSUFFICIENT_CREDITS';
    expect(refused).to.deep.equal([{ ...unit, code, count: 1, amount: 2 }]);
    expect(then).to.deep.include({ opening: 10, closing: 10 - 2 - 5 - 2 + 2 + 3 });
    expect(then!.refunds).to.deep.equal([{ cause: 'delivery_failed', count: 1, amount: 2 }]);
  });

  it('counts caps from the beginning of the month, and of the minute before', async () => {
    const codes = async (caps: object, period = september) =>
      (await asked(history(22), { caps }, { period })).refused.map(
        ({ code, count, amount }) => [code, count, amount] as const,
      );
    expect(await codes({ daily: 1 })).to.deep.equal([['CAP_DAILY', 1, 0]]);
    expect(await codes({ perMinute: 1 })).to.deep.equal([['CAP_PER_MINUTE', 2, 2]]);
    expect(await codes({ monthly: 3 })).to.deep.equal([['CAP_MONTHLY', 1, 2]]);
    const later = { from: '2026-09-02T00:00:00.000Z', to: september.to };
    expect(await codes({ monthly: 3 }, later)).to.deep.equal([['CAP_MONTHLY', 1, 2]]);
    expect(await codes({ daily: null, monthly: 4 })).to.deep.equal([]);
  });

  it('under another plan, other terms, or a rate card that is not published', async () => {
    const costs = async (rules: Given) => whatIfJson(await asked(history(99), rules)).then!.cost;
    // 2.5 times the cost, at 0.007: 4, 11 and 4 credits; two of August are given back at 0.01.
    expect(await costs({ plan: 'dear' })).to.deep.include({ sold: '0.0850', prices: '0.08925' });
    const own = { markupPercent: '150', creditValue: '0.007' };
    expect(await costs({ plan: own })).to.deep.include({ sold: '0.0850', prices: '0.08925' });
    const rates = { Other: { MARKETING: '0.1', UTILITY: '0.01', AUTHENTICATION: '0.01' } };
    const card = { currency: 'USD', rates };
    expect(await costs({ rateCard: card })).to.deep.include({ prices: '0.1200' });
  });

  it('keeps what failed on a plan that gives nothing back for it', async () => {
    const plan = { ...standardPlan, planId: 'strict', refundFailedDeliveries: false };
    const events = [...history(22), ...logOf({ 'plan-strict': [PlanPublished.of(plan)] })];
    const { then } = whatIfJson(await asked(events, { plan: 'strict' }));
    expect(then!.refunds).to.deep.equal([{ cause: 'delivery_failed', count: 1, amount: 2 }]);
    expect(then!.closing).to.equal(17);
  });

  it('refuses a taking back that would pass the balance', async () => {
    const books = open(standardPlan);
    books.grant(SEPTEMBER - DAY, 4);
    books.send(SEPTEMBER, 'UTILITY', PAKISTAN);
    const at = SEPTEMBER + DAY;
    books.decide(at, { type: 'RevokeCredits', at, amount: 2, reason: null, by: null });
    const { other, refused } = await asked(books.events(), { plan: { markupPercent: '150' } });
    expect(refused.map(({ code, amount }) => [code, amount])).to.deep.equal([['BELOW_ZERO', 2]]);
    expect(other[0]!.closing).to.equal(1);
  });

  it('adds up accounts by unit, and leaves out those that the rules cannot decide', async () => {
    const other = open(prepaid, 'acc_2');
    other.grant(SEPTEMBER, 5_000_000);
    other.send(SEPTEMBER + 1, 'UTILITY', PAKISTAN);
    const events = [...history(22), ...other.events()];
    const both = { accountIds: ['acc_1', 'acc_2'] };
    const all = whatIfJson(await asked(events, october, both));
    expect(all).to.deep.include({ accounts: 2, skipped: [] });
    expect(all.then).to.deep.include({ billing: 'credits', closing: 16 });
    // 0.015 and a third, half-up.
    expect(all.then!.others![0]).to.deep.include({ billing: 'wallet', closing: '4.9800' });
    const reason = 'The plan counts in wallet of USD, and the account in credits of USD';
    const some = await asked(events, { plan: 'prepaid' }, both);
    expect(some).to.deep.include({ accounts: 1, skipped: [{ accountId: 'acc_1', reason }] });
    expect(await messageOf(asked(events, { plan: 'prepaid' }))).to.equal(reason);
    expect(await messageOf(asked(events, { rateCard: 'card_euros' }))).to.equal(
      'Rate card card_euros is in EUR, and plan standard in USD',
    );
    expect(await messageOf(asked(events, { plan: 'none' }))).to.equal('Plan not found');
    expect(await messageOf(asked(events, { rateCard: 'none' }))).to.equal('Rate card not found');
  });
});

describe('any history under any rules', () => {
  const causes = ['not_sent', 'disconnected', 'expired', 'delivery_failed'] as const;
  const step = fc.oneof(
    fc.record({ do: fc.constant('grant' as const), units: fc.integer({ min: 1, max: 30 }) }),
    fc.record({
      do: fc.constant('send' as const),
      category: fc.constantFrom<Category>('MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE'),
      to: fc.constantFrom(PAKISTAN, MEXICO),
    }),
    fc.record({ do: fc.constant('refund' as const), cause: fc.constantFrom(...causes) }),
  );
  const steps = fc.array(fc.record({ step, gap: fc.nat(DAY) }), { maxLength: 60 });
  type Steps = typeof steps extends fc.Arbitrary<infer H> ? H : never;

  /** The history as the account took it: what it refused is left out. */
  const build = (plan: PlanTerms, history: Steps) => {
    const books = open(plan);
    const taken: (Steps[number]['step'] & { at: number; number?: number })[] = [];
    const unrefunded: number[] = [];
    let [at, sent] = [SEPTEMBER - 10 * DAY, 0];
    for (const { step: one, gap } of history) {
      at += gap;
      if (one.do === 'grant') {
        books.grant(at, one.units * (plan.billing === 'credits' ? 1 : 10_000));
        taken.push({ ...one, at });
      } else if (one.do === 'send') {
        try {
          books.send(at, one.category, one.to);
        } catch {
          continue;
        }
        taken.push({ ...one, at, number: sent });
        unrefunded.push(sent);
        sent += 1;
      } else {
        const number = unrefunded.shift();
        if (number === undefined) continue;
        books.refund(at, number, one.cause);
        taken.push({ ...one, at, number });
      }
    }
    return { events: books.events(), taken };
  };

  it('agree with statement, ledger and balance to the last digit, where the rules are the same', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(standardPlan, prepaid),
      steps,
      fc.boolean(),
      async (plan, history, isNamed) => {
        const { events } = build(plan, history);
        const rules = isNamed ? { plan: plan.planId, rateCard: july.rateCardId } : {};
        const found = whatIfJson(await asked(events, rules));
        expect(found.then).to.deep.equal(found.real);
        expect(found.refused).to.deep.equal([]);
        const log = auditedLog([...terms, ...events]);
        const statement = statementJson(
          (await readStatement(log, accountId, september, { sealAfter }))!,
          true,
        );
        const { opening, closing, charges, refunds, cost } = statement;
        expect(found.real).to.deep.include({ opening, closing, charges, refunds, cost });
        const sold = found.differences.reduce((sum, row) => sum + Number(row.then) * 1e6, 0);
        expect(Math.round(sold)).to.equal(Math.round(Number(cost!.sold) * 1e6));
        const before = new Date(Date.parse(september.to) - 1).toISOString();
        const balance = await createBalanceAt(log)(accountId, before);
        const unit = plan.billing === 'credits' ? 1 : 1e6;
        expect(balance!.balance).to.equal(Math.round(Number(closing) * unit));
        const rows = await Array.fromAsync(replay(each(events), before));
        expect(rows.reduce((sum, { amount }) => sum + amount, 0)).to.equal(balance!.balance);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it('come to what a second count of them says', async () => {
    const property = fc.asyncProperty(
      steps,
      fc.integer({ min: 0, max: 3_000_000 }),
      fc.integer({ min: 1_000, max: 40_000 }),
      fc.integer({ min: 0, max: 4 }),
      async (history, markup, creditValue, daily) => {
        const { events, taken } = build(standardPlan, history);
        const percent = String(markup / 10_000);
        const value = (creditValue / 1e6).toFixed(6);
        const rules = {
          plan: { markupPercent: percent, creditValue: value },
          rateCard: 'default-usd-2026-10',
          chargeService: true,
          caps: { daily },
        };
        const { other, refused } = await asked(events, rules);
        // By hand, in the order of the history.
        let [balance, refusals] = [0, 0];
        const costs = new Map<number, { units: number; day: number }>();
        const days = new Map<number, number>();
        const dayOf = (at: number) => Math.floor(at / DAY);
        const realPrice = ({ category, to }: { category: Category; to: string }) =>
          priceMessage({ category, ...placeOf(to), plan: standardPlan, card: july })
            .creditsRequired;
        for (const one of taken) {
          const isBefore = one.at < SEPTEMBER;
          if (one.at >= Date.parse(september.to)) break;
          if (one.do === 'grant') balance += one.units;
          else if (one.do === 'send') {
            const day = dayOf(one.at);
            const market = one.to === PAKISTAN ? 'Pakistan' : 'Mexico';
            const cost = BigInt(costOf(defaultRateCard, market, one.category));
            const price = (cost * BigInt(1_000_000 + markup) + 500_000n) / 1_000_000n;
            const dearer = Number((price + BigInt(creditValue) - 1n) / BigInt(creditValue));
            const units = isBefore ? realPrice(one) : dearer;
            const isOver = (days.get(day) ?? 0) >= daily || units > balance;
            if (!isBefore && isOver) refusals += 1;
            else {
              balance -= units;
              costs.set(one.number!, { units, day });
              days.set(day, (days.get(day) ?? 0) + 1);
            }
          } else {
            const cost = costs.get(one.number!);
            if (!cost) continue;
            balance += cost.units;
            if (one.cause === 'not_sent' || one.cause === 'expired') {
              days.set(cost.day, days.get(cost.day)! - 1);
            }
          }
        }
        expect(other[0]!.closing).to.equal(balance);
        expect(refused.reduce((sum, { count }) => sum + count, 0)).to.equal(refusals);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });
});
