import type { AddressRules } from './addresses.ts';

/** Whether plain http is fine everywhere, or only where the operator lists the address. */
export type PlainHttp = 'listed' | 'any';

/** Where a call goes, as a URL or a connector names it. */
export interface Place {
  protocol: string;
  hostname: string;
  /** Empty for the protocol's own. */
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
 * Says why a place may be called only if the operator lists its address: plain http, a port that is
 * no port of the web, a host without a dot. Null for a place that anybody may name.
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
