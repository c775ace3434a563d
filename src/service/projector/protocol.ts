import type { SharedHead } from '../../events/shared-head.ts';
import type { Position } from '../../events/store.ts';
import type { Destroyed } from '../../projections/define.ts';
import type { Folds } from '../tracing/folds.ts';

/** The start data of the thread. */
export interface ProjectorData {
  /** Of the log, the views and the data keys. */
  directory: string;
  /** Of the log, which the main thread shares. */
  head: SharedHead;
  /** Whether the thread reports the events of traces that it has folded. */
  isTraced: boolean;
}

/** The calls of the main thread. */
export type Task =
  /** `key`: of the installation, which wraps the data keys. */
  | { kind: 'start'; key: Uint8Array }
  | { kind: 'stop' }
  | { kind: 'status' }
  | { kind: 'probe' }
  | { kind: 'rebuild'; name: string }
  | { kind: 'reached'; names: readonly string[]; position: Position; timeoutMs: number }
  | { kind: 'erase'; destroyed: Destroyed; after: Position; isDone: boolean }
  | { kind: 'clean' }
  | { kind: 'close' };

export interface Failure {
  message: string;
  /** The fields of a NotReached. */
  notReached?: { projections: readonly string[]; position: Position };
  /** The field of a DamagedFile. */
  remedy?: string;
  /** The field of a StoreUnavailable. */
  retryAfterSeconds?: number;
}

/** A message of the thread that answers no call. */
export type Report =
  | { kind: 'ready' }
  /** The collection that serves each projection; sent before a call is answered from it. */
  | { kind: 'serving'; live: Readonly<Record<string, string>> }
  | { kind: 'folds'; folds: Folds }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; fields: object; text: string };
