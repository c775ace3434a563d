import type { Fact } from '../../events/define.ts';
import type { Actor, Claim } from '../../events/store.ts';

/**
 * What may happen to one stream. Pure: no clock, no ids, no I/O. `decide` answers with what then
 * has happened, with nothing when it is already so, or throws a refusal.
 */
export interface Decider<State, Command, F extends Fact = Fact> {
  /** Streams are named `<category>-<id>`. */
  category: string;
  initial: State;
  evolve(state: State, fact: F): State;
  decide(command: Command, state: State): readonly F[];
  /**
   * For streams that grow for ever: states stay in memory and are saved every so many events.
   * The state must be JSON; raise `version` when its shape or the fold changes.
   */
  snapshot?: { version: number; every: number };
}

/** On whose behalf and because of what a command runs; becomes the events' metadata. */
export interface CommandContext {
  requestId: string;
  accountId?: string;
  by?: Actor;
  cause?: string;
  /** Absent unless the request came with an Idempotency-Key. */
  claim?: Claim | undefined;
}

/** What a command did: the facts it added (none: it was already so) and the state after them. */
export interface Outcome<State, F extends Fact = Fact> {
  state: State;
  facts: readonly F[];
  /** Revision of the stream's last event that the decision has seen or made; -1 for none. */
  revision: number;
}
