import type { FactOf } from '../../events/define.ts';
import {
  JobBegun,
  JobCancelled,
  JobChecked,
  JobCreated,
  type JobFact,
  JobFileDestroyed,
  JobFinished,
  JobPaused,
  type JobPlan,
  JobRowsAdded,
  JobRowsSettled,
  JobStarted,
  JobUnusable,
} from '../../events/job.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';
import { inProgress } from '../idempotency/idempotency-key.ts';

type JobStatus =
  | 'checking'
  | 'unusable'
  | 'ready'
  | 'queued'
  | 'running'
  | 'paused'
  | 'cancelled'
  | 'done';

export type JobTerms = Omit<FactOf<typeof JobCreated>['data'], 'jobId' | 'accountId'>;

/** An event of rows of which some were sent and others wait. */
interface OpenPart {
  part: number;
  /** Rows that are done. */
  done: readonly number[];
  /** Turns that came to an end: rows that they left were certainly not sent. */
  turns: number;
}

/** An event of rows; it has the revision after its place among them, because they follow the first event. */
interface Part {
  /** The number of its last row in the file. */
  lastRow: number;
  /** The revisions of the events that tell what became of its rows. */
  settledAt: readonly number[];
}

export interface JobState {
  /** Events of its stream. */
  events: number;
  /** Null before its first event. */
  status: JobStatus | null;
  terms: JobTerms | null;
  plan: JobPlan | null;
  /** Of the form that it was made of; null where none is kept. */
  fingerprint: string | null;
  parts: readonly Part[];
  /** Of all parts. */
  bytes: number;
  /** Parts of which no row waits any more. */
  over: readonly number[];
  open: readonly OpenPart[];
  sent: number;
  refused: number;
  amount: number;
  /** Rows that were sent or refused before it was last started. */
  overBefore: number;
}

type Own = { accountId: string; jobId: string };
type Facts<T extends JobFact['type']> = Extract<JobFact, { type: T }>['data'];

/** What a turn of a part came to so far. */
export interface TurnOutcome extends Pick<Facts<'JobRowsSettled'>, 'part' | 'refused' | 'left'> {
  /** How many turns of the part had come to an end before it. */
  turn: number;
  sent: readonly { row: number; chargeId: string; amount: number }[];
  /** False once another process may have taken the turn up. */
  isOwn: () => boolean;
}

export type JobCommand =
  | { type: 'Create'; terms: JobTerms }
  | { type: 'AddRows'; rows: Omit<Facts<'JobRowsAdded'>, keyof Own> }
  | { type: 'FinishCheck'; plan: JobPlan; fingerprint?: string | undefined }
  | { type: 'MarkUnusable'; reason: string }
  | { type: 'Start' | 'Begin' | 'Resume' | 'Cancel' | 'Finish' | 'DestroyFile' }
  /** Null: by its owner. */
  | { type: 'Pause'; reason: string | null }
  | { type: 'Settle'; outcome: TurnOutcome };

const initial: JobState = {
  events: 0,
  status: null,
  terms: null,
  plan: null,
  fingerprint: null,
  parts: [],
  bytes: 0,
  over: [],
  open: [],
  sent: 0,
  refused: 0,
  amount: 0,
  overBefore: 0,
};

/** What is known of a part that has rows which wait. */
export const openPart = ({ open }: Pick<JobState, 'open'>, part: number): OpenPart =>
  open.find((one) => one.part === part) ?? { part, done: [], turns: 0 };

const rowsIn = ({ parts }: Pick<JobState, 'parts'>): number => parts.at(-1)?.lastRow ?? 0;

/** The bytes that its account has written for rows that no send has paid. */
export const unpaidBytes = (state: JobState): number => {
  const rows = rowsIn(state);
  return rows === 0 ? 0 : Math.ceil((state.bytes * (rows - state.sent)) / rows);
};

const settled = (state: JobState, { data }: FactOf<typeof JobRowsSettled>): JobState => {
  const { part, sent, refused, amount, left } = data;
  const before = openPart(state, part);
  const rows = [...sent, ...refused].map(([row]) => row);
  const turns = left === 'unclear' ? before.turns : before.turns + 1;
  const others = state.open.filter((one) => one.part !== part);
  return {
    ...state,
    parts: state.parts.map((one, at) =>
      at === part ? { ...one, settledAt: [...one.settledAt, state.events] } : one,
    ),
    over: left === 'none' ? [...state.over, part] : state.over,
    open: left === 'none' ? others : [...others, { part, done: [...before.done, ...rows], turns }],
    sent: state.sent + sent.length,
    refused: state.refused + refused.length,
    amount: state.amount + amount,
  };
};

