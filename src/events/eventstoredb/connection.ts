import type { EventStoreDBClient } from '@eventstore/db-client';
import { pause, withTimeout } from '../../shared/timing.ts';
import { classify, isLate, isLost, TimedOut } from './failure.ts';
import { explainUrl, parseUrl } from './url.ts';

/** Where warnings go; a logger of pino fits. */
export interface Log {
  warn(fields: object, text: string): void;
}

/** Calls to the server, each with a time limit, over a client that is replaced when it is silent. */
export interface Connection {
  /** `host:port` of all servers; never credentials. */
  hosts: string;
  timeoutMs: number;
  /** When a server last answered anything at all, by `performance.now()`. */
  heardAt(): number;
  /** For what stays open and is no call; whoever opens it looks after silence. */
  client(): EventStoreDBClient;
  /** In the time of a call, or a shorter one. */
  run<T>(work: (client: EventStoreDBClient) => Promise<T>, limitMs?: number): Promise<T>;
  /** The same for what can be done again: once more, if the connection was lost on the way. */
  runTwice<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T>;
  /** Ends everything that is under way. Bounded in time. */
  close(): Promise<void>;
}

interface Used {
  client: EventStoreDBClient;
  createdAt: number;
  /** When the server last answered anything at all. */
  heardAt: number;
}

/** Lets the client's own time limits, which say more, come first. */
const GRACE_MS = 100;
const RENEW_AFTER_MS_MAX = 1_000;
const CLOSE_MS_MAX = 1_000;
const AGAIN_AFTER_MS = 20;

/** What of the client is not typed as public. */
interface Inside {
  supports: () => Promise<boolean>;
  getChannel: () => Promise<{ close(): void }>;
}

/** Throws TimedOut when the work takes longer; the work itself goes on. */
export const limited = <T>(timeoutMs: number, work: Promise<T>): Promise<T> =>
  withTimeout(timeoutMs, work, () => {
    throw new TimedOut(timeoutMs);
  });

/**
 * The client would send all appends over one shared stream, keep what is in flight in a map of
 * the whole process and reject all of it when any such stream ends; an answer that still comes
 * then ends the process. Saying that the server cannot do that makes each append a call of its
 * own, with its own time limit and error. It also spares asking the server what it can do, a call
 * without a time limit whose failure would be remembered for good.
 */
const sendAppendsOneByOne = (client: EventStoreDBClient): EventStoreDBClient => {
  (client as unknown as Inside).supports = async () => false;
  return client;
};

const shut = async ({ client, heardAt, createdAt }: Used): Promise<void> => {
  const channel = (client as unknown as Inside).getChannel;
  const closing = async (): Promise<void> => {
    await client.dispose();
    // Asked of a client that never called anybody, this would look for a server first.
    if (heardAt > createdAt) (await channel()).close();
  };
  await limited(CLOSE_MS_MAX, closing()).catch(() => undefined);
};

/** Throws when the URL cannot be used. Nothing is called yet: the log may be down at the start. */
export const openConnection = async (options: {
  url: string;
  timeoutMs: number;
  log?: Log | undefined;
}): Promise<Connection> => {
  const { timeoutMs, log } = options;
  const renewAfterMs = Math.min(RENEW_AFTER_MS_MAX, timeoutMs);
  const { url, hosts } = parseUrl(options.url);
  // Not at the top: whoever keeps the log in a file need not load it.
  const { EventStoreDBClient } = await import('@eventstore/db-client');

  let clients = 0;
  const create = (): Used => {
    const now = performance.now();
    const client = sendAppendsOneByOne(EventStoreDBClient.connectionString(url(clients)));
    clients += 1;
    return { client, createdAt: now, heardAt: now };
  };
  const createFirst = (): Used => {
    try {
      return create();
    } catch (error) {
      throw explainUrl(error);
    }
  };

  let current = createFirst();
  let heardAt = Number.NEGATIVE_INFINITY;
  const retired = new Map<Used, NodeJS.Timeout>();

  const retire = (used: Used): void => {
    // What others have under way on it comes to its own end first.
    const timer = setTimeout(() => {
      retired.delete(used);
      void shut(used);
    }, 2 * timeoutMs);
    timer.unref();
    retired.set(used, timer);
  };

  const renewIfDead = (used: Used, since: number, error: unknown): void => {
    if (!isLate(error) || used.heardAt >= since) return;
    if (used !== current || performance.now() - used.createdAt < renewAfterMs) return;
    log?.warn({ hosts }, 'The event log does not answer: connecting anew');
    retire(used);
    current = create();
  };

  const heard = (used: Used): void => {
    heardAt = used.heardAt = performance.now();
  };

  const run: Connection['run'] = async (work, limitMs = timeoutMs) => {
    const used = current;
    const since = performance.now();
    try {
      const working = work(used.client);
      // What comes too late for its caller is a sign of life all the same.
      working.then(
        () => heard(used),
        () => undefined,
      );
      return await limited(Math.min(limitMs, timeoutMs) + GRACE_MS, working);
    } catch (error) {
      if (classify(error) !== 'unknown') heard(used);
      renewIfDead(used, since, error);
      throw error;
    }
  };

  return {
    hosts,
    timeoutMs,
    heardAt: () => heardAt,
    client: () => current.client,
    run,
    runTwice: (work) =>
      run(work).catch(async (error: unknown) => {
        if (!isLost(error)) throw error;
        await pause(AGAIN_AFTER_MS);
        return run(work);
      }),
    close: async () => {
      for (const timer of retired.values()) clearTimeout(timer);
      await Promise.all([current, ...retired.keys()].map(shut));
      retired.clear();
    },
  };
};
