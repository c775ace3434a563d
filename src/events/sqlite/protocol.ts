import type { Failure } from '../../shared/sqlite.ts';
import type { Row } from './rows.ts';

/** A write. The writer does jobs in their order of arrival. */
export type Job = AppendJob | SnapshotJob | ProbeJob;

export interface AppendJob {
  kind: 'append';
  stream: string;
  expected: number;
  rows: readonly Row[];
}

interface SnapshotJob {
  kind: 'snapshot';
  stream: string;
  revision: number;
  version: number;
  /** JSON text. */
  state: string;
  /** Replaces a newer snapshot too. */
  replace: boolean;
}

/** Writes useless data durably, to test whether writing works again. */
interface ProbeJob {
  kind: 'probe';
}

export type ToWriter = { kind: 'jobs'; jobs: Job[] } | { kind: 'close' };

/** An append's outcome is the position of its last event, or this. Other jobs answer 0. */
export const WRONG_REVISION = -1;

/** `done` and `failed` answer the oldest unanswered jobs. */
export type FromWriter =
  | { kind: 'ready'; head: number }
  | { kind: 'done'; outcomes: number[] }
  | { kind: 'failed'; count: number; failure: Failure; reason: string };
