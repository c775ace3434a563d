import { evolveAccount } from '../commands/account/evolve.ts';
import { costOf, mayReserve } from '../commands/account/movements.ts';
import { type AccountState, initialAccount } from '../commands/account/state.ts';
import { refusalCodeOf } from '../commands/sending/refusals.ts';
import type { AccountFact } from '../events/account.ts';
import { chargeRevisionOf, readCharge } from '../events/completed.ts';
import type { EventOf, KnownEvent } from '../events/index.ts';
import { streamPages } from '../events/paging.ts';
import type { Price } from '../events/price.ts';
import type { EventReader } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import { MINUTE_MS } from '../shared/usage.ts';
import { type AccountStart, CLOCKS_DIFFER_MS, revisionAt, startAt } from './account-start.ts';
import { isMoneyEvent, type MoneyEvent } from './movement.ts';
import {
  createPeriodCount,
  creditValues,
  type Edge,
  isBefore,
  type SealAfter,
} from './read-statement.ts';
import {
  createStatement,
  isSameUnit,
  type Period,
  type Section,
  type SoldLine,
  type Unit,
} from './statement.ts';
import { createPricing, doNotApply, type Pricing, type Rules } from './what-if-rules.ts';

// Decides the history of accounts again under other rules: the same sends, priced and refused again, and
// the same grants. What was refused then is in no history, and stays refused.

type Log = Pick<EventReader, 'read'>;

/** What the other rules refuse of what happened. */
export interface Refused extends Unit {
  code: string;
  count: number;
  /** What it would have cost, in the unit. */
  amount: number;
}

/** Messages of one category and market, in millionths of the currency. */
interface SoldDifference extends Pick<SoldLine, 'category' | 'market' | 'count'> {
  currency: string;
  real: number;
  other: number;
}

export interface WhatIf {
  accounts: number;
  /** The first 1,000 accounts that the rules cannot decide, such as those of another currency. */
  skipped: { accountId: string; reason: string }[];
  /** One for each unit in which accounts counted, the one with most lines first. */
  real: Section[];
  other: Section[];
  differences: SoldDifference[];
  refused: Refused[];
}

/** Skipped accounts that are listed. */
const SKIPPED_MAX = 1_000;

/** Balances that an administrator's taking back would pass. */
const BELOW_ZERO = 'BELOW_ZERO';

const bounds = { refundsKept: 0 };

/** What became of a charge of the period under the other rules. */
const TAKEN = 1;
const REFUSED = 2;

/** One byte for each event from a revision on. */
const createFates = (from: number) => {
  let fates = new Uint8Array(1024);
  return {
    set(revision: number, fate: number): void {
      const at = revision - from;
      if (at >= fates.length) {
        const grown = new Uint8Array(2 * at);
        grown.set(fates);
        fates = grown;
      }
      fates[at] = fate;
    },
    of: (chargeId: string): number | undefined => fates[chargeRevisionOf(chargeId) - from],
  };
};

const createRefused = () => {
  const rows = new Map<string, Refused>();
  return {
    add(code: string, { billing, currency }: Unit, amount: number, count = 1): void {
      const key = `${code} ${billing} ${currency}`;
      const row = rows.get(key) ?? { code, billing, currency, count: 0, amount: 0 };
      row.count += count;
      row.amount += amount;
      rows.set(key, row);
    },
    list: (): Refused[] => [...rows.keys()].sort().map((key) => rows.get(key)!),
  };
};

/** The code under which a send would have been refused; undefined where it may go. */
const refusalOf = (price: Price, at: number, state: AccountState): string | undefined => {
  try {
    mayReserve({ type: 'MayReserve', price, at }, { ...state, planId: price.planId });
    return undefined;
  } catch (error) {
    const code = error instanceof AppError ? refusalCodeOf(error) : undefined;
    if (code === undefined) throw error;
    return code;
  }
};

interface Edges {
  from: Edge;
  to: Edge;
}

