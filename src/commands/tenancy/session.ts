import type { FactOf } from '../../events/define.ts';
import { SessionEnded, type SessionFact, SessionStarted } from '../../events/session.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';

type Start = FactOf<typeof SessionStarted>['data'];

type SessionCommand = { type: 'Start'; start: Start } | { type: 'End'; sessionId: string };

/** A session starts once, so whoever uses a link a second time is refused; and it ends once. */
export const sessionDecider: Decider<'none' | 'started' | 'ended', SessionCommand, SessionFact> = {
  category: 'session',
  initial: 'none',
  evolve: (_, fact) => (fact.type === 'SessionStarted' ? 'started' : 'ended'),
  decide(command, state) {
    if (command.type === 'End') return state === 'started' ? [SessionEnded.of(command)] : [];
    if (state !== 'none') {
      throw new AppError('session.link', 'This link was used already, or has expired');
    }
    return [SessionStarted.of(command.start)];
  },
};

export const createSessionCommands = ({ writer }: { writer: Writer }) => ({
  /** Throws `session.link` for the id of a session that has started before. */
  async startSession(start: Start, context: CommandContext): Promise<void> {
    await writer.execute(sessionDecider, start.sessionId, { type: 'Start', start }, context);
  },

  async endSession(sessionId: string, context: CommandContext): Promise<void> {
    await writer.execute(sessionDecider, sessionId, { type: 'End', sessionId }, context);
  },
});
