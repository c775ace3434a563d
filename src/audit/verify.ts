import { logPages, streamPages } from '../events/paging.ts';
import { type Position, READ_MAX, type Recorded, START } from '../events/store.ts';
import { idInStream, messageStream } from '../events/streams.ts';
import { type Books, createBooks, enter, type LateRecord } from './books.ts';
import { type Entry, entriesOf } from './entry.ts';
import { type AuditedLog, movementOf } from './movement.ts';
import { createProblems, type Problem, type Problems } from './problems.ts';
import { compareAccount, compareRows, type ReadModel } from './read-model.ts';
import { createSealAudit, type SealsReport, type SealsToCheck } from './seals/seal-audit.ts';
import { createSnapshotAudit, type Snapshotted, snapshotted } from './snapshots.ts';

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
  entries: entriesOf(events),
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

export interface Report {
  ok: boolean;
  accounts: number;
  movements: number;
  /** The first 1,000; `problemCount` counts all. */
  problems: readonly Problem[];
  problemCount: number;
  /** Whether the read model was compared with the events. */
  readModel: boolean;
  /** Null without seals, or for one account: a seal is of all of them. */
  seals: SealsReport | null;
}

export interface Progress {
  accounts: number;
  movements: number;
  /** Position of the newest event that was read. */
  position: Position;
  /** Position of the last event to read. */
  head: Position;
}

/** How far a verification has come. */
export interface VerifyProgress extends Progress {
  /** Events of accounts that were read. */
  events: number;
  /** Accounts that were compared with what is shown of them. */
  compared: number;
}

/** The whole log up to `head`, in its order. */
export type Scan = (head: Position) => AsyncIterable<Page>;

export interface VerifyOptions {
  /** Only this account; all of them when absent. */
  accountId?: string | undefined;
  readModel?: ReadModel;
  /** A faster way through the whole log, for when only entries are needed. */
  scan?: Scan | undefined;
  /** Kept seals and keys; those of the log are compared in any case. */
  seals?: SealsToCheck | undefined;
  /** Fold the states to compare snapshots with; the program's own when absent, none for null. */
  deciders?: Snapshotted | null;
  /** Events of a page; for tests. */
  pageSize?: number;
  /** Checked between pages. */
  signal?: AbortSignal;
  onProgress?: (progress: VerifyProgress) => void;
}

/** Compared accounts from one report of the progress to the next. */
const TOLD_EVERY = 50;

const accountIdOf = ({ stream }: Recorded): string => idInStream(stream, 'account');

const movementsIn = (events: readonly Recorded[]) =>
  events.flatMap((event) => {
    const movement = event.stream.startsWith('account-') ? movementOf(event) : undefined;
    return movement ? [{ ...movement, accountId: accountIdOf(event) }] : [];
  });

const countMovements = ({ accounts }: Books): number => {
  let movements = 0;
  for (const account of accounts.values()) movements += account.movements;
  return movements;
};

/** A message has one charge: a late record must be the first of its stream. */
const checkLateRecord = async (
  log: AuditedLog,
  { accountId, messageRef, chargeId, position: at }: LateRecord,
  { problems, pageSize }: { problems: Problems; pageSize: number },
): Promise<void> => {
  for await (const page of streamPages(log, messageStream(accountId, messageRef), { pageSize })) {
    const before = page.find(({ type, position }) => type === 'MessageSent' && position < at);
    if (before) {
      const detail = `${messageRef} has ${chargeId} beside the charge it had before`;
      problems.add({ accountId, kind: 'second-charge', at, detail });
    }
    if (before || page.at(-1)!.position >= at) return;
  }
};

export const reportOf = (books: Books, readModel: boolean): Report => ({
  ok: books.problems.count() === 0,
  accounts: books.accounts.size,
  movements: countMovements(books),
  problems: books.problems.list(),
  problemCount: books.problems.count(),
  readModel,
  seals: null,
});

/**
 * Reads the log up to its present end and checks the books: each balance is the sum of the movements
 * and never below zero, a charge has at most one refund and one message, a message has one charge,
 * no event is missing, the hash chain is whole, the log is what its seals cover, snapshots are folds
 * of the events, and the read model shows what the events say. Keeps 9 bytes for each event of an account.
 */
export const verify = async (log: AuditedLog, options: VerifyOptions = {}): Promise<Report> => {
  const { accountId, scan, signal, onProgress } = options;
  const { deciders = snapshotted, pageSize = READ_MAX } = options;
  const problems = createProblems();
  const books = createBooks(problems);
  const head = await log.head();
  let { readModel } = options;
  if (readModel && !(await readModel.reached(head))) {
    const detail = 'the read model does not show the whole log; it was not compared';
    problems.add({ accountId: accountId ?? null, kind: 'read-model-late', at: head, detail });
    readModel = undefined;
  }
  const sealed =
    accountId === undefined
      ? await createSealAudit(log, options.seals ?? {}, { problems, head })
      : undefined;
  const done = { position: START, events: 0, compared: 0 };
  const tell = () =>
    onProgress?.({
      accounts: books.accounts.size,
      movements: countMovements(books),
      head,
      ...done,
    });
  const take = ({ entries, to: position }: Page) => {
    signal?.throwIfAborted();
    for (const entry of entries) {
      if ('revision' in entry && entry.kind !== 'terms') done.events += 1;
      enter(books, entry);
      sealed?.take(entry);
    }
    done.position = position;
    tell();
  };
  if (scan && !readModel && accountId === undefined) {
    for await (const page of scan(head)) take(page);
  } else {
    for await (const page of pagesOf(log, head, options)) {
      take(page);
      if (readModel) await compareRows(movementsIn(page.events), readModel, problems);
    }
  }
  for (const late of books.lateRecords) {
    signal?.throwIfAborted();
    await checkLateRecord(log, late, { problems, pageSize });
  }
  if (readModel) {
    for (const account of books.accounts.values()) {
      signal?.throwIfAborted();
      await compareAccount(account, log, readModel, problems, pageSize);
      done.compared += 1;
      if (done.compared % TOLD_EVERY === 0) tell();
    }
  }
  if (deciders) {
    const snapshots = createSnapshotAudit({ log, problems, deciders, pageSize });
    if (accountId === undefined && log.snapshots) await snapshots.all(signal);
    else await snapshots.accounts(books.accounts.keys(), signal);
  }
  const seals = (await sealed?.end()) ?? null;
  return { ...reportOf(books, readModel !== undefined), seals };
};
