import { EventStoreDBClient } from '@eventstore/db-client';
import type { Log } from '../../shared/logger.ts';
import { pause, withTimeout } from '../../shared/timing.ts';
import { createAppendStream, type SendAppend } from './append-stream.ts';
import { classify, isLate, isLost, TimedOut } from './failure.ts';
import { insideOf } from './inside.ts';

/** The address of the log, for the client and for messages. */
export interface Address {
  /** `host:port`, separated by commas; never credentials. */
  hosts: string;
  /**
   * The connection string for the nth client of this process. Clients with the same string would
   * share their connections, dead ones too, so the strings differ by a millisecond.
   */
  url(nth: number): string;
}

/**
 * The allowed options. Other ones must not reach the client: it would print the whole string with
 * its password.
 */
const OPTIONS = [
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
  'connectionName',
  'defaultDeadline',
  'nodePreference',
  'gossipTimeout',
  'discoveryInterval',
  'maxDiscoverAttempts',
  'keepAliveInterval',
  'keepAliveTimeout',
];

const DEFAULT_PORT = 2113;
/** Per member of a cluster. The client's default of 5 s would take a whole call. */
const GOSSIP_TIMEOUT_SECONDS = '2';
/** The client's default. */
const KEEP_ALIVE_TIMEOUT_MS = 10_000;

const problem = (text: string): Error => new Error(`the URL of the event log ${text}`);

const expected = 'must look like esdb://user:password@host:2113,host2:2113?tls=true';

const parts =
  /^(?<base>(?<scheme>esdb(?:\+discover)?):\/\/(?:[^:@/\s]+:[^@\s]+@)?(?<hosts>[^/?#@\s]+))\/?(?:\?(?<query>\S*))?$/;

const flat = (text: string): string => text.toLowerCase().replace(/[_-]/g, '');

/** The options by the client's names for them. */
const parseOptions = (query: string): Map<string, string> => {
  const options = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const [key = '', value = ''] = pair.split('=');
    const known = OPTIONS.find((option) => flat(option) === flat(key));
    // Does not quote the option: it may be part of an unescaped password.
    if (known === undefined || value === '') {
      throw problem(`has an option that cannot be used; these can: ${OPTIONS.join(', ')}`);
    }
    options.set(known, value);
  }
  return options;
};

const withPort = (host: string): string => (/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`);

/** Throws an error without the credentials. */
export const parseUrl = (text: string): Address => {
  const found = parts.exec(text.trim())?.groups;
  if (!found?.hosts) throw problem(expected);
  const { base, scheme, hosts, query = '' } = found;
  const options = parseOptions(query);
  const isCluster = scheme === 'esdb+discover' || hosts.includes(',');
  if (isCluster && !options.has('gossipTimeout')) {
    options.set('gossipTimeout', GOSSIP_TIMEOUT_SECONDS);
  }
  const keepAliveTimeoutMs = Number(options.get('keepAliveTimeout') ?? KEEP_ALIVE_TIMEOUT_MS);
  return {
    hosts: hosts.split(',').map(withPort).join(','),
    url: (nth) => {
      const all = new Map(options);
      if (nth > 0) all.set('keepAliveTimeout', String(Math.max(keepAliveTimeoutMs, 0) + nth));
      const pairs = [...all].map(([key, value]) => `${key}=${value}`);
      return pairs.length === 0 ? String(base) : `${base}?${pairs.join('&')}`;
    },
  };
};

/** The client's error for a string that it cannot use, without the string. */
const explainUrl = (error: unknown): Error => {
  // Errors of the client's parser quote the string.
  const isParser = error instanceof Error && 'connectionString' in error;
  return isParser ? problem(expected) : problem(`cannot be used: ${(error as Error).message}`);
};

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
  /** Whether it has made a call, and so has a channel. */
  isOpened: boolean;
  /** When a server last answered this client. */
  heardAt: number;
}

/** Lets the client's own time limits end first, as their errors say more. */
const GRACE_MS = 100;
const RENEW_AFTER_MS_MAX = 1_000;
const CLOSE_MS_MAX = 1_000;
const AGAIN_AFTER_MS = 20;

/** Throws TimedOut when the work takes longer; the work itself continues. */
export const limited = <T>(timeoutMs: number, work: Promise<T>): Promise<T> =>
  withTimeout(timeoutMs, work, () => {
    throw new TimedOut(timeoutMs);
  });

/**
 * Closes the channel even of a client that no server answered, and lets no call that goes on open
 * another one: an open one keeps the process alive.
 */
const shut = async ({ client, isOpened }: Used): Promise<void> => {
  const inside = insideOf(client);
  const channel = inside.getChannel;
  inside.getChannel = async () => {
    throw new Error('the connection to the event log is closed');
  };
  await limited(CLOSE_MS_MAX, client.dispose()).catch(() => undefined);
  if (!isOpened) return;
  const closing = channel().then((open) => open.close());
  await limited(CLOSE_MS_MAX, closing).catch(() => undefined);
};

/** The current client, and replaced ones until their calls have ended. Throws for an unusable URL. */
const createClients = (create: (nth: number) => EventStoreDBClient, timeoutMs: number) => {
  let count = 0;
  const next = (): Used => {
    const now = performance.now();
    const client = create(count);
    const sendAppend = createAppendStream(client);
    const used = { client, holders: 0, sendAppend, createdAt: now, isOpened: false, heardAt: now };
    count += 1;
    return used;
  };
  let current = next();
  let isClosed = false;
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
    /** The client for a call. */
    current(): Used {
      current.isOpened = true;
      return current;
    },
    isCurrent: (used: Used): boolean => used === current,
    replace(): void {
      // A call that fails because of the end must not begin a new connection.
      if (isClosed) return;
      retire(current);
      current = next();
    },
    async close(): Promise<void> {
      isClosed = true;
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
    if (!clients.isCurrent(used) || performance.now() - used.createdAt < renewAfterMs) return;
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
