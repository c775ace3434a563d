import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson, recordTextHash } from '../../commands/account/chain.ts';
import { accountEvents, moneyEventTypes } from '../../events/account.ts';
import { planEvents, rateCardEvents } from '../../events/pricing.ts';
import {
  type BareEvent,
  type EventReader,
  type EventStore,
  interestIn,
  type Position,
  type Recorded,
} from '../../events/store.ts';
import { leafHash } from './merkle.ts';

// The records that seals cover: all events of accounts, and the versions of plans and rate cards. Each is an
// entry of the log of entries: the 32 bytes of its hash.

const links: ReadonlySet<string> = new Set(moneyEventTypes);
const records: ReadonlySet<string> = new Set(
  [...accountEvents, ...planEvents, ...rateCardEvents].map(({ type }) => type),
);
const interest = interestIn(records);

/**
 * The event's data as the log holds it: decoding drops unknown fields, and an added field must change the hash.
 * A field without which it reads the same is hashed as it is read.
 */
export const storedOf = ({ asStored, data }: Recorded): unknown => asStored?.data ?? data;

/** The hash of a record, in hex: a link's own, else as a link's is made. Undefined for other events. */
export const recordHash = (event: Recorded): string | undefined => {
  const { type } = event;
  if (!records.has(type)) return undefined;
  if (links.has(type)) return (event.data as { hash: string }).hash;
  return recordTextHash(type, storedOf(event) as Record<string, unknown>);
};

/** The entry of an event; undefined where it is no record. */
export const entryOfRecord = (event: Recorded): Buffer | undefined => {
  const hash = recordHash(event);
  return hash === undefined ? undefined : Buffer.from(hash, 'hex');
};

/** A record as a leaf of the tree of a seal of the old form. */
export const recordLeaf = (place: { stream: string; revision: number }, hash: string): string =>
  canonicalJson({ hash, revision: place.revision, stream: place.stream });

/** How a seal of the old form names a record: the hash of its leaf, in hex. */
export const nameOfLeaf = (leaf: string): string => leafHash(leaf).toString('hex');

/** A log with seals. */
export type SealedLog = Pick<EventReader, 'read'>;

/** Events of one page. */
const BARE_AT_ONCE = 500;

/**
 * The records after a position and up to another, in pages, in the order of the log, without what links hold:
 * most records are links. `to`: where the next page begins.
 */
export async function* bareRecordsBetween(
  log: Pick<EventStore, 'bare'>,
  after: Position,
  upTo: Position,
): AsyncGenerator<{ page: readonly BareEvent[]; to: Position }, void, void> {
  for (let at = after; at < upTo; ) {
    const { events, to } = await log.bare(at, BARE_AT_ONCE, interest);
    if (to <= at) return;
    const isRecord = ({ position, link, event }: BareEvent) =>
      position <= upTo && (link || (event && records.has(event.type)));
    const page = events.filter(isRecord);
    at = to < upTo ? to : upTo;
    yield { page, to: at };
    await nextTurn();
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
