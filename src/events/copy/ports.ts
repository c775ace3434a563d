import type { Link } from '../chain.ts';
import type { Fact } from '../define.ts';
import type { EventStore, NewEvent, Position, Recorded, Snapshot } from '../store.ts';

/** An event as the source stores it, its JSON as text: the copy keeps the stored shape. */
export interface SourceEvent {
  /** Counts from 1 without gaps. */
  position: number;
  stream: string;
  revision: number;
  id: string;
  type: string;
  version: number;
  data: string;
  meta: string;
  link?: Link;
}

export interface SourceSnapshot extends Snapshot {
  stream: string;
}

/** A log to copy, as it was when it was opened. One of an older format comes in today's names. */
export interface CopySource {
  /** Of the file. */
  readonly format: number;
  /** Number of events, which is also the position of the newest one. */
  readonly events: number;
  /** The next events after a position, a bounded number; none at the end. */
  after(position: number): readonly SourceEvent[];
  at(stream: string, revision: number): SourceEvent | undefined;
  /** Events after a gap in their stream, or after a later event of it; the first 100. */
  misplaced(): readonly { stream: string; revision: number }[];
  snapshots(): Iterable<SourceSnapshot>;
  /** A stored position of this log as a number. */
  placeOf(position: Position): number;
  /** Whether events were written after it was opened. */
  hasGrown(): boolean;
  close(): void;
}

/** An event as the destination stores it, of any writer. */
export interface TargetEvent extends Omit<Recorded, 'data' | 'meta' | 'version'> {
  version: unknown;
  data: unknown;
  meta: unknown;
}

/** The destination of a copy. */
export interface CopyTarget {
  readonly store: EventStore;
  /** The next events after a position, oldest first; `isEnd` when these are the last ones. */
  walk(position: Position): Promise<{ events: TargetEvent[]; to: Position; isEnd: boolean }>;
  /** Why this event, of so many characters of JSON, can never be appended; undefined when it can. */
  refuses(event: NewEvent, characters: number): string | undefined;
  close(): Promise<void>;
}

/** The event to append. Throws for malformed JSON. */
export const toNewEvent = ({ id, type, version, data, meta, link }: SourceEvent): NewEvent => ({
  id,
  type,
  version,
  data: JSON.parse(data) as Fact['data'],
  text: data,
  meta: JSON.parse(meta),
  ...(link && { link }),
});
