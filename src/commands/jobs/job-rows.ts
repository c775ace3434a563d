import type { KnownEvent } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';

// The rows of a job with what became of them, out of its stream.

export interface JobRowRecord {
  row: number;
  state: 'waiting' | 'sent' | 'refused' | 'bad' | 'duplicate';
  /** Null where the recipient was erased, or the file was destroyed. */
  to: string | null;
  clientReference: string | null;
  /** In the order of the event's variables; null like `to`. */
  values: readonly string[] | null;
  chargeId: string | null;
  /** What is wrong with it: a sentence, or a code. */
  problem: string | null;
}

type Outcome = Pick<JobRowRecord, 'state' | 'chargeId' | 'problem'>;

type Part = Extract<KnownEvent, { type: 'JobRowsAdded' }>;

const rowsOf = ({ data }: Part, outcomes: ReadonlyMap<number, Outcome>): JobRowRecord[] => {
  const nobody = { to: null, clientReference: null, values: null };
  const good = data.numbers.map((row, at): JobRowRecord => {
    const known = data.rows?.[at] ?? null;
    const outcome = outcomes.get(row) ?? { state: 'waiting', chargeId: null, problem: null };
    const { to = null, clientReference = null, values = null } = known ?? {};
    return { row, to, clientReference, values, ...outcome };
  });
  const flawed = data.flaws.map(
    ({ row, state, problem }): JobRowRecord => ({ row, state, problem, chargeId: null, ...nobody }),
  );
  return [...good, ...flawed].sort((one, other) => one.row - other.row);
};

/** The rows after a row, part by part, in the order of the file. */
export async function* readJobRows(
  store: Pick<EventReader, 'read'>,
  { accountId, jobId }: { accountId: string; jobId: string },
  after = 0,
): AsyncGenerator<readonly JobRowRecord[]> {
  const stream = `job-${inAccount(accountId, jobId)}`;
  const outcomes = new Map<number, Outcome>();
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  const newest = { from: last?.revision ?? -1, direction: 'backwards', pageSize: 200 } as const;
  // What became of rows comes after their check: for 100,000 rows that are some megabytes.
  reading: for await (const page of streamPages(store, stream, newest)) {
    for (const event of page as readonly KnownEvent[]) {
      if (event.type === 'JobChecked') break reading;
      if (event.type !== 'JobRowsSettled') continue;
      const { sent, refused } = event.data;
      for (const [row, chargeId] of sent) {
        if (row > after) outcomes.set(row, { state: 'sent', chargeId, problem: null });
      }
      for (const [row, problem] of refused) {
        if (row > after) outcomes.set(row, { state: 'refused', chargeId: null, problem });
      }
    }
  }
  for await (const page of streamPages(store, stream, { from: 1, pageSize: 20 })) {
    for (const event of page as readonly KnownEvent[]) {
      if (event.type === 'JobChecked') return;
      if (event.type !== 'JobRowsAdded') continue;
      const rows = rowsOf(event, outcomes).filter(({ row }) => row > after);
      if (rows.length > 0) yield rows;
    }
  }
}
