import { logPages, streamPages } from '../events/paging.ts';
import { type Position, READ_MAX, type Recorded, START } from '../events/store.ts';
import { type Entry, entryOf } from './entry.ts';
import type { AuditedLog } from './replay.ts';

/** The entries of a part of the log. */
export interface Page {
  entries: readonly Entry[];
  /** The position up to which it was read. */
  to: Position;
}

/** A page and the events that it was made of. */
interface ReadPage extends Page {
  events: readonly Recorded[];
}

const pageOf = (events: readonly Recorded[], to: Position): ReadPage => ({
  events,
  entries: events.flatMap((event) => entryOf(event) ?? []),
  to,
});

/** The pages of the whole log, or those with the events of one account. */
export async function* pagesOf(
  log: AuditedLog,
  head: Position,
  { accountId, pageSize = READ_MAX }: { accountId?: string | undefined; pageSize?: number },
): AsyncGenerator<ReadPage, void, void> {
  let position = START;
  if (accountId !== undefined) {
    let first: Position | undefined;
    for await (const page of streamPages(log, `account-${accountId}`, { pageSize })) {
      const upTo = page.filter((event) => event.position <= head);
      first ??= page[0]!.position;
      yield pageOf(upTo, upTo.at(-1)?.position ?? START);
      if (upTo.length < page.length) break;
    }
    // Messages come after the charges that they are sent for.
    position = first ?? head;
  }
  for await (const { events, to } of logPages(log, position, { upTo: head, pageSize })) {
    const wanted = events.filter(
      ({ type, data }) =>
        accountId === undefined ||
        (type === 'MessageSent' && (data as { accountId: string }).accountId === accountId),
    );
    yield pageOf(wanted, to);
  }
}
