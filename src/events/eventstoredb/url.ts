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
export const explainUrl = (error: unknown): Error => {
  // Errors of the client's parser quote the string.
  const isParser = error instanceof Error && 'connectionString' in error;
  return isParser ? problem(expected) : problem(`cannot be used: ${(error as Error).message}`);
};
