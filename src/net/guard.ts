import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressKind, AddressRules } from './addresses.ts';
import { bareHost, type Place } from './places.ts';
import type { Resolve } from './resolve.ts';

/** The address is private or unknown: no byte of a request may go there. */
export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
  constructor() {
    super('the address is not a public one');
    this.name = 'ForbiddenAddress';
  }
}

class NoAddress extends Error {
  readonly code = 'ENOTFOUND';
  constructor() {
    super('the host name has no address');
    this.name = 'NoAddress';
  }
}

/** Names that never lead out of a machine or a private network, whatever they resolve to. */
const PRIVATE_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/**
 * The addresses of a host that may be called: the listed ones, if there are any, and otherwise all,
 * if none is forbidden. Throws ForbiddenAddress and the errors of the resolver.
 */
export const usableAddresses = async (
  hostname: string,
  { rules, resolve }: { rules: AddressRules; resolve: Resolve },
): Promise<readonly { address: string; kind: 'public' | 'listed' }[]> => {
  const host = bareHost(hostname);
  const literal = rules.kindOf(host) !== undefined;
  const isPrivateName = PRIVATE_NAME.test(host);
  if (isPrivateName && !rules.hasExceptions) throw new ForbiddenAddress();
  const addresses = literal ? [host] : await resolve(host);
  const sorted = addresses.map((address) => ({ address, kind: rules.kindOf(address) }));
  const listed = sorted.filter(({ kind }) => kind === 'listed');
  if (listed.length > 0) return listed.map(({ address }) => ({ address, kind: 'listed' }));
  if (isPrivateName || sorted.some(({ kind }) => kind !== 'public')) throw new ForbiddenAddress();
  return sorted.map(({ address }) => ({ address, kind: 'public' }));
};

/** Resolves a name for a socket, to the addresses that the socket may use. */
export const guardedLookup =
  (
    deps: { rules: AddressRules; resolve: Resolve },
    mayUse: (kind: AddressKind) => boolean,
  ): LookupFunction =>
  (hostname, { all, family }, callback) => {
    usableAddresses(hostname, deps).then(
      (usable) => {
        const found = usable
          .filter(({ kind }) => mayUse(kind))
          .map(({ address }) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (usable.length > 0 && found.length === 0) {
          callback(new ForbiddenAddress(), '', 4);
          return;
        }
        const fitting =
          family === 4 || family === 6 ? found.filter((one) => one.family === family) : found;
        const [first] = fitting;
        if (!first) callback(new NoAddress(), '', 4);
        else if (all) callback(null, fitting);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 4),
    );
  };

/**
 * Connects to public and listed addresses only. It checks the addresses of a name when it connects,
 * and the peer once more when it is connected, so a name that changes its addresses gains nothing.
 * For a place that needs an exception, it connects to listed addresses only.
 */
export const guardedConnector = (
  deps: { rules: AddressRules; resolve: Resolve },
  options: { timeoutMs: number; needsException: (place: Place) => boolean },
): buildConnector.connector => {
  const { rules } = deps;
  const connectTo = (mayUse: (kind: AddressKind) => boolean) => {
    const lookup = guardedLookup(deps, mayUse);
    const connect = buildConnector({ timeout: options.timeoutMs, allowH2: false, lookup });
    const isForbidden = (address: string | undefined) => {
      const kind = address === undefined ? undefined : rules.kindOf(address);
      return kind === undefined || !mayUse(kind);
    };
    const guarded: buildConnector.connector = (target, callback) => {
      const host = bareHost(target.hostname);
      // The socket does not resolve a literal address.
      if (rules.kindOf(host) !== undefined && isForbidden(host)) {
        callback(new ForbiddenAddress(), null);
        return;
      }
      connect(target, (error, socket) => {
        if (error) callback(error, null);
        else if (isForbidden(socket.remoteAddress)) {
          socket.destroy();
          callback(new ForbiddenAddress(), null);
        } else callback(null, socket);
      });
    };
    return guarded;
  };
  const anywhere = connectTo((kind) => kind !== 'forbidden');
  const listedOnly = connectTo((kind) => kind === 'listed');
  return (target, callback) =>
    (options.needsException(target) ? listedOnly : anywhere)(target, callback);
};
