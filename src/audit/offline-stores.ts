import { accessSync, constants, existsSync } from 'node:fs';
import type { EventOf } from '../events/index.ts';
import { eventsFile, openSqliteArchive } from '../events/sqlite/archive.ts';
import { type EventReader, LOG_FORMAT, OtherFormat } from '../events/store.ts';

// Looks at the stores of a service without starting it, and writes nothing to them.

/** The stream that names the installation of a log: its first event holds a keyed hash. */
const INSTALLATION = 'installation-waybill';

interface StoreState {
  /** For people: what was found. */
  detail: string;
  /** The keyed hash of the installation, as the log holds it; undefined in a new log. */
  installation: { installationId: string; secretCheck: string } | undefined;
}

const installationIn = async (
  log: Pick<EventReader, 'read'>,
): Promise<StoreState['installation']> => {
  const events = await log.read(INSTALLATION);
  const [founded] = events as EventOf<'InstallationFounded'>[];
  if (founded && founded.data.format !== LOG_FORMAT) {
    throw new OtherFormat(null, founded.data.format);
  }
  return events.at(-1)?.data as StoreState['installation'];
};

/** Looks into a data directory, beside a running service too. Throws when it cannot be used. */
export const lookAtDirectory = async (directory: string): Promise<StoreState> => {
  if (!existsSync(directory)) {
    return { detail: `${directory} does not exist yet`, installation: undefined };
  }
  accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  const file = eventsFile(directory);
  if (!existsSync(file)) return { detail: `no log in ${directory} yet`, installation: undefined };
  accessSync(file, constants.R_OK | constants.W_OK);
  const log = openSqliteArchive(directory);
  try {
    if (log.format !== LOG_FORMAT) throw new OtherFormat(file, log.format);
    return { detail: `the log in ${directory}`, installation: await installationIn(log) };
  } finally {
    log.close();
  }
};

/** Reads the log of an EventStoreDB. Throws when that does not answer. */
export const lookAtEventStore = async (url: string): Promise<StoreState> => {
  const { openEventStoreDb } = await import('../events/eventstoredb/store.ts');
  const log = await openEventStoreDb({ url });
  try {
    return { detail: 'EventStoreDB answers', installation: await installationIn(log) };
  } finally {
    await log.close();
  }
};

/** Asks a MongoDB for its version. Throws when that does not answer. */
export const lookAtMongo = async (url: string): Promise<{ detail: string }> => {
  const { LIMIT_MS, openConnection } = await import('../projections/mongodb/connection.ts');
  const connection = await openConnection(url);
  try {
    const { version } = await connection.call(LIMIT_MS.read, () =>
      connection.db.command({ buildInfo: 1 }),
    );
    return { detail: `MongoDB ${version} answers` };
  } finally {
    await connection.close();
  }
};
