import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a host name; none for an unknown name. Throws when no server answers. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** For each name server. */
const TIMEOUT_MS = 1500;
/** What no server answered in time has this code. */
const TIMEOUT = 'ETIMEOUT';
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EAI_NONAME']);

const noneWhenUnknown = (error: NodeJS.ErrnoException): [] => {
  if (NO_ADDRESS.has(error.code ?? '')) return [];
  throw error;
};

/** Replaces the name servers and the system's resolver; for tests. */
export interface NameServices {
  servers?: Pick<Resolver, 'resolve4' | 'resolve6'>;
  system?: (hostname: string) => Promise<readonly { address: string }[]>;
}

const systemLookup = (hostname: string) => lookup(hostname, { all: true });

/**
 * Asks the name servers directly, because a slow zone could block the few threads of the system's
 * resolver. With `askSystem`, it asks that resolver for names that the servers do not know: names in
 * the hosts file or a search domain, for private networks. It does not ask it where no server answers
 * in time: it would ask the same servers, and wait for longer.
 */
export const createResolve = (options: { askSystem: boolean } & NameServices): Resolve => {
  const { askSystem, system = systemLookup } = options;
  const servers = options.servers ?? new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  return async (hostname) => {
    if (hostname === 'localhost') return ['127.0.0.1', '::1'];
    const [four, six] = await Promise.allSettled([
      servers.resolve4(hostname).catch(noneWhenUnknown),
      servers.resolve6(hostname).catch(noneWhenUnknown),
    ]);
    const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length > 0) return found;
    const late = [four, six].find(
      (one) => one.status === 'rejected' && one.reason.code === TIMEOUT,
    );
    if (late?.status === 'rejected') throw late.reason;
    if (askSystem) {
      const known = await system(hostname).catch(noneWhenUnknown);
      return known.map(({ address }) => address);
    }
    if (four.status === 'rejected') throw four.reason;
    return [];
  };
};
