import type { StoredEvent } from '../events/index.ts';
import type { Recorded } from '../events/store.ts';
import { type Account, createBooks, enter } from './books.ts';
import { entryOf, storedEntryOf } from './entry.ts';
import { createProblems } from './problems.ts';
import { type Report, reportOf } from './verify.ts';

// An export of an account's stream: JSON Lines, every event as the log holds it, and a last line
// with the account's totals, which shows that the export is whole.

/** The last line. */
export interface ExportEnd {
  end: true;
  accountId: string;
  events: number;
  movements: number;
  balance: number;
  sequence: number;
  hash: string;
}

const endOf = (accountId: string, account: Account | undefined, events: number): ExportEnd => ({
  end: true,
  accountId,
  events,
  movements: account?.movements ?? 0,
  balance: account?.balance ?? 0,
  sequence: account?.sequence ?? 0,
  hash: account?.hash ?? '',
});

/** The lines of an export. */
export async function* exportLines(
  accountId: string,
  events: AsyncIterable<Recorded>,
): AsyncGenerator<string, void, void> {
  const books = createBooks(createProblems());
  let count = 0;
  for await (const event of events) {
    const entry = entryOf(event);
    if (entry) enter(books, entry);
    count += 1;
    const { id, type, stream, revision, position, meta } = event;
    const { version, data } = event.asStored ?? event;
    yield JSON.stringify({ stream, revision, position, id, type, version, meta, data });
  }
  yield JSON.stringify(endOf(accountId, books.accounts.get(accountId), count));
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const isEvent = (value: unknown): value is StoredEvent =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as StoredEvent).type === 'string' &&
  typeof (value as StoredEvent).stream === 'string' &&
  typeof (value as StoredEvent).position === 'string' &&
  Number.isInteger((value as StoredEvent).revision);

const isEnd = (value: unknown): value is ExportEnd =>
  typeof value === 'object' && value !== null && (value as ExportEnd).end === true;

/** Checks the lines of an export by themselves. Messages are not in it, and are not checked. */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  onProgress?: (events: number) => void,
): Promise<Report> => {
  const problems = createProblems();
  const books = createBooks(problems);
  let number = 0;
  let events = 0;
  let end: ExportEnd | undefined;
  const say = (kind: 'malformed' | 'truncated', detail: string) =>
    problems.add({ accountId: end?.accountId ?? null, kind, at: `line ${number}`, detail });
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    const value = parse(line);
    if (end) say('malformed', 'the export goes on after its end');
    if (isEnd(value)) end = value;
    else if (isEvent(value)) {
      events += 1;
      const entry = storedEntryOf(value);
      if (entry) enter(books, entry);
    } else say('malformed', 'the line is no event');
    if (number % 1000 === 0) onProgress?.(events);
  }
  if (!end) say('truncated', 'the export has no last line');
  else {
    const expected = endOf(end.accountId, books.accounts.get(end.accountId), events);
    const differs = (Object.keys(expected) as (keyof ExportEnd)[]).filter(
      (field) => expected[field] !== end?.[field],
    );
    for (const field of differs) {
      say('truncated', `the last line says ${field} ${end[field]}, the events ${expected[field]}`);
    }
  }
  return reportOf(books, false);
};
