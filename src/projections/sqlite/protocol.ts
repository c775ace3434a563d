import type { Position } from '../../events/store.ts';

/** What one commit changes in one collection, packed so that it crosses threads cheaply. */
export interface PackedCommit {
  collection: string;
  from: Position;
  to: Position;
  /** Fields that have a column. */
  fields: readonly string[];
  /** Id, position, JSON text and the fields, over and over; null instead of text removes it. */
  rows: (string | number | null)[];
}

export type Task =
  | { kind: 'probe' }
  | { kind: 'prepare'; collection: string; statements: string[] }
  | { kind: 'commit'; commits: PackedCommit[] }
  | { kind: 'promote'; projection: string; collection: string; instead: string | undefined }
  | { kind: 'drop'; collection: string }
  | { kind: 'close' };

export type Failure =
  | { kind: 'stale'; collection: string }
  | { kind: 'unwritable'; collection: string; position: Position; message: string }
  | { kind: 'fault'; message: string };
