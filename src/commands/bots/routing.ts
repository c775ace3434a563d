import type { Inbound } from './inbound.ts';
import type { Input } from './interpreter.ts';
import { type Candidate, chooseBot } from './matching.ts';
import type { Run } from './run.ts';
import type { BotState } from './state.ts';

/** What is to be done with an inbound message. */
export type Route<Bot> =
  /** It answers the run that waits. */
  | { kind: 'answer'; run: Run }
  /** A new run begins; one that was asleep is over. */
  | { kind: 'start'; bot: Bot; supersedes: Run | null }
  /** First the run must be given this, then the message is to be routed again. */
  | { kind: 'first'; run: Run; input: Input }
  | { kind: 'none'; because: 'seen' | 'busy' | 'silenced' | 'no_bot' };

interface Message {
  phoneNumberId: string;
  inbound: Inbound;
  /** When it came: what was written to a person is no bot's, however late it is looked at. */
  writtenAt: number;
  now: number;
}

/**
 * Where an inbound message goes: to the run that waits for this contact, else to the one bot that
 * answers it. Call it with no message or call of the run under way: one that is open then was left
 * by a process that died, and nobody knows what became of it.
 */
export const routeInbound = <Bot extends Candidate>(
  state: BotState,
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
      // A preference is no answer, and no reason to end a run.
      if (inbound.kind === 'resume') return { kind: 'none', because: 'busy' };
      return { kind: 'answer', run };
  }
  if (state.silentUntil !== null && writtenAt < state.silentUntil) {
    return { kind: 'none', because: 'silenced' };
  }
  const bot = chooseBot(bots, phoneNumberId, inbound);
  return bot ? { kind: 'start', bot, supersedes: run } : { kind: 'none', because: 'no_bot' };
};
