import { decode } from '../events/index.ts';
import type { OpenScratch } from '../events/scratch.ts';
import { type Position, START } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import type { Reconciliation } from './billing-report.ts';
import { ExportBooks } from './export-books.ts';
import {
  type ExportEnd,
  type ExportReport,
  isEnd,
  isEvent,
  parse,
  verifyExport,
} from './export-file.ts';
import { type ReconciledLog, reconcile } from './reconcile.ts';
import type { Period } from './statement.ts';

// Compares charges with the provider's statuses from an export alone.

/** The lines of an export as a log that is read once, from its start to its end. */
const logOf = (lines: AsyncIterable<string>, head: Position): ReconciledLog => {
  const iterator = lines[Symbol.asyncIterator]();
  return {
    head: async () => head,
    // Ids of messages are sealed.
    read: async () => [],
    async readAll(position, limit) {
      const events: Awaited<ReturnType<ReconciledLog['readAll']>>['events'] = [];
      while (events.length < limit) {
        const { value, done } = await iterator.next();
        if (done) break;
        const stored = parse(value);
        if (isEvent(stored)) events.push(decode(stored));
      }
      return { events, to: events.at(-1)?.position ?? position };
    },
  };
};

/** What differs, and whether the export is sound. */
export interface ReconciliationInExport {
  report: ExportReport;
  /** Undefined where the export is not sound. */
  found: Reconciliation | undefined;
}

export interface ExportReconcileOptions {
  period: Period;
  openScratch: OpenScratch;
  onProgress?: (events: number) => void;
}

/**
 * The reconciliation of a period as the service answers it without ids of messages, from an export alone,
 * which is read twice: it is verified first. Throws for an export without messages.
 */
export const reconcileExport = async (
  read: () => AsyncIterable<string>,
  { period, openScratch, onProgress }: ExportReconcileOptions,
): Promise<ReconciliationInExport> => {
  let end: ExportEnd | undefined;
  let head: Position = START;
  async function* seen() {
    for await (const line of read()) {
      const value = parse(line);
      if (isEnd(value)) end = value;
      else if (isEvent(value)) head = value.position;
      yield line;
    }
  }
  const report = await verifyExport(seen(), onProgress);
  if (!report.ok) return { report, found: undefined };
  if (!end?.messages) {
    const what =
      'The export has no messages: write it with waybill ledger export <account> --messages';
    throw new AppError('resource.conflict', what);
  }
  const found = await reconcile(logOf(read(), head), {
    period,
    accountId: end.accountId,
    openScratch,
    cards: ExportBooks.safeParse(end.books).data?.cards,
  });
  return { report, found };
};
