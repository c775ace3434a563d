import type { Position } from '../events/store.ts';

/** What one commit changes in one collection, packed so that it crosses threads cheaply. */
export interface PackedCommit {
  collection: string;
  from: Position;
  to: Position;
  /** Id, position and JSON text, over and over; null instead of text removes the document. */
  rows: (string | null)[];
}

export type Task =
  | { kind: 'probe' }
  | { kind: 'prepare'; collection: string; statements: string[] }
  | { kind: 'commit'; commits: PackedCommit[] }
  | { kind: 'promote'; projection: string; collection: string; instead: string | undefined }
  | { kind: 'drop'; collection: string }
  | { kind: 'close' };

export interface Request {
  number: number;
  task: Task;
}

export type Failure =
  | { kind: 'stale'; collection: string }
  | { kind: 'unwritable'; collection: string; position: Position; message: string }
  | { kind: 'fault'; message: string };

export interface Answer {
  number: number;
  /** False when the task found another picture than its sender had, and changed nothing. */
  done?: boolean;
  failure?: Failure;
}
