import type { Ids } from '../../../src/shared/clock.ts';
import { systemIds } from '../../../src/shared/system.ts';
import type { Answer, Call, Json } from '../waybill.ts';

export type Caller = (method: string, path: string, call?: Call) => Promise<Answer>;

/** What somebody asked, and what came back. */
export interface RecordedAnswer {
  method: string;
  path: string;
  /** Stands in the metadata of every event that the request caused. */
  requestId: string;
  token: string | undefined;
  idempotencyKey: string | undefined;
  sent: Json;
  /** Null when no answer came: the caller or the service was gone. */
  status: number | null;
  headers: Answer['headers'];
  body: Json;
}

/** Calls as `call` does, under request ids of its own, and notes what came of each. */
export const recordAnswers = (
  call: Caller,
  answers: RecordedAnswer[] = [],
  ids: Pick<Ids, 'uuid'> = systemIds,
): { call: Caller; answers: RecordedAnswer[] } => ({
  answers,
  async call(method, path, how = {}) {
    const requestId = `test-${ids.uuid()}`;
    const answer: RecordedAnswer = {
      method,
      path,
      requestId,
      token: how.token,
      idempotencyKey: how.headers?.['idempotency-key'],
      sent: how.body,
      status: null,
      headers: {},
      body: undefined,
    };
    answers.push(answer);
    const headers = { ...how.headers, 'x-request-id': requestId };
    const came = await call(method, path, { ...how, headers });
    return Object.assign(answer, came);
  },
});
