import { timeOf } from '../commands/account/funds.ts';
import type { KnownEvent } from '../events/index.ts';
import type { EventReader } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import { startAt } from './account-start.ts';
import { readExportBooks } from './export-books.ts';
import { exportLines } from './export-file.ts';
import { proofLine } from './export-proof.ts';
import { accountEvents } from './movement.ts';
import type { SealAfter } from './read-statement.ts';
import type { Prover } from './seals/prover.ts';
import { readSeal } from './seals/read-seals.ts';
import { readRecord } from './seals/record.ts';
import type { Period } from './statement.ts';

export interface PeriodProofDeps {
  log: Pick<EventReader, 'read'>;
  prover: Pick<Prover, 'head'>;
  sealAfter: SealAfter;
}

/** Few enough that other requests wait 2 ms at most for one page of events. */
const PAGE = 200;

/**
 * The lines of an export that proves a period: its events up to the first seal after its end, and the proof of
 * the newest link in that seal. `waybill ledger verify --file` checks it, and a statement can be made of it.
 * Throws `resource.not_sealed` before that seal, and `resource.unknown` where nothing moved in the period.
 */
export const provePeriod = async (
  { log, prover, sealAfter }: PeriodProofDeps,
  accountId: string,
  { from: since, to }: Period,
): Promise<AsyncGenerator<string, void, void>> => {
  const start = await startAt(log, accountId, since);
  if (!start) throw new AppError('resource.unknown', 'Account not found');
  const after = await sealAfter(to);
  const sealed = after && (await readSeal(log, after.number));
  if (!sealed) throw new AppError('resource.not_sealed', 'The period is not over and sealed yet');
  const stream = `account-${accountId}`;
  const newest = await prover.head(accountId, sealed.seal.size, start.revision);
  const last = newest && (await readRecord(log, { stream, revision: newest.revision }));
  if (!newest || !last || timeOf(last as KnownEvent) < since) {
    throw new AppError(
      'resource.unknown',
      'Nothing moved in this period: there is nothing to prove',
    );
  }
  // What the provider takes, which rate cards tell, is the operator's own business.
  const books = ({ plans }: { plans: Parameters<typeof readExportBooks>[2]['plans'] }) =>
    readExportBooks(log, accountId, { plans, rateCardIds: [] });
  const { proof, revision } = newest;
  // What the proof covers: up to its newest link, and the records after it.
  const end = Math.max(revision, ...proof.records.map((record) => record.revision));
  const { revision: from } = start;
  const events = accountEvents(log, accountId, { from, eventsMax: end + 1 - from, pageSize: PAGE });
  const lines = exportLines(accountId, events, { start, since, books });
  return (async function* () {
    yield proofLine(proof);
    yield* lines;
  })();
};
