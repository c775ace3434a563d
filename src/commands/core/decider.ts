import type { Fact } from '../../events/define.ts';
import type { DataSubject } from '../../events/personal.ts';
import type { SealedUnder } from '../../events/sealing.ts';
import type { Actor, Claim } from '../../events/store.ts';

/**
 * The rules of one stream. Pure: no clock, no ids, no I/O. `decide` returns the new facts, none when
 * the command changes nothing, or throws a refusal.
 */
export interface Decider<State, Command, F extends Fact = Fact> {
  /** Streams are named `<category>-<id>`. */
  category: string;
  initial: State;
  evolve(state: State, fact: F): State;
  decide(command: Command, state: State): readonly F[];
  /**
   * For streams without end: keeps states in memory and saves them every `every` events. The state
   * must be JSON; raise `version` when its shape or the fold changes.
   */
  snapshot?: { version: number; every: number; personal?: PersonalParts<State> };
}

/** What of a state is personal, or a secret setting. A snapshot has it encrypted, or is not used any more. */
interface PersonalParts<State> {
  /**
   * The state without it, and the name of its oldest data key. Null where nothing of it is sealed in
   * the log.
   */
  split(state: State): { clear: State; hidden: unknown; under: SealedUnder } | null;
  /** The inverse of `split`. */
  join(clear: State, hidden: unknown): State;
  /** What events tell also where their keys are destroyed. */
  lasting(state: State): unknown;
}

/** Who runs a command and why; becomes the events' metadata. */
export interface CommandContext {
  requestId: string;
  accountId?: string;
  by?: Actor;
  cause?: string;
  /** Absent unless the request came with an Idempotency-Key. */
  claim?: Claim | undefined;
  traceparent?: string;
  /**
   * Whether what it writes counts in the account's free writes; absent: where a request of the account
   * is the cause. False for what is paid, is counted apart, or comes from the provider. Not stored.
   */
  countsAsFree?: boolean;
  /** Whose data the command's events hold: their personal fields are sealed under these keys. Not stored. */
  subjects?: readonly DataSubject[];
}

/** The facts that a command added, if any, and the state after them. */
export interface Outcome<State, F extends Fact = Fact> {
  state: State;
  facts: readonly F[];
  /** Revision of the stream's last event that the decision has seen or made; -1 for none. */
  revision: number;
}
