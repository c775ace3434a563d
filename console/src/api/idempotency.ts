import { useMemo } from 'react';
import { Problem } from './problem.ts';

const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/**
 * The service keeps the first two under the key, so that every further try would get them again. The
 * refusals of a quote come before a send: the next try has another quote.
 */
const ENDS_A_TRY = /^(SEND_FAILED$|OUTCOME_UNKNOWN$|QUOTE_)/;

/** See `useOnce`. */
export const createOnce = () => {
  const tries = new Map<string, () => Promise<unknown>>();
  return async <T>(content: unknown, send: (key: string) => Promise<T>): Promise<T> => {
    const name = JSON.stringify(content);
    const key = newKey();
    const request = (tries.get(name) as (() => Promise<T>) | undefined) ?? (() => send(key));
    tries.set(name, request);
    try {
      const answer = await request();
      tries.delete(name);
      return answer;
    } catch (error) {
      if (error instanceof Problem && ENDS_A_TRY.test(error.code ?? '')) tries.delete(name);
      throw error;
    }
  };
};

/**
 * Sends each content once: a try of the same content after a lost answer is the request of the first try,
 * with its key, so that the service does the work once. After an answer the same content is a new wish.
 */
export const useOnce = () => useMemo(createOnce, []);
