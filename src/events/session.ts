import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** Somebody signed in to the console. The stream has the id of the session, so a link works once. */
export const SessionStarted = defineEvent(
  'SessionStarted',
  z.object({
    sessionId: z.string(),
    /** An administrator, an API key, or a person; the id of it. */
    holder: z.object({ kind: z.enum(['administrator', 'key', 'person']), id: z.string() }),
    by: z.enum(['credential', 'link', 'password', 'invitation', 'openid', 'passkey']),
  }),
);

/** Its holder signed out: the cookie of the session opens nothing any more. */
export const SessionEnded = defineEvent('SessionEnded', z.object({ sessionId: z.string() }));

/** The time of these sessions is over, whose holders did not sign out. In the stream of the first of them. */
export const SessionsExpired = defineEvent(
  'SessionsExpired',
  z.object({ sessionIds: z.array(z.string()).min(1) }),
);

export const sessionEvents = [SessionStarted, SessionEnded, SessionsExpired] as const;
export type SessionFact = FactOf<(typeof sessionEvents)[number]>;
