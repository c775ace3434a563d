import type { Failure } from './failure.ts';
import type { Row } from './rows.ts';

/** Something for the writer to make durable. Jobs are done in the order in which they came. */
export type Job = AppendJob | SnapshotJob | ProbeJob;

export interface AppendJob {
  kind: 'append';
  stream: string;
  expected: number;
  rows: readonly Row[];
}

export interface SnapshotJob {
  kind: 'snapshot';
  stream: string;
  revision: number;
  version: number;
  /** JSON text. */
  state: string;
  /** Whatever is kept goes, also if it is newer. */
  replace: boolean;
}

/** Keeps nothing of use, but goes through to the disk: tells whether writing works again. */
export interface ProbeJob {
  kind: 'probe';
}

export type ToWriter = { kind: 'jobs'; jobs: Job[] } | { kind: 'close' };

/** An append's outcome is the position of its last event, or this. Other jobs answer 0. */
export const WRONG_REVISION = -1;

/** `done` and `failed` speak of the oldest jobs that have not been answered yet. */
export type FromWriter =
  | { kind: 'ready'; head: number }
  | { kind: 'done'; outcomes: number[] }
  | { kind: 'failed'; count: number; failure: Failure; reason: string };
