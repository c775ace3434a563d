import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** The key under which an address counts: the IPv4 address, or the /64 of an IPv6 address. */
export const groupOf = (text: string): string | undefined => {
  const address = withoutPort(text.trim());
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const [a, b, c, d] = (parsed as ipaddr.IPv6).parts;
  return `${[a, b, c, d].map((part) => part?.toString(16)).join(':')}::/64`;
};

/**
 * The client's address, for counting. Each trusted proxy appends one entry to `X-Forwarded-For`;
 * earlier entries come from the caller and are ignored.
 */
export const clientAddress = (request: IncomingMessage, trustProxyHops: number): string => {
  const remote = groupOf(request.socket.remoteAddress ?? '') ?? 'unknown';
  if (trustProxyHops === 0) return remote;
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined) return remote;
  const hops = String(forwarded).split(',').slice(-trustProxyHops);
  return groupOf(hops[0]!) ?? remote;
};

/** A proxy adds at least one of these headers. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'];

/** Whether the caller runs on this machine and is not a proxy. */
export const isLocalCaller = (request: IncomingMessage, trustProxyHops: number): boolean => {
  const remote = request.socket.remoteAddress ?? '';
  if (trustProxyHops > 0 || !ipaddr.isValid(remote)) return false;
  if (PROXY_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  return ipaddr.process(remote).range() === 'loopback';
};
