import { logPages } from '../events/paging.ts';
import type { EventReader, Position, Recorded } from '../events/store.ts';

// The events of one account and of its messages, as far as a bill needs them, in the order of the log.

type Log = Pick<EventReader, 'read' | 'readAll'>;

/** What is told of a message's charge and of how the provider bills it. Nothing of it is personal in clear. */
export const billedEvents: ReadonlySet<string> = new Set([
  'MessageSent',
  'StatusUpdated',
  'ChargeClaimed',
  'ChargeClaimRefused',
]);

/** Whether an event belongs to the history of an account. */
const isOf = (accountId: string) => {
  const [own, messages] = [`account-${accountId}`, `message-${accountId}.`];
  return ({ stream, type }: Recorded): boolean =>
    stream === own || (stream.startsWith(messages) && billedEvents.has(type));
};

export interface HistoryPage {
  events: Recorded[];
  /** Where the next page goes on; null at the end of the log. */
  next: Position | null;
}

/**
 * The events among the next `limit` of the log, from the account's opening on where no position is given.
 * Undefined for an unknown account.
 */
export const historyPage = async (
  log: Log,
  accountId: string,
  { after, limit }: { after?: Position | undefined; limit: number },
): Promise<HistoryPage | undefined> => {
  if (after === undefined) {
    const [opened] = await log.read(`account-${accountId}`, { limit: 1 });
    return opened && { events: [opened], next: opened.position };
  }
  const { events, to } = await log.readAll(after, limit);
  return { events: events.filter(isOf(accountId)), next: to > after ? to : null };
};

/** The whole history; nothing for an unknown account. */
export async function* history(log: Log, accountId: string): AsyncGenerator<Recorded, void, void> {
  const [opened] = await log.read(`account-${accountId}`, { limit: 1 });
  if (!opened) return;
  yield opened;
  const belongs = isOf(accountId);
  for await (const { events } of logPages(log, opened.position)) yield* events.filter(belongs);
}
