import { decode } from '../../src/events/index.ts';
import type { MoneyEvent } from '../support/invariants/charges.ts';
import type { Answer, Tenant } from '../support/waybill.ts';
import { CONTACTS } from './plan.ts';
import type { SimulatedWorld } from './world.ts';

// What the service must answer where nothing fails and one thing happens after the other: a second,
// simpler account of the rules, with no line of the program's own.

const MOVES = new Set(['CreditsGranted', 'ChargeReserved', 'ChargeRefunded']);
/** Credits that a UTILITY message to each contact costs on the standard plan. */
const PRICES = [1, 1, 7] as const;
/** Longer than a request takes where its machine does not sleep. */
const SLEPT_MS = 60_000;

/** A send as its caller makes it. */
export interface Asked {
  kind: 'notification' | 'text' | 'batch';
  tenant: number;
  to: readonly number[];
  key: number | null;
}

/** What the provider did with the calls of one request. */
type Fates = readonly string[];

const isUnknown = (fates: Fates): boolean => fates.every((fate) => fate === 'unknown');

export const createModel = (world: SimulatedWorld, tenants: readonly Tenant[]) => {
  const problems: string[] = [];
  const balances = tenants.map(({ accountId }) => balanceIn(accountId));
  /** Conversations whose window is open, by tenant and contact. */
  const open = new Set<string>();
  /** Answers that a key repeats, and whom they are about. */
  const kept = new Map<string, { answer: Answer; to: readonly number[] }>();
  /** Keys whose answers an erasure has taken. */
  const gone = new Set<string>();
  /** Charges that a failed delivery gives back: taken, and not proved delivered. */
  const taken = new Map<string, { tenant: number; price: number }>();

  function balanceIn(accountId: string): number {
    const last = world.log.events.findLast(
      ({ stream, type }) => stream === `account-${accountId}` && MOVES.has(type),
    );
    return last ? (decode(last) as MoneyEvent).data.balanceAfter : 0;
  }
  const expect = (what: string, expected: unknown, found: unknown) => {
    if (JSON.stringify(expected) === JSON.stringify(found)) return;
    problems.push(`M ${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  };

  /** The status of a single send, and what it takes. */
  const single = ({ kind, tenant, to: [to = 0] }: Asked, [fate]: Fates) => {
    const price = kind === 'text' ? 0 : PRICES[to]!;
    if (kind === 'text' && !open.has(`${tenant} ${to}`)) return { status: 403, price, calls: 0 };
    if (balances[tenant]! < price) return { status: 402, price, calls: 0 };
    const status = fate === 'accepted' ? 200 : fate === 'refused' ? 502 : 504;
    return { status, price, calls: 1 };
  };

  const checkSingle = (asked: Asked, answer: Answer, fates: Fates, name: string): void => {
    const { status, price, calls } = single(asked, fates);
    expect(`${name}: status`, status, answer.status);
    expect(`${name}: calls of the provider`, calls, fates.length);
    if (status !== 200) return;
    balances[asked.tenant]! -= price;
    if (price === 0) return;
    expect(`${name}: charged`, String(price), answer.headers['x-credits-charged']);
    expect(`${name}: left`, String(balances[asked.tenant]), answer.headers['x-credits-remaining']);
    taken.set(answer.body.messageId, { tenant: asked.tenant, price });
  };

  /** Recipients are sent to side by side: which of them the credit is for is not foreseen. */
  const checkBatch = ({ tenant, to }: Asked, answer: Answer, fates: Fates, name: string): void => {
    expect(`${name}: status`, 200, answer.status);
    const whole = to.reduce((sum, one) => sum + PRICES[one]!, 0);
    if (balances[tenant]! >= whole) expect(`${name}: calls`, to.length, fates.length);
    const sent = fates.filter((fate) => fate === 'accepted').length;
    expect(`${name}: sent`, sent, answer.body?.sent);
    expect(`${name}: failed`, to.length - sent, answer.body?.failed);
    for (const { ok, messageId, to: number } of answer.body?.results ?? []) {
      if (!ok) continue;
      const price = PRICES[CONTACTS.findIndex((one) => number === `+${one}`)]!;
      balances[tenant]! -= price;
      taken.set(messageId, { tenant, price });
    }
  };

  return {
    problems,
    /** Compares an answer with what must come of the request, and notes what it changes. */
    answered(asked: Asked, answer: Answer, fates: Fates, tookMs: number): void {
      const { kind, tenant, key } = asked;
      const name = `${kind} of ${tenant} to ${asked.to}${key === null ? '' : `, key ${key}`}`;
      const place = `${kind} ${tenant} ${key}`;
      // It may ask to come back while nothing has happened. A send that slept past its time says so
      // of an unknown outcome too: a 504 would promise a refund, and by then a status may have given
      // the charge a message, so that only the sweep can tell.
      if (answer.status === 503 && fates.length === 0) return;
      if (answer.status === 503 && tookMs > SLEPT_MS && isUnknown(fates)) return;
      if (gone.has(place)) {
        expect(`${name}: of an erased contact`, 410, answer.status);
        expect(`${name}: calls for an erased contact`, 0, fates.length);
        return;
      }
      const before = key === null ? undefined : kept.get(place)?.answer;
      if (before) {
        expect(`${name}: repeated`, [before.status, before.body], [answer.status, answer.body]);
        expect(`${name}: calls of a repetition`, 0, fates.length);
        // Where the log did not take the first answer, the repetition finds it anew: not as a replay.
        return;
      }
      if (kind === 'batch') checkBatch(asked, answer, fates, name);
      else checkSingle(asked, answer, fates, name);
      if (key !== null && [200, 502, 504].includes(answer.status))
        kept.set(place, { answer, to: asked.to });
    },
    /** A customer writes: the window of the conversation is open for longer than a plan takes. */
    heard: (tenant: number, contact: number) => void open.add(`${tenant} ${contact}`),
    /** Nothing is known of the contact any more, and his window is shut. */
    erased(contact: number): void {
      for (const [place, { to }] of kept) if (to.includes(contact)) gone.add(place);
      for (const tenant of tenants.keys()) open.delete(`${tenant} ${contact}`);
    },
    /** A delivery that failed costs nothing, unless the message was delivered before. */
    told(messageId: string, word: string): void {
      const charge = taken.get(messageId);
      if (word === 'sent' || !charge) return;
      taken.delete(messageId);
      if (word === 'failed') balances[charge.tenant]! += charge.price;
    },
    /** Whether what must come back has come back. */
    isEven: () => tenants.every(({ accountId }, nth) => balances[nth] === balanceIn(accountId)),
    /** Compares the money, when nothing is under way. */
    check(): readonly string[] {
      for (const [nth, { accountId }] of tenants.entries()) {
        expect(`balance of ${nth}`, balances[nth], balanceIn(accountId));
      }
      return problems;
    },
  };
};

export type Model = ReturnType<typeof createModel>;
