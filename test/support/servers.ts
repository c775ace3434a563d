/** Stands in the name of all that one run makes on the servers, so that it can be found again. */
export const runName =
  process.env.TEST_RUN ?? `t${process.pid.toString(36)}${Date.now().toString(36)}`;

export interface Servers {
  eventStoreUrl: string;
  mongoUrl: string;
}

/** Both servers, or none: a service in a test stands on files otherwise. */
export const testServers = (): Servers | undefined => {
  const { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl } = process.env;
  return eventStoreUrl && mongoUrl ? { eventStoreUrl, mongoUrl } : undefined;
};

export const withDatabase = (mongoUrl: string, database: string): string =>
  mongoUrl.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);
