import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import type { JobState } from './job.ts';

// The rows of a job with what became of them, out of its stream: of each part, the events that its state names.

export interface JobRowRecord {
  row: number;
  /** The pseudonym of its recipient; null where it cannot be sent. */
  ref: string | null;
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

type Added = Extract<KnownEvent, { type: 'JobRowsAdded' }>;
type Settled = Extract<KnownEvent, { type: 'JobRowsSettled' }>;

const rowsOf = ({ data }: Added, outcomes: ReadonlyMap<number, Outcome>): JobRowRecord[] => {
  const nobody = { ref: null, to: null, clientReference: null, values: null };
  const good = data.numbers.map((row, at): JobRowRecord => {
    const known = data.rows?.[at] ?? null;
    const outcome = outcomes.get(row) ?? { state: 'waiting', chargeId: null, problem: null };
    const { to = null, clientReference = null, values = null } = known ?? {};
    const ref = data.otherRefs?.[at] ?? null;
    return { row, ref, to, clientReference, values, ...outcome };
  });
  const flawed = data.flaws.map(
    ({ row, state, problem }): JobRowRecord => ({ row, state, problem, chargeId: null, ...nobody }),
  );
  return [...good, ...flawed].sort((one, other) => one.row - other.row);
};

const outcomesIn = (events: readonly Settled[]): ReadonlyMap<number, Outcome> => {
  const outcomes = new Map<number, Outcome>();
  for (const { sent, refused } of events.map(({ data }) => data)) {
    for (const [row, chargeId] of sent) {
      outcomes.set(row, { state: 'sent', chargeId, problem: null });
    }
    for (const [row, problem] of refused) {
      outcomes.set(row, { state: 'refused', chargeId: null, problem });
    }
  }
  return outcomes;
};

/** The rows after a row, part by part, in the order of the file. */
export async function* readJobRows(
  store: Pick<EventReader, 'read'>,
  { accountId, jobId, parts }: { accountId: string; jobId: string } & Pick<JobState, 'parts'>,
  after = 0,
): AsyncGenerator<readonly JobRowRecord[]> {
  const stream = `job-${inAccount(accountId, jobId)}`;
  const eventAt = async (from: number) => (await store.read(stream, { from, limit: 1 }))[0];
  for (const [part, { lastRow, settledAt }] of parts.entries()) {
    if (lastRow <= after) continue;
    const [added, ...settled] = await Promise.all([part + 1, ...settledAt].map(eventAt));
    const outcomes = outcomesIn(settled as readonly Settled[]);
    yield rowsOf(added as Added, outcomes).filter(({ row }) => row > after);
  }
}