/** Counts one account as it was, and under the rules. */
const createAccountCount = (
  log: Log,
  start: AccountStart,
  { from, to }: Edges,
  { under }: Pick<Pricing, 'under'>,
  { limits }: Pick<Rules, 'limits'>,
) => {
  const priceOf = async ({ data }: EventOf<'RefundedSendCounted'>): Promise<Price | undefined> =>
    (await readCharge(log, data))?.data.price;
  const real = createPeriodCount(start, { from, to }, priceOf);
  const other = createStatement(start, start.balance);
  const refused = createRefused();
  const fates = createFates(start.revision);
  const { billing, currency, balance } = start;
  let state: AccountState = { ...initialAccount, opened: true, billing, currency, balance, limits };
  const evolve = (fact: unknown): void => {
    state = evolveAccount(bounds, state, fact as AccountFact);
  };

  const link = (event: MoneyEvent, amount: number, price?: Price): void => {
    const balanceAfter = state.balance + amount;
    const data = { ...event.data, amount, balanceAfter, ...(price && { price }) };
    evolve({ type: event.type, data });
    other.link({ ...event, data } as MoneyEvent);
  };
  const decidedPrice = async (price: Price): Promise<Price> => {
    const decided = await under(price);
    if (isSameUnit(decided, state)) return decided;
    const of = ({ billing, currency }: Unit) => `${billing} of ${currency}`;
    throw doNotApply(`The plan counts in ${of(decided)}, and the account in ${of(state)}`);
  };

  const reserve = async (event: EventOf<'ChargeReserved'>): Promise<void> => {
    const price = await decidedPrice(event.data.price);
    const cost = costOf(price);
    const code = refusalOf(price, Date.parse(event.data.at), state);
    fates.set(event.revision, code === undefined ? TAKEN : REFUSED);
    if (code === undefined) link(event, -cost || 0, price);
    else refused.add(code, state, cost);
  };
  const refund = async (event: EventOf<'ChargeRefunded'>): Promise<void> => {
    const { chargeId, cause, amount, price } = event.data;
    const fate = fates.of(chargeId);
    if (fate === REFUSED) return;
    if (fate !== TAKEN) {
      link(event, amount);
      return;
    }
    const decided = await under(price);
    if (cause === 'delivery_failed' && !decided.refundOnFailure) return;
    // A charge of another unit is closed without a movement.
    link(event, isSameUnit(decided, state) ? costOf(decided) : 0, decided);
  };
  const move = async (event: MoneyEvent): Promise<void> => {
    const { type, data } = event;
    if (type === 'ChargeReserved') await reserve(event);
    else if (type === 'ChargeRefunded') await refund(event);
    else if (state.balance + data.amount < 0) refused.add(BELOW_ZERO, state, -data.amount);
    else link(event, data.amount);
  };
  const wentOut = async (event: EventOf<'RefundedSendCounted'>): Promise<void> => {
    const fate = fates.of(event.data.chargeId);
    const price = fate === REFUSED ? undefined : await priceOf(event);
    if (!price) return;
    other.wentOut(fate === TAKEN ? await under(price) : price);
    evolve(event);
  };

  return {
    async take(event: KnownEvent): Promise<void> {
      await real.take(event);
      if (!isBefore(to, event)) return;
      const isEarlier = isBefore(from, event);
      if (event.type === 'AccountOpened' || event.type === 'PlanAssigned') {
        other.setUnit(event.data);
        evolve(event);
      } else if (isMoneyEvent(event)) {
        if (!isEarlier) return move(event);
        other.movedBefore(event.data.amount);
        evolve(event);
      } else if (event.type === 'RefundedSendCounted') {
        if (isEarlier) evolve(event);
        else await wentOut(event);
      }
    },
    end: async ({ creditValueOf }: Pick<Pricing, 'creditValueOf'>) => ({
      real: (await real.end(creditValues(log))).sections,
      other: (await other.end(creditValueOf)).sections,
      refused: refused.list(),
    }),
  };
};

const addLine = <L extends { count: number }, F extends keyof L>(
  into: Map<string, L>,
  key: string,
  line: L,
  sum: F,
): void => {
  const known = into.get(key);
  if (!known) {
    into.set(key, { ...line });
    return;
  }
  known.count += line.count;
  (known[sum] as number) += line[sum] as number;
};

/** Adds up sections of many accounts, by unit. Grants are left out: they may be any number. */
const createTotals = () => {
  const units = new Map<string, ReturnType<typeof openTotal>>();
  const openTotal = ({ billing, currency }: Unit) => ({
    sums: { billing, currency, opening: 0, closing: 0, sold: 0, prices: 0, providerCost: 0 },
    charges: new Map<string, Section['charges'][number]>(),
    refunds: new Map<string, Section['refunds'][number]>(),
    soldBy: new Map<string, SoldLine>(),
  });
  return {
    add(section: Section): void {
      const name = `${section.billing} ${section.currency}`;
      const total = units.get(name) ?? openTotal(section);
      units.set(name, total);
      for (const sum of ['opening', 'closing', 'sold', 'prices', 'providerCost'] as const) {
        total.sums[sum] += section[sum];
      }
      for (const line of section.charges) {
        const { category, market, unitPrice, creditsEach } = line;
        const key = `${category} ${market} ${String(unitPrice).padStart(16)} ${creditsEach}`;
        addLine(total.charges, key, line, 'amount');
      }
      for (const line of section.refunds) addLine(total.refunds, line.cause, line, 'amount');
      for (const line of section.soldBy) {
        addLine(total.soldBy, `${line.category} ${line.market}`, line, 'sold');
      }
    },
    sections: (): Section[] =>
      [...units.values()]
        .map(({ sums, ...lines }) => ({
          ...sums,
          grants: [],
          charges: inOrder(lines.charges),
          refunds: inOrder(lines.refunds),
          soldBy: inOrder(lines.soldBy),
        }))
        .sort((one, other) => other.charges.length - one.charges.length),
  };
};

