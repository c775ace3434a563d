import { timeOf } from '../commands/account/funds.ts';
import { defaultRateCard } from '../commands/pricing/rate-card.ts';
import { decode, type KnownEvent, type StoredEvent } from '../events/index.ts';
import type { Price } from '../events/price.ts';
import type { Recorded } from '../events/store.ts';
import { idInStream, isOfMessage, partsOfId } from '../events/streams.ts';
import { hasDoubleName } from '../shared/json.ts';
import { type Account, openAccountAt } from './account-books.ts';
import type { AccountStart } from './account-start.ts';
import { type Books, createBooks, enter } from './books.ts';
import { entryOf } from './entry.ts';
import { createExportProof, isProofLine, type Uncovered } from './export-proof.ts';
import { billedEvents } from './history.ts';
import { createProblems } from './problems.ts';
import type { SealsToCheck } from './seals/seal-audit.ts';
import type { PlanVersion, Unit } from './statement.ts';
import { type Report, reportOf } from './verify.ts';

// An export of an account's stream: JSON Lines, every event as the log holds it, and a last line
// with the account's totals, which shows that the export is whole. An export of a period has a first
// line too, with the account before it.

/** The first line of an export of a period. */
interface ExportStart extends AccountStart {
  start: true;
  accountId: string;
}

/** What to export of an account's events. */
export interface ExportedPeriod {
  /** Before the first event, where that is not the account's first. */
  start?: AccountStart | undefined;
  since?: string | undefined;
  until?: string | undefined;
  /** Reads what a statement needs beside the events; an export without it makes none. */
  books?: ((terms: TermsSeen) => Promise<object | undefined>) | undefined;
  /** Whether the events of the account's messages are among the events, too. */
  messages?: boolean | undefined;
}

/** What priced the events of an account. */
export interface TermsSeen {
  /** Versions of credit plans. */
  plans: readonly PlanVersion[];
  /** Rate cards that were published. */
  rateCardIds: readonly string[];
}

/** The last line. */
export interface ExportEnd {
  /** The ends of the period, of an export of a part. */
  since?: string;
  until?: string;
  /** What a statement needs beside the events. */
  books?: unknown;
  /** The events of the account's messages are in it, too. */
  messages?: true;
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

/** The terms under which the events of an account were priced, as they come. */
const createTermsSeen = () => {
  const plans = new Map<string, PlanVersion>();
  const rateCardIds = new Set<string>();
  return {
    take({ data }: KnownEvent): void {
      const { price } = data as { price?: Price };
      if (!price) return;
      const { billing, planId, planVersion, rateCardId } = price;
      if (billing === 'credits') plans.set(`${planVersion} ${planId}`, { planId, planVersion });
      if (rateCardId !== null && rateCardId !== defaultRateCard.rateCardId) {
        rateCardIds.add(rateCardId);
      }
    },
    all: (): TermsSeen => ({ plans: [...plans.values()], rateCardIds: [...rateCardIds] }),
  };
};

/**
 * The lines of an export. Of a period: from its first event on, until before the first event after it.
 */
export async function* exportLines(
  accountId: string,
  events: AsyncIterable<Recorded>,
  { start, since = '', until, books: readBooks, messages }: ExportedPeriod = {},
): AsyncGenerator<string, void, void> {
  const books = createBooks(createProblems());
  const terms = createTermsSeen();
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
    terms.take(event as KnownEvent);
    const { id, type, stream, revision, position, meta, link } = event;
    const { version, data } = event.asStored ?? event;
    yield JSON.stringify({ stream, revision, position, id, type, version, meta, data, link });
  }
  if (beginning) yield beginning.begin();
  const told = await readBooks?.(terms.all());
  yield JSON.stringify({
    ...endOf(accountId, books.accounts.get(accountId), count),
    ...(since !== '' && { since }),
    ...(until !== undefined && { until }),
    ...(messages && { messages: true }),
    ...(told && { books: told }),
  });
}

/** The value of a line; undefined where it is no JSON. */
export const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

export const isEvent = (value: unknown): value is StoredEvent =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as StoredEvent).type === 'string' &&
  typeof (value as StoredEvent).stream === 'string' &&
  typeof (value as StoredEvent).position === 'string' &&
  Number.isInteger((value as StoredEvent).revision);

export const isStart = (value: unknown): value is ExportStart =>
  typeof value === 'object' && value !== null && (value as ExportStart).start === true;

export const isEnd = (value: unknown): value is ExportEnd =>
  typeof value === 'object' && value !== null && (value as ExportEnd).end === true;

/** The account whose stream a line names, or that of one of its messages; another stream is named as it is. */
const ownerOf = (stream: string): string => {
  if (stream.startsWith('account-')) return idInStream(stream, 'account');
  return isOfMessage(stream) ? partsOfId(idInStream(stream, 'message')).accountId : stream;
};

/** What was found of an export. */
export interface ExportReport extends Report {
  /** What the proof does not cover; absent without a proof. */
  uncovered?: Uncovered;
}

/** Checks the lines of an export by themselves, messages as far as they are in it. */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  onProgress?: (events: number) => void,
  seals: SealsToCheck = {},
): Promise<ExportReport> => {
  const problems = createProblems();
  const books = createBooks(problems);
  const proof = createExportProof(seals, problems);
  let number = 0;
  let events = 0;
  let end: ExportEnd | undefined;
  /** The account of the first line that names one: the export's. */
  let owner: string | undefined;
  const say = (kind: 'malformed' | 'truncated' | 'identity', detail: string) =>
    problems.add({ accountId: owner ?? null, kind, at: `line ${number}`, detail });
  const belongs = (accountId: string): boolean => {
    owner ??= accountId;
    if (owner !== accountId) say('identity', `it is of ${accountId}, and the export of ${owner}`);
    return owner === accountId;
  };
  const takeEvent = (stored: StoredEvent): void => {
    events += 1;
    if (!belongs(ownerOf(stored.stream))) return;
    if (isOfMessage(stored.stream) && !billedEvents.has(stored.type)) {
      say('identity', `${stored.type} is no event of a message`);
      return;
    }
    const entry = entryOf(decode(stored));
    if (entry) enter(books, entry);
    const what = isOfMessage(stored.stream) ? 'messages and their statuses' : stored.type;
    proof.take({ line: number, type: what, entry });
  };
  const takeEnd = (last: ExportEnd): void => {
    end = last;
    belongs(last.accountId);
    if (last.books !== undefined) proof.takeBooks(number);
    const expected = endOf(last.accountId, books.accounts.get(owner!), events);
    for (const field of Object.keys(expected) as (keyof ExportEnd)[]) {
      if (expected[field] === last[field]) continue;
      say('truncated', `the last line says ${field} ${last[field]}, the events ${expected[field]}`);
    }
  };

  let isFirst = true;
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    const value = parse(line);
    if (hasDoubleName(line, value)) say('malformed', 'a name stands twice in the line');
    if (end) say('malformed', 'the export goes on after its end');
    else if (isEnd(value)) takeEnd(value);
    else if (isProofLine(value) && isFirst) owner = proof.read(value);
    else if (isStart(value) && books.accounts.size + events === 0) {
      if (belongs(value.accountId)) books.accounts.set(owner!, openAccountAt(owner!, value));
      proof.takeStart(number, value.revision);
    } else if (isEvent(value)) takeEvent(value);
    else say('malformed', 'the line is no event');
    isFirst = false;
    if (number % 1000 === 0) onProgress?.(events);
  }
  if (!end) say('truncated', 'the export has no last line');
  const proved = proof.end();
  return { ...reportOf(books, false), ...proved };
};
