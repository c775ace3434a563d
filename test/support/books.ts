import { type AuditedLog, isMoneyEvent, movementOf } from '../../src/audit/movement.ts';
import type { ReadModel, ShownAccount, ShownRow } from '../../src/audit/read-model.ts';
import { accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand } from '../../src/commands/account/state.ts';
import type { AccountFact, MoneyFact, RefundCause } from '../../src/events/account.ts';
import { CHAIN_START, withoutLink } from '../../src/events/chain.ts';
import type { Fact, Fields } from '../../src/events/define.ts';
import { linkHash, versionOf } from '../../src/events/index.ts';
import type { Price } from '../../src/events/price.ts';
import type { Recorded } from '../../src/events/store.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { intent, NOW, price } from './samples.ts';
import { customer } from './subjects.ts';

// Logs in memory, for audits of them.

export type Unit = { planId: string; billing: 'credits' | 'wallet'; currency: string };

export const credits = { planId: 'standard', billing: 'credits', currency: 'USD' } as const;

type Reserved = Extract<MoneyFact, { type: 'ChargeReserved' }>['data'];

/** The facts that the commands of an account with these terms make, one after the other. */
export const createAccount = (accountId: string, terms: Unit = credits) => {
  const decider = accountDecider(accountId);
  const facts: AccountFact[] = [];
  let state = decider.initial;
  const decide = (command: AccountCommand): AccountFact => {
    const decided = decider.decide(command, state);
    state = decided.reduce(decider.evolve, state);
    facts.push(...decided);
    return decided[0]!;
  };
  decide({ type: 'Open', accountId, organisationId: 'org_1', name: 'Books', terms });
  return {
    facts,
    state: () => state,
    decide,
    fill: (amount: number, at = NOW) =>
      terms.billing === 'credits'
        ? decide({ type: 'GrantCredits', at, amount, reason: null, by: null })
        : decide({ type: 'MoveWallet', kind: 'top_up', at, amount, reason: null, by: null }),
    reserve(at = NOW, paid: Price = price(terms)) {
      const about = { contactRef: customer.ref, reason: 'order_shipped', intent: intent() };
      return decide({ type: 'Reserve', at, price: paid, ...about }).data as Reserved;
    },
    refund(charge: Reserved, cause: RefundCause = 'not_sent', at = Date.parse(charge.at)) {
      const reservation = { ...charge, reservedAt: charge.at, unrefundedRevision: 0 };
      decide({ type: 'Refund', at, cause, reservation });
    },
  };
};

/** A money event as the log gives it, after the link with this hash. */
export const linkedTo = <E extends Recorded>(previousHash: string, event: E): E => {
  const clear = withoutLink(event.data as Fields);
  // A refund of today says also that there was no failure.
  const isRefund = event.type === 'ChargeRefunded';
  const stored = isRefund ? { ...clear, failure: clear.failure ?? null } : clear;
  const link = { previousHash, hash: linkHash(previousHash, JSON.stringify(stored)) };
  const asStored = { version: event.version, data: stored };
  return { ...event, data: { ...clear, ...link }, link, asStored };
};

/** The events of some streams, as a log that takes turns between them has them. */
export const logOf = (streams: Readonly<Record<string, readonly Fact[]>>): Recorded[] => {
  const events: Recorded[] = [];
  const chains = new Map<string, string>();
  const longest = Math.max(...Object.values(streams).map((facts) => facts.length));
  for (let revision = 0; revision < longest; revision += 1) {
    for (const [stream, facts] of Object.entries(streams)) {
      const fact = facts[revision];
      if (!fact) continue;
      const event = {
        ...fact,
        id: `event-${events.length}`,
        version: versionOf(fact.type),
        revision,
        stream,
        meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'req_1' },
        position: String(events.length + 1).padStart(6, '0'),
      } as Recorded;
      const chain = chains.get(stream) ?? CHAIN_START;
      const whole = isMoneyEvent(event) ? linkedTo<Recorded>(chain, event) : event;
      if (whole.link) chains.set(stream, whole.link.hash);
      events.push(whole);
    }
  }
  return events;
};

/** Items as a reader hands them out, one after the other. */
export async function* each<T>(items: Iterable<T>) {
  yield* items;
}

/** These events as a log to be audited; it may go on behind its head. */
export const auditedLog = (
  events: readonly Recorded[],
  head = events.at(-1)!.position,
): AuditedLog => ({
  head: async () => head,
  readAll: async (position, limit = 1000) => {
    const page = events.filter((event) => event.position > position).slice(0, limit);
    return { events: page, to: page.at(-1)?.position ?? position };
  },
  read: async (stream, { from, direction = 'forwards', limit = 1000 } = {}) => {
    const own = events.filter((one) => one.stream === stream);
    const isBack = direction === 'backwards';
    const ordered = isBack ? own.toReversed() : own;
    return ordered
      .filter(
        ({ revision }) => from === undefined || (isBack ? revision <= from : revision >= from),
      )
      .slice(0, limit);
  },
});

/** What the read models make of these events, if they are right. */
export const shownOf = (events: readonly Recorded[]) => {
  const rows: ShownRow[] = [];
  const accounts = new Map<string, ShownAccount>();
  for (const event of events) {
    const id = event.stream.slice('account-'.length);
    const movement = movementOf(event);
    if (movement) rows.push({ ...movement, id: movement.entryId, accountId: id });
    const balance = movement?.balanceAfter ?? accounts.get(id)?.balance ?? 0;
    accounts.set(id, { id, balance, revision: event.revision });
  }
  return { rows, accounts: [...accounts.values()] };
};

export const modelOf = (
  { rows, accounts }: ReturnType<typeof shownOf>,
  change: Partial<ReadModel> = {},
): ReadModel => ({
  reached: async () => true,
  rows: async (ids) => rows.filter(({ id }) => ids.includes(id)),
  rowsAfter: async (accountId, position, limit) =>
    rows.filter((row) => row.accountId === accountId && row.position > position).slice(0, limit),
  account: async (accountId) => accounts.find(({ id }) => id === accountId),
  ...change,
});

export const by = { id: 'root', email: 'root@localhost', name: 'Root' };

/** An account whose facts know their time; charges can be refunded by their number. */
export const openBooks = ({
  accountId,
  terms,
  openedAt,
}: {
  accountId: string;
  terms: Unit;
  openedAt: number;
}) => {
  const account = createAccount(accountId, terms);
  const times = [openedAt];
  const charges: Reserved[] = [];
  const timed = <T>(at: number, made: T): T => {
    while (times.length < account.facts.length) times.push(at);
    return made;
  };
  const decide = (at: number, command: AccountCommand) => timed(at, account.decide(command));
  return {
    decide,
    grant: (at: number, amount: number, reason: string | null = null) =>
      terms.billing === 'credits'
        ? decide(at, { type: 'GrantCredits', at, amount, reason, by })
        : decide(at, { type: 'MoveWallet', kind: 'top_up', at, amount, reason, by }),
    reserve(at: number, paid: Price) {
      charges.push(timed(at, account.reserve(at, paid)));
    },
    refund(at: number, number: number, cause: RefundCause) {
      timed(at, account.refund(charges[number]!, cause, at));
    },
    events: (): Recorded[] =>
      logOf({ [`account-${accountId}`]: account.facts }).map((event, index) => ({
        ...event,
        meta: { ...event.meta, at: isoTime(times[index]!) },
      })),
  };
};
