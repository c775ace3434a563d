import { type SessionFact, SessionStarted } from '../../events/session.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';

type Start = Parameters<typeof SessionStarted.of>[0];

/** A session starts once: whoever uses a link a second time is refused. */
export const sessionDecider: Decider<boolean, Start, SessionFact> = {
  category: 'session',
  initial: false,
  evolve: () => true,
  decide(start, hasStarted) {
    if (hasStarted) {
      throw new AppError('session.link', 'This link was used already, or has expired');
    }
    return [SessionStarted.of(start)];
  },
};

export const createSessionStarts = ({ writer }: { writer: Writer }) => ({
  /** Throws `session.link` for the id of a session that has started before. */
  async startSession(start: Start, context: CommandContext): Promise<void> {
    await writer.execute(sessionDecider, start.sessionId, start, context);
  },
});
