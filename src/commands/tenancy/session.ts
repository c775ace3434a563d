import type { FactOf } from '../../events/define.ts';
import {
  SessionEnded,
  type SessionFact,
  SessionStarted,
  SessionsExpired,
} from '../../events/session.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';

/** A session ends after this, used or not. */
export const SESSION_MS = 8 * 3_600_000;
/** Sessions that one event tells have expired, and events of one run; the next run takes the rest. */
const EXPIRED_MAX = 1000;
const RUNS_MAX = 100;

type Start = FactOf<typeof SessionStarted>['data'];

type SessionCommand =
  | { type: 'Start'; start: Start }
  | { type: 'End'; sessionId: string }
  | { type: 'Expire'; sessionIds: readonly string[] };

/** A session starts once, so whoever uses a link a second time is refused; and it ends once. */
export const sessionDecider: Decider<'none' | 'started' | 'ended', SessionCommand, SessionFact> = {
  category: 'session',
  initial: 'none',
  evolve: (_, fact) => (fact.type === 'SessionStarted' ? 'started' : 'ended'),
  decide(command, state) {
    if (command.type === 'Start') {
      if (state !== 'none') {
        throw new AppError('session.link', 'This link was used already, or has expired');
      }
      return [SessionStarted.of(command.start)];
    }
    if (state !== 'started') return [];
    return command.type === 'End'
      ? [SessionEnded.of(command)]
      : [SessionsExpired.of({ sessionIds: [...command.sessionIds] })];
  },
};

export interface SessionCommandsDeps {
  writer: Writer;
  /** Ids of sessions that nobody has ended, the oldest first, of those that started up to a time. */
  sessionsUpTo: (startedAt: string, limit: number) => Promise<readonly string[]>;
  clock: Clock;
  ids: Ids;
}

export const createSessionCommands = (deps: SessionCommandsDeps) => {
  const { writer, sessionsUpTo, clock, ids } = deps;
  return {
    /** Throws `session.link` for the id of a session that has started before. */
    async startSession(start: Start, context: CommandContext): Promise<void> {
      await writer.execute(sessionDecider, start.sessionId, { type: 'Start', start }, context);
    },

    async endSession(sessionId: string, context: CommandContext): Promise<void> {
      await writer.execute(sessionDecider, sessionId, { type: 'End', sessionId }, context);
    },

    /** Takes the expired sessions out of the read models. */
    async expireSessions(): Promise<void> {
      const upTo = isoTime(clock.now() - SESSION_MS);
      for (let run = 0; run < RUNS_MAX; run += 1) {
        const sessionIds = await sessionsUpTo(upTo, EXPIRED_MAX);
        const [first] = sessionIds;
        if (first === undefined) return;
        const context = { requestId: ids.uuid(), cause: 'expiry' };
        await writer.execute(sessionDecider, first, { type: 'Expire', sessionIds }, context);
      }
    },
  };
};
