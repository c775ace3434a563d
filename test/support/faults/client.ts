import { request } from 'undici';
import { adviceIn } from '../advice.ts';
import type { Caller } from '../invariants/recorder.ts';
import { createLoopbackAgent } from '../loopback.ts';
import { ADMIN_TOKEN, type Answer, onceShown } from '../waybill.ts';

export interface Client {
  call: Caller;
  /** Calls the administration API as root; throws on a refusal. */
  admin(method: string, path: string, body?: object): Promise<Answer['body']>;
  close(): Promise<void>;
}

/** HTTP to a service whose address may change from one call to the next. */
export const createClient = (address: () => string): Client => {
  const agent = createLoopbackAgent({ keepAliveTimeout: 1000 });
  const call: Caller = async (method, path, how = {}) => {
    const body = how.raw ?? (how.body === undefined ? undefined : JSON.stringify(how.body));
    const response = await request(`${address()}/api${path}`, {
      method: method as 'GET',
      dispatcher: agent,
      headers: {
        ...(how.token !== undefined && { authorization: `Bearer ${how.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...how.headers,
      },
      ...(body !== undefined && { body }),
      ...(how.signal && { signal: how.signal }),
    });
    const text = await response.body.text();
    const { statusCode: status, headers } = response;
    return { status, headers, ...adviceIn(status, JSON.parse(text)) };
  };
  return {
    call,
    async admin(method, path, body) {
      const answer = await onceShown(() =>
        call(method, `/admin/v1${path}`, { token: ADMIN_TOKEN, ...(body && { body }) }),
      );
      if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    close: () => agent.destroy(),
  };
};
