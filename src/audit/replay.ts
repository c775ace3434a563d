import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventReader, type Recorded, UNREADABLE } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import { type Movement, movementOf } from './movement.ts';
import type { SnapshotSource } from './snapshots.ts';

/** What of a log an audit reads. */
export type AuditedLog = Pick<EventReader, 'read' | 'readAll' | 'head'> & SnapshotSource;

const PAGE = 1000;

/** All events of an account's stream, oldest first, a page in memory; none for an unknown one. */
export async function* accountEvents(
  log: Pick<EventReader, 'read'>,
  accountId: string,
  pageSize = PAGE,
): AsyncGenerator<Recorded, void, void> {
  for (let from = 0; ; from += pageSize) {
    const page = await log.read(`account-${accountId}`, { from, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    await nextTurn();
  }
}

/**
 * The movements of an account as its events tell them, each with the balance after it, up to those
 * made at `until` (ISO). An event that cannot be read ends it: what comes after stands on nothing.
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
