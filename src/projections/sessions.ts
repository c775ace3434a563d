import { defineProjection } from './define.ts';

/** A session of the console that was not ended; for a short time it may have expired. */
export interface SessionDocument {
  id: string;
  /** Id of an administrator or of an API key. */
  holderId: string;
  startedAt: string;
}

const sessionId = (event: { data: { sessionId: string } }) => event.data.sessionId;

export const sessions = defineProjection<SessionDocument>({
  name: 'sessions',
  version: 2,
  indexes: [['holderId', '-startedAt'], ['startedAt']],
  on: {
    SessionStarted: {
      key: sessionId,
      fold: (_, { data: { holder }, meta: { at } }, id) => ({
        id,
        holderId: holder.id,
        startedAt: at,
      }),
    },
    SessionEnded: { key: sessionId, fold: () => null },
    SessionsExpired: { key: ({ data }) => data.sessionIds, fold: () => null },
  },
});
