import { EventStoreDBClient } from '@eventstore/db-client';
import type { Log } from '../../shared/logger.ts';
import { pause, withTimeout } from '../../shared/timing.ts';
import { createAppendStream, type SendAppend } from './append-stream.ts';
import { classify, isLate, isLost, TimedOut } from './failure.ts';
import { explainUrl, parseUrl } from './url.ts';

/** Calls to the server, each with a time limit, over a client that is replaced when it is silent. */
export interface Connection {
  /** `host:port` of all servers; never credentials. */
  hosts: string;
  timeoutMs: number;
  /** When a server last answered, by `performance.now()`. */
  heardAt(): number;
  /** A client for a subscription, which monitors its own liveness: open until it is released. */
  hold(): HeldClient;
  /** `limitMs` may only shorten the time limit of a call. */
  run<T>(
    work: (client: EventStoreDBClient, sendAppend: SendAppend) => Promise<T>,
    limitMs?: number,
  ): Promise<T>;
  /** For work that can be repeated: runs it again after a lost connection, once. */
  runTwice<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T>;
  /** Ends all calls. Bounded in time. */
  close(): Promise<void>;
}

export interface HeldClient {
  client: EventStoreDBClient;
  /** Notes that the server has sent something. */
  heard(): void;
  release(): void;
}

interface Used {
  client: EventStoreDBClient;
  /** Subscriptions on it. */
  holders: number;
  sendAppend: SendAppend;
  createdAt: number;
  /** When a server last answered this client. */
  heardAt: number;
}

/** Lets the client's own time limits end first, as their errors say more. */
const GRACE_MS = 100;
const RENEW_AFTER_MS_MAX = 1_000;
const CLOSE_MS_MAX = 1_000;
const AGAIN_AFTER_MS = 20;

/** Members of the client that its public type hides. */
interface Inside {
  getChannel: () => Promise<{ close(): void }>;
}

/** Throws TimedOut when the work takes longer; the work itself continues. */
export const limited = <T>(timeoutMs: number, work: Promise<T>): Promise<T> =>
  withTimeout(timeoutMs, work, () => {
    throw new TimedOut(timeoutMs);
  });

const shut = async ({ client, heardAt, createdAt }: Used): Promise<void> => {
  const channel = (client as unknown as Inside).getChannel;
  const closing = async (): Promise<void> => {
    await client.dispose();
    // On a client that has made no call, getChannel would look for a server first.
    if (heardAt > createdAt) (await channel()).close();
  };
  await limited(CLOSE_MS_MAX, closing()).catch(() => undefined);
};

/** The current client, and replaced ones until their calls have ended. Throws for an unusable URL. */
const createClients = (create: (nth: number) => EventStoreDBClient, timeoutMs: number) => {
  let count = 0;
  const next = (): Used => {
    const now = performance.now();
    const client = create(count);
    const sendAppend = createAppendStream(client);
    const used = { client, holders: 0, sendAppend, createdAt: now, heardAt: now };
    count += 1;
    return used;
  };
  let current = next();
  const retired = new Map<Used, NodeJS.Timeout>();
  const retire = (used: Used): void => {
    const timer = setTimeout(() => {
      // A slow server may go on with what it sends.
      if (used.holders > 0) return retire(used);
      retired.delete(used);
      void shut(used);
    }, 2 * timeoutMs);
    timer.unref();
    retired.set(used, timer);
  };

  return {
    current: () => current,
    replace(): void {
      retire(current);
      current = next();
    },
    async close(): Promise<void> {
      for (const timer of retired.values()) clearTimeout(timer);
      await Promise.all([current, ...retired.keys()].map(shut));
      retired.clear();
    },
  };
};

/** Throws when the URL cannot be used. Makes no call: the log may be away at the start. */
export const openConnection = async (options: {
  url: string;
  timeoutMs: number;
  log?: Pick<Log, 'warn'> | undefined;
}): Promise<Connection> => {
  const { timeoutMs, log } = options;
  const renewAfterMs = Math.min(RENEW_AFTER_MS_MAX, timeoutMs);
  const { url, hosts } = parseUrl(options.url);
  const clients = createClients((nth) => {
    try {
      return EventStoreDBClient.connectionString(url(nth));
    } catch (error) {
      throw explainUrl(error);
    }
  }, timeoutMs);
  let heardAt = Number.NEGATIVE_INFINITY;

  const renewIfDead = (used: Used, since: number, error: unknown): void => {
    if (!isLate(error) || used.heardAt >= since) return;
    if (used !== clients.current() || performance.now() - used.createdAt < renewAfterMs) return;
    log?.warn({ hosts }, 'The event log does not answer: connecting anew');
    clients.replace();
  };

  const heard = (used: Used): void => {
    heardAt = used.heardAt = performance.now();
  };

  const run: Connection['run'] = async (work, limitMs = timeoutMs) => {
    const used = clients.current();
    const since = performance.now();
    try {
      const working = work(used.client, used.sendAppend);
      // An answer after the caller's time limit is a sign of life too.
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
    hold() {
      const used = clients.current();
      used.holders += 1;
      return {
        client: used.client,
        heard: () => heard(used),
        release: () => {
          used.holders -= 1;
        },
      };
    },
    run,
    runTwice: (work) =>
      run(work).catch(async (error: unknown) => {
        if (!isLost(error)) throw error;
        await pause(AGAIN_AFTER_MS);
        return run(work);
      }),
    close: clients.close,
  };
};
