import { hash } from 'node:crypto';
import { canonicalJson } from '../../commands/account/chain.ts';
import { accountEvents, moneyEventTypes } from '../../events/account.ts';
import { logPages } from '../../events/paging.ts';
import { planEvents, rateCardEvents } from '../../events/pricing.ts';
import { type EventReader, interestIn, type Position, type Recorded } from '../../events/store.ts';

// The records that seals cover: all events of accounts, and the versions of plans and rate cards.

const links: ReadonlySet<string> = new Set(moneyEventTypes);
const records: ReadonlySet<string> = new Set(
  [...accountEvents, ...planEvents, ...rateCardEvents].map(({ type }) => type),
);
const interest = interestIn(records);

/** The event's data as the log holds it. */
export const storedOf = ({ asStored, data }: Recorded): unknown => asStored?.data ?? data;

/**
 * What a seal covers of an event, in hex: the hash of a link, else the SHA-256 of the canonical JSON
 * of stream, revision, type and stored data. Undefined for an event that is no record.
 */
export const digestOf = (event: Recorded, stored = storedOf(event)): string | undefined => {
  const { type, stream, revision } = event;
  if (!records.has(type)) return undefined;
  if (links.has(type)) return (event.data as { hash: string }).hash;
  return hash('sha256', canonicalJson({ data: stored, revision, stream, type }), 'hex');
};

/** A log that is read for seals. `follow` spares reading other events; a file has none. */
export type SealedLog = Pick<EventReader, 'read' | 'readAll' | 'head'> &
  Partial<Pick<EventReader, 'follow'>>;

/** The records after a position and up to another, in pages, in the order of the log. */
export async function* recordsBetween(
  log: SealedLog,
  after: Position,
  upTo: Position,
): AsyncGenerator<readonly Recorded[], void, void> {
  if (after >= upTo) return;
  const wanted = (events: readonly Recorded[]) =>
    events.filter(({ type, position }) => records.has(type) && position <= upTo);
  if (!log.follow) {
    for await (const { events } of logPages(log, after, { upTo })) yield wanted(events);
    return;
  }
  const ending = new AbortController();
  try {
    for await (const { events, to } of log.follow(after, ending.signal, interest)) {
      yield wanted(events);
      if (to >= upTo) return;
    }
  } finally {
    ending.abort();
  }
}

/** Reads one record; undefined where the log has none. */
export const readRecord = async (
  log: Pick<EventReader, 'read'>,
  { stream, revision }: { stream: string; revision: number },
): Promise<Recorded | undefined> => {
  const [event] = await log.read(stream, { from: revision, limit: 1 });
  return event?.revision === revision ? event : undefined;
};
