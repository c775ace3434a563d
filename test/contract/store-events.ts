import { randomUUID } from 'node:crypto';
import { OrganisationCreated } from '../../src/events/directory.ts';
import {
  type EventStore,
  type Interest,
  type NewEvent,
  NO_STREAM,
  type Position,
  type Recorded,
} from '../../src/events/store.ts';
import { PATIENCE_MS } from '../support/until.ts';

/** A stream that nothing else writes to. */
export const freshStream = (): string => `organisation-${randomUUID()}`;

export const created = (name = 'Acme'): NewEvent => ({
  id: randomUUID(),
  ...OrganisationCreated.of({ organisationId: 'o-1', name }),
  version: OrganisationCreated.version,
  meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'r-1', accountId: 'a-1' },
});

export const createdMany = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, i) => created(`Acme ${i}`));

export const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

/** What the work threw; undefined when it went well. */
export const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** One event after the other, each at the end of the stream as it then is. */
export const appendInTurn = async (
  store: EventStore,
  stream: string,
  events: readonly NewEvent[],
  expected = NO_STREAM,
): Promise<void> => {
  for (const [i, event] of events.entries()) await store.append(stream, expected + i, [event]);
};

/** A stream of an account of a bucket, that nothing else writes to. */
export const freshStreamIn = (bucket: number): string =>
  `message-acc_${randomUUID().replaceAll('-', '').slice(1)}${bucket.toString(16)}.${randomUUID()}`;

/** Follows until `count` events with one of these ids have come; all of them, in their order. */
export const followUntil = async (
  store: EventStore,
  position: Position,
  wanted: ReadonlySet<string>,
  count = wanted.size,
  interest?: Interest,
): Promise<{ events: Recorded[]; to: Position }> => {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const events: Recorded[] = [];
  for await (const batch of store.follow(position, signal, interest)) {
    events.push(...batch.events.filter(({ id }) => wanted.has(id)));
    if (events.length >= count) return { events, to: batch.to };
  }
  throw new Error(`only ${events.length} of ${count} events came within ${PATIENCE_MS} ms`);
};

/** Everything after `position`, page by page. */
export const readToEnd = async (
  store: EventStore,
  position: Position,
  limit: number,
  buckets?: ReadonlySet<number>,
): Promise<Recorded[]> => {
  const events: Recorded[] = [];
  let at = position;
  for (;;) {
    const page = await store.readAll(at, limit, buckets);
    if (page.to === at) return events;
    events.push(...page.events);
    at = page.to;
  }
};
