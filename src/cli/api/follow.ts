import { pause } from '../../shared/timing.ts';
import type { Row } from '../output/format.ts';
import { CliError } from '../program/failure.ts';
import type { Api, Call } from './api.ts';
import { ApiRefusal } from './api-error.ts';
import { readPages } from './paging.ts';

/** After a change; a quiet account is read less often, up to IDLE_MS. */
const BUSY_MS = 1000;
const IDLE_MS = 5000;
const TROUBLE_MS_MAX = 30_000;
const PAGE = 100;
/** Pages of one look; what is older is left out, and said. */
const PAGES_MAX = 10;
/** Messages whose status is remembered. */
const SEEN_MAX = 5000;

interface Following {
  query?: Call['query'];
  /** How many of the messages before now to begin with. */
  earlier: number;
  signal: AbortSignal;
  note(text: string): void;
  /** For tests: the shortest pause, in milliseconds. */
  busyMs?: number;
}

const idOf = ({ id, chargeId }: Row): string => String(id ?? chargeId);

/** What may pass by itself: limits of the rate, a service that restarts. */
export const waitAfter = (error: unknown, firstMs: number, failures: number): number => {
  const isRefusal = error instanceof ApiRefusal;
  if (!(error instanceof CliError) || error.exitStatus !== 1) throw error;
  if (isRefusal && error.status !== 429 && error.status < 500) throw error;
  const grown = Math.min(TROUBLE_MS_MAX, firstMs * 2 ** failures);
  return isRefusal ? Math.max(grown, (error.retryAfter ?? 0) * 1000) : grown;
};

/** The rows that are new or have another status than before, oldest first. */
const createChanges = () => {
  const seen = new Map<string, unknown>();
  return {
    knows: (row: Row) => seen.has(idOf(row)),
    take(rows: readonly Row[]): Row[] {
      const changed = rows
        .filter((row) => !seen.has(idOf(row)) || seen.get(idOf(row)) !== row.status)
        .reverse();
      for (const row of changed) {
        seen.delete(idOf(row));
        seen.set(idOf(row), row.status);
      }
      for (const id of seen.keys()) {
        if (seen.size <= SEEN_MAX) break;
        seen.delete(id);
      }
      return changed;
    },
  };
};

/**
 * Messages as they come, and again with each change of their status, until the signal fires. Reads
 * the newest ones again and again: a status of a message that 100 others have followed goes unseen.
 */
export async function* followMessages(api: Api, following: Following) {
  const { query, earlier, signal, note, busyMs = BUSY_MS } = following;
  const changes = createChanges();
  const look = async (isFirst: boolean): Promise<Row[]> => {
    const rows: Row[] = [];
    let pages = 0;
    const listing = { from: '/messages', field: 'messages', query: { ...query, limit: PAGE } };
    for await (const page of readPages(api, listing)) {
      rows.push(...page.rows);
      pages += 1;
      if (isFirst || page.rows.some(changes.knows)) break;
      if (pages < PAGES_MAX) continue;
      note(`More than ${PAGES_MAX * PAGE} messages at once: the older ones are left out`);
      break;
    }
    return changes.take(rows);
  };
  let waitMs = busyMs;
  let failures = 0;
  for (let isFirst = true; !signal.aborted; ) {
    try {
      const rows = await look(isFirst);
      yield* isFirst && rows.length > earlier ? rows.slice(rows.length - earlier) : rows;
      waitMs = rows.length > 0 ? busyMs : Math.min(IDLE_MS, waitMs * 1.5);
      if (failures > 0) note('The service answers again.');
      failures = 0;
      isFirst = false;
    } catch (error) {
      waitMs = waitAfter(error, busyMs, failures);
      failures += 1;
      note(`${(error as Error).message}; asking again in ${Math.ceil(waitMs / 1000)} s`);
    }
    await pause(waitMs, signal);
  }
}
