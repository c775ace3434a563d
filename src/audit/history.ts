import { logPages } from '../events/paging.ts';
import type { EventReader, Position, Recorded } from '../events/store.ts';

// The events of one account and of its messages, as far as a bill needs them, in the order of the log.

type Log = Pick<EventReader, 'read' | 'readAll'>;

/** What is known of a message's charge and of how the provider bills it. Nothing of it is personal in clear. */
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

interface HistoryPage {
  events: Recorded[];
  /** Where the next page goes on; null at the end of the log. */
  next: Position | null;
}

/** Whether a text has the form of a position: its digits, hexadecimal ones only where it has a dash. */
const isOfForm = (position: Position, text: string): boolean => {
  const digits = position.includes('-') ? /[\da-f]/g : /\d/g;
  return text.replaceAll(digits, '0') === position.replaceAll(digits, '0');
};

/**
 * The events among the next `limit` of the log, from the account's opening on where no position is given.
 * Undefined for an unknown account; null for a position that is none of this log.
 */
export const historyPage = async (
  log: Log & Pick<EventReader, 'head'>,
  accountId: string,
  { after, limit }: { after?: Position | undefined; limit: number },
): Promise<HistoryPage | null | undefined> => {
  const [opened] = await log.read(`account-${accountId}`, { limit: 1 });
  if (!opened || after === undefined) return opened && { events: [opened], next: opened.position };
  const isAfter = after >= opened.position && after <= (await log.head());
  if (!isAfter || !isOfForm(opened.position, after)) return null;
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
