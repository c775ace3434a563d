import type { Inbound } from './inbound.ts';
import type { Input } from './interpreter.ts';
import { type Candidate, chooseBot } from './matching.ts';
import type { Run } from './run.ts';
import type { BotsState } from './state.ts';

/** What an inbound message leads to. */
export type Route<Bot> =
  /** It answers the waiting run. */
  | { kind: 'answer'; run: Run }
  /** A new run begins, and ends a run that sleeps. */
  | { kind: 'start'; bot: Bot; supersedes: Run | null }
  /** First the run continues with this input; then the message is routed again. */
  | { kind: 'first'; run: Run; input: Input }
  | { kind: 'none'; because: 'seen' | 'busy' | 'silenced' | 'no_bot' };

interface Message {
  phoneNumberId: string;
  inbound: Inbound;
  /** A message that was written during a handoff is for a person, however late it is routed. */
  writtenAt: number;
  now: number;
}

/**
 * Routes an inbound message to the waiting run of the contact, else to the one bot that answers it.
 * Expects no action of the run in this process: an open action belongs to a process that died, and
 * its outcome is unknown.
 */
export const routeInbound = <Bot extends Candidate>(
  state: BotsState,
  bots: readonly Bot[],
  { phoneNumberId, inbound, writtenAt, now }: Message,
): Route<Bot> => {
  const { run } = state;
  if (inbound.revision <= state.takenRevision) return { kind: 'none', because: 'seen' };
  switch (run?.phase.kind) {
    case 'sending':
    case 'requesting':
      return { kind: 'first', run, input: { type: 'unknown' } };
    case 'waiting':
    case 'delaying':
      if (now >= run.phase.until) return { kind: 'first', run, input: { type: 'due' } };
      if (run.phase.kind === 'delaying') break;
      // A preference neither answers a run nor ends it.
      if (inbound.kind === 'resume') return { kind: 'none', because: 'busy' };
      return { kind: 'answer', run };
  }
  if (state.silentUntil !== null && writtenAt < state.silentUntil) {
    return { kind: 'none', because: 'silenced' };
  }
  const bot = chooseBot(bots, phoneNumberId, inbound);
  return bot ? { kind: 'start', bot, supersedes: run } : { kind: 'none', because: 'no_bot' };
};
