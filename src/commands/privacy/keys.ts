// What erasures and retention need of the stores of data keys and of the read models: the ports.

import type { Destroyed, Found } from '../../events/erasure.ts';
import type { Position } from '../../events/store.ts';

/** Destroys data keys. Every write is durable before it resolves. */
export interface DestroyedKeys {
  destroySubjects(refs: readonly string[]): Promise<unknown>;
  /** Resolves to the number of keys that were there. */
  destroyMonths(accountId: string, through: string): Promise<number>;
  /** Notes the revision of `destroyedkeys-all` up to which the store has destroyed keys. */
  setApplied(revision: number): Promise<void>;
  clean(): Promise<void>;
}

/** Forgets keys in the memory of this process. */
export interface KeyMemory {
  forget(refs: readonly string[]): void;
  forgetMonths(accountId: string, through: string): void;
}

/** Empties the read models. */
export interface Sweeper {
  /**
   * `after` is the position of the event of the destruction. Resolves once the documents of all processes
   * are emptied; with `isDone`, which says that another one has seen to that, those of this one.
   */
  erase(destroyed: Destroyed, after: Position, isDone: boolean): Promise<unknown>;
  clean(): Promise<void>;
}

/** One id of a contact in an account where something is held of it. */
export interface HeldSubject {
  accountId: string;
  ref: string;
}

/** Counts what is held of a contact once the read models have come to a position, or take too long. */
export type CountHeld = (subjects: readonly HeldSubject[], after: Position) => Promise<Found>;

/** The refs of these subjects, and all that were joined with one of them until now. */
export type FindJoined = (
  subjects: readonly HeldSubject[],
  signal: AbortSignal | undefined,
) => Promise<readonly string[]>;
