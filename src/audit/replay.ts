import { type StreamPaging, streamPages } from '../events/paging.ts';
import { type EventReader, type Recorded, UNREADABLE } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import { type Movement, movementOf } from './movement.ts';
import type { SnapshotSource } from './snapshots.ts';

/** The part of a log's port that an audit needs. */
export type AuditedLog = Pick<EventReader, 'read' | 'readAll' | 'head'> & SnapshotSource;

/** The events of an account's stream, oldest first, with one page in memory. */
export async function* accountEvents(
  log: Pick<EventReader, 'read'>,
  accountId: string,
  paging: StreamPaging = {},
): AsyncGenerator<Recorded, void, void> {
  for await (const page of streamPages(log, `account-${accountId}`, paging)) yield* page;
}

/**
 * The movements of an account up to the time `until` (ISO), each with the balance after it. Throws at
 * an event that cannot be read, because later balances cannot be checked.
 */
export async function* replay(
  events: AsyncIterable<Recorded>,
  until?: string,
): AsyncGenerator<Movement, void, void> {
  for await (const event of events) {
    if (event.type === UNREADABLE) {
      throw new AppError('resource.conflict', `Event ${event.revision} cannot be read`);
    }
    const movement = movementOf(event);
    if (!movement) continue;
    if (until !== undefined && movement.at > until) continue;
    yield movement;
  }
}