const folded = (state: JobState, fact: JobFact): JobState => {
  switch (fact.type) {
    case 'JobCreated': {
      const { jobId: _, accountId: __, ...terms } = fact.data;
      return { ...state, status: 'checking', terms };
    }
    case 'JobRowsAdded': {
      const { numbers, flaws, bytes } = fact.data;
      const part = { lastRow: rowsIn(state) + numbers.length + flaws.length, settledAt: [] };
      return { ...state, parts: [...state.parts, part], bytes: state.bytes + bytes };
    }
    case 'JobChecked': {
      const { plan, fingerprint = null } = fact.data;
      return { ...state, status: 'ready', plan, fingerprint };
    }
    case 'JobUnusable':
      return { ...state, status: 'unusable' };
    case 'JobStarted':
      return { ...state, status: 'queued', overBefore: state.sent + state.refused };
    case 'JobBegun':
      return { ...state, status: 'running' };
    case 'JobPaused':
      return { ...state, status: 'paused' };
    case 'JobCancelled':
      return { ...state, status: 'cancelled' };
    case 'JobFinished':
      return { ...state, status: 'done' };
    case 'JobFileDestroyed':
      return state;
    case 'JobRowsSettled':
      return settled(state, fact);
  }
};

const evolve = (state: JobState, fact: JobFact): JobState => ({
  ...folded(state, fact),
  events: state.events + 1,
});

const sumsOf = ({ sent, refused, amount }: JobState) => ({ sent, refused, amount });

const wrongState = (verb: string, status: JobStatus): AppError =>
  new AppError('job.state', `A job that is ${status} cannot be ${verb}`);

/** The states in which each verb of the owner does something. */
const allowed = {
  Start: ['ready'],
  Resume: ['paused'],
  Pause: ['queued', 'running'],
  Cancel: ['checking', 'ready', 'queued', 'running', 'paused'],
} as const satisfies Record<string, readonly JobStatus[]>;

const words = { Start: 'started', Resume: 'resumed', Pause: 'paused', Cancel: 'cancelled' };

const mustAllow = (verb: keyof typeof allowed, status: JobStatus): void => {
  const states: readonly JobStatus[] = allowed[verb];
  if (!states.includes(status)) throw wrongState(words[verb], status);
};

const start = (own: Own, { terms, plan }: JobState) => {
  const { maxAmount } = terms!;
  if (maxAmount !== null && maxAmount < plan!.amount) {
    throw new AppError(
      'job.state',
      'The plan costs more than `maxAmount`: make the job again with a higher one',
    );
  }
  if (plan!.good === 0) throw new AppError('job.state', 'No row of the job can be sent');
  return [JobStarted.of(own)];
};

/** The decider of one job. */
export const jobDecider = (
  accountId: string,
  jobId: string,
): Decider<JobState, JobCommand, JobFact> => {
  const own: Own = { accountId, jobId };
  return {
    category: 'job',
    initial,
    evolve,
    decide(command, state) {
      const { status } = state;
      if (command.type === 'Create') {
        // Another run of its request was first.
        if (status !== null) throw inProgress(1);
        return [JobCreated.of({ ...own, ...command.terms })];
      }
      if (status === null) throw new AppError('resource.unknown', 'Job not found');
      switch (command.type) {
        case 'AddRows':
          if (status !== 'checking') throw wrongState('added to', status);
          return [JobRowsAdded.of({ ...own, ...command.rows })];
        case 'FinishCheck': {
          const { plan, fingerprint } = command;
          const checked = JobChecked.of({ ...own, plan, bytes: state.bytes, fingerprint });
          return status === 'checking' ? [checked] : [];
        }
        case 'MarkUnusable':
          return status === 'checking' ? [JobUnusable.of({ ...own, reason: command.reason })] : [];
        case 'Start':
          mustAllow('Start', status);
          return start(own, state);
        case 'Resume':
          mustAllow('Resume', status);
          return [JobStarted.of(own)];
        case 'Begin':
          return status === 'queued' ? [JobBegun.of(own)] : [];
        case 'Pause':
          // The service pauses what runs; whatever its owner did meanwhile stays.
          if (command.reason !== null && status !== 'running') return [];
          mustAllow('Pause', status);
          return [JobPaused.of({ ...own, reason: command.reason, ...sumsOf(state) })];
        case 'Cancel':
          mustAllow('Cancel', status);
          return [JobCancelled.of(own)];
        case 'Finish':
          return status === 'running' && state.over.length === state.parts.length
            ? [JobFinished.of({ ...own, ...sumsOf(state) })]
            : [];
        case 'DestroyFile':
          return [JobFileDestroyed.of(own)];
        case 'Settle': {
          const { part, turn, left, isOwn, ...rows } = command.outcome;
          const { done, turns } = openPart(state, part);
          // Whoever has taken the turn up finds what was sent under its key.
          if (!isOwn() || turn !== turns || state.over.includes(part)) return [];
          const sent = rows.sent.filter(({ row }) => !done.includes(row));
          return [
            JobRowsSettled.of({
              ...own,
              part,
              sent: sent.map(({ row, chargeId }) => [row, chargeId]),
              refused: rows.refused.filter(([row]) => !done.includes(row)),
              amount: sent.reduce((sum, { amount }) => sum + amount, 0),
              left,
            }),
          ];
        }
      }
    },
    // A part of a file has up to 250 KB, and the state a few bytes for it.
    snapshot: { version: 3, every: 50 },
  };
};

/** The fields of a job that say when its rows may go out, as a send has them. */
export const timingOf = ({
  sendAt,
  deliverBetween,
}: Pick<JobTerms, 'sendAt' | 'deliverBetween'>) => ({
  ...(sendAt !== null && { sendAt }),
  ...(deliverBetween !== null && { deliverBetween }),
});
