import type * as Driver from 'mongodb';
import { withTimeout } from '../../shared/timing.ts';
import { ViewsUnavailable } from '../views.ts';
import { reasonOf, unavailable } from './failure.ts';

/** On most of a replica set, and in its journals: no election reverts it. */
export const DURABLE: { writeConcern: Driver.WriteConcernSettings } = {
  writeConcern: { w: 'majority', j: true, wtimeoutMS: 15_000 },
};

/** Time limits of calls. */
export const LIMIT_MS = { probe: 1_500, read: 5_000, write: 20_000, manage: 60_000 } as const;

/** A driver none of whose calls has succeeded for so long is closed, and connects again. */
const STUCK_MS = 10_000;

const DATABASE = 'waybill';

/** Defaults; the URL may override each. */
const DEFAULTS: Driver.MongoClientOptions = {
  appName: 'waybill',
  maxPoolSize: 20,
  // A request fails, and its caller retries, instead of waiting for the end of an election.
  serverSelectionTimeoutMS: 2_000,
  waitQueueTimeoutMS: 2_000,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 5_000,
  // Ends a silent connection; longer than every limit of a call.
  socketTimeoutMS: LIMIT_MS.manage + 5_000,
};

/** Options that the URL cannot override. */
const FIXED: Driver.MongoClientOptions = {
  // The engine repeats whole commits: a late retry by the driver could write outdated documents.
  retryWrites: false,
  readPreference: 'primary',
};

/** The part of a database that the views use, which a test can replace. */
export interface Connection {
  driver: Pick<typeof Driver, 'MongoError' | 'MongoBulkWriteError'>;
  db: Pick<Driver.Db, 'collection' | 'dropCollection' | 'command'>;
  /** Throws ViewsUnavailable when the server is away, refuses, or takes longer than `limitMs`. */
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
 * Each call tries the first connection until it succeeds; after that the driver reconnects by
 * itself. (A driver whose own first attempt failed would refuse all later calls.) Where a connection
 * breaks just before a write, the write never ends: the driver's own look at the server can hang so,
 * and then it never finds the server again.
 */
export const createCall = (
  driver: Pick<Connection['driver'], 'MongoError'>,
  client: Record<'connect' | 'close', () => Promise<unknown>>,
  monotonicMs: () => number = () => performance.now(),
) => {
  let connected: Promise<unknown> | undefined;
  let closing: Promise<unknown> = Promise.resolve();
  /** When the first of the calls failed that have all failed. */
  let failingSince: number | undefined;
  const translate = (error: unknown): unknown =>
    error instanceof driver.MongoError ? unavailable(reasonOf(error)) : error;

  const connecting = () => {
    connected ??= closing.then(client.connect).catch((error: Error) => {
      connected = undefined;
      const known = error instanceof driver.MongoError;
      // Other errors come from the system: an unknown host name, a file of TLS.
      throw unavailable(known ? reasonOf(error) : String((error as NodeJS.ErrnoException).code));
    });
    return connected;
  };

  const noteFailure = () => {
    failingSince ??= monotonicMs();
    if (!connected || monotonicMs() - failingSince < STUCK_MS) return;
    failingSince = undefined;
    connected = undefined;
    closing = limited(LIMIT_MS.read, client.close()).catch(() => undefined);
  };

  return async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => {
    const whole = async () => {
      await connecting();
      return work();
    };
    try {
      const result = await limited(limitMs, whole());
      failingSince = undefined;
      return result;
    } catch (error) {
      const translated = translate(error);
      if (translated instanceof ViewsUnavailable) noteFailure();
      throw translated;
    }
  };
};

/**
 * Does not wait for the server: the calls connect once it is there. Throws when the URL cannot be
 * parsed; no error quotes the URL.
 */
export const openConnection = async (
  url: string,
  monotonicMs?: () => number,
): Promise<Connection> => {
  // Imported here, so that a process without MongoDB does not load the driver.
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
  const [connect, close] = [() => client.connect(), () => client.close()];
  const call = createCall(driver, { connect, close }, monotonicMs);
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
