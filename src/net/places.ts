import type { AddressRules } from './addresses.ts';

/** Whether plain http may go to any address, or only to those that the operator lists. */
export type PlainHttp = 'listed' | 'any';

/** The target of a call, as a URL or a connector names it. */
export interface Place {
  protocol: string;
  hostname: string;
  /** Empty for the default port of the protocol. */
  port: string;
}

const TLS_PORTS = ['443', '8443'];
const PLAIN_PORTS = ['80', '8080'];

export const bareHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

const portOf = ({ protocol, port }: Place): string =>
  port || (protocol === 'https:' ? '443' : '80');

/**
 * The reason why a place may be called only if the operator lists its address: plain http, a port
 * other than those of the web, or a host without a dot. Null for a place without such a reason.
 */
export const exceptionFor = (
  place: Place,
  { rules, plainHttp }: { rules: Pick<AddressRules, 'kindOf'>; plainHttp: PlainHttp },
): string | null => {
  if (place.protocol === 'http:' && plainHttp === 'listed') return 'must be an https URL';
  const host = bareHost(place.hostname);
  if (!host.includes('.') && rules.kindOf(host) === undefined) {
    return 'must name a host with a dot, such as shop.example';
  }
  const ports = plainHttp === 'any' ? [...TLS_PORTS, ...PLAIN_PORTS] : TLS_PORTS;
  if (!ports.includes(portOf(place))) return `must use one of the ports ${ports.join(', ')}`;
  return null;
};
