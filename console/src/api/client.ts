import createClient, { type Middleware } from 'openapi-fetch';
import { Problem, Unreachable } from './problem.ts';
import type { paths } from './reference.ts';

/** Names requests of the console: a page of another site cannot send this header. */
export const OWN_HEADER = { 'X-Waybill-Console': '1' };

let account: string | undefined;

/** The account that a person's requests mean; none for a key and for an administrator. */
export const setAccount = (id: string | undefined): void => {
  account = id;
};

const listeners = new Set<() => void>();

/** Calls back when a request finds that the session has ended. */
export const onSessionEnd = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The error of an answer that is no success. */
export const problemOf = async (response: Response): Promise<Problem> => {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return new Problem(response.status, body, response.headers.get('X-Request-Id'));
};

const named: Middleware = {
  onRequest({ request }) {
    if (account) request.headers.set('X-Waybill-Account', account);
  },
};

const refusals: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    const problem = await problemOf(response);
    if (problem.status === 401) for (const listener of listeners) listener();
    throw problem;
  },
  onError: ({ error }) => new Unreachable(error),
};

/** The service's API with the types of its reference. Rejects with `Problem` and `Unreachable`. */
export const api = createClient<paths>({ baseUrl: '/api', headers: OWN_HEADER });
api.use(named, refusals);

/** The body of a success. */
export const bodyOf = async <T>(answer: Promise<{ data?: T }>): Promise<NonNullable<T>> =>
  (await answer).data as NonNullable<T>;
