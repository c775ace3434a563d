/** A connection string that can be handed to the client, and what of it may be shown. */
export interface Address {
  url: string;
  /** `host:port`, separated by commas; never credentials. */
  hosts: string;
}

/**
 * What the client understands, in lower case. It prints the whole string with its password when
 * it meets anything else, so nothing else may reach it.
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
/** Seconds for one member of a cluster to answer; the client's own default of 5 is a whole call. */
const GOSSIP_TIMEOUT_SECONDS = 2;

const problem = (text: string): Error => new Error(`the URL of the event log ${text}`);

const expected = 'must look like esdb://user:password@host:2113,host2:2113?tls=true';

const parts =
  /^(?<scheme>esdb(?:\+discover)?):\/\/(?:[^:@/]+:[^@]+@)?(?<hosts>[^/?#@\s]+)\/?(?:\?(?<query>\S*))?$/;

const flat = (text: string): string => text.toLowerCase().replace(/[_-]/g, '');

const demandKnown = (query: string): void => {
  for (const pair of query === '' ? [] : query.split('&')) {
    const [key, value] = pair.split('=');
    const known = OPTIONS.some((option) => flat(option) === flat(key ?? ''));
    // What is wrong is not repeated: it may be a piece of a password that was not escaped.
    if (!known || !value) {
      throw problem(`has an option that cannot be used; these can: ${OPTIONS.join(', ')}`);
    }
  }
};

const withPort = (host: string): string => (/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`);

/** Throws a plain error, which never holds any of the credentials. */
export const parseUrl = (text: string): Address => {
  const found = parts.exec(text.trim())?.groups;
  if (!found?.hosts) throw problem(expected);
  const { scheme, hosts, query = '' } = found;
  demandKnown(query);
  const isCluster = scheme === 'esdb+discover' || hosts.includes(',');
  const needsGossip = isCluster && !flat(query).includes('gossiptimeout');
  const extra = needsGossip ? `gossipTimeout=${GOSSIP_TIMEOUT_SECONDS}` : '';
  const options = [query, extra].filter((one) => one !== '').join('&');
  const [head = ''] = text.trim().split('?');
  return {
    url: `${head}${options === '' ? '' : `?${options}`}`,
    hosts: hosts.split(',').map(withPort).join(','),
  };
};

/** What the client says of a string that it cannot use, if that can be shown. */
export const explainUrl = (error: unknown): Error => {
  // Its parser's errors repeat pieces of the string.
  const isParser = error instanceof Error && 'connectionString' in error;
  return isParser ? problem(expected) : problem(`cannot be used: ${(error as Error).message}`);
};
