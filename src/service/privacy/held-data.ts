import type { CountHeld, HeldSubject } from '../../commands/privacy/keys.ts';
import { contactStream } from '../../events/contact.ts';
import { conversationStream } from '../../events/conversation.ts';
import { contactRefsIn } from '../../events/define.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { answers } from '../../projections/answers.ts';
import { botRuns } from '../../projections/bot-runs.ts';
import { conversations } from '../../projections/conversations.ts';
import { deadletters } from '../../projections/dead-letters.ts';
import type { Projection } from '../../projections/define.ts';
import { newestPages } from '../../projections/engine/lists.ts';
import { inTime, type Reader } from '../../projections/engine/reader.ts';
import type { MessageDocument } from '../../projections/message-document.ts';
import { messages } from '../../projections/messages.ts';
import type { Query } from '../../projections/views.ts';

interface Deps {
  /** The log as it is stored: what is sealed in it stays so. */
  log: Pick<EventReader, 'read'>;
  reader: Reader;
}

const PAGE = 500;
const NEWEST = { field: 'order', direction: 'descending' } as const;
const MONTH = { field: 'sealedMonth', direction: 'ascending' } as const;

/** Events of one stream that are looked at for one contact. */
const STREAM_EVENTS_MAX = 100_000;

/** The read models that hold personal data of contacts, or lead to some in the log. */
const holding: readonly Projection[] = [messages, conversations, botRuns, deadletters, answers];

const isSealedFor =
  (ref: string) =>
  ({ data, sealed }: Recorded): boolean =>
    sealed !== undefined && contactRefsIn(data).includes(ref);

/** Reads what is held of a subject, page by page. */
const createHeld = ({ log, reader }: Deps) => {
  const countBy = (projection: Projection, ref: string): Promise<number> => {
    const where = { contactRef: ref, sealedMonth: { gte: '' } };
    return reader.count(projection, { where, order: MONTH });
  };

  /**
   * The messages that hold something personal, and their sealed events outside of conversations: of one
   * that was sent, its record, its charge, and the status that told its error.
   */
  const messagesOf = async ({ accountId, ref }: HeldSubject) => {
    const read = (query: Pick<Query, 'where' | 'order'>) =>
      reader.scan(messages, {
        ...query,
        limit: PAGE,
        rowsMax: PAGE,
        charactersMax: Number.POSITIVE_INFINITY,
        fields: ['direction', 'errorMessage', 'sealedMonth'],
      });
    const held = { messages: 0, events: 0 };
    for await (const rows of newestPages(read, { accountId, contactRef: ref })) {
      for (const { direction, errorMessage, sealedMonth } of rows as readonly MessageDocument[]) {
        if (sealedMonth === null) continue;
        held.messages += 1;
        if (direction === 'outbound') held.events += errorMessage === null ? 2 : 3;
      }
    }
    return held;
  };

  const conversationIdsOf = async ({ ref }: HeldSubject): Promise<string[]> => {
    const found = await reader.find(conversations, {
      where: { contactRef: ref, sealedMonth: { gte: '' } },
      order: MONTH,
      limit: PAGE,
    });
    return found.map(({ id }) => id);
  };

  const eventsIn = async (stream: string, ref: string): Promise<number> => {
    let count = 0;
    for await (const page of streamPages(log, stream, { eventsMax: STREAM_EVENTS_MAX })) {
      count += page.filter(isSealedFor(ref)).length;
    }
    return count;
  };

  /** The sealed events in the contact's own streams, and stored answers. */
  const eventsOf = async (subject: HeldSubject): Promise<number> => {
    const { accountId, ref } = subject;
    let count = await eventsIn(contactStream(accountId, ref), ref);
    for (const id of await conversationIdsOf(subject)) {
      count += await eventsIn(conversationStream(id), ref);
    }
    const where = { contactRef: ref };
    return count + (await reader.count(answers, { where, order: NEWEST }));
  };

  return { countBy, messagesOf, eventsOf };
};

/** Time for the read models to come to the position of a count. */
const COUNT_WAIT_MS = 15_000;
/** After a wait that timed out, the next counts do not wait: erasures begin one after the other. */
const COUNT_ANYWAY_MS = 60_000;

/**
 * Counts what is held of a contact, in read models that have come to a position. Where one has halted or
 * takes too long, it counts what that shows: the numbers only inform, and nothing would be emptied meanwhile.
 */
export const createCountHeld = (
  deps: Deps,
  monotonicMs: () => number = () => performance.now(),
): CountHeld => {
  const { countBy, messagesOf, eventsOf } = createHeld(deps);
  let anywayUntil = Number.NEGATIVE_INFINITY;
  return async (subjects, after) => {
    const waitMs = monotonicMs() < anywayUntil ? 0 : COUNT_WAIT_MS;
    const isThere = await inTime(deps.reader.reached(holding, after, waitMs));
    if (!isThere && waitMs > 0) anywayUntil = monotonicMs() + COUNT_ANYWAY_MS;
    const found = { events: 0, messages: 0, conversations: 0, runs: 0, deadLetters: 0 };
    for (const subject of subjects) {
      const { ref } = subject;
      const sent = await messagesOf(subject);
      found.messages += sent.messages;
      found.events += sent.events + (await eventsOf(subject));
      found.conversations += await countBy(conversations, ref);
      found.runs += await countBy(botRuns, ref);
      const letters = await countBy(deadletters, ref);
      found.deadLetters += letters;
      // Each of them is one event, in a stream of its own.
      found.events += letters;
    }
    return found;
  };
};
