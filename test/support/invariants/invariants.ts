import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventStore, START } from '../../../src/events/store.ts';
import type { Views } from '../../../src/projections/views.ts';
import { checkAccounts, type OutsideCall } from './accounts.ts';
import { checkAnswers, type ProviderCall } from './answers.ts';
import { chargesOf, checkChains, checkCharges, checkRecords } from './charges.ts';
import { checkErased, type Erased } from './erased.ts';
import { checkOrder, readLog } from './log.ts';
import type { RecordedAnswer } from './recorder.ts';
import { checkSentOnce, checkSequence } from './sequence.ts';
import { checkViews } from './views.ts';

/** A service, or what is left of one, and what the world outside has seen of it. */
export interface Checked {
  store: EventStore;
  views: Views;
  /** What callers were answered; see `recordAnswers`. */
  answers?: readonly RecordedAnswer[];
  /** Messages that reached the provider. */
  providerCalls?: readonly ProviderCall[];
  /** What URLs of accounts were told. */
  outsideCalls?: readonly OutsideCall[];
  /** Contacts that are erased. */
  erased?: readonly Erased[];
}

export interface CheckOptions {
  /** After a crash: reservations may stand open that the sweep has not come to yet. */
  mayBeOpen?: boolean;
  /** Projections that were halted on purpose: how far they are is not looked at. */
  halted?: readonly string[];
  /** Positions of the embedded log count up by one; those of a server only ascend. */
  positions?: 'consecutive' | 'ascending';
  /** False where the read models have seen what they will see; otherwise they are waited for. */
  isFollowed?: boolean;
}

/** The log may still move by itself: a reactor writes, the use of a key is noted. */
const LOOKS_MAX = 10;

/**
 * Everything that must hold after whatever has happened (I1 to I14), computed from the log itself,
 * from the read models, and from what callers and the provider have seen. Empty when all holds;
 * each problem is a sentence that begins with the invariant's number.
 */
export const checkInvariants = async (
  checked: Checked,
  options: CheckOptions = {},
): Promise<string[]> => {
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const events = await readLog(checked.store);
    const problems = await checkOnce(events, checked, options);
    if ((await checked.store.head()) === (events.at(-1)?.position ?? START)) return problems;
  }
  return ['the log does not come to rest, so nothing can be said of it'];
};

const checkOnce = async (
  events: readonly KnownEvent[],
  { views, answers = [], providerCalls, outsideCalls = [], erased = [] }: Checked,
  { mayBeOpen = false, halted = [], positions = 'consecutive', isFollowed = true }: CheckOptions,
): Promise<string[]> => {
  const charges = chargesOf(events);
  return [
    ...checkOrder(events, positions),
    ...checkChains(events),
    ...checkCharges(charges, { mayBeOpen }),
    ...checkRecords(events),
    ...checkSequence(events, charges),
    ...checkSentOnce(charges),
    ...checkAnswers({ events, charges, answers, providerCalls, mayBeOpen }),
    ...checkAccounts(events, answers, outsideCalls),
    ...checkErased(events, answers, erased),
    ...(await checkViews(views, events, charges, { halted, isFollowed, erased })),
  ];
};