const inOrder = <L>(lines: ReadonlyMap<string, L>): L[] =>
  [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);

/** What both sides sold, by category, market and currency. */
const differencesOf = (real: readonly Section[], other: readonly Section[]): SoldDifference[] => {
  const rows = new Map<string, SoldDifference>();
  for (const [side, sections] of [
    ['real', real],
    ['other', other],
  ] as const) {
    for (const { currency, soldBy } of sections) {
      for (const { category, market, count, sold } of soldBy) {
        const key = `${category} ${market} ${currency}`;
        const row = rows.get(key) ?? { category, market, currency, count: 0, real: 0, other: 0 };
        rows.set(key, row);
        row[side] += sold;
        if (side === 'real') row.count += count;
      }
    }
  }
  return inOrder(rows);
};

export interface WhatIfProgress {
  events: number;
  /** Accounts that are done, and all of them. */
  accounts: number;
  ofAccounts: number;
}

interface WhatIfOptions {
  period: Period;
  rules: Rules;
  accountIds: readonly string[];
  sealAfter: SealAfter;
  /** Events of a page. */
  pageSize?: number;
  signal?: AbortSignal;
  onProgress?: (progress: WhatIfProgress) => void;
}

/** Where caps begin to count what counts in them at a time. */
const countedFrom = (time: string): string =>
  new Date(Date.parse(`${time.slice(0, 7)}-01T00:00:00.000Z`) - MINUTE_MS).toISOString();

/**
 * Decides a period of accounts under other rules, beside what it was. Reads their streams from the start of
 * the month on, one after the other, and appends nothing. Of one account alone, rules that cannot decide
 * it are an error; of several, that account is skipped.
 */
export const whatIf = async (
  log: Log,
  { period, rules, accountIds, sealAfter, pageSize, signal, onProgress }: WhatIfOptions,
): Promise<WhatIf> => {
  const edgeAt = async (time: string): Promise<Edge> => ({ time, seal: await sealAfter(time) });
  const edges = { from: await edgeAt(period.from), to: await edgeAt(period.to) };
  const end = Date.parse(period.to) + CLOCKS_DIFFER_MS;
  const pricing = createPricing(log, rules);
  const [real, other] = [createTotals(), createTotals()];
  const refused = createRefused();
  const skipped: WhatIf['skipped'] = [];
  let [events, accounts] = [0, 0];

  const count = async (accountId: string): Promise<void> => {
    const start = await startAt(log, accountId, countedFrom(period.from));
    if (!start) return;
    const account = createAccountCount(log, start, edges, pricing, rules);
    const left = (await revisionAt(log, accountId, end)) - start.revision;
    const paging = { from: start.revision, eventsMax: left, ...(pageSize && { pageSize }) };
    for await (const page of streamPages(log, `account-${accountId}`, paging)) {
      signal?.throwIfAborted();
      for (const event of page as readonly KnownEvent[]) await account.take(event);
      events += page.length;
      onProgress?.({ events, accounts, ofAccounts: accountIds.length });
    }
    const counted = await account.end(pricing);
    for (const section of counted.real) real.add(section);
    for (const section of counted.other) other.add(section);
    for (const { code, ...row } of counted.refused) refused.add(code, row, row.amount, row.count);
    accounts += 1;
  };
  for (const accountId of accountIds) {
    try {
      await count(accountId);
    } catch (error) {
      if (!(error instanceof AppError) || accountIds.length === 1) throw error;
      if (skipped.length < SKIPPED_MAX) skipped.push({ accountId, reason: error.message });
    }
  }
  const sides = { real: real.sections(), other: other.sections() };
  const differences = differencesOf(sides.real, sides.other);
  return { accounts, skipped, ...sides, differences, refused: refused.list() };
};
