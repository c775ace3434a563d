import { timeOf } from '../commands/account/balance.ts';
import type { KnownEvent, StoredEvent } from '../events/index.ts';
import type { Recorded } from '../events/store.ts';
import { type Account, openAccountAt } from './account-books.ts';
import type { AccountStart } from './account-start.ts';
import { type Books, createBooks, enter } from './books.ts';
import { entryOf, storedEntryOf } from './entry.ts';
import { createExportProof, isProofLine } from './export-proof.ts';
import { createProblems } from './problems.ts';
import type { SealsToCheck } from './seals/seal-audit.ts';
import type { Unit } from './statement-shape.ts';
import { type Report, reportOf } from './verify.ts';

// An export of an account's stream: JSON Lines, every event as the log holds it, and a last line
// with the account's totals, which shows that the export is whole. An export of a period has a first
// line too, with the account before it.

/** The first line of an export of a period. */
export interface ExportStart extends AccountStart {
  start: true;
  accountId: string;
}

/** A part of an account's events. */
export interface ExportedPeriod {
  /** Before the first event, where that is not the account's first. */
  start?: AccountStart | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

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

const isSetting = (event: KnownEvent) =>
  event.type === 'AccountOpened' || event.type === 'PlanAssigned';

/** Leads the books from the start up to the first event of a period; makes the first line there. */
const createBeginning = (books: Books, accountId: string, start: AccountStart) => {
  const account = openAccountAt(accountId, start);
  let unit: Unit = start;
  books.accounts.set(accountId, account);
  return {
    pass(event: KnownEvent): void {
      if (isSetting(event)) unit = event.data as Unit;
    },
    begin(): string {
      const { revision, balance, sequence, hash } = account;
      const { billing, currency } = unit;
      const place = { revision: revision + 1, billing, currency, balance, sequence, hash };
      books.accounts.set(accountId, openAccountAt(accountId, place));
      return JSON.stringify({ start: true, accountId, ...place } satisfies ExportStart);
    },
  };
};

/**
 * The lines of an export. Of a period: from its first event on, until before the first event after it.
 */
export async function* exportLines(
  accountId: string,
  events: AsyncIterable<Recorded>,
  { start, since = '', until }: ExportedPeriod = {},
): AsyncGenerator<string, void, void> {
  const books = createBooks(createProblems());
  let beginning = start && createBeginning(books, accountId, start);
  let count = 0;
  for await (const event of events) {
    const time = timeOf(event as KnownEvent);
    if (beginning && time >= since) {
      yield beginning.begin();
      beginning = undefined;
    }
    if (!beginning && until !== undefined && time >= until) break;
    const entry = entryOf(event);
    if (entry) enter(books, entry);
    if (beginning) {
      beginning.pass(event as KnownEvent);
      continue;
    }
    count += 1;
    const { id, type, stream, revision, position, meta } = event;
    const { version, data } = event.asStored ?? event;
    yield JSON.stringify({ stream, revision, position, id, type, version, meta, data });
  }
  if (beginning) yield beginning.begin();
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

const isStart = (value: unknown): value is ExportStart =>
  typeof value === 'object' && value !== null && (value as ExportStart).start === true;

const isEnd = (value: unknown): value is ExportEnd =>
  typeof value === 'object' && value !== null && (value as ExportEnd).end === true;

/** Checks the lines of an export by themselves. Messages are not in it, and are not checked. */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  onProgress?: (events: number) => void,
  seals: SealsToCheck = {},
): Promise<Report> => {
  const problems = createProblems();
  const books = createBooks(problems);
  const isWanted = seals.kept !== undefined || (seals.keys ?? []).length > 0;
  const proof = createExportProof(seals, { problems, isWanted });
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
    else if (isProofLine(value) && events === 0) proof.read(value);
    else if (isStart(value) && events === 0) {
      books.accounts.set(value.accountId, openAccountAt(value.accountId, value));
    } else if (isEvent(value)) {
      events += 1;
      const entry = storedEntryOf(value);
      if (entry) enter(books, entry);
      proof.take(entry);
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
  const sealed = proof.end();
  return { ...reportOf(books, false), seals: sealed };
};
