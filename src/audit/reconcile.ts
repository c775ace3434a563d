import { setImmediate as nextTurn } from 'node:timers/promises';
import { defaultRateCard } from '../commands/pricing/rate-card.ts';
import type { KnownEvent } from '../events/index.ts';
import { logPages, streamPages } from '../events/paging.ts';
import type { RateCard } from '../events/pricing.ts';
import type { OpenScratch } from '../events/scratch.ts';
import { type EventReader, type Recorded, START, UNREADABLE } from '../events/store.ts';
import { idInStream } from '../events/streams.ts';
import { mapLimit } from '../shared/concurrency.ts';
import { type BilledMessages, createBilledMessages } from './billed-messages.ts';
import {
  createTally,
  type Difference,
  isSettled,
  type Listed,
  type Reconciliation,
} from './billing-report.ts';
import type { Period } from './statement.ts';
import type { Progress } from './verify.ts';

export interface ReconcileOptions {
  period: Period;
  accountId?: string | undefined;
  openScratch: OpenScratch;
  /** Rate cards that the log does not have. */
  cards?: readonly RateCard[] | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: Progress) => void;
}

export type ReconciledLog = Pick<EventReader, 'readAll' | 'read' | 'head'>;

/** Events of a message that are read for its id. */
const NAMED_IN = 100;
const NAMED_AT_ONCE = 16;

/** The id of a message, from its own events; null where they do not show it any more. */
const messageIdOf = async (
  log: ReconciledLog,
  stream: string,
): Promise<Pick<Difference, 'messageId' | 'erased'>> => {
  let erased: true | null = null;
  for await (const page of streamPages(log, stream, { eventsMax: NAMED_IN })) {
    for (const { data, isErased } of page) {
      const { messageId } = (data ?? {}) as { messageId?: unknown };
      if (typeof messageId === 'string') return { messageId, erased: false };
      if (isErased) erased = true;
    }
  }
  return { messageId: null, erased };
};

const named = (log: ReconciledLog, listed: readonly Listed[], signal?: AbortSignal) =>
  mapLimit(listed, NAMED_AT_ONCE, async ({ stream, ...difference }): Promise<Difference> => {
    signal?.throwIfAborted();
    return stream === null ? difference : { ...difference, ...(await messageIdOf(log, stream)) };
  });

const readLog = async (
  log: ReconciledLog,
  messages: BilledMessages,
  { signal, onProgress, cards: given = [] }: ReconcileOptions,
): Promise<Pick<Reconciliation, 'unreadable' | 'accounts'> & { cards: Map<string, RateCard> }> => {
  const head = await log.head();
  const accounts = new Set<string>();
  const cards = new Map([defaultRateCard, ...given].map((card) => [card.rateCardId, card]));
  let [movements, unreadable] = [0, 0];
  for await (const { events, to: position } of logPages(log, START, { upTo: head })) {
    signal?.throwIfAborted();
    for (const event of events as readonly KnownEvent[]) {
      messages.take(event as Recorded);
      if ((event.type as string) === UNREADABLE) unreadable += 1;
      if (event.type === 'RateCardPublished') cards.set(event.data.rateCardId, event.data);
      if (event.type === 'ChargeReserved') movements += 1;
      if (event.type === 'AccountOpened') accounts.add(idInStream(event.stream, 'account'));
    }
    onProgress?.({ accounts: accounts.size, movements, position, head });
  }
  return { unreadable, accounts: [...accounts], cards };
};

/**
 * Compares the charges of a period with what the provider said of their messages, from the log alone,
 * up to its present end. `withIds` is the log that shows ids of messages: with personal fields in clear.
 */
export const reconcile = async (
  log: ReconciledLog,
  options: ReconcileOptions,
  withIds: ReconciledLog = log,
): Promise<Reconciliation> => {
  const { period, accountId, openScratch, signal } = options;
  const messages = createBilledMessages(openScratch, period);
  try {
    const { cards, ...seen } = await readLog(log, messages, options);
    const tally = createTally(period, accountId, cards);
    for (const rows of messages.charges()) {
      signal?.throwIfAborted();
      for (const [charge, message] of rows) tally.take(charge, message);
      await nextTurn();
    }
    for (const rows of messages.strangers()) {
      for (const message of rows) tally.take(null, message);
      await nextTurn();
    }
    const { listed, ...rest } = tally.result();
    const kinds = Object.values(rest.found);
    const report = {
      period,
      accountId: accountId ?? null,
      ...seen,
      ...rest,
      differenceCount: kinds.reduce((sum, { count }) => sum + count, 0),
      byPlanCount: kinds.reduce((sum, { byPlan }) => sum + byPlan, 0),
      differences: await named(withIds, listed, signal),
      compared: null,
    };
    return { ...report, ok: isSettled(report) };
  } finally {
    messages.close();
  }
};
