import { useMemo } from 'react';

const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/**
 * Sends each content once: a try of the same content after a lost answer has the key of the first try,
 * so that the service does the work once. After a success the same content is a new wish.
 */
export const useOnce = () =>
  useMemo(() => {
    const keys = new Map<string, string>();
    return async <T>(body: unknown, send: (key: string) => Promise<T>): Promise<T> => {
      const content = JSON.stringify(body);
      const key = keys.get(content) ?? newKey();
      keys.set(content, key);
      const answer = await send(key);
      keys.delete(content);
      return answer;
    };
  }, []);
