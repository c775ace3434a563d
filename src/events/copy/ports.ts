import type { Fact } from '../define.ts';
import type { EventStore, NewEvent, Position, Recorded, Snapshot } from '../store.ts';

/**
 * An event as the source holds it, its JSON as text. What is copied is what was written, and not
 * today's reading of it.
 */
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
}

export interface SourceSnapshot extends Snapshot {
  stream: string;
}

/** A log that is copied as it stands when it is opened. */
export interface CopySource {
  /** How many events there are to copy, which is also the position of the newest one. */
  readonly events: number;
  /** The next events after a position, a bounded number; none at the end. */
  after(position: number): readonly SourceEvent[];
  at(stream: string, revision: number): SourceEvent | undefined;
  /** Events before which their stream has a gap, or a later event; the first hundred. */
  misplaced(): readonly { stream: string; revision: number }[];
  snapshots(): Iterable<SourceSnapshot>;
  /** What a position of this log that was kept somewhere stands for. */
  placeOf(position: Position): number;
  /** Whether events were written since it was opened. */
  hasGrown(): boolean;
  close(): void;
}

/** An event as the destination holds it, whoever wrote it. */
export interface TargetEvent extends Omit<Recorded, 'data' | 'meta' | 'version'> {
  version: unknown;
  data: unknown;
  meta: unknown;
}

/** A log that is copied into. */
export interface CopyTarget {
  readonly store: EventStore;
  /** The next events after a position, oldest first; `isEnd` when there are no more behind them. */
  walk(position: Position): Promise<{ events: TargetEvent[]; to: Position; isEnd: boolean }>;
  /** Why this event, of so many characters of JSON, can never be appended, if so. May throw that. */
  refuses(event: NewEvent, characters: number): string | undefined;
  close(): Promise<void>;
}

/** The event as it is appended. Throws where its JSON is broken. */
export const toNewEvent = ({ id, type, version, data, meta }: SourceEvent): NewEvent => ({
  id,
  type,
  version,
  data: JSON.parse(data) as Fact['data'],
  meta: JSON.parse(meta),
});
