import type { CopyTarget } from '../copy/ports.ts';
import { APPEND_BYTES_MAX } from '../store.ts';
import { openConnection } from './connection.ts';
import { bytesOf, encode, isOurs, storedOf } from './events.ts';
import { readForwards } from './read.ts';
import { type EventStoreDbOptions, openEventStoreDb } from './store.ts';

const PAGE = 1000;
/** Time limit of one page. */
const READ_TIMEOUT_MS = 30_000;
/** An event of fewer characters is always below APPEND_BYTES_MAX. */
const SURELY_FITS = 256 * 1024;

/** A log in EventStoreDB as the target of a copy. Throws for a URL that cannot be used. */
export const openEventStoreDbTarget = async (
  options: Pick<EventStoreDbOptions, 'url' | 'timeoutMs' | 'settleMs'>,
): Promise<CopyTarget> => {
  const { url } = options;
  const store = await openEventStoreDb(options);
  const connection = await openConnection({ url, timeoutMs: READ_TIMEOUT_MS });
  return {
    store,
    async walk(position) {
      const { events, isEnd } = await readForwards(connection, position, PAGE);
      return {
        events: events.filter(isOurs).map((event) => storedOf(event)),
        to: events.at(-1)?.position ?? position,
        isEnd,
      };
    },
    refuses(event, characters) {
      const data = encode(event);
      if (characters < SURELY_FITS) return undefined;
      const bytes = bytesOf([data]);
      return bytes > APPEND_BYTES_MAX ? `is over 1 MiB: ${bytes} bytes` : undefined;
    },
    async close() {
      await connection.close();
      await store.close();
    },
  };
};
