import type * as Driver from 'mongodb';
import { withTimeout } from '../../shared/timing.ts';
import type { ViewsUnavailable } from '../views.ts';
import { reasonOf, unavailable } from './failure.ts';

/** How long a call may take in all before its caller goes on without it. */
export const LIMIT_MS = { probe: 1_500, read: 5_000, write: 20_000, manage: 60_000 } as const;

const DATABASE = 'waybill';

/** Each may be set in the URL instead. */
const DEFAULTS: Driver.MongoClientOptions = {
  appName: 'waybill',
  maxPoolSize: 20,
  // A request rather fails, and comes again, than waits for an election to end.
  serverSelectionTimeoutMS: 2_000,
  waitQueueTimeoutMS: 2_000,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 5_000,
  // The last bound of a connection on which nothing comes back: over every limit of a call.
  socketTimeoutMS: LIMIT_MS.manage + 5_000,
};

/** What must be so, whatever the URL says. */
const FIXED: Driver.MongoClientOptions = {
  // A commit is repeated whole or not at all: a write that the driver sends again, long after,
  // would be of an old picture.
  retryWrites: false,
  readPreference: 'primary',
};

/** Enough of a database for the views, and for a test to stand in. */
export interface Connection {
  driver: Pick<typeof Driver, 'MongoError' | 'MongoBulkWriteError'>;
  db: Pick<Driver.Db, 'collection' | 'dropCollection' | 'command'>;
  /** Throws ViewsUnavailable when the server cannot be had, says no, or takes longer. */
  call<T>(limitMs: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const parse = (url: string) => {
  const [, path = '', query = ''] =
    /^mongodb(?:\+srv)?:\/\/[^/?]*(?:\/([^?]*))?(?:\?(.*))?$/.exec(url) ?? [];
  const given = new Set(
    [...new URLSearchParams(query).keys()].map((option) => option.toLowerCase()),
  );
  const defaults = Object.entries(DEFAULTS).filter(([option]) => !given.has(option.toLowerCase()));
  return {
    database: path === '' ? DATABASE : decodeURIComponent(path),
    options: { ...Object.fromEntries(defaults), ...FIXED },
  };
};

const limited = <T>(limitMs: number, work: Promise<T>): Promise<T> =>
  withTimeout(limitMs, work, () => {
    throw unavailable(`no answer within ${limitMs} ms`);
  });

/**
 * The first connection is made by the first call, and tried again by each until there is one; from
 * then on the driver looks after it. (A driver whose own first try failed would refuse all later
 * calls.)
 */
const createCall = (driver: Connection['driver'], connect: () => Promise<unknown>) => {
  let connected: Promise<unknown> | undefined;
  const translate = (error: unknown): unknown =>
    error instanceof driver.MongoError ? unavailable(reasonOf(error)) : error;

  const connecting = () => {
    connected ??= connect().catch((error: Error) => {
      connected = undefined;
      const known = error instanceof driver.MongoError;
      // Anything else is of the system: a name that cannot be resolved, a file of TLS.
      throw unavailable(known ? reasonOf(error) : String((error as NodeJS.ErrnoException).code));
    });
    return connected;
  };

  return async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => {
    const whole = async () => {
      await connecting();
      return work();
    };
    try {
      return await limited(limitMs, whole());
    } catch (error) {
      throw translate(error);
    }
  };
};

/**
 * Waits for no server: one that is down is found by the calls, whenever it comes. Throws when the
 * URL cannot be understood; neither that error nor any other one quotes it.
 */
export const openConnection = async (url: string): Promise<Connection> => {
  // Only here, so that a process without MongoDB does not load the driver.
  const driver = await import('mongodb');
  let client: Driver.MongoClient;
  let db: Driver.Db;
  try {
    const { database, options } = parse(url);
    client = new driver.MongoClient(url, options);
    db = client.db(database);
  } catch {
    throw new Error(
      'MONGODB_URL cannot be understood: what is not a letter or digit in the user name or ' +
        'password must be percent-encoded, and options must be ones of MongoDB',
    );
  }
  let closed: ViewsUnavailable | undefined;
  const call = createCall(driver, () => client.connect());
  return {
    driver,
    db,
    async call(limitMs, work) {
      if (closed) throw closed;
      return call(limitMs, work);
    },
    async close() {
      if (closed) return;
      closed = unavailable('they are closed');
      await limited(LIMIT_MS.read, client.close()).catch(() => undefined);
    },
  };
};
