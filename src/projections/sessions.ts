import type { SessionFact } from '../events/session.ts';
import { defineProjection } from './define.ts';

type Started = Extract<SessionFact, { type: 'SessionStarted' }>['data'];

/** A session of the console that was not ended; for a short time it may have expired. */
export interface SessionDocument {
  id: string;
  /** Id of an administrator, an API key or a person. */
  holderId: string;
  /** How its holder signed in. */
  by: Started['by'];
  startedAt: string;
}

const sessionId = (event: { data: { sessionId: string } }) => event.data.sessionId;

export const sessions = defineProjection<SessionDocument>({
  name: 'sessions',
  version: 3,
  indexes: [['holderId', '-startedAt'], ['startedAt']],
  on: {
    SessionStarted: {
      key: sessionId,
      fold: (_, { data: { holder, by }, meta: { at } }, id) => ({
        id,
        holderId: holder.id,
        by,
        startedAt: at,
      }),
    },
    SessionEnded: { key: sessionId, fold: () => null },
    SessionsExpired: { key: ({ data }) => data.sessionIds, fold: () => null },
  },
});
